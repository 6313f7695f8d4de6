import { describe, expect, test } from 'vitest'
import { NO_FACTS } from './identity.ts'
import { listOffers, type OfferQuery } from './list.ts'
import type { Offer } from './offer.ts'
import { freeze } from './snapshot.ts'

const BARE: Offer = {
  id: '',
  provider: 'alpha',
  region: 'r',
  zone: undefined,
  instance: 'i',
  ...NO_FACTS,
  usdPerHour: 1,
}

function offer(id: string, rest: Partial<Offer> = {}): Offer {
  return { ...BARE, id, ...rest }
}

function gpu(model: string): NonNullable<Offer['gpu']> {
  return { model, count: 1, slice: undefined, link: 'pcie' }
}

const ANY: OfferQuery = { provider: undefined, gpus: undefined }

function ids(
  offers: readonly Offer[],
  query: OfferQuery = ANY,
  order: { sort: 'price' | 'provider'; limit: number } = { sort: 'price', limit: 10 },
): readonly string[] {
  return listOffers(freeze(offers), query, order).listings.map(({ id }) => id)
}

describe('listOffers', () => {
  const capacity = [
    offer('alpha/b', { usdPerHour: 2 }),
    offer('alpha/a', { usdPerHour: 2 }),
    offer('beta/spot-dear', { provider: 'beta', usdPerHour: undefined, spotUsdPerHour: 0.2 }),
    offer('beta/spot-cheap', { provider: 'beta', usdPerHour: undefined, spotUsdPerHour: 0.1 }),
    offer('beta/one', { provider: 'beta', usdPerHour: 1 }),
    offer('beta/never', { provider: 'beta', usdPerHour: undefined }),
  ]

  test('puts the cheapest first, ties by id, and what is not sold on demand last', () => {
    expect(ids(capacity)).toEqual(['beta/one', 'alpha/a', 'alpha/b', 'beta/spot-cheap', 'beta/spot-dear', 'beta/never'])
  })

  test('at one price on demand the cheaper spot price goes first', () => {
    expect(ids([offer('a', { spotUsdPerHour: 0.3 }), offer('b', { spotUsdPerHour: 0.2 }), offer('c')])).toEqual([
      'b',
      'a',
      'c',
    ])
  })

  test('goes by provider and name where that is asked', () => {
    expect(ids(capacity, ANY, { sort: 'provider', limit: 3 })).toEqual(['alpha/a', 'alpha/b', 'beta/never'])
  })

  test('stops at the limit and says how many there are', () => {
    const listed = listOffers(freeze(capacity), ANY, { sort: 'price', limit: 2 })
    expect(listed.listings.map(({ id }) => id)).toEqual(['beta/one', 'alpha/a'])
    expect(listed).toMatchObject({ matching: 6, quarantined: 0 })
  })

  test('keeps to one provider', () => {
    expect(ids(capacity, { ...ANY, provider: 'alpha' })).toEqual(['alpha/a', 'alpha/b'])
    expect(ids(capacity, { ...ANY, provider: 'gamma' })).toEqual([])
  })

  test('leaves out what is under quarantine and counts it, as far as it was asked for', () => {
    const doubtful = [
      ...capacity,
      offer('alpha/x', { quarantine: 'NAME_UNKNOWN' }),
      offer('beta/x', { provider: 'beta', quarantine: 'PRICE_MISSING' }),
    ]
    expect(listOffers(freeze(doubtful), ANY, { sort: 'price', limit: 9 })).toMatchObject({
      matching: 6,
      quarantined: 2,
    })
    const beta = listOffers(freeze(doubtful), { ...ANY, provider: 'beta' }, { sort: 'price', limit: 9 })
    expect(beta).toMatchObject({ matching: 4, quarantined: 1 })
  })

  test('a family admits its models and cards of which only the family is known; a model admits itself alone', () => {
    const cards = [
      offer('family', { gpu: gpu('h100-80') }),
      offer('none'),
      offer('nvl', { gpu: gpu('h100-nvl') }),
      offer('pcie', { gpu: gpu('h100-pcie') }),
      offer('sxm', { gpu: gpu('h100-sxm') }),
    ]
    expect(ids(cards, { ...ANY, gpus: ['h100-80'] })).toEqual(['family', 'pcie', 'sxm'])
    expect(ids(cards, { ...ANY, gpus: ['h100-sxm'] })).toEqual(['sxm'])
    expect(ids(cards, { ...ANY, gpus: ['h100-sxm', 'h100-nvl'] })).toEqual(['nvl', 'sxm'])
  })

  test('no offers give an empty list', () => {
    expect(listOffers(freeze([]), ANY, { sort: 'price', limit: 1 })).toEqual({
      listings: [],
      matching: 0,
      quarantined: 0,
    })
  })
})
