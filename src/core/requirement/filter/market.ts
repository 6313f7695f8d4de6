import { ANYTHING, printChoice } from '../need/choice.ts'
import { priceOn } from '../need/price.ts'
import type { Price } from '../../offer/machine.ts'
import type { Filter } from './filter.ts'
import { no } from '../reason.ts'

/** Turns down offers that are not sold on terms that the policy allows. */
export const market: Filter<'price'> = {
  name: 'market',
  rank: 250,
  about: 'price',
  reasons: {
    NOT_SOLD_SO: {
      summary: (reason) => `not sold ${reason.wanted}`,
      clears: 'policy',
      why: 'Spot machines are cheaper, but the provider can take them away at any time. The policy says whether that is acceptable, and this offer is sold only on the other terms.',
      fix: 'Use a policy with `spot: allowed` for work that survives a restart.',
    },
  },
  check(price, need) {
    if (priceOn(price, need.market) !== undefined) return undefined
    return no('NOT_SOLD_SO', printChoice(need.market), termsSold(price))
  },
  loosen(need, refused) {
    if (refused.length === 0) return []
    const from = need.market.values.includes('spot') ? 'only' : 'never'
    return [{ key: 'policy.spot', from, to: 'allowed', need: { ...need, market: ANYTHING } }]
  },
}

function termsSold({ usdPerHour, spotUsdPerHour }: Price): string {
  if (usdPerHour !== undefined) return 'on-demand'
  return spotUsdPerHour === undefined ? 'no price' : 'spot'
}
