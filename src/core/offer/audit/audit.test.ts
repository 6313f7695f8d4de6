import { describe, expect, test } from 'vitest'
import { concludeWithoutCard, quarantined, wholeCards } from './audit.ts'
import { audit } from './audit.suite.ts'
import { CLAIM } from './audit.fixture.ts'

const PRICES = { usdPerHour: 2.5, spotUsdPerHour: 1, isFlat: false }

describe('the verdict on a row', () => {
  test('is resolved when nothing had to be mended', () => {
    expect(audit(CLAIM, PRICES)).toEqual({
      verdict: 'resolved',
      repairs: [],
      quarantine: undefined,
      note: undefined,
      gpu: { model: 'h100-80', count: 1, slice: undefined, link: 'pcie' },
      usdPerHour: 2.5,
      spotUsdPerHour: 1,
    })
  })

  test('is repaired when something was', () => {
    expect(audit({ ...CLAIM, cardMib: 80 }, { ...PRICES, spotUsdPerHour: 0 })).toEqual({
      verdict: 'repaired',
      repairs: ['VRAM_GB_AS_MIB'],
      quarantine: undefined,
      note: 'memory read as 80 GB',
      gpu: { model: 'h100-80', count: 1, slice: undefined, link: 'pcie' },
      usdPerHour: 2.5,
      spotUsdPerHour: undefined,
    })
  })

  test('is quarantined when the card is in doubt, with the prices that were stated', () => {
    expect(audit({ ...CLAIM, named: 'H200' }, { ...PRICES, spotUsdPerHour: 0 })).toEqual({
      verdict: 'quarantined',
      repairs: [],
      quarantine: 'VRAM_CONTRADICTS',
      note: 'no H200 has 81920',
      gpu: undefined,
      usdPerHour: 2.5,
      spotUsdPerHour: undefined,
    })
  })

  test('is quarantined when only the price is in doubt', () => {
    expect(audit({ ...CLAIM, cardMib: 80 }, { usdPerHour: 0, spotUsdPerHour: undefined, isFlat: false })).toEqual({
      verdict: 'quarantined',
      repairs: [],
      quarantine: 'PRICE_MISSING',
      note: 'neither on-demand nor spot',
      gpu: undefined,
      usdPerHour: undefined,
      spotUsdPerHour: undefined,
    })
    expect(audit(CLAIM, { ...PRICES, isFlat: true })).toMatchObject({
      quarantine: 'PRICE_PLACEHOLDER',
      note: '$2.5 for any number of cards',
    })
  })

  test('measures prices by the card: eight cards for fifteen cents are no offer', () => {
    const eight = { ...CLAIM, count: 8 }
    expect(audit(eight, { ...PRICES, usdPerHour: 0.15, spotUsdPerHour: undefined }).quarantine).toBe(
      'PRICE_PLACEHOLDER',
    )
    expect(audit(eight, { ...PRICES, usdPerHour: 0.16, spotUsdPerHour: undefined }).quarantine).toBeUndefined()
  })

  test('on a machine without cards depends on its prices alone', () => {
    expect(concludeWithoutCard({ usdPerHour: 0.001, spotUsdPerHour: 0 })).toEqual({
      verdict: 'resolved',
      repairs: [],
      quarantine: undefined,
      note: undefined,
      gpu: undefined,
      usdPerHour: 0.001,
      spotUsdPerHour: undefined,
    })
    expect(concludeWithoutCard({ usdPerHour: 0, spotUsdPerHour: 0 })).toEqual(
      quarantined('PRICE_MISSING', 'neither on-demand nor spot', { usdPerHour: undefined, spotUsdPerHour: undefined }),
    )
  })
})

describe('the cards a price is for', () => {
  test('are counted whole, and slices by their share', () => {
    const gpu = { model: 'l4', count: 2, slice: undefined, link: undefined }
    expect(wholeCards(gpu)).toBe(2)
    expect(wholeCards({ ...gpu, slice: { kind: 'share', profile: undefined, gib: 6 } })).toBe(0.5)
  })
})
