import { describe, expect, test } from 'vitest'
import { CARD_RULES } from './card-rules.ts'
import { PAIRS } from './proposal.suite.ts'

const { cuts, valueOf, shareOf, choose, islands } = CARD_RULES

describe('slices', () => {
  test('are the smallest with the memory, wherever they may lie', () => {
    const found = cuts('h100-sxm', 11) ?? []
    expect(new Set(found.map(({ profile }) => profile))).toEqual(new Set(['1g.20gb']))
    expect(found.map(({ start }) => start)).toEqual([0, 2, 4, 6])
  })

  test('are none where none is large enough, and unknown where cards cannot be cut', () => {
    expect(cuts('h100-sxm', 81)).toEqual([])
    expect(cuts('l4', 1)).toBeUndefined()
    expect(cuts('nobody-knows', 1)).toBeUndefined()
    expect(cuts(undefined, 1)).toBeUndefined()
  })

  test('lie on one card only side by side, and take from the use of the rest', () => {
    const half = { kind: 'slice', profile: '3g.40gb', start: 0 } as const
    const other = { kind: 'slice', profile: '3g.40gb', start: 4 } as const
    const values = [[], [half], [half, other]].map((slices) => valueOf('h100-sxm', slices) ?? -1)
    expect(values).toEqual(values.toSorted((a, b) => b - a))
    expect(new Set(values).size).toBe(3)
    expect(valueOf('h100-sxm', [half, half])).toBeUndefined()
    expect(valueOf('nobody-knows', [half])).toBeUndefined()
  })

  test('are a part of a card, and all of it where that is not known', () => {
    expect(shareOf('h100-sxm', { kind: 'slice', profile: '3g.40gb', start: 4 })).toBe(0.5)
    expect(shareOf('h100-sxm', { kind: 'slice', profile: '1g.10gb', start: 6 })).toBe(1 / 8)
    expect(shareOf('h100-sxm', { kind: 'slice', profile: '9g.99gb', start: 0 })).toBe(1)
    expect(shareOf('nobody-knows', { kind: 'slice', profile: '1g.10gb', start: 0 })).toBe(1)
  })
})

describe('cards', () => {
  test('are chosen by how they are joined, or the first ones where that is not known', () => {
    expect(choose(PAIRS, [1, 2, 3], 2)).toEqual([2, 3])
    expect(choose(undefined, [1, 2, 3], 2)).toEqual([1, 2])
    expect(choose({ ...PAIRS, cards: 40 }, [1, 2, 39], 2)).toEqual([1, 2])
  })

  test('form islands as far as that is known', () => {
    expect(islands(PAIRS)).toEqual([
      [0, 1],
      [2, 3],
      [0, 1, 2, 3],
    ])
    expect(islands(undefined)).toEqual([])
    expect(islands({ ...PAIRS, cards: 40 })).toEqual([])
  })
})
