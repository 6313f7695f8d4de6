import { describe, expect, test } from 'vitest'
import { auditPrices, flatPrices, isFlatPrice, soldPrices } from './price.ts'

const ONE_CARD = { cards: 1, isFlat: false }

function noteFor(usdPerHour: number | undefined, spotUsdPerHour: number | undefined, machine = ONE_CARD) {
  return auditPrices({ usdPerHour, spotUsdPerHour }, machine).note
}

describe('a price', () => {
  test('is believed on either terms or both', () => {
    expect(auditPrices({ usdPerHour: 2, spotUsdPerHour: 1 }, ONE_CARD)).toEqual({
      usdPerHour: 2,
      spotUsdPerHour: 1,
      quarantine: undefined,
      note: undefined,
    })
    expect(auditPrices({ usdPerHour: 2, spotUsdPerHour: undefined }, ONE_CARD).quarantine).toBeUndefined()
    expect(auditPrices({ usdPerHour: undefined, spotUsdPerHour: 1 }, ONE_CARD).quarantine).toBeUndefined()
  })

  test('of zero means not sold on these terms', () => {
    expect(soldPrices({ usdPerHour: 0, spotUsdPerHour: 0.5 })).toEqual({ usdPerHour: undefined, spotUsdPerHour: 0.5 })
    expect(soldPrices({ usdPerHour: 0.5, spotUsdPerHour: 0 })).toEqual({ usdPerHour: 0.5, spotUsdPerHour: undefined })
    expect(auditPrices({ usdPerHour: 2, spotUsdPerHour: 0 }, ONE_CARD)).toMatchObject({
      usdPerHour: 2,
      spotUsdPerHour: undefined,
      quarantine: undefined,
    })
  })

  test('is missing when nothing is sold on any terms', () => {
    const missing = { usdPerHour: undefined, spotUsdPerHour: undefined, note: 'neither on-demand nor spot' }
    expect(auditPrices({ usdPerHour: undefined, spotUsdPerHour: undefined }, ONE_CARD)).toEqual({
      ...missing,
      quarantine: 'PRICE_MISSING',
    })
    expect(auditPrices({ usdPerHour: 0, spotUsdPerHour: 0 }, ONE_CARD).quarantine).toBe('PRICE_MISSING')
  })
})

describe('a placeholder', () => {
  test('is below two cents a card', () => {
    expect(noteFor(0.02, undefined)).toBeUndefined()
    expect(noteFor(0.0199, undefined)).toBe('$0.0199 a card is below $0.02')
    expect(noteFor(0.08, undefined, { cards: 8, isFlat: false })).toBe('$0.01 a card is below $0.02')
    expect(noteFor(1, 0.01)).toBe('$0.01 a card is below $0.02')
    expect(noteFor(0.01, undefined, { cards: 0.125, isFlat: false })).toBeUndefined()
  })

  test('is above a thousand dollars a card', () => {
    expect(noteFor(1000, undefined)).toBeUndefined()
    expect(noteFor(1000.01, undefined)).toBe('$1000 a card is above $1000')
    expect(noteFor(8000, undefined, { cards: 8, isFlat: false })).toBeUndefined()
    expect(noteFor(undefined, 1234.5)).toBe('$1230 a card is above $1000')
  })

  test('is below zero or no number, whatever the machine', () => {
    expect(noteFor(-1, undefined)).toBe('$-1 is below zero')
    expect(noteFor(-1, undefined, { cards: 0, isFlat: false })).toBe('$-1 is below zero')
    expect(noteFor(Number.NaN, undefined)).toBe('NaN is not a price')
    expect(noteFor(1, Infinity, { cards: 0, isFlat: false })).toBe('Infinity is not a price')
  })

  test('is a spot price of more than three times the other', () => {
    expect(noteFor(1, 3)).toBeUndefined()
    expect(noteFor(1, 3.01)).toBe('spot $3.01 against $1 on demand')
    expect(noteFor(undefined, 3.01)).toBeUndefined()
  })

  test('is a price that every size of the machine carries', () => {
    expect(noteFor(700, undefined, { cards: 1, isFlat: true })).toBe('$700 for any number of cards')
    expect(noteFor(undefined, 600, { cards: 1, isFlat: true })).toBe('$600 for any number of cards')
  })

  test('quarantines the row and leaves the prices to be seen', () => {
    expect(auditPrices({ usdPerHour: 0.01, spotUsdPerHour: undefined }, ONE_CARD)).toEqual({
      usdPerHour: 0.01,
      spotUsdPerHour: undefined,
      quarantine: 'PRICE_PLACEHOLDER',
      note: '$0.01 a card is below $0.02',
    })
  })

  test('is not defined for machines without cards', () => {
    expect(noteFor(0.001, 0.001, { cards: 0, isFlat: false })).toBeUndefined()
    expect(noteFor(5000, undefined, { cards: 0, isFlat: false })).toBeUndefined()
  })
})

const sizes = (usd: number, counts: readonly number[]) =>
  counts.map((cards) => ({ key: 'zone|card', cards, usdPerHour: usd, spotUsdPerHour: undefined }))

const asked = (usdPerHour: number | undefined, spotUsdPerHour: number | undefined, key = 'zone|card') => ({
  key,
  usdPerHour,
  spotUsdPerHour,
})

describe('flat prices', () => {
  test('are those of three sizes or more', () => {
    expect(isFlatPrice(flatPrices(sizes(700, [1, 4, 8])), asked(700, undefined))).toBe(true)
    expect(isFlatPrice(flatPrices(sizes(700, [1, 4])), asked(700, undefined))).toBe(false)
    expect(isFlatPrice(flatPrices(sizes(700, [1, 4, 4, 1])), asked(700, undefined))).toBe(false)
  })

  test('are flat for one machine, one price and one kind of terms', () => {
    const flat = flatPrices(sizes(700, [1, 4, 8]))
    expect(isFlatPrice(flat, asked(701, undefined))).toBe(false)
    expect(isFlatPrice(flat, asked(undefined, 700))).toBe(false)
    expect(isFlatPrice(flat, asked(700, undefined, 'other|card'))).toBe(false)
  })

  test('may be spot prices', () => {
    const spots = [1, 2, 4].map((cards) => ({ key: 'k', cards, usdPerHour: cards, spotUsdPerHour: 5 }))
    const flat = flatPrices(spots)
    expect(isFlatPrice(flat, asked(9, 5, 'k'))).toBe(true)
    expect(isFlatPrice(flat, asked(5, 9, 'k'))).toBe(false)
  })

  test('are not those of machines that are not sold', () => {
    const flat = flatPrices(sizes(0, [1, 4, 8]))
    expect([...flat]).toEqual([])
    expect(isFlatPrice(new Set(['zone|card|on-demand|0', 'zone|card|spot|0']), asked(0, 0))).toBe(false)
  })
})
