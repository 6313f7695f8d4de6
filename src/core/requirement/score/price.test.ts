import { describe, expect, test } from 'vitest'
import { scored } from './candidate.suite.ts'
import { price } from './price.ts'

describe('the price score', () => {
  test('compares with the cheapest that fits', () => {
    expect(scored(price, { usdPerHour: 2 }, { usdPerHourMin: 2 })).toBe(1)
    expect(scored(price, { usdPerHour: 4 }, { usdPerHourMin: 2 })).toBe(0.5)
    expect(scored(price, { usdPerHour: 8 }, { usdPerHourMin: 2 })).toBe(0.25)
  })

  test('nothing beats free', () => {
    expect(scored(price, { usdPerHour: 0 }, { usdPerHourMin: 0 })).toBe(1)
    expect(scored(price, { usdPerHour: 0.01 }, { usdPerHourMin: 0 })).toBe(0)
  })
})
