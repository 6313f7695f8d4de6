import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cheapestCovers, type Item } from './covers.ts'
import { subsets } from './proposal.suite.ts'
import { cases } from '../../base/laws.suite.ts'

const items = fc.array(
  fc.record({
    price: fc.integer({ min: 1, max: 6 }).map((price) => price * 1000),
    gives: fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })),
  }),
  { maxLength: 8 },
)
const needs = fc.tuple(fc.integer({ min: -2, max: 12 }), fc.integer({ min: -2, max: 12 }))

function isCovered(list: readonly Item[], need: readonly number[], chosen: readonly number[]): boolean {
  return need.every((amount, at) => {
    const given = chosen.reduce((sum, index) => sum + (list[index]?.gives[at] ?? 0), 0)
    return given >= amount
  })
}

function priceOf(list: readonly Item[], chosen: readonly number[]): number {
  return chosen.reduce((sum, index) => sum + (list[index]?.price ?? 0), 0)
}

test('the first choice is the cheapest of all, and of those the first', () => {
  fc.assert(
    fc.property(items, needs, (list, need) => {
      const isEnough = (chosen: readonly number[]): boolean => isCovered(list, need, chosen)
      const all = subsets([...list.keys()]).filter(isEnough)
      const lowest = Math.min(...all.map((chosen) => priceOf(list, chosen)))
      const best = all.filter((chosen) => priceOf(list, chosen) === lowest).sort(inOrder)
      expect(cheapestCovers(list, { need, isEnough, limit: 1 })).toEqual(best.slice(0, 1))
    }),
    cases(3_000),
  )
})

test('asked for more, it gives every choice from which nothing can be left out, cheapest first', () => {
  fc.assert(
    fc.property(items, needs, (list, need) => {
      const isEnough = (chosen: readonly number[]): boolean => isCovered(list, need, chosen)
      const lean = subsets([...list.keys()]).filter(
        (chosen) => isEnough(chosen) && chosen.every((index) => !isEnough(chosen.filter((other) => other !== index))),
      )
      const prices = lean.map((chosen) => priceOf(list, chosen)).sort((a, b) => a - b)
      const found = cheapestCovers(list, { need, isEnough, limit: 1000 })
      expect(found.map((chosen) => priceOf(list, chosen))).toEqual(prices)
      expect(found.toSorted(inOrder)).toEqual(lean.toSorted(inOrder))
    }),
    cases(3_000),
  )
})

describe('beyond its bound', () => {
  // Every number of items from 30 on is enough, which no sum tells: all smaller choices would have to be looked at.
  const many = Array.from({ length: 40 }, (_, index) => ({ price: 1000 + index, gives: [0] }))
  const isEnough = (chosen: readonly number[]): boolean => chosen.length >= 30

  test('a choice is still found, and nothing can be left out of it', () => {
    const [chosen = []] = cheapestCovers(many, { need: [0], isEnough, limit: 1 })
    expect(chosen).toHaveLength(30)
    expect(chosen.at(-1)).toBe(29)
  })
})

test('many alike are no trouble where a sum tells how many it takes', () => {
  const many = Array.from({ length: 200 }, () => ({ price: 60_000, gives: [1000, 300] }))
  const isEnough = (chosen: readonly number[]): boolean => isCovered(many, [61_500, 100], chosen)
  const [chosen = []] = cheapestCovers(many, { need: [61_500, 100], isEnough, limit: 1 })
  expect(chosen).toEqual([...many.keys()].slice(0, 62))
})

test('what is not enough with everything is not covered', () => {
  const two = [{ price: 1, gives: [1] }]
  expect(cheapestCovers(two, { need: [2], isEnough: (chosen) => isCovered(two, [2], chosen), limit: 1 })).toEqual([])
})

function inOrder(a: readonly number[], b: readonly number[]): number {
  for (const [at, index] of a.entries()) {
    const other = b[at]
    if (other === undefined) return 1
    if (index !== other) return index - other
  }
  return a.length - b.length
}
