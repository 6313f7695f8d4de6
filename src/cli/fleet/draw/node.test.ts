import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hybridCubeMesh, nvswitch } from '../../../core/fleet/topology/presets.ts'
import { wire } from '../../../core/fleet/topology/wire.ts'
import { drawNode } from './node.ts'
import { nodeWith, used } from '../../../core/fleet/draw.suite.ts'
import type { Layout } from '../../../core/fleet/layout.ts'

function draw(layout: Layout): readonly string[] {
  return drawNode(used(nodeWith(layout.cards, { layout })))
}

/** Titles, brackets and the numbers of cards, in the order they are drawn. */
function words(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const cards = [...line.matchAll(/┌ (\d+) /g)].map(([, card]) => card)
    if (cards.length > 0) return [cards.join(' ')]
    const title = /┌─ (.*?) ─*┐$/.exec(line)?.[1]
    const below = [...line.matchAll(/╰ (.*?) ─*╯/g)].map(([, text]) => text)
    return title === undefined ? (below.length > 0 ? [below.join(' | ')] : []) : [title]
  })
}

describe('the drawing of a node', () => {
  test('puts NICs next to the switch they are on', () => {
    expect(words(draw(hybridCubeMesh()))).toEqual([
      'NUMA node 0',
      '0 1 2 3',
      'switch 0 · mlx5_0 | switch 1 · mlx5_1',
      'NUMA node 1',
      '4 5 6 7',
      'switch 2 · mlx5_2 | switch 3 · mlx5_3',
    ])
  })

  test('puts NICs that are on no card’s switch next to the NUMA node', () => {
    const layout = { ...nvswitch({ cards: 2, gbps: 450, sockets: 1 }), nics: [{ name: 'ib0', numa: 0, pcieSwitch: 9 }] }
    expect(words(draw(layout))).toEqual(['NUMA node 0 · ib0', '0 1'])
  })

  test('does not lose a NIC that is near no card', () => {
    const nics = [
      { name: 'ib0', numa: undefined, pcieSwitch: undefined },
      { name: 'ib1', numa: 7, pcieSwitch: undefined },
    ]
    expect(draw({ ...nvswitch({ cards: 2, gbps: 450, sockets: 1 }), nics }).at(-1)).toBe('  elsewhere · ib0 ib1')
  })

  test('keeps cards apart that are in no order', () => {
    const layout = wire({
      kind: 'test',
      cards: 6,
      gbps: () => 1,
      numa: (card) => (card === 5 ? undefined : card % 2),
      pcieSwitch: (card) => (card < 4 ? card % 2 : undefined),
      nics: [],
    })
    expect(words(draw(layout))).toEqual([
      'NUMA node 0',
      '0 2 4',
      'switch 0',
      'NUMA node 1',
      '1 3',
      'switch 1',
      'NUMA node unknown',
      '5',
    ])
  })

  test('goes on in the next row where a switch has many cards', () => {
    const layout = wire({ kind: 'test', cards: 6, gbps: () => 1, numa: () => 0, pcieSwitch: () => 0, nics: [] })
    expect(words(draw(layout))).toEqual(['NUMA node 0', '0 1 2 3', 'switch 0', '4 5', 'switch 0'])
  })

  test('has every card once, straight edges and room on the screen', () => {
    const some = fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined })
    const nic = fc.record({ name: fc.string({ maxLength: 30 }), numa: some, pcieSwitch: some })
    const layout = fc
      .record({
        places: fc.array(fc.tuple(some, some), { minLength: 1, maxLength: 16 }),
        nics: fc.array(nic, { maxLength: 12 }),
      })
      .map(({ places, nics }) =>
        wire({
          kind: 'test',
          cards: places.length,
          gbps: () => 1,
          numa: (card) => places[card]?.[0],
          pcieSwitch: (card) => places[card]?.[1],
          nics,
        }),
      )
    fc.assert(
      fc.property(layout, (layout) => {
        const drawn = draw(layout)
        const lines = drawn.filter((line) => !line.startsWith('  elsewhere'))
        expect(drawn.length - lines.length).toBeLessThanOrEqual(1)
        expect(drawn.every((line) => line.length <= 96)).toBe(true)
        expect(new Set(lines.map((line) => line.length)).size).toBe(1)
        const cards = lines.flatMap((line) => [...line.matchAll(/┌ (\d+) ─/g)].map(([, card]) => Number(card)))
        expect(cards.toSorted((one, two) => one - two)).toEqual([...layout.numa.keys()])
      }),
    )
  })
})
