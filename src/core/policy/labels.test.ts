import { describe, expect, test } from 'vitest'
import type { Offer } from '../offer/offer.ts'
import { applySettings } from './labels.ts'
import type { ProviderSettings } from './policy.ts'

const OFFER: Offer = {
  id: 'northwind/us-east/n8',
  provider: 'northwind',
  region: 'us-east',
  zone: undefined,
  instance: 'n8-h100',
  capacity: 'rented',
  gpu: undefined,
  cpu: 96,
  memoryGib: undefined,
  diskGib: undefined,
  volumeGib: undefined,
  hostArch: undefined,
  driver: undefined,
  cuda: undefined,
  inbound: undefined,
  domain: undefined,
  usdPerHour: 0.3,
  spotUsdPerHour: 0.1,
  stock: undefined,
  quotaLeft: undefined,
  health: undefined,
  startSeconds: 90,
  reliability: 0.9,
  egressUsdPerGib: 0.02,
  residency: 'xx',
  trust: 'community',
  quarantine: undefined,
}

const PLAIN: ProviderSettings = {
  name: 'northwind',
  offers: [],
  residency: undefined,
  regions: [],
  trust: undefined,
  priceFactor: 1,
  prices: [],
  reliability: undefined,
  startSeconds: undefined,
  egressUsdPerGib: undefined,
  enabled: true,
  kind: undefined,
  settings: {},
  credential: undefined,
}

describe('settings of a provider', () => {
  test('that say nothing change nothing', () => {
    expect(applySettings(OFFER, PLAIN)).toEqual(OFFER)
  })

  test('override what the source says', () => {
    const settings = {
      ...PLAIN,
      trust: 'secure',
      reliability: 0.99,
      startSeconds: 30,
      egressUsdPerGib: 0,
      residency: 'eu',
    }
    expect(applySettings(OFFER, settings)).toEqual({
      ...OFFER,
      trust: 'secure',
      reliability: 0.99,
      startSeconds: 30,
      egressUsdPerGib: 0,
      residency: 'eu',
    })
  })

  test('label residency by the first region pattern that fits, and the rest by the general label', () => {
    const regions = [
      { match: 'us-*', residency: 'us' },
      { match: 'us-east', residency: 'ca' },
    ]
    const settings = { ...PLAIN, residency: 'eu', regions }
    expect(applySettings(OFFER, settings).residency).toBe('us')
    expect(applySettings({ ...OFFER, region: 'north' }, settings).residency).toBe('eu')
    expect(applySettings({ ...OFFER, region: 'north' }, { ...settings, residency: undefined }).residency).toBe('xx')
  })

  test('multiply every price, without crumbs of a cent', () => {
    const priced = applySettings(OFFER, { ...PLAIN, priceFactor: 0.7 })
    expect(priced.usdPerHour).toBe(0.21)
    expect(priced.spotUsdPerHour).toBe(0.07)
  })

  test('cannot multiply a price that is not there', () => {
    expect(
      applySettings({ ...OFFER, usdPerHour: undefined }, { ...PLAIN, priceFactor: 0.5 }).usdPerHour,
    ).toBeUndefined()
  })

  test('leave a price to its last digit when there is no discount', () => {
    expect(applySettings({ ...OFFER, usdPerHour: 0.12345678 }, PLAIN).usdPerHour).toBe(0.12345678)
  })
})

describe('fixed prices', () => {
  const prices = [
    { match: 'n8-*', usdPerHour: 0.25, market: 'on-demand' },
    { match: '*', usdPerHour: 9, market: 'on-demand' },
    { match: 'n8-h100', usdPerHour: 0.05, market: 'spot' },
  ] as const

  test('are taken from the first pattern that fits the instance on the same terms, and not discounted again', () => {
    const priced = applySettings(OFFER, { ...PLAIN, prices, priceFactor: 0.5 })
    expect(priced.usdPerHour).toBe(0.25)
    expect(priced.spotUsdPerHour).toBe(0.05)
    const other = applySettings({ ...OFFER, instance: 'n4' }, { ...PLAIN, prices, priceFactor: 0.5 })
    expect(other.usdPerHour).toBe(9)
    expect(other.spotUsdPerHour).toBe(0.05)
  })

  test('put an offer on sale that the source had no price for', () => {
    expect(applySettings({ ...OFFER, usdPerHour: undefined }, { ...PLAIN, prices }).usdPerHour).toBe(0.25)
  })

  test.each(['PRICE_MISSING', 'PRICE_PLACEHOLDER'] as const)(
    'answer %s, and nothing of the source remains',
    (quarantine) => {
      const onDemand = applySettings({ ...OFFER, quarantine }, { ...PLAIN, prices: prices.slice(0, 1) })
      expect(onDemand).toEqual({ ...OFFER, usdPerHour: 0.25, spotUsdPerHour: undefined, quarantine: undefined })
      const spot = applySettings({ ...OFFER, quarantine }, { ...PLAIN, prices: prices.slice(2) })
      expect(spot).toEqual({ ...OFFER, usdPerHour: undefined, spotUsdPerHour: 0.05, quarantine: undefined })
    },
  )

  test('answer no other doubt', () => {
    const doubted = applySettings({ ...OFFER, quarantine: 'NAME_UNKNOWN' }, { ...PLAIN, prices })
    expect(doubted).toEqual({ ...OFFER, usdPerHour: 0.25, spotUsdPerHour: 0.05, quarantine: 'NAME_UNKNOWN' })
  })

  test('that do not fit leave the doubt', () => {
    const settings = { ...PLAIN, prices: [{ match: 'x', usdPerHour: 1, market: 'spot' as const }] }
    const doubted: Offer = { ...OFFER, quarantine: 'PRICE_MISSING' }
    expect(applySettings(doubted, settings)).toEqual(doubted)
  })
})
