import { usd } from '../need/print.ts'
import { atMost } from '../need/range.ts'
import { priceOn } from '../need/price.ts'
import type { Filter, Loosening } from './filter.ts'
import { no } from '../reason.ts'

/** Turns down machines that cost more per hour than the policy allows. */
export const price: Filter<'price'> = {
  name: 'price',
  rank: 260,
  about: 'price',
  reasons: {
    OVER_PRICE: {
      summary: (reason) => `over ${reason.wanted}/h (policy)`,
      clears: 'policy',
      why: 'The policy sets a ceiling on the hourly price of one machine, and this one costs more.',
      fix: 'Use a policy with a higher ceiling, or have the platform team raise `max_usd_per_hour` in this one.',
    },
  },
  check(subject, need) {
    const { max } = need.usdPerHour
    const found = priceOn(subject, need.market)
    if (max === undefined || found === undefined || found <= max) return undefined
    return no('OVER_PRICE', usd(max), usd(found))
  },
  miss(subject, need) {
    const { max } = need.usdPerHour
    const found = priceOn(subject, need.market)
    return max === undefined || found === undefined ? undefined : (found - max) / max
  },
  loosen(need, refused) {
    const { max } = need.usdPerHour
    const above = refused.flatMap((subject) => priceOn(subject, need.market) ?? [])
    if (max === undefined || above.length === 0) return []
    const next = upToTheCent(Math.min(...above))
    const loosened: Loosening = {
      key: 'policy.max_usd_per_hour',
      from: String(max),
      to: String(next),
      need: { ...need, usdPerHour: atMost(next) },
      share: (next - max) / max,
    }
    return [loosened]
  },
}

/** Multiplying by 100 first would turn 1.1 into 1.11, because the product is slightly above 110. */
function upToTheCent(usdPerHour: number): number {
  const cents = Math.round(usdPerHour * 100)
  return (cents / 100 < usdPerHour ? cents + 1 : cents) / 100
}
