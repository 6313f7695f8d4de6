import { describe, expect, test } from 'vitest'
import { oneOf } from '../need/choice.ts'
import { inWords, loosened, need, NOW_MS, price } from './facts.suite.ts'
import { market } from './market.ts'

const ON_DEMAND = need({ market: oneOf(['on-demand']) })
const SPOT = need({ market: oneOf(['spot']) })
const SPOT_ONLY_SOLD = price({ usdPerHour: undefined })
const ON_DEMAND_ONLY_SOLD = price({ spotUsdPerHour: undefined })
const UNPRICED = price({ usdPerHour: undefined, spotUsdPerHour: undefined })

describe('market', () => {
  test('an offer that is sold on allowed terms passes', () => {
    expect(market.check(price(), ON_DEMAND, NOW_MS)).toBeUndefined()
    expect(market.check(price(), SPOT, NOW_MS)).toBeUndefined()
    expect(market.check(SPOT_ONLY_SOLD, need(), NOW_MS)).toBeUndefined()
  })

  test('an offer that is sold only on the other terms is turned down', () => {
    const reason = market.check(SPOT_ONLY_SOLD, ON_DEMAND, NOW_MS)
    expect(reason).toEqual({ code: 'NOT_SOLD_SO', wanted: 'on-demand', found: 'spot' })
    expect(inWords(market, reason)).toBe('not sold on-demand; clears: policy')
    expect(market.check(ON_DEMAND_ONLY_SOLD, SPOT, NOW_MS)).toEqual({
      code: 'NOT_SOLD_SO',
      wanted: 'spot',
      found: 'on-demand',
    })
  })

  test('an offer without any price is not called spot', () => {
    expect(market.check(UNPRICED, ON_DEMAND, NOW_MS)?.found).toBe('no price')
    expect(market.check(UNPRICED, need(), NOW_MS)?.wanted).toBe('anything')
  })

  test('loosening allows both terms', () => {
    expect(loosened(market, ON_DEMAND, [SPOT_ONLY_SOLD, UNPRICED])).toEqual([
      { change: 'policy.spot: never -> allowed', admits: [true, false] },
    ])
    expect(loosened(market, SPOT, [ON_DEMAND_ONLY_SOLD])).toEqual([
      { change: 'policy.spot: only -> allowed', admits: [true] },
    ])
    expect(loosened(market, SPOT, [])).toEqual([])
  })
})
