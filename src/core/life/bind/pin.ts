import { derive } from '../../place/derive.ts'
import { failuresOf } from '../../place/verdict.ts'
import { priceOn, termsOf } from '../../requirement/need/price.ts'
import { listingAt, rowCount, type Listing, type Snapshot } from '../../offer/snapshot.ts'
import type { BindInput, Chosen } from './chosen.ts'
import type { DesiredSlot } from '../slots.ts'
import type { Pin, Workload } from '../workload.ts'

export type Pinned =
  | { readonly kind: 'found'; readonly chosen: readonly Chosen[] }
  | { readonly kind: 'stale'; readonly pin: Pin | undefined; readonly slot: string; readonly why: string }

/** The places of a saved plan as they are now. Each is checked again: it still exists, still fits and costs no more. */
export function pinnedPlaces(
  workload: Workload,
  desiredSlots: readonly DesiredSlot[],
  { snapshot, policy, nowMs }: Pick<BindInput, 'snapshot' | 'policy' | 'nowMs'>,
): Pinned {
  const { asks } = derive(workload.manifest, policy, nowMs)
  const chosen: Chosen[] = []
  for (const desired of desiredSlots) {
    const pin = workload.pinned?.find(({ slot }) => slot === desired.slot)
    if (pin === undefined) return { kind: 'stale', pin, slot: desired.slot, why: 'the plan has no place for it' }
    const listing = findOffer(snapshot, pin.offer)
    if (listing === undefined) return { kind: 'stale', pin, slot: desired.slot, why: 'no provider offers it any more' }
    const ask = asks.find(({ role }) => role === desired.role)
    if (ask === undefined)
      return { kind: 'stale', pin, slot: desired.slot, why: 'the plan was made for another manifest' }
    const [failure] = failuresOf(listing, { need: ask.need, nowMs })
    if (failure !== undefined)
      return { kind: 'stale', pin, slot: desired.slot, why: `it fails ${failure.reason.code} now` }
    const usdPerHour = priceOn(listing.price, ask.need.market)
    if (usdPerHour === undefined || usdPerHour > pin.usdPerHour) {
      return { kind: 'stale', pin, slot: desired.slot, why: `it costs $${usdPerHour ?? '?'} an hour now` }
    }
    const { site, zone, instance, machine, price } = listing
    if (machine.capacity === 'owned') return { kind: 'stale', pin, slot: desired.slot, why: 'it has no room left' }
    const place = {
      offer: listing.id,
      ...siteOf(site),
      zone,
      instance,
      market: termsOf(price, ask.need.market),
      node: undefined,
    }
    chosen.push({ desired, place, usdPerHour: pin.usdPerHour, gpus: machine.gpu?.count ?? 0, because: 'as planned' })
  }
  return { kind: 'found', chosen }
}

/** Why a saved plan no longer holds, in one line. */
export function missingPin({ pin, slot, why }: Extract<Pinned, { kind: 'stale' }>): string {
  return `the plan no longer holds: slot ${slot}${pin === undefined ? '' : ` on ${pin.offer}`}: ${why}`
}

export function findOffer(snapshot: Snapshot, id: string): Listing | undefined {
  for (let row = 0; row < rowCount(snapshot); row++) {
    const listing = listingAt(snapshot, row)
    if (listing.id === id) return listing
  }
  return undefined
}

function siteOf({ provider, region }: Listing['site']): { readonly provider: string; readonly region: string } {
  return { provider, region }
}
