import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { islands } from './islands.ts'
import { randomLayout } from './layouts.suite.ts'
import { oracleOf } from './oracle.suite.ts'
import { dualSocketPcie, hybridCubeMesh, nvswitch, pairedNvlink } from './presets.ts'
import { wire } from './wire.ts'

const FACTS = { target: '8.0', pcieGen: 4 }

describe('islands', () => {
  test('of a switch are the whole node', () => {
    expect(islands(nvswitch({ cards: 8, gbps: 450, sockets: 2 }))).toEqual([{ mask: 0xff, size: 8, gbps: 450 }])
  })

  test('of sockets are nested, from the fastest to the slowest', () => {
    const found = islands(dualSocketPcie({ cards: 8, perSwitch: 2, facts: FACTS }))
    expect(found.map(({ mask }) => mask)).toEqual([0b11, 0b1100, 0b11_0000, 0b1100_0000, 0x0f, 0xf0, 0xff])
    expect(found.map(({ gbps }) => gbps)).toEqual([32, 32, 32, 32, 20.8, 20.8, 16])
  })

  test('of bridges are the pairs, then the sockets', () => {
    const found = islands(pairedNvlink({ cards: 4, gbps: 300, facts: FACTS }))
    expect(found.map(({ mask, gbps }) => [mask, gbps])).toEqual([
      [0b0011, 300],
      [0b1100, 300],
      [0b1111, 16],
    ])
  })

  test('of a cube mesh hold no two cards that only PCIe joins', () => {
    const quick = islands(hybridCubeMesh()).filter(({ gbps }) => gbps >= 25)
    expect(quick.filter(({ gbps }) => gbps === 50)).toHaveLength(8)
    expect(quick.filter(({ gbps }) => gbps === 25).map(({ mask }) => mask)).toEqual([
      0x0f, 0xf0, 0b100_0100, 0b1000_1000,
    ])
  })

  test('leave out cards whose links are not known', () => {
    const nowhere = { numa: () => undefined, pcieSwitch: () => undefined, nics: [] }
    expect(islands(wire({ kind: 'dark', cards: 4, gbps: () => 0, ...nowhere }))).toEqual([])
    const half = wire({ kind: 'half', cards: 4, gbps: (one, two) => (two < 2 && one < 2 ? 50 : 0), ...nowhere })
    expect(islands(half)).toEqual([{ mask: 0b11, size: 2, gbps: 50 }])
  })

  test('hold a set at a speed exactly when all its pairs have that speed', () => {
    fc.assert(
      fc.property(randomLayout({ cardsMax: 7 }), (layout) => {
        const found = islands(layout)
        const { speed } = oracleOf(layout)
        for (let set = 1; set < 2 ** layout.cards; set++) {
          if ((set & (set - 1)) === 0) continue
          const holders = found.filter(({ mask }) => (mask & set) === set).map(({ gbps }) => gbps)
          expect(Math.max(0, ...holders)).toBe(speed(set).slowest)
        }
      }),
    )
  })

  test('could not take in one more card', () => {
    fc.assert(
      fc.property(randomLayout({ cardsMax: 8 }), (layout) => {
        const { speed } = oracleOf(layout)
        for (const { mask, gbps } of islands(layout)) {
          expect(speed(mask).slowest).toBe(gbps)
          for (let card = 0; card < layout.cards; card++) {
            const more = mask | (1 << card)
            if (more !== mask) expect(speed(more).slowest).toBeLessThan(gbps)
          }
        }
      }),
    )
  })
})
