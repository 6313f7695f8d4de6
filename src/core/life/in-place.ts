import { FILTERS } from '../requirement/filter/all-filters.ts'
import type { Need } from '../requirement/need/need.ts'
import type { Listing, Snapshot } from '../offer/snapshot.ts'
import { derive } from '../place/derive.ts'
import { refusal } from '../place/judge.ts'
import { orderFor } from './bind/bind.ts'
import type { BindInput } from './bind/chosen.ts'
import type { Change, WorkloadRecord } from './change.ts'
import type { Order } from './call/order.ts'
import { findOffer } from './bind/pin.ts'
import type { Placement } from './placement.ts'
import { isBeforeRestart } from './current.ts'
import { identityOf } from './identity.ts'
import { livingOf } from './seats.ts'
import type { DesiredSlot } from './slots.ts'

/**
 * A group that a changed manifest need not replace: what runs is exactly what would be ordered now, and its place meets the
 * current need. Only its identity changes. Undefined: it has to be replaced.
 */
export function keptInPlace(
  record: WorkloadRecord,
  desiredSlots: readonly DesiredSlot[],
  bindInput: BindInput,
): Change | undefined {
  const placements: Placement[] = []
  for (const desired of desiredSlots) {
    const [placement] = livingOf(record, desired.slot)
    const isThere = placement?.phase === 'running' || placement?.phase === 'starting'
    if (placement === undefined || !isThere || placement.order.tag.uid !== record.workload.uid) return undefined
    if (isBeforeRestart(placement, record.workload)) return undefined
    if (!isSameOrder(record, { placement, desired }, bindInput)) return undefined
    if (!meetsNeed(record, { placement, desired }, bindInput)) return undefined
    const { manifest, generation } = record.workload
    placements.push({ ...placement, shape: identityOf(manifest, desired.role), generation })
  }
  return placements.length === 0 ? undefined : { placements, events: [] }
}

interface DesiredPlacement {
  readonly placement: Placement
  readonly desired: DesiredSlot
}

function isSameOrder(record: WorkloadRecord, { placement, desired }: DesiredPlacement, bindInput: BindInput): boolean {
  const { order, reserved, because } = placement
  const chosen = { desired, place: order.place, ...reserved, because, meeting: order.meeting }
  return runs(orderFor(record, chosen, bindInput)) === runs(order)
}

/** Everything in an order that decides what runs and with how many resources, in canonical form. */
function runs(order: Order): string {
  const { tag: _tag, place: _place, usdPerHourMax: _usd, maxDurationSeconds: _max, ...rest } = order
  // Restart cost, resume point and meeting point inform decisions; they do not change what runs.
  const { resumeFromMs: _resume, restart: _restart, meeting: _meeting, ...running } = rest
  return JSON.stringify(canonical(running))
}

/** Keys in one order, without undefined values. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inside]) => inside !== undefined && inside !== null)
  return entries.toSorted(([one], [two]) => (one < two ? -1 : 1)).map(([key, inside]) => [key, canonical(inside)])
}

/** Compares hardware and location only; not remaining stock, current price or past refusals. */
function meetsNeed(
  record: WorkloadRecord,
  { placement, desired }: DesiredPlacement,
  { snapshot, policy, nowMs }: BindInput,
): boolean {
  const { asks } = derive(record.workload.manifest, policy, nowMs)
  const ask = asks.find(({ role }) => role === desired.role)
  const listing = placeOf(snapshot, placement)
  return ask !== undefined && listing !== undefined && isEnough(listing, ask.need, nowMs)
}

function placeOf(snapshot: Snapshot, { order: { place } }: Placement): Listing | undefined {
  const listing = findOffer(snapshot, place.offer)
  return listing?.site.provider === place.provider ? listing : undefined
}

function isEnough({ machine, site }: Listing, need: Need, nowMs: number): boolean {
  const question = { need, nowMs }
  return (
    FILTERS.machine.every((filter) => refusal(filter, machine, question) === undefined) &&
    FILTERS.site.every((filter) => refusal(filter, site, question) === undefined)
  )
}
