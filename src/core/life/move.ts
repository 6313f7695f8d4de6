import { hasPlace } from './allot/allot.ts'
import type { Allotting } from './allot/chosen.ts'
import { applied, joined, NOTHING, type Change, type Kept } from './change.ts'
import { keptInPlace } from './in-place.ts'
import { leave } from './leave.ts'
import type { Placement } from './placement.ts'
import type { Wanted } from './reconcile.ts'
import { groupOf, groupsWanted } from './slots.ts'

/** What stands wrong leaves once there is somewhere to go, or stays where it meets what is wanted now. Undefined: there is no room. */
export function moved(
  kept: Kept,
  { group, why }: NonNullable<Wanted['move']>,
  allotting: Allotting,
): Change | undefined {
  const wishes = groupsWanted(kept.workload).get(group) ?? []
  const stays = why === 'replaced' ? keptInPlace(kept, wishes, allotting) : undefined
  if (stays !== undefined) return stays
  if (!hasPlace(kept, [wishes], allotting)) return undefined
  const { nowMs, chance } = allotting
  let change: Change = NOTHING
  for (const placement of kept.placements.values()) {
    const isMember = groupOf(placement.order.tag.slot) === group && placement.phase !== 'gone'
    if (!isMember) continue
    change = joined(change, leave(applied(kept, change), placement, { to: 'stopping', why, nowMs, chance }))
  }
  return change
}

/** Whether it has just left for the next one of its own slot. */
export function isMakingWay({ phase, why }: Placement): boolean {
  return phase === 'gone' && (why === 'replaced' || why === 'drained')
}
