import type { Refusal } from '../offer/offer.ts'
import type { Happening } from '../event/event.ts'
import type { Placement } from './placement.ts'
import type { Status } from './status.ts'
import type { Workload } from './workload.ts'

/** A workload with everything that the leader keeps about it. */
export interface WorkloadRecord {
  readonly workload: Workload
  readonly status: Status
  /** By slot. */
  readonly placements: ReadonlyMap<string, Placement>
}

/** What is to be written, in one commit. */
export interface Change {
  readonly placements: readonly Placement[]
  /** Undefined: as it was. */
  readonly status?: Status
  readonly refusals?: readonly Refusal[]
  readonly events: readonly Happening[]
  /** Deletes every row of the workload. */
  readonly forget?: true
}

export const NOTHING: Change = { placements: [], events: [] }

/** The workload after the change. */
export function applied(record: WorkloadRecord, change: Change): WorkloadRecord {
  if (change.placements.length === 0) return change.status === undefined ? record : { ...record, status: change.status }
  const placements = new Map(record.placements)
  for (const placement of change.placements) placements.set(placement.order.tag.slot, placement)
  return { workload: record.workload, status: change.status ?? record.status, placements }
}

/** The first change and then the second, which was made from the outcome of the first. */
export function joined(first: Change, second: Change): Change {
  if (isNothing(first)) return second
  if (isNothing(second)) return first
  const later = new Set(second.placements.map(({ order }) => order.tag.slot))
  const status = second.status ?? first.status
  return {
    placements: [...first.placements.filter(({ order }) => !later.has(order.tag.slot)), ...second.placements],
    ...(status && { status }),
    refusals: [...(first.refusals ?? []), ...(second.refusals ?? [])],
    events: [...first.events, ...second.events],
    ...((first.forget ?? second.forget) && { forget: true }),
  }
}

export function isNothing({ placements, status, refusals, events, forget }: Change): boolean {
  const writes = placements.length + (refusals?.length ?? 0) + events.length
  return writes === 0 && status === undefined && forget === undefined
}
