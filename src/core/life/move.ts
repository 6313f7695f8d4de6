import { bind } from './bind/bind.ts'
import { hasPlace } from './bind/has-place.ts'
import type { BindInput } from './bind/chosen.ts'
import { applied, joined, NOTHING, type Change, type WorkloadRecord } from './change.ts'
import { keptInPlace } from './in-place.ts'
import { leave } from './leave.ts'
import type { Placement } from './placement.ts'
import { hasSuccessors, inFreeSeat } from './seats.ts'
import { groupOf, groupsWanted, type DesiredSlot } from './slots.ts'
import type { GroupMove } from './succession.ts'

/**
 * Moves a group that is in the wrong place, or keeps it where it meets the current need. A replica of a service gets its
 * successor first, and leaves once that is up and well; where there is no room or no money for both, and for everything else,
 * the group leaves once there is a place for it, be it the one that it leaves. A change without placements says why there is none.
 */
export function moved(record: WorkloadRecord, { group, why }: GroupMove, bindInput: BindInput): Change {
  const desiredSlots = groupsWanted(record.workload).get(group) ?? []
  const stays = why === 'replaced' ? keptInPlace(record, desiredSlots, bindInput) : undefined
  if (stays !== undefined) return stays
  const next = hasSuccessors(record.workload.manifest) ? succeeded(record, desiredSlots, bindInput) : NOTHING
  // What its provider does not answer for cannot be ended, so nothing is gained by letting go of it.
  if (next.placements.length > 0 || why === 'outage') return next
  if (!hasPlace(record, [desiredSlots], bindInput)) return next
  const { nowMs, chance } = bindInput
  let change: Change = NOTHING
  for (const placement of record.placements.values()) {
    const isMember = groupOf(placement.order.tag.slot) === group && placement.phase !== 'gone'
    if (!isMember || placement.phase === 'stopping') continue
    change = joined(change, leave(applied(record, change), placement, { to: 'stopping', why, nowMs, chance }))
  }
  return change
}

/** The successor of what is in charge of a slot, in a seat of its own. */
function succeeded(record: WorkloadRecord, desiredSlots: readonly DesiredSlot[], bindInput: BindInput): Change {
  const seats = desiredSlots.flatMap((desired) => inFreeSeat(record, desired) ?? [])
  return seats.length === 0 ? NOTHING : bind(record, [seats], bindInput)
}

/** Whether it has just left to make way for its own successor. */
export function isMakingWay({ phase, why }: Placement): boolean {
  return phase === 'gone' && (why === 'replaced' || why === 'drained' || why === 'unhealthy')
}
