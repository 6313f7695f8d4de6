import { describe, expect, test } from 'vitest'
import { versionNumber } from '../../base/version.ts'
import { ANY_NUMBER, atLeast, atLeastVersion, atMost, inRange, meetRanges } from './range.ts'
import { RANGES } from './algebra.ts'

const TWO_TO_FOUR = { min: 2, max: 4 }

describe('a range', () => {
  test('includes both its ends', () => {
    expect([1, 2, 3, 4, 5].map((value) => inRange(TWO_TO_FOUR, value))).toEqual([false, true, true, true, false])
  })

  test('may be open at either end, or at both', () => {
    expect(atLeast(2)).toStrictEqual({ min: 2, max: undefined })
    expect(atMost(4)).toStrictEqual({ min: undefined, max: 4 })
    expect([1, 2, 1e9].map((value) => inRange(atLeast(2), value))).toEqual([false, true, true])
    expect([-1e9, 4, 5].map((value) => inRange(atMost(4), value))).toEqual([true, true, false])
    expect([-1e9, 1e9].map((value) => inRange(ANY_NUMBER, value))).toEqual([true, true])
    expect(atLeast(undefined)).toStrictEqual(ANY_NUMBER)
    expect(atMost(undefined)).toStrictEqual(ANY_NUMBER)
  })

  test('of versions begins with one that is stated', () => {
    expect(atLeastVersion('12.4')).toStrictEqual(atLeast(versionNumber('12.4')))
    expect(inRange(atLeastVersion('12.4'), versionNumber('12.10') ?? 0)).toBe(true)
    expect(inRange(atLeastVersion('12.4'), versionNumber('12.3') ?? 1e9)).toBe(false)
    expect(atLeastVersion(undefined)).toStrictEqual(ANY_NUMBER)
  })

  test('meets another in what both admit', () => {
    expect(meetRanges(atLeast(2), atMost(4))).toStrictEqual(TWO_TO_FOUR)
    expect(meetRanges(atLeast(2), atLeast(3))).toStrictEqual(atLeast(3))
    expect(meetRanges(atMost(2), atMost(3))).toStrictEqual(atMost(2))
    expect(meetRanges({ min: 1, max: 3 }, TWO_TO_FOUR)).toStrictEqual({ min: 2, max: 3 })
  })

  test('covers what lies inside it, itself included', () => {
    expect(RANGES.covers(TWO_TO_FOUR, TWO_TO_FOUR)).toBe(true)
    expect(RANGES.covers(TWO_TO_FOUR, { min: 3, max: 3 })).toBe(true)
    expect(RANGES.covers(TWO_TO_FOUR, { min: 1.9, max: 4 })).toBe(false)
    expect(RANGES.covers(TWO_TO_FOUR, { min: 2, max: 4.1 })).toBe(false)
    expect(RANGES.covers(TWO_TO_FOUR, atLeast(2))).toBe(false)
    expect(RANGES.covers(TWO_TO_FOUR, atMost(4))).toBe(false)
    expect(RANGES.covers(ANY_NUMBER, TWO_TO_FOUR)).toBe(true)
  })
})
