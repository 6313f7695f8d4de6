import type { WorkloadRecord } from './change.ts'
import { unreadyAtMs } from './judge.ts'
import { isBilled, type Placement } from './placement.ts'
import { hasSuccessors, livingOf, placementsOf } from './seats.ts'
import type { Situation } from './situation.ts'
import { groupOf, groupsWanted } from './slots.ts'
import { isFenced, outageAtMs, sickAtMs, steadyAtMs, whyMove, type GroupMove, type MoveCause } from './succession.ts'

/** How many groups are looked at for a place in one turn. */
const MOVES_MOST = 8

/** The groups that are in the wrong place, provided that all others are up. */
export function movesOf(record: WorkloadRecord, situation: Situation): readonly GroupMove[] {
  const { workload, status } = record
  // A failing version replaces nothing.
  if (workload.want !== 'running' || status.end !== undefined || status.stalled !== undefined) return []
  if (hasSuccessors(workload.manifest)) return successionsOf(record, situation)
  const groups = groupsOf(record)
  const isStanding = standingIn(situation)
  const moves: GroupMove[] = []
  for (const [group, desiredSlots] of groupsWanted(workload)) {
    const members = groups.get(group) ?? []
    const whys = members.map((member) => whyMove(member, { workload, role: desiredSlots[0]?.role, situation }))
    const why = whys.find((one) => one !== undefined)
    // A group with missing members is still on its way.
    const isThere = members.length > 0 && (why !== undefined || members.length >= desiredSlots.length)
    if (!isThere || !members.every((member) => isStanding(member, why))) return []
    const areReached = members.every((member) => isReached(member, situation))
    if (why !== undefined && areReached && moves.length < MOVES_MOST) moves.push({ group, why })
  }
  return moves
}

/**
 * The same where a successor comes first. What its provider no longer answers for is replaced at once; anything else in its turn,
 * so that there is never more than one machine too many.
 */
function successionsOf(record: WorkloadRecord, situation: Situation): readonly GroupMove[] {
  const { workload, status, placements } = record
  if (status.backoffUntilMs > situation.nowMs || placements.size === 0) return []
  const isStanding = standingIn(situation)
  const outages: GroupMove[] = []
  const planned: GroupMove[] = []
  let isCalm = true
  for (const [group, [desired]] of groupsWanted(workload)) {
    const living = livingOf(record, group)
    const [first] = living
    const isAlone = first !== undefined && living.length === 1
    const why = isAlone ? whyMove(first, { workload, role: desired?.role, situation }) : undefined
    if (!isAlone || isLeavingFrom(record, group, situation)) isCalm = false
    else if (why === 'outage') outages.push({ group, why })
    else if (!isStanding(first, why)) isCalm = false
    else if (why !== undefined && planned.length < MOVES_MOST && isReached(first, situation))
      planned.push({ group, why })
  }
  return isCalm && outages.length === 0 ? planned : outages
}

/** Whether something is still being stopped there by a provider that can be expected to do so. */
function isLeavingFrom(record: WorkloadRecord, group: string, situation: Situation): boolean {
  return placementsOf(record, group).some(
    (placement) => placement.phase === 'stopping' && !isFenced(placement, record.workload, situation),
  )
}

/** What cannot be stopped now goes on serving until its provider is back and every call is answered. */
function isReached({ order }: Placement, { provider, isBusy }: Situation): boolean {
  return provider(order.place.provider) !== undefined && !isBusy(order.tag.slot)
}

/** Neither coming nor going. A placement that is to be moved need not be up. */
function standingIn({ upMs }: Situation): (placement: Placement, move: MoveCause | undefined) => boolean {
  return (placement, move) => {
    const { phase, why } = placement
    // A replacement must be seen to work before the next replica is touched: a bad version stops at the first one.
    if (phase === 'running') return move !== undefined || steadyAtMs(placement) <= (upMs(placement.order.tag.slot) ?? 0)
    return phase === 'starting' ? move !== undefined : phase === 'gone' && why === 'finished'
  }
}

/** When the passing of time alone asks for a move, allows one, or completes one. */
export function nextMoveMs({ workload, placements, status }: WorkloadRecord, situation: Situation): number | undefined {
  if (workload.want !== 'running' || status.end !== undefined) return undefined
  const { manifest } = workload
  const times = [...placements.values()].flatMap((placement) => {
    if (placement.phase === 'gone') return []
    const outageMs = hasSuccessors(manifest) ? (outageAtMs(placement, manifest, situation) ?? 0) : 0
    const sickMs = sickAtMs(placement, manifest) ?? 0
    return placement.phase === 'running'
      ? [outageMs, sickMs, steadyAtMs(placement), unreadyAtMs(placement) ?? 0]
      : [outageMs]
  })
  if (hasSuccessors(manifest)) times.push(status.backoffUntilMs)
  return earliest(times.filter((time) => time > situation.nowMs && time !== Infinity))
}

function earliest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other))
}

/**
 * What exists or may exist of each group, including members that ended well; never placements of an earlier workload of the
 * same name.
 */
export function groupsOf({ workload, placements }: WorkloadRecord): ReadonlyMap<string, readonly Placement[]> {
  const live = [...placements.values()].filter((placement) => {
    const { uid, slot } = placement.order.tag
    return uid === workload.uid && (isBilled(placement) || (placement.why === 'finished' && isWanted(workload, slot)))
  })
  return Map.groupBy(live, ({ order }) => groupOf(order.tag.slot))
}

function isWanted(workload: WorkloadRecord['workload'], slot: string): boolean {
  return (
    groupsWanted(workload)
      .get(groupOf(slot))
      ?.some((desired) => desired.slot === slot) === true
  )
}
