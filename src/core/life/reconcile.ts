import type { Situation } from './situation.ts'
import { applied, isNothing, joined, NOTHING, type Change, type WorkloadRecord } from './change.ts'
import type { Exit } from './call/exit.ts'
import { dueCalls, type PlacementCall } from './due-calls.ts'
import { deadlineMs, markAtMs } from './duration.ts'
import { leave, type Departure } from './leave.ts'
import { isLate, judged } from './judge.ts'
import { groupsOf, movesOf, nextMoveMs } from './moves.ts'
import { GANG_WITHIN_MS, START_MOST_MS } from './call/pace.ts'
import { isBilled, isQueued, type Leaving, type Placement } from './placement.ts'
import { hasSuccessors, inFreeSeat } from './seats.ts'
import { groupOf, groupsWanted, type DesiredSlot } from './slots.ts'
import { FRESH_STATUS, isWithheld, type Status } from './status.ts'
import { stoodBefore } from './stood.ts'
import { isFenced, relieved, type GroupMove } from './succession.ts'

/** What the controller should do. The write comes first; calls are made once it is durable. */
export interface ReconcileResult {
  readonly change: Change
  /** Slots to find a place for, by group: all of a group or none. */
  readonly place: readonly (readonly DesiredSlot[])[]
  /** A group that should move, once there is a place for it: only one at a time. */
  readonly move: GroupMove | undefined
  /** Groups of which one may move instead, in this order, while there is no place for that one. */
  readonly orElse: readonly GroupMove[]
  readonly calls: readonly PlacementCall[]
  /** When to look again, if nothing happens before. */
  readonly wakeMs: number | undefined
}

/**
 * Compares desired and actual state of one workload. It only returns results: it never acts, and asks to be woken instead of
 * waiting.
 */
export function reconcile(record: WorkloadRecord, situation: Situation): ReconcileResult {
  const known = catchUp(record, situation)
  const caught = joined(known, judged(applied(record, known), situation))
  const settled = applied(record, caught)
  const left = departures(settled, situation)
  const change = joined(caught, left)
  const after = applied(settled, left)
  if (isForgotten(after)) return { ...IDLE, change: { ...change, forget: true, events: [...change.events, REMOVED] } }
  const [move, ...orElse] = isNothing(left) ? movesOf(after, situation) : []
  const { calls, wakeMs } = dueCalls(after, situation)
  const { place, wakeMs: placeMs } = placesOf(after, situation)
  const isSought = !isNothing(left) || move !== undefined || placeMs !== undefined || place.length > 0
  const waited = isSought ? NOTHING : waitOver(after)
  const moveMs = nextMoveMs(after, situation)
  return {
    change: joined(change, waited),
    place,
    move,
    orElse,
    calls,
    wakeMs: earliest([wakeMs, placeMs, moveMs, deadlineMs(after), markAtMs(after)]),
  }
}

/** What waited for a place where its provider was silent waits no more once that answers again. */
function waitOver({ workload, status }: WorkloadRecord): Change {
  const isWaiting = status.waiting !== undefined && !isWithheld(status) && status.end === undefined
  if (!isWaiting || workload.want !== 'running' || !hasSuccessors(workload.manifest)) return NOTHING
  return { ...NOTHING, status: { ...status, waiting: undefined } }
}

const IDLE: Omit<ReconcileResult, 'change'> = { place: [], move: undefined, orElse: [], calls: [], wakeMs: undefined }
const REMOVED = { kind: 'removed', facts: {} } as const

/**
 * A changed manifest, or a new workload with the name of an earlier one, starts with a fresh status. Work that runs on
 * through the change keeps its clock, its checkpoints and its completed runs.
 */
function catchUp(record: WorkloadRecord, { nowMs }: Situation): Change {
  const { workload, status, placements } = record
  const stopped = workload.want === 'stopped' && status.end === undefined && status.generation === workload.generation
  if (status.uid === workload.uid && status.generation === workload.generation && !stopped) return NOTHING
  const { restarts, lostSeconds, startedMs, completed, resumePoints, ran, stood } = status
  const isSame = status.uid === workload.uid
  const isRunning = isSame && status.end === undefined && [...placements.values()].some(isBilled)
  const end =
    workload.want === 'stopped' ? { state: 'stopped' as const, why: 'stopped by request', atMs: nowMs } : undefined
  const fresh: Status = {
    ...FRESH_STATUS,
    uid: workload.uid,
    generation: workload.generation,
    ...(isSame && {
      restarts,
      lostSeconds,
      ...(restarts > 0 && { restartsBefore: restarts }),
      ...(stood && { stood }),
      ...stoodBefore(record, nowMs),
    }),
    ...(isRunning && { startedMs, completed, resumePoints, ...(ran && { ran }) }),
    ...(end && { end }),
  }
  return { ...NOTHING, status: fresh }
}

