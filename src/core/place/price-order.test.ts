import { describe, expect, test } from 'vitest'
import { ANYTHING, oneOf, type OneOf } from '../requirement/need/choice.ts'
import type { Offer } from '../offer/offer.ts'
import { freeze } from '../offer/snapshot.ts'
import { priceOrder } from './price-order.ts'
import { idAt, sold } from './capacity.suite.ts'

const ON_DEMAND = oneOf(['on-demand'])
const SPOT = oneOf(['spot'])

function order(capacity: readonly Offer[], market: OneOf): readonly (readonly [string, number])[] {
  const snapshot = freeze(capacity)
  const { rows, usdPerHour } = priceOrder(snapshot, { market, gpu: undefined })
  return [...rows].map((row, position) => [idAt(snapshot, row), usdPerHour[position] ?? -1])
}

const OFFERS = [
  sold('a', 4, { spotUsdPerHour: 3 }),
  sold('b', 5, { spotUsdPerHour: 1 }),
  sold('c', 6),
  sold('d', undefined, { spotUsdPerHour: 2 }),
  sold('e', undefined),
  sold('f', 2, { spotUsdPerHour: 9 }),
]

describe('the price order', () => {
  test('on demand is by on-demand price, unsold last', () => {
    expect(order(OFFERS, ON_DEMAND)).toEqual([
      ['f', 2],
      ['a', 4],
      ['b', 5],
      ['c', 6],
      ['d', Number.NaN],
      ['e', Number.NaN],
    ])
  })

  test('on spot is by spot price, unsold last', () => {
    expect(order(OFFERS, SPOT)).toEqual([
      ['b', 1],
      ['d', 2],
      ['a', 3],
      ['f', 9],
      ['c', Number.NaN],
      ['e', Number.NaN],
    ])
  })

  test('on either is by the lower of both', () => {
    expect(order(OFFERS, ANYTHING)).toEqual([
      ['b', 1],
      ['f', 2],
      ['d', 2],
      ['a', 3],
      ['c', 6],
      ['e', Number.NaN],
    ])
  })

  test('on both terms, named one by one, is the same', () => {
    expect(order(OFFERS, oneOf(['on-demand', 'spot']))).toEqual(order(OFFERS, ANYTHING))
  })

  test('on no terms has no prices', () => {
    expect(order(OFFERS, oneOf([])).map(([, price]) => price)).toEqual(OFFERS.map(() => Number.NaN))
  })

  test('keeps groups apart and knows the cheapest of each machine', () => {
    const snapshot = freeze([
      sold('a', 5, { cpu: 8, spotUsdPerHour: 2 }),
      sold('b', 4, { cpu: 8, spotUsdPerHour: 3, provider: 'beta' }),
      sold('c', 1, { cpu: 9 }),
      sold('d', undefined, { cpu: 10 }),
      sold('e', 7, { cpu: 10, provider: 'beta' }),
      sold('f', 7, { cpu: 10, provider: 'gamma' }),
    ])
    const cheapest = (market: OneOf): readonly string[] => {
      const { rows, cheapest: positions } = priceOrder(snapshot, { market, gpu: undefined })
      return [...positions].map((position) => idAt(snapshot, rows[position] ?? -1))
    }
    expect([...priceOrder(snapshot, { market: ON_DEMAND, gpu: undefined }).rows]).toEqual([0, 1, 2, 3, 4, 5])
    expect(cheapest(ON_DEMAND)).toEqual(['b', 'c', 'e'])
    expect(cheapest(SPOT)).toEqual(['a', 'c', 'd'])
    expect(cheapest(ANYTHING)).toEqual(['a', 'c', 'e'])
  })

  test('is sorted once for each snapshot and terms', () => {
    const snapshot = freeze(OFFERS)
    expect(priceOrder(snapshot, { market: SPOT, gpu: undefined })).toBe(
      priceOrder(snapshot, { market: oneOf(['spot']), gpu: undefined }),
    )
    expect(priceOrder(snapshot, { market: SPOT, gpu: undefined })).not.toBe(
      priceOrder(snapshot, { market: ANYTHING, gpu: undefined }),
    )
    expect(priceOrder(snapshot, { market: SPOT, gpu: undefined })).not.toBe(
      priceOrder(freeze(OFFERS), { market: SPOT, gpu: undefined }),
    )
    expect(priceOrder(snapshot, { market: ON_DEMAND, gpu: undefined })).not.toBe(
      priceOrder(snapshot, { market: ANYTHING, gpu: undefined }),
    )
    expect(priceOrder(snapshot, { market: ON_DEMAND, gpu: undefined })).not.toBe(
      priceOrder(snapshot, { market: SPOT, gpu: undefined }),
    )
    const [both, none] = [oneOf(['on-demand', 'spot']), oneOf([])]
    expect(priceOrder(snapshot, { market: ON_DEMAND, gpu: undefined })).not.toBe(
      priceOrder(snapshot, { market: both, gpu: undefined }),
    )
    expect(priceOrder(snapshot, { market: ON_DEMAND, gpu: undefined })).not.toBe(
      priceOrder(snapshot, { market: none, gpu: undefined }),
    )
    expect(priceOrder(snapshot, { market: SPOT, gpu: undefined })).not.toBe(
      priceOrder(snapshot, { market: both, gpu: undefined }),
    )
    expect(priceOrder(snapshot, { market: SPOT, gpu: undefined })).not.toBe(
      priceOrder(snapshot, { market: none, gpu: undefined }),
    )
  })
})
