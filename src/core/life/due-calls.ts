import type { WorkloadRecord } from './change.ts'
import { describeMs, toldLookMs } from './call/pace.ts'
import { isQueued, type Placement } from './placement.ts'
import type { Situation } from './situation.ts'
import { groupOf } from './slots.ts'

export interface PlacementCall {
  readonly kind: 'launch' | 'describe' | 'stop'
  readonly slot: string
  /** Left out: the call is about this slot alone. The other members of its gang, which are launched with it, by rank. */
  readonly mates?: readonly string[]
}

/** The calls that are due, and when the next one will be. */
export function dueCalls(
  { placements }: WorkloadRecord,
  situation: Situation,
): { readonly calls: readonly PlacementCall[]; readonly wakeMs: number | undefined } {
  const calls: PlacementCall[] = []
  let wakeMs = Infinity
  const take = (due: DueCall | undefined): void => {
    if (due === undefined) return
    const { atMs, ...call } = due
    if (atMs <= situation.nowMs) calls.push(call)
    else wakeMs = Math.min(wakeMs, atMs)
  }
  const gangs = new Map<string, Placement[]>()
  for (const [slot, placement] of placements) {
    if (isGrouped(placement, situation)) memberOf(gangs, placement).push(placement)
    else if (!situation.isBusy(slot)) take(callFor(placement, situation))
  }
  for (const members of gangs.values()) groupDue(members, situation).forEach(take)
  return { calls, wakeMs: wakeMs === Infinity ? undefined : wakeMs }
}

interface DueCall extends PlacementCall {
  readonly atMs: number
}

/** Whether it is launched together with the rest of its gang. */
function isGrouped({ order, phase }: Placement, { provider }: Situation): boolean {
  return phase !== 'gone' && order.nodes > 1 && provider(order.place.provider)?.groups === true
}

function memberOf(gangs: Map<string, Placement[]>, { order: { tag } }: Placement): Placement[] {
  const key = `${tag.uid}/${groupOf(tag.slot)}`
  const members = gangs.get(key) ?? []
  gangs.set(key, members)
  return members
}

/** One launch for all of a gang, and calls of their own for members that are past it. */
function groupDue(members: readonly Placement[], situation: Situation): readonly (DueCall | undefined)[] {
  const due = members.map((member) =>
    situation.isBusy(member.order.tag.slot) ? undefined : callFor(member, situation),
  )
  const launches = due.filter((call) => call?.kind === 'launch')
  const others = due.filter((call) => call?.kind !== 'launch')
  if (launches.length === 0 || !isWhole(members, situation)) return others
  const [slot = '', ...mates] = members.map(({ order }) => order.tag.slot).toSorted(byRank)
  const atMs = Math.max(...launches.map((call) => call?.atMs ?? 0))
  return [...others, { kind: 'launch', slot, mates, atMs }]
}

/** A gang with a member that leaves, or about which a call is under way, is not launched. */
function isWhole(members: readonly Placement[], { isBusy }: Situation): boolean {
  return members.every(
    ({ phase, order }) => members.length === order.nodes && phase !== 'stopping' && !isBusy(order.tag.slot),
  )
}

function byRank(one: string, other: string): number {
  return rankOf(one) - rankOf(other)
}

function rankOf(slot: string): number {
  return Number(slot.slice(slot.lastIndexOf('.') + 1))
}

/** The next call for a placement, and when. Undefined: wait for lists. */
function callFor(placement: Placement, situation: Situation): DueCall | undefined {
  const { phase, nextTryMs, replayed, order } = placement
  const { slot } = order.tag
  switch (phase) {
    case 'reserved':
      return { kind: 'launch', slot, atMs: nextTryMs }
    case 'unknown':
      // Repeating is safe only with an idempotency token. Without one it may start a second instance.
      return situation.provider(placement.order.place.provider)?.tokens === true && !replayed
        ? { kind: 'launch', slot, atMs: nextTryMs }
        : undefined
    case 'starting':
      return { kind: 'describe', slot, atMs: nextLook(placement, situation) }
    case 'stopping':
      return { kind: 'stop', slot, atMs: nextTryMs }
    case 'running':
    case 'gone':
      return undefined
  }
}

function nextLook(placement: Placement, { nowMs, chance, lookedMs, provider }: Situation): number {
  const { sinceMs, order } = placement
  const lastMs = lookedMs(order.tag.slot)
  const isWatched = provider(order.place.provider)?.watched === true
  if (lastMs === undefined || lastMs < sinceMs) return sinceMs + (isWatched ? toldLookMs(chance) : 0)
  return lastMs + (isWatched || isQueued(placement) ? toldLookMs(chance) : describeMs(nowMs - sinceMs, chance))
}
