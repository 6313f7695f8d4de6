import type { AnyFilter } from '../../requirement/filter/filter.ts'
import { machineIn, priceOf, siteIn, stateIn } from '../../offer/snapshot.ts'
import type { Judgement, OfferSpot } from '../judge.ts'

/** What an offer lacks of one requirement, as a share of what is asked for; what cannot be measured is taken as all of it. */
export function missOf(filter: AnyFilter, { snapshot, group, row }: OfferSpot, { need }: Judgement): number {
  switch (filter.about) {
    case 'machine':
      return filter.miss?.(machineIn(snapshot, group), need) ?? 1
    case 'site':
      return filter.miss?.(siteIn(snapshot, group), need) ?? 1
    case 'state':
      return filter.miss?.(stateIn(snapshot, group), need) ?? 1
    case 'price':
      return filter.miss?.(priceOf(snapshot, row), need) ?? 1
  }
}