/** Everything that has to leave now, and why. */
function departures(record: WorkloadRecord, situation: Situation): Change {
  const leaving = new Map<string, Leaving>()
  const isOver = isTooLong(record, situation)
  for (const [slot, placement] of record.placements) {
    if (!canLeave(placement, situation)) continue
    if (isOver) leaving.set(slot, 'too-long')
    else if (placement.order.tag.uid !== record.workload.uid) leaving.set(slot, 'removed')
    else if (!isStillWanted(record, placement)) leaving.set(slot, whyUnwanted(record))
    else if (isLate(placement, situation)) leaving.set(slot, 'late')
  }
  for (const slot of brokenGangs(record, leaving, situation)) leaving.set(slot, 'gang')
  for (const [slot, why] of isOver ? [] : relieved(record, situation)) {
    const placement = record.placements.get(slot)
    if (!leaving.has(slot) && placement !== undefined && canLeave(placement, situation)) leaving.set(slot, why)
  }
  const overtime = isOver ? overdue(record, situation) : NOTHING
  return leaving.size === 0 ? overtime : joined(overtime, leaveAll(applied(record, overtime), leaving, situation))
}

/** Whether a placement should stay where it is, as far as its own workload is concerned. */
export function isStillWanted({ workload, status }: WorkloadRecord, { order: { tag } }: Placement): boolean {
  return tag.uid === workload.uid && status.end === undefined && groupsWanted(workload).has(groupOf(tag.slot))
}

/**
 * One departure after the other, each based on the outcome of those before it. The placements, perhaps ten
 * thousand, are copied only once.
 */
function leaveAll(record: WorkloadRecord, leaving: ReadonlyMap<string, Leaving>, { nowMs, chance }: Situation): Change {
  const placements = new Map(record.placements)
  const left: Placement[] = []
  const events: Change['events'][number][] = []
  let { status } = record
  for (const [slot, why] of leaving) {
    const placement = placements.get(slot)
    if (placement === undefined) continue
    // No call was made for this intent yet, so there is nothing to stop.
    const to: Departure['to'] = placement.phase === 'reserved' ? 'gone' : 'stopping'
    const exit = why === 'late' ? LATE : undefined
    const isRelieved = placement.phase === 'running' && (why === 'drained' || why === 'replaced')
    const notBefore = isRelieved ? { notBeforeMs: nowMs + LET_GO_MS } : {}
    const departure = { to, why, exit, nowMs, chance, ...notBefore }
    const change = leave({ workload: record.workload, status, placements }, placement, departure)
    for (const each of change.placements) placements.set(each.order.tag.slot, each)
    left.push(...change.placements)
    events.push(...change.events)
    status = change.status ?? status
  }
  return { placements: left, status, events }
}

/** What has a successor finishes its requests before it is stopped: gateways have heard by then that it gets no more. */
const LET_GO_MS = 5000

const LATE: Exit = { kind: 'start', why: `it was not up within ${START_MOST_MS / 60_000} min` }

/** What is stopping or gone needs no further reason. A call under way is waited for: its answer tells what to stop. */
function canLeave({ phase, order }: Placement, { isBusy }: Situation): boolean {
  return phase !== 'stopping' && phase !== 'gone' && !isBusy(order.tag.slot)
}

function whyUnwanted({ workload, status }: WorkloadRecord): Leaving {
  if (workload.want === 'removed') return 'removed'
  if (workload.want === 'stopped') return 'stopped'
  return status.end === undefined ? 'scaled-down' : 'over'
}

/** Slots whose gang has lost a member, or did not come up in time. */
function brokenGangs(
  record: WorkloadRecord,
  leaving: ReadonlyMap<string, Leaving>,
  situation: Situation,
): readonly string[] {
  return [...groupsOf(record).values()].flatMap((members) => {
    const isBroken =
      members.length < sizeOf(members) ||
      (sizeOf(members) > 1 && members.some((member) => leaving.has(member.order.tag.slot) || hasFailed(member))) ||
      isUnformed(members, situation)
    const slots = members.filter((member) => canLeave(member, situation)).map(({ order }) => order.tag.slot)
    return isBroken ? slots.filter((slot) => !leaving.has(slot)) : []
  })
}

