import type { Situation } from './situation.ts'
import { applied, isNothing, joined, NOTHING, type Change, type WorkloadRecord } from './change.ts'
import type { Exit } from './call/exit.ts'
import { dueCalls, type PlacementCall } from './due-calls.ts'
import { deadlineMs, markAtMs } from './duration.ts'
import { leave } from './leave.ts'
import { isLate, judged, unreadyAtMs } from './judge.ts'
import { GANG_WITHIN_MS, HEARD_WITHIN_MS, START_MOST_MS, STEADY_MS } from './call/pace.ts'
import { isBilled, isQueued, type Leaving, type Placement } from './placement.ts'
import { isUpToDate } from './current.ts'
import { groupOf, groupsWanted, type DesiredSlot } from './slots.ts'
import { FRESH_STATUS, type Status } from './status.ts'
import { stoodBefore } from './stood.ts'

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

/** A group in the wrong place, and why it is the wrong one. */
export interface GroupMove {
  readonly group: string
  readonly why: 'drained' | 'replaced'
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
  const moveMs = move === undefined ? steadyMs(after, situation) : undefined
  return {
    change,
    place,
    move,
    orElse,
    calls,
    wakeMs: earliest([wakeMs, placeMs, moveMs, deadlineMs(after), markAtMs(after)]),
  }
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
    const to = placement.phase === 'reserved' ? 'gone' : 'stopping'
    const exit = why === 'late' ? LATE : undefined
    const change = leave({ workload: record.workload, status, placements }, placement, { to, why, exit, nowMs, chance })
    for (const each of change.placements) placements.set(each.order.tag.slot, each)
    left.push(...change.placements)
    events.push(...change.events)
    status = change.status ?? status
  }
  return { placements: left, status, events }
}

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

/**
 * What exists or may exist of each group, including members that ended well; never placements of an earlier workload of the
 * same name.
 */
function groupsOf({ workload, placements }: WorkloadRecord): ReadonlyMap<string, readonly Placement[]> {
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

/** How many groups are looked at for a place in one turn. */
const MOVES_MOST = 8

/** The groups that are in the wrong place, provided that all others are up. */
function movesOf(record: WorkloadRecord, situation: Situation): readonly GroupMove[] {
  const { workload, status } = record
  // A failing version replaces nothing.
  if (workload.want !== 'running' || status.end !== undefined || status.stalled !== undefined) return []
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
    // A group that cannot be stopped now goes on serving until its provider is back and every call is answered.
    const isReached = members.every(
      ({ order }) => situation.provider(order.place.provider) !== undefined && !situation.isBusy(order.tag.slot),
    )
    if (why !== undefined && isReached && moves.length < MOVES_MOST) moves.push({ group, why })
  }
  return moves
}

interface Moving {
  readonly workload: WorkloadRecord['workload']
  readonly role: string | undefined
  readonly situation: Situation
}

function whyMove(placement: Placement, { workload, role, situation }: Moving): 'drained' | 'replaced' | undefined {
  if (placement.phase === 'gone') return undefined
  const { manifest } = workload
  if (!isUpToDate(placement, workload, role)) return 'replaced'
  const isDraining = situation.provider(placement.order.place.provider)?.isDraining === true
  return isDraining && manifest.migration.on.includes('drain') ? 'drained' : undefined
}

/** Neither coming nor going. A placement that is to be moved need not be up. */
function standingIn({ upMs }: Situation): (placement: Placement, move: 'drained' | 'replaced' | undefined) => boolean {
  return (placement, move) => {
    const { phase, why } = placement
    // A replacement must be seen to work before the next replica is touched: a bad version stops at the first one.
    if (phase === 'running') return move !== undefined || steadyAtMs(placement) <= (upMs(placement.order.tag.slot) ?? 0)
    return phase === 'starting' ? move !== undefined : phase === 'gone' && why === 'finished'
  }
}

/** From when on a placement that is up counts as working, if nothing changes. */
export function steadyAtMs({ order, upMs = 0, wellMs, healthy }: Placement): number {
  if (healthy === false) return Infinity
  const isAsked = healthy !== undefined || !order.ports.some(({ health }) => health !== undefined)
  return isAsked ? Math.max(upMs, wellMs ?? 0) + STEADY_MS : upMs + HEARD_WITHIN_MS
}

/** When the passing of time alone allows a move, or completes one. */
function steadyMs({ workload, placements, status }: WorkloadRecord, { nowMs }: Situation): number | undefined {
  if (workload.want !== 'running' || status.end !== undefined) return undefined
  const times = [...placements.values()].flatMap((placement) =>
    placement.phase === 'running' ? [steadyAtMs(placement), unreadyAtMs(placement) ?? 0] : [],
  )
  return earliest(times.filter((time) => time > nowMs && time !== Infinity))
}

function placesOf(
  record: WorkloadRecord,
  { nowMs }: Situation,
): { readonly place: readonly (readonly DesiredSlot[])[]; readonly wakeMs: number | undefined } {
  const empty = emptyGroups(record)
  if (empty.length === 0) return { place: [], wakeMs: undefined }
  const atMs = record.status.backoffUntilMs
  return atMs <= nowMs ? { place: empty, wakeMs: undefined } : { place: [], wakeMs: atMs }
}

/** Groups that should run and of which nothing exists. */
export function emptyGroups({ workload, status, placements }: WorkloadRecord): readonly (readonly DesiredSlot[])[] {
  if (workload.want !== 'running' || status.end !== undefined) return []
  const billed = [...placements.values()].filter(isBilled).map(({ order }) => groupOf(order.tag.slot))
  // A slot that was given up stays empty until the workload changes.
  const taken = new Set([...billed, ...(status.stalled?.groups ?? [])])
  return [...groupsWanted(workload)].flatMap(([group, desiredSlots]) => (taken.has(group) ? [] : [desiredSlots]))
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
