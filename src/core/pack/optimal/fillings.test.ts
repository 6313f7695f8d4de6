import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { migRules } from '../../fleet/mig/rules.ts'
import { shareFillings, sliceFillings } from './fillings.ts'

const RULES = must(migRules('h100-sxm'), 'h100-sxm')
const [TENTH, QUARTER, HALF, ALL] = [0, 2, 3, 5]

describe('a card is filled with shares', () => {
  test('in every way that leaves no room for another', () => {
    const sorts = [
      { size: 300, most: 9 },
      { size: 500, most: 9 },
    ]
    expect(shareFillings(1000, sorts, 100)).toEqual([
      [0, 2],
      [1, 1],
      [3, 0],
    ])
  })

  test('but with no more of them than are wanted', () => {
    expect(shareFillings(1000, [{ size: 100, most: 3 }], 100)).toEqual([[3]])
    expect(shareFillings(400, [{ size: 300, most: 9 }], 100)).toEqual([[1]])
    expect(shareFillings(200, [{ size: 300, most: 9 }], 100)).toEqual([[0]])
  })

  test('in the order of the sorts, whatever their size', () => {
    const sorts = [
      { size: 100, most: 1 },
      { size: 900, most: 1 },
    ]
    expect(shareFillings(1000, sorts, 100)).toEqual([[1, 1]])
  })

  test('unless there are too many ways', () => {
    const sorts = Array.from({ length: 20 }, (_, index) => ({ size: 10 + 7 * index, most: 40 }))
    expect(shareFillings(1000, sorts, 1000)).toBeUndefined()
    const few = [
      { size: 300, most: 9 },
      { size: 500, most: 9 },
    ]
    expect(shareFillings(1000, few, 2)).toBeUndefined()
  })
})

describe('a card is filled with slices', () => {
  const many = (size: number) => ({ size, most: 9 })

  test('in every way that leaves no room for another', () => {
    expect(sliceFillings(RULES, 0, [many(HALF), many(TENTH)]).toSorted()).toEqual([
      [0, 7],
      [1, 4],
      [2, 0],
    ])
    expect(sliceFillings(RULES, 0, [many(ALL), many(HALF)]).toSorted()).toEqual([
      [0, 2],
      [1, 0],
    ])
  })

  test('beside those that are there', () => {
    expect(sliceFillings(RULES, 0b0000_0001, [many(HALF), many(QUARTER)]).toSorted()).toEqual([
      [0, 2],
      [1, 1],
    ])
    expect(sliceFillings(RULES, 0b1111_1111, [many(TENTH)])).toEqual([[0]])
  })

  test('but with no more of them than are wanted', () => {
    expect(sliceFillings(RULES, 0, [{ size: TENTH, most: 2 }, many(HALF)]).toSorted()).toEqual([
      [0, 2],
      [2, 1],
    ])
  })
})