/** Machines of the gang as it was ordered, whatever the manifest says now. */
function sizeOf(members: readonly Placement[]): number {
  return Math.max(...members.filter(isBilled).map(({ order }) => order.nodes), 0)
}

/** A member that ended with success leaves no gap. */
function hasFailed({ phase, why }: Placement): boolean {
  return (phase === 'stopping' || phase === 'gone') && why !== 'finished'
}

/**
 * A gang is late if, after its time was up, a member was seen not to be up. A provider that does not answer proves nothing.
 * Time in the provider's queue does not count, unless other members already hold machines and wait for this one.
 */
function isUnformed(members: readonly Placement[], { nowMs, startingMs, provider }: Situation): boolean {
  if (sizeOf(members) < 2) return false
  const heldMs = Math.min(...members.map(holdsSinceMs))
  return members.some((member) => {
    const { phase, order, reservedMs, queued } = member
    const withinMs = provider(order.place.provider)?.gangWithinMs ?? GANG_WITHIN_MS
    // Each member has its own deadline: a new leader may postpone it for a member that is starting, never for one that runs.
    const dueMs = (isQueued(member) ? heldMs : (queued?.untilMs ?? reservedMs)) + withinMs
    if (phase === 'reserved') return nowMs >= dueMs
    return phase === 'starting' && (startingMs(order.tag.slot) ?? 0) >= dueMs
  })
}

/** Since when it has a machine that waits for the others; Infinity: it has none. */
function holdsSinceMs(member: Placement): number {
  const { phase, sinceMs, upMs } = member
  if (phase === 'running') return upMs ?? sinceMs
  return phase === 'starting' && !isQueued(member) ? sinceMs : Infinity
}

function isTooLong(record: WorkloadRecord, { nowMs }: Situation): boolean {
  const atMs = deadlineMs(record)
  return atMs !== undefined && nowMs >= atMs
}

function overdue({ workload, status }: WorkloadRecord, { nowMs }: Situation): Change {
  const why = `ran longer than max_duration (${workload.manifest.maxDurationSeconds} s)`
  const after: Status = { ...status, end: { state: 'failed', why, atMs: nowMs } }
  return { ...NOTHING, status: after, events: [{ kind: 'failed', facts: { why } }] }
}

/** A workload that is being removed is forgotten once nothing of it can exist. */
function isForgotten({ workload, placements }: WorkloadRecord): boolean {
  return workload.want === 'removed' && ![...placements.values()].some(isBilled)
}

function placesOf(
  record: WorkloadRecord,
  situation: Situation,
): { readonly place: readonly (readonly DesiredSlot[])[]; readonly wakeMs: number | undefined } {
  const empty = emptyGroups(record, situation)
  if (empty.length === 0) return { place: [], wakeMs: undefined }
  const atMs = record.status.backoffUntilMs
  return atMs <= situation.nowMs ? { place: empty, wakeMs: undefined } : { place: [], wakeMs: atMs }
}

/** Groups that should run and of which nothing exists, but for what is fenced; `situation` left out: no provider was heard. */
export function emptyGroups(
  record: WorkloadRecord,
  situation: Situation | undefined,
): readonly (readonly DesiredSlot[])[] {
  const { workload, status, placements } = record
  if (workload.want !== 'running' || status.end !== undefined) return []
  const billed = [...placements.values()].flatMap((placement) =>
    isBilled(placement) && !isFenced(placement, workload, situation) ? [groupOf(placement.order.tag.slot)] : [],
  )
  // A slot that was given up stays empty until the workload changes.
  const taken = new Set([...billed, ...(status.stalled?.groups ?? [])])
  const hasSeats = hasSuccessors(workload.manifest)
  const empty: (readonly DesiredSlot[])[] = []
  for (const [group, desired] of groupsWanted(workload)) {
    if (taken.has(group)) continue
    const slots = hasSeats ? seated(record, desired) : desired
    if (slots !== undefined) empty.push(slots)
  }
  return empty
}

/** In its first free seat; undefined: all are taken. */
function seated(record: WorkloadRecord, desired: readonly DesiredSlot[]): readonly DesiredSlot[] | undefined {
  // The usual case, and cheap: a workload may have ten thousand of them.
  if (desired.every(({ slot }) => !record.placements.has(slot))) return desired
  const slots = desired.flatMap((each) => inFreeSeat(record, each) ?? [])
  return slots.length === desired.length ? slots : undefined
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
