import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import type { Layout } from '../layout.ts'
import { gpuById } from '../../hardware/table.ts'
import type { Link } from '../../hardware/link.ts'
import { dualSocketPcie, hybridCubeMesh, layoutOf, nvswitch, pairedNvlink } from './presets.ts'
import { nvlinkGbps, pcieGbps, type PciePath } from './rates.ts'

const FACTS = { target: '8.0', pcieGen: 4 }
const model = (id: string) => must(gpuById(id), id)
const row = (layout: Layout, card: number) => layout.gbps.slice(card * layout.cards, (card + 1) * layout.cards)

describe('a preset', () => {
  const presets = [
    ...[4, 8, 16].map((cards) => nvswitch({ cards, gbps: 450, sockets: 2 })),
    ...([4, 8] as const).flatMap((cards) =>
      ([2, 4] as const).map((perSwitch) => dualSocketPcie({ cards, perSwitch, facts: FACTS })),
    ),
    ...([2, 4, 8] as const).map((cards) => pairedNvlink({ cards, gbps: 300, facts: FACTS })),
    hybridCubeMesh(),
  ]

  test.each(presets)('$id has one figure for each pair, the same both ways', (layout) => {
    const { cards, gbps } = layout
    expect(gbps).toHaveLength(cards * cards)
    expect(layout.numa).toHaveLength(cards)
    expect(layout.pcieSwitch).toHaveLength(cards)
    for (let one = 0; one < cards; one++) {
      for (let two = 0; two < cards; two++) {
        expect(gbps[one * cards + two]).toBe(gbps[two * cards + one])
        expect(gbps[one * cards + two] === 0).toBe(one === two)
      }
    }
  })

  test('has the id of another only when it is wired the same', () => {
    // Four cards in two sockets are two switches of two, whether four would fit on one or not.
    const ids = new Set(presets.map(({ id }) => id))
    expect(ids.size).toBe(presets.length - 1)
    expect(nvswitch({ cards: 8, gbps: 450, sockets: 2 }).id).toBe(presets[1]?.id)
    expect(nvswitch({ cards: 8, gbps: 450, sockets: undefined }).id).not.toBe(presets[1]?.id)
  })

  test('with a switch joins all cards alike', () => {
    const layout = nvswitch({ cards: 4, gbps: 450, sockets: 2 })
    expect(row(layout, 2)).toEqual([450, 450, 0, 450])
    expect(layout.numa).toEqual([0, 0, 1, 1])
    expect(nvswitch({ cards: 4, gbps: 450, sockets: undefined }).numa).toEqual(Array.from({ length: 4 }))
  })

  test('with PCIe in two sockets is slower with every step outwards', () => {
    const layout = dualSocketPcie({ cards: 8, perSwitch: 2, facts: FACTS })
    const [near, node, far] = (['PIX', 'NODE', 'SYS'] as const).map((path) => pcieGbps(path, FACTS))
    expect(row(layout, 0)).toEqual([0, near, node, node, far, far, far, far])
    expect(layout.numa).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
    expect(layout.pcieSwitch).toEqual([0, 0, 1, 1, 2, 2, 3, 3])
    expect(dualSocketPcie({ cards: 8, perSwitch: 4, facts: FACTS }).pcieSwitch).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
  })

  test('with bridges has fast pairs and PCIe between them', () => {
    const layout = pairedNvlink({ cards: 8, gbps: 300, facts: FACTS })
    const [node, far] = (['NODE', 'SYS'] as const).map((path) => pcieGbps(path, FACTS))
    expect(row(layout, 5)).toEqual([far, far, far, far, 300, 0, node, node])
    expect(pairedNvlink({ cards: 2, gbps: 300, facts: FACTS }).numa).toEqual([0, 0])
  })

  test('of a DGX-1 gives every card six links to four others', () => {
    const layout = hybridCubeMesh()
    for (let card = 0; card < 8; card++) {
      const links = row(layout, card).filter((gbps) => gbps >= 25)
      expect(links.toSorted()).toEqual([25, 25, 50, 50])
    }
    expect(row(layout, 0)).toEqual([0, 25, 25, 50, 50, 8, 8, 8])
    expect(layout.nics.map(({ pcieSwitch, numa }) => [pcieSwitch, numa])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
      [3, 1],
    ])
  })
})

describe('the hardware table', () => {
  test.each<[string, number, Link | undefined, number]>([
    ['h100-sxm', 8, undefined, 450],
    ['h100-sxm', 8, 'nvswitch', 450],
    ['h100-sxm', 4, 'nvswitch', 450],
    ['b200-sxm', 8, undefined, 900],
    ['a100-80-sxm', 16, undefined, 300],
    ['v100-32-sxm', 16, 'nvswitch', 150],
  ])('says that %s times %i (%s) talk at %i GB/s', (id, count, link, gbps) => {
    const layout = layoutOf(model(id), count, link)
    expect(layout?.cards).toBe(count)
    expect(new Set(layout?.gbps)).toEqual(new Set([0, gbps]))
    expect(layout?.numa.every((node) => node === undefined)).toBe(true)
  })

  test.each<[string, number, Link | undefined]>([
    ['h100-sxm', 4, undefined],
    ['h100-sxm', 4, 'nvlink'],
    ['h100-sxm', 8, 'pcie'],
    ['h100-sxm', 8, 'nvlink'],
    ['h100-sxm', 1, 'nvswitch'],
    ['h100-sxm', 17, undefined],
    ['v100-32-sxm', 8, undefined],
    ['a100-80-pcie', 8, undefined],
    ['a100-80-pcie', 2, 'nvlink'],
    ['l40s', 8, undefined],
    ['mi300x', 8, 'nvswitch'],
  ])('does not say how %s times %i (%s) are wired', (id, count, link) => {
    expect(layoutOf(model(id), count, link)).toBeUndefined()
  })
})

describe('rates', () => {
  test('fall with every step outwards, on every generation', () => {
    const paths: readonly PciePath[] = ['PIX', 'PXB', 'PHB', 'NODE', 'SYS']
    for (const pcieGen of [undefined, 3, 4, 5, 6]) {
      const speeds = paths.map((path) => pcieGbps(path, { target: undefined, pcieGen }))
      expect(speeds).toEqual(speeds.toSorted((one, two) => two - one))
      expect(new Set(speeds).size).toBe(paths.length)
    }
    expect(pcieGbps('PIX', FACTS)).toBe(32)
    expect(pcieGbps('PIX', undefined)).toBe(16)
  })

  test('of all links of a card together are what the vendor prints for one direction', () => {
    const links = {
      'p100-sxm-16': 4,
      'v100-32-sxm': 6,
      'a100-80-sxm': 12,
      'h100-sxm': 18,
      'b200-sxm': 18,
      'rtx-3090': 4,
    }
    for (const [id, count] of Object.entries(links)) {
      expect([id, count * nvlinkGbps(model(id))]).toEqual([id, (model(id).linkGbps ?? 0) / 2])
    }
    expect(nvlinkGbps(undefined)).toBe(25)
  })
})
