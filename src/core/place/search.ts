import { must } from '../base/assert.ts'
import { termsOf } from '../requirement/need/price.ts'
import { listingAt } from '../offer/snapshot.ts'
import { fittingRows } from './fitting.ts'
import { describeOffer, type OfferReport } from './explain/offer-report.ts'
import type { Plan } from './plan.ts'

/** The cheapest offers that meet the first ask of a plan: all of them, not only the chosen ones. */
export function offersThatFit({ asks, snapshot }: Plan, limit: number): readonly OfferReport[] {
  const ask = must(asks[0], 'a manifest asks at least once')
  return fittingRows(ask, snapshot, limit).map(({ row, usdPerHour }) => {
    const listing = listingAt(snapshot, row)
    return describeOffer(listing, { usdPerHour, terms: termsOf(listing.price, ask.judgement.need.market) })
  })
}
