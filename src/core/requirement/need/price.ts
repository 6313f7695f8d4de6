import { chooses, type OneOf } from './choice.ts'
import type { Price } from '../../offer/machine.ts'
import type { Market } from '../../offer/offer.ts'

/** The lowest price on the allowed terms; undefined when the offer is sold on none of them. */
export function priceOn(price: Price, market: OneOf): number | undefined {
  const onDemand = chooses(market, 'on-demand') ? price.usdPerHour : undefined
  const spot = chooses(market, 'spot') ? price.spotUsdPerHour : undefined
  if (onDemand === undefined) return spot
  return spot === undefined ? onDemand : Math.min(onDemand, spot)
}

/** The terms of that price. On equal prices on-demand wins, because its provider does not take the machine away. */
export function termsOf(price: Price, market: OneOf): Market {
  return chooses(market, 'on-demand') && price.usdPerHour === priceOn(price, market) ? 'on-demand' : 'spot'
}
