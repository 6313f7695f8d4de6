import type { WorkloadRecord } from '../../core/life/change.ts'
import { isUpToDate } from '../../core/life/current.ts'
import { keptInPlace } from '../../core/life/in-place.ts'
import { isBilled, type Placement } from '../../core/life/placement.ts'
import { hasSuccessors, newestOf } from '../../core/life/seats.ts'
import { groupOf, groupsWanted, type DesiredSlot } from '../../core/life/slots.ts'
import { FRESH_STATUS } from '../../core/life/status.ts'
import type { SummaryInput } from '../../core/life/view/summary.ts'
import type { Workload } from '../../core/life/workload.ts'
import type { ServiceDeps } from '../deps.ts'
import { unbound } from './unbound.ts'

type Group = readonly DesiredSlot[]

/** What happens to the replicas of a workload when it is applied. A gang counts as one. */
export interface Fates {
  readonly replaced: readonly Group[]
  readonly kept: readonly Group[]
  readonly added: readonly Group[]
  readonly removed: number
}

export const NOTHING_KNOWN: SummaryInput = { status: undefined, placements: [] }

/** Compares what a workload wants with what exists of it. */
export async function fatesOf(deps: ServiceDeps, next: Workload, placements: readonly Placement[]): Promise<Fates> {
  const live = placements.filter((one) => isBilled(one) && one.phase !== 'stopping' && one.order.tag.uid === next.uid)
  const there = Map.groupBy(withoutPredecessors(next, live), ({ order }) => groupOf(order.tag.slot))
  const wanted = groupsWanted(next)
  const present = [...wanted].filter(([group]) => there.has(group))
  const changed = present.filter(([group, [desired]]) =>
    there.get(group)?.some((placement) => !isUpToDate(placement, next, desired?.role)),
  )
  const replaced = new Set(await replacedAmong(deps, next, { live, groups: changed.map(([, slots]) => slots) }))
  return {
    replaced: [...replaced],
    kept: present.map(([, slots]) => slots).filter((slots) => !replaced.has(slots)),
    added: [...wanted].flatMap(([group, slots]) => (there.has(group) ? [] : [slots])),
    removed: [...there.keys()].filter((group) => !wanted.has(group)).length,
  }
}

/** What already has a successor leaves anyway: what happens to the successor counts. */
function withoutPredecessors({ manifest }: Workload, live: readonly Placement[]): readonly Placement[] {
  return hasSuccessors(manifest) ? newestOf(live) : live
}

interface Changing {
  readonly live: readonly Placement[]
  readonly groups: readonly Group[]
}

/** Groups that do not meet the changed manifest already. If that is unknown, all count as replaced. */
async function replacedAmong(deps: ServiceDeps, next: Workload, { live, groups }: Changing): Promise<readonly Group[]> {
  const asked = groups.length === 0 ? undefined : await unbound(deps, next, live).catch(() => undefined)
  if (asked === undefined) return groups
  return groups.filter((slots) => keptInPlace(asked.kept, slots, asked.bindInput) === undefined)
}

/** What the leader would know about a workload. */
export function recordWith(workload: Workload, { status, placements }: SummaryInput): WorkloadRecord {
  const { uid, generation } = workload
  const own = placements.filter(({ order }) => order.tag.uid === uid)
  return {
    workload,
    status: status?.uid === uid ? status : { ...FRESH_STATUS, uid, generation },
    placements: new Map(own.map((placement) => [placement.order.tag.slot, placement])),
  }
}
