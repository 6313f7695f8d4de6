import { hasPlace } from './bind/bind.ts'
import type { BindInput } from './bind/chosen.ts'
import { applied, joined, NOTHING, type Change, type WorkloadRecord } from './change.ts'
import { keptInPlace } from './in-place.ts'
import { leave } from './leave.ts'
import type { Placement } from './placement.ts'
import type { GroupMove } from './reconcile.ts'
import { groupOf, groupsWanted } from './slots.ts'

/**
 * Moves a group that is in the wrong place once it has another place, or keeps it where it meets the current need. Undefined:
 * no room.
 */
export function moved(record: WorkloadRecord, { group, why }: GroupMove, bindInput: BindInput): Change | undefined {
  const desiredSlots = groupsWanted(record.workload).get(group) ?? []
  const stays = why === 'replaced' ? keptInPlace(record, desiredSlots, bindInput) : undefined
  if (stays !== undefined) return stays
  if (!hasPlace(record, [desiredSlots], bindInput)) return undefined
  const { nowMs, chance } = bindInput
  let change: Change = NOTHING
  for (const placement of record.placements.values()) {
    const isMember = groupOf(placement.order.tag.slot) === group && placement.phase !== 'gone'
    if (!isMember) continue
    change = joined(change, leave(applied(record, change), placement, { to: 'stopping', why, nowMs, chance }))
  }
  return change
}

/** Whether it has just left to make way for its own successor. */
export function isMakingWay({ phase, why }: Placement): boolean {
  return phase === 'gone' && (why === 'replaced' || why === 'drained')
}
