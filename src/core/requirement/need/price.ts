import { chooses, type OneOf } from './choice.ts'
import type { Price } from '../../offer/machine.ts'
import type { Market } from '../../offer/offer.ts'

/** The lowest price among the terms allowed; undefined when it is not sold on any of them. */
export function priceOn(price: Price, market: OneOf): number | undefined {
  const onDemand = chooses(market, 'on-demand') ? price.usdPerHour : undefined
  const spot = chooses(market, 'spot') ? price.spotUsdPerHour : undefined
  if (onDemand === undefined) return spot
  return spot === undefined ? onDemand : Math.min(onDemand, spot)
}

/** Which terms that price is for; equal prices go to on-demand, which cannot be taken away. */
export function termsOf(price: Price, market: OneOf): Market {
  return chooses(market, 'on-demand') && price.usdPerHour === priceOn(price, market) ? 'on-demand' : 'spot'
}
