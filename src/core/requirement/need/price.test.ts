import { describe, expect, test } from 'vitest'
import { ANYTHING, oneOf } from './choice.ts'
import { priceOn, termsOf } from './price.ts'

const ON_DEMAND = oneOf(['on-demand'])
const SPOT = oneOf(['spot'])

function price(usdPerHour: number | undefined, spotUsdPerHour: number | undefined) {
  return { usdPerHour, spotUsdPerHour }
}

describe('the price on the allowed terms', () => {
  test('is the lower one where both terms are allowed', () => {
    expect(priceOn(price(4, 1), ANYTHING)).toBe(1)
    expect(priceOn(price(1, 4), ANYTHING)).toBe(1)
    expect(priceOn(price(4, undefined), ANYTHING)).toBe(4)
    expect(priceOn(price(undefined, 1), ANYTHING)).toBe(1)
  })

  test('ignores terms that are not allowed', () => {
    expect(priceOn(price(4, 1), ON_DEMAND)).toBe(4)
    expect(priceOn(price(1, 4), SPOT)).toBe(4)
    expect(priceOn(price(undefined, 1), ON_DEMAND)).toBeUndefined()
    expect(priceOn(price(4, undefined), SPOT)).toBeUndefined()
    expect(priceOn(price(4, 1), oneOf([]))).toBeUndefined()
    expect(priceOn(price(undefined, undefined), ANYTHING)).toBeUndefined()
  })

  test('names its terms, and prefers those that cannot be taken away', () => {
    expect(termsOf(price(4, 1), ANYTHING)).toBe('spot')
    expect(termsOf(price(1, 4), ANYTHING)).toBe('on-demand')
    expect(termsOf(price(1, 1), ANYTHING)).toBe('on-demand')
    expect(termsOf(price(1, 1), SPOT)).toBe('spot')
    expect(termsOf(price(4, 1), ON_DEMAND)).toBe('on-demand')
  })
})
