import { seatsOf, slotOfSeat, slotsWanted } from '../../src/core/life/slots.ts'
import { workloadKey, type Workload } from '../../src/core/life/workload.ts'
import { wishOf } from './service.ts'
import type { Invariants } from './invariants.ts'
import type { Lacking } from './room.ts'
import type { Wish } from './users/wishes.ts'

/** What liveness is judged by. */
export interface LivenessInput {
  readonly nowMs: number
  readonly invariants: Invariants
  readonly isDraining: (provider: string) => boolean
  /** Workloads whose fate is a matter of luck, because what they need is short: two runs need not agree on them. */
  readonly isLucky: (wish: Wish) => boolean
  /** Whether the truth has room for a slot that is not up, or that should move. */
  readonly hasRoom: (lacking: Lacking, held?: 'nothing' | 'its own') => boolean
}

/** What differs from the state that users want: one line each. */
export function unmet(standing: LivenessInput): readonly string[] {
  const { mirror } = standing.invariants
  const missing: string[] = []
  for (const [key, workload] of mirror.workloads) {
    const wish = wishOf(workload)
    // No user asked for rows that make no sense.
    if (wish === undefined || key !== workloadKey(workload)) continue
    const why = unmetOf(workload, wish, standing)
    if (why !== undefined) missing.push(`${key}: ${why}`)
  }
  return missing
}

/** The state of every workload in a word or two, to compare two runs. */
export function ends({ invariants, isLucky }: LivenessInput): Readonly<Record<string, string>> {
  const { workloads, statuses } = invariants.mirror
  const found = [...workloads.values()].flatMap((workload) => {
    const wish = wishOf(workload)
    // Room that is short and time that is limited are matters of luck.
    if (wish === undefined || isLucky(wish) || wish.maxDurationSeconds !== undefined) return []
    const end = statuses.get(workloadKey(workload))?.end?.state
    const stands = workload.want === 'running' ? (end ?? `${slotsWanted(workload).length} up`) : workload.want
    return [[workload.name, stands] as const]
  })
  return Object.fromEntries(found.toSorted(([one], [two]) => (one < two ? -1 : 1)))
}

function unmetOf(workload: Workload, wish: Wish, standing: LivenessInput): string | undefined {
  const { invariants } = standing
  const status = invariants.mirror.statuses.get(workloadKey(workload))
  if (workload.want === 'removed') return 'is still there'
  const placements = [...invariants.mirror.placements.values()].filter(({ order }) => order.tag.uid === workload.uid)
  const billed = placements.filter(({ order }) => invariants.billed(workload.uid, order.tag.slot).length > 0)
  if (workload.want === 'stopped') return billed.length === 0 ? undefined : 'was stopped and is still billed'
  const isCurrent = status?.uid === workload.uid && status.generation === workload.generation
  if (!isCurrent) return 'no leader has looked at it'
  if (status.end !== undefined) {
    if (status.end.why === '') return 'ended without a reason'
    if (billed.length > 0) return `${status.end.state} and still billed`
    return mayEnd(wish, status.end.state) ? undefined : `${status.end.state}: ${status.end.why}`
  }
  const wanted = slotsWanted(workload)
  if (wanted.length === 0) return surplus(workload, standing)
  const down = wanted.find(({ slot }) => !seatsOf(slot).some((seat) => isUp(workload, seat, standing)))
  if (down === undefined) {
    if (wish.kind === 'job' || wish.seconds !== undefined) return 'has not ended yet'
    return surplus(workload, standing) ?? undrained(workload, wish, standing) ?? unrestarted(workload, wish, standing)
  }
  const isWaiting = status.waiting !== undefined && status.waiting.text !== ''
  if (!isWaiting) return `${down.slot} is not up`
  const isBilled = seatsOf(down.slot).some((seat) => invariants.billed(workload.uid, seat).length > 0)
  if (isBilled || !standing.hasRoom({ workload, wish, slot: down })) return undefined
  return `${down.slot} waits (${status.waiting.code}) though there is room`
}

/** Whether work of this kind may end this way; with a limit on its time it may also be done before. */
function mayEnd(wish: Wish, state: 'done' | 'failed' | 'stopped'): boolean {
  if (wish.seconds === undefined || state === 'stopped') return false
  const isDone = wish.kind === 'job' && wish.exits !== '1'
  // Every cloud counts runs for itself: a job that moves between them may meet its bad ones more than once.
  const isFailed = wish.maxDurationSeconds !== undefined || wish.exits !== '0'
  return state === 'done' ? isDone : isFailed
}

/** The store says so, the provider says so, and it is the same instance. */
function isUp({ uid, project, name }: Workload, slot: string, { nowMs, invariants }: LivenessInput): boolean {
  const placement = invariants.mirror.placements.get(`${project}/${name}/${slot}`)
  if (placement?.phase !== 'running') return false
  const { attempt } = placement.order.tag
  return invariants.billed(uid, slot).some(({ tag, upMs }) => tag.attempt === attempt && upMs <= nowMs)
}

function undrained(workload: Workload, wish: Wish, standing: LivenessInput): string | undefined {
  const { invariants, isDraining, hasRoom } = standing
  const { uid } = workload
  if (!wish.drains) return undefined
  for (const { phase, order } of invariants.mirror.placements.values()) {
    const isStuck = order.tag.uid === uid && phase === 'running' && isDraining(order.place.provider)
    const slot = slotsWanted(workload).find((wanted) => wanted.slot === slotOfSeat(order.tag.slot))
    if (!isStuck || slot === undefined || !hasRoom({ workload, wish, slot }, 'its own')) continue
    return `${order.tag.slot} is still on ${order.place.provider}, which is drained`
  }
  return undefined
}

/** Nothing that was there when its user asked for a restart is still there, if there is room for what comes after it. */
function unrestarted(workload: Workload, wish: Wish, standing: LivenessInput): string | undefined {
  const { invariants, hasRoom } = standing
  const { restartedIn = 0 } = workload
  for (const { phase, order, generation = 0 } of invariants.mirror.placements.values()) {
    const isOld = order.tag.uid === workload.uid && phase === 'running' && generation < restartedIn
    const slot = slotsWanted(workload).find((wanted) => wanted.slot === slotOfSeat(order.tag.slot))
    if (!isOld || slot === undefined || !hasRoom({ workload, wish, slot }, 'its own')) continue
    return `${order.tag.slot} is of generation ${generation}, before the restart in ${restartedIn}`
  }
  return undefined
}

function surplus(workload: Workload, { invariants }: LivenessInput): string | undefined {
  const wanted = new Set(slotsWanted(workload).map(({ slot }) => slot))
  const there = new Set<string>()
  for (const { order } of invariants.mirror.placements.values()) {
    const { uid, slot } = order.tag
    if (uid !== workload.uid || invariants.billed(uid, slot).length === 0) continue
    const own = slotOfSeat(slot)
    if (!wanted.has(own) || there.has(own)) return `${slot} is too many`
    there.add(own)
  }
  return undefined
}
