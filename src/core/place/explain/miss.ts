import type { AnyFilter } from '../../requirement/filter/filter.ts'
import { machineIn, siteIn, stateIn } from '../../offer/snapshot.ts'
import { priceFor } from '../share.ts'
import type { Judgement, OfferSpot } from '../judge.ts'

/** How much an offer lacks of one requirement, relative to the request. What cannot be measured counts as lacking all of it. */
export function missOf(filter: AnyFilter, { snapshot, group, row }: OfferSpot, { need }: Judgement): number {
  switch (filter.about) {
    case 'machine':
      return filter.miss?.(machineIn(snapshot, group), need) ?? 1
    case 'site':
      return filter.miss?.(siteIn(snapshot, group), need) ?? 1
    case 'state':
      return filter.miss?.(stateIn(snapshot, group), need) ?? 1
    case 'price':
      return filter.miss?.(priceFor(snapshot, row, need), need) ?? 1
  }
}
