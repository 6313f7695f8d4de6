import { describe, expect, test } from 'vitest'
import { oneOf } from '../need/choice.ts'
import { atMost } from '../need/range.ts'
import type { Price } from '../../offer/machine.ts'
import { inWords, loosened, need, NOW_MS, price as prices } from './facts.suite.ts'
import { price } from './price.ts'

const ON_DEMAND = { market: oneOf(['on-demand']) }
const UP_TO_2 = need({ ...ON_DEMAND, usdPerHour: atMost(2) })

function costing(usdPerHour: number | undefined): Price {
  return prices({ usdPerHour, spotUsdPerHour: 0.5 })
}

describe('price', () => {
  test('a price up to the ceiling will do', () => {
    expect(price.check(costing(2), UP_TO_2, NOW_MS)).toBeUndefined()
    expect(price.check(costing(1.99), UP_TO_2, NOW_MS)).toBeUndefined()
  })

  test('a price above the ceiling is turned down', () => {
    const reason = price.check(costing(2.01), UP_TO_2, NOW_MS)
    expect(reason).toEqual({ code: 'OVER_PRICE', wanted: '$2.00', found: '$2.01' })
    expect(inWords(price, reason)).toBe('over $2.00/h (policy); clears: policy')
  })

  test('only terms that are allowed count', () => {
    expect(price.check(costing(3), need({ usdPerHour: atMost(2) }), NOW_MS)).toBeUndefined()
    expect(price.check(costing(3), UP_TO_2, NOW_MS)?.code).toBe('OVER_PRICE')
  })

  test('it says nothing without a ceiling, and nothing about what is not sold', () => {
    expect(price.check(costing(1e9), need(ON_DEMAND), NOW_MS)).toBeUndefined()
    expect(price.check(costing(undefined), UP_TO_2, NOW_MS)).toBeUndefined()
  })

  test('loosening raises the ceiling to the cheapest, up to the next cent', () => {
    expect(loosened(price, UP_TO_2, [costing(4), costing(2.501), costing(undefined)])).toEqual([
      { change: 'policy.max_usd_per_hour: 2 -> 2.51', admits: [false, true, true] },
    ])
    const whole = [2.2, 2.3, 4.1, 4.35, 8.2, 98.32, 1.1 * 3].map((usdPerHour) =>
      loosened(price, UP_TO_2, [costing(usdPerHour)]),
    )
    expect(whole.flat().map(({ change }) => change.split(' -> ')[1])).toEqual([
      '2.2',
      '2.3',
      '4.1',
      '4.35',
      '8.2',
      '98.32',
      '3.31',
    ])
    expect(whole.flat().every(({ admits }) => admits[0])).toBe(true)
  })

  test('loosening proposes nothing without a ceiling or without a price', () => {
    expect(loosened(price, need(ON_DEMAND), [costing(4)])).toEqual([])
    expect(loosened(price, UP_TO_2, [costing(undefined)])).toEqual([])
  })
})
