import type { Around } from './around.ts'
import { applied, isNothing, joined, NOTHING, type Change, type Kept } from './change.ts'
import type { Exit } from './call/exit.ts'
import { deadlineMs, markAtMs } from './duration.ts'
import { leave } from './leave.ts'
import { isLate, judged, unreadyAtMs } from './judge.ts'
import { describeMs, GANG_WITHIN_MS, HEARD_WITHIN_MS, START_MOST_MS, STEADY_MS } from './call/pace.ts'
import { isBilled, type Leaving, type Placement } from './placement.ts'
import { groupOf, groupsWanted, shapeOf, type SlotWish } from './slots.ts'
import { FRESH_STATUS, type Status } from './status.ts'
import { stoodBefore } from './stood.ts'

/** What the controller should do. Writing comes first; calls are made once it is durable. */
export interface Wanted {
  readonly change: Change
  /** Slots to find a place for, by group: all of a group or none. */
  readonly place: readonly (readonly SlotWish[])[]
  /** A group that should be somewhere else, once there is such a place: only one at a time. */
  readonly move: { readonly group: string; readonly why: 'drained' | 'replaced' } | undefined
  readonly calls: readonly PlacementCall[]
  /** When to look again, if nothing happens before. */
  readonly wakeMs: number | undefined
}

export interface PlacementCall {
  readonly kind: 'launch' | 'describe' | 'stop'
  readonly slot: string
}

/** Want against is, for one workload. It thinks and returns; it never acts, and asks to be woken instead of waiting. */
export function reconcile(kept: Kept, around: Around): Wanted {
  const known = catchUp(kept, around)
  const caught = joined(known, judged(applied(kept, known), around))
  const settled = applied(kept, caught)
  const left = departures(settled, around)
  const change = joined(caught, left)
  const after = applied(settled, left)
  if (isForgotten(after)) return { ...IDLE, change: { ...change, forget: true, events: [...change.events, REMOVED] } }
  const move = isNothing(left) ? moveOf(after, around) : undefined
  const { calls, wakeMs } = callsOf(after, around)
  const { place, wakeMs: placeMs } = placesOf(after, around)
  const moveMs = move === undefined ? steadyMs(after, around) : undefined
  return { change, place, move, calls, wakeMs: earliest([wakeMs, placeMs, moveMs, deadlineMs(after), markAtMs(after)]) }
}

const IDLE: Omit<Wanted, 'change'> = { place: [], move: undefined, calls: [], wakeMs: undefined }
const REMOVED = { kind: 'removed', facts: {} } as const

/**
 * A changed manifest, or a workload of the same name as an earlier one, starts with a clean sheet; what runs on through
 * the change keeps its clock, its checkpoints and the runs that are done.
 */
function catchUp(kept: Kept, { nowMs }: Around): Change {
  const { workload, status, placements } = kept
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
      ...stoodBefore(kept, nowMs),
    }),
    ...(isRunning && { startedMs, completed, resumePoints, ...(ran && { ran }) }),
    ...(end && { end }),
  }
  return { ...NOTHING, status: fresh }
}

/** Everything that has to leave now, and why. */
function departures(kept: Kept, around: Around): Change {
  const leaving = new Map<string, Leaving>()
  const isOver = isTooLong(kept, around)
  for (const [slot, placement] of kept.placements) {
    if (!canLeave(placement, around)) continue
    if (isOver) leaving.set(slot, 'too-long')
    else if (placement.order.tag.uid !== kept.workload.uid) leaving.set(slot, 'removed')
    else if (!isStillWanted(kept, placement)) leaving.set(slot, whyUnwanted(kept))
    else if (isLate(placement, around)) leaving.set(slot, 'late')
  }
  for (const slot of brokenGangs(kept, leaving, around)) leaving.set(slot, 'gang')
  const overtime = isOver ? { ...NOTHING, status: overdue(kept, around) } : NOTHING
  return leaving.size === 0 ? overtime : joined(overtime, leaveAll(applied(kept, overtime), leaving, around))
}

/** Whether a placement, as far as its workload alone goes, is to be where it is. */
export function isStillWanted({ workload, status }: Kept, { order: { tag } }: Placement): boolean {
  return tag.uid === workload.uid && status.end === undefined && groupsWanted(workload).has(groupOf(tag.slot))
}

/** One after the other, each seeing what became of those before it; ten thousand are not copied for each. */
function leaveAll(kept: Kept, leaving: ReadonlyMap<string, Leaving>, { nowMs, chance }: Around): Change {
  const placements = new Map(kept.placements)
  const left: Placement[] = []
  const events: Change['events'][number][] = []
  let { status } = kept
  for (const [slot, why] of leaving) {
    const placement = placements.get(slot)
    if (placement === undefined) continue
    // An intent that nobody was called about has nothing to stop.
    const to = placement.phase === 'reserved' ? 'gone' : 'stopping'
    const exit = why === 'late' ? LATE : undefined
    const change = leave({ workload: kept.workload, status, placements }, placement, { to, why, exit, nowMs, chance })
    for (const each of change.placements) placements.set(each.order.tag.slot, each)
    left.push(...change.placements)
    events.push(...change.events)
    status = change.status ?? status
  }
  return { placements: left, status, events }
}

const LATE: Exit = { kind: 'start', why: `it was not up within ${START_MOST_MS / 60_000} min` }

/** What is leaving or gone needs no further reason. A call that is under way is waited for: its answer says what to stop. */
function canLeave({ phase, order }: Placement, { isBusy }: Around): boolean {
  return phase !== 'stopping' && phase !== 'gone' && !isBusy(order.tag.slot)
}

function whyUnwanted({ workload, status }: Kept): Leaving {
  if (workload.want === 'removed') return 'removed'
  if (workload.want === 'stopped') return 'stopped'
  return status.end === undefined ? 'scaled-down' : 'over'
}

/** Slots whose gang has lost a member, or did not come together in time. */
function brokenGangs(kept: Kept, leaving: ReadonlyMap<string, Leaving>, around: Around): readonly string[] {
  return [...groupsOf(kept).values()].flatMap((members) => {
    const isBroken =
      members.length < sizeOf(members) ||
      (sizeOf(members) > 1 && members.some((member) => leaving.has(member.order.tag.slot) || hasFailed(member))) ||
      isUnformed(members, around)
    const slots = members.filter((member) => canLeave(member, around)).map(({ order }) => order.tag.slot)
    return isBroken ? slots.filter((slot) => !leaving.has(slot)) : []
  })
}

/** What is or may be there of each group, with what ended well; never what is left of an earlier workload of the name. */
function groupsOf({ workload, placements }: Kept): ReadonlyMap<string, readonly Placement[]> {
  const live = [...placements.values()].filter((placement) => {
    const { uid, slot } = placement.order.tag
    return uid === workload.uid && (isBilled(placement) || (placement.why === 'finished' && isWanted(workload, slot)))
  })
  return Map.groupBy(live, ({ order }) => groupOf(order.tag.slot))
}

function isWanted(workload: Kept['workload'], slot: string): boolean {
  return (
    groupsWanted(workload)
      .get(groupOf(slot))
      ?.some((wish) => wish.slot === slot) === true
  )
}

/** Machines of the gang as it was ordered, whatever the manifest says by now. */
function sizeOf(members: readonly Placement[]): number {
  return Math.max(...members.filter(isBilled).map(({ order }) => order.nodes), 0)
}

/** A member that ended well leaves no gap. */
function hasFailed({ phase, why }: Placement): boolean {
  return (phase === 'stopping' || phase === 'gone') && why !== 'finished'
}

/** A gang is late when a member was seen, after the time was up, not to be up; a provider that says nothing proves nothing. */
function isUnformed(members: readonly Placement[], { nowMs, startingMs }: Around): boolean {
  if (sizeOf(members) < 2) return false
  return members.some(({ phase, order, reservedMs }) => {
    // Its own moment: a new leader cuts that of what is on its way, and leaves alone what runs.
    const dueMs = reservedMs + GANG_WITHIN_MS
    if (phase === 'reserved') return nowMs >= dueMs
    return phase === 'starting' && (startingMs(order.tag.slot) ?? 0) >= dueMs
  })
}

function isTooLong(kept: Kept, { nowMs }: Around): boolean {
  const atMs = deadlineMs(kept)
  return atMs !== undefined && nowMs >= atMs
}

function overdue({ workload, status }: Kept, { nowMs }: Around): Status {
  const why = `ran longer than max_duration (${workload.manifest.maxDurationSeconds} s)`
  return { ...status, end: { state: 'failed', why, atMs: nowMs } }
}

/** A workload that is to be removed is forgotten once nothing of it can exist. */
function isForgotten({ workload, placements }: Kept): boolean {
  return workload.want === 'removed' && ![...placements.values()].some(isBilled)
}

/** The first group that stands where it should not, while everything that stands right is up. */
function moveOf(kept: Kept, around: Around): Wanted['move'] {
  const { workload, status } = kept
  // A version that fails is put in nobody's place.
  if (workload.want !== 'running' || status.end !== undefined || status.stalled !== undefined) return undefined
  const groups = groupsOf(kept)
  const isStanding = standingIn(around)
  let first: Wanted['move']
  for (const [group, wishes] of groupsWanted(workload)) {
    const members = groups.get(group) ?? []
    const whys = members.map((member) => whyMove(member, { workload, role: wishes[0]?.role, around }))
    const why = whys.find((one) => one !== undefined)
    // What is not there yet is on its way.
    const isThere = members.length > 0 && (why !== undefined || members.length >= wishes.length)
    if (!isThere || !members.every((member) => isStanding(member, why))) return undefined
    // What could not be stopped is left where it serves until its provider is there again, and every call has its answer.
    const isReached = members.every(
      ({ order }) => around.provider(order.place.provider) !== undefined && !around.isBusy(order.tag.slot),
    )
    if (why !== undefined && isReached) first ??= { group, why }
  }
  return first
}

interface Moving {
  readonly workload: Kept['workload']
  readonly role: string | undefined
  readonly around: Around
}

function whyMove(placement: Placement, { workload, role, around }: Moving): 'drained' | 'replaced' | undefined {
  if (placement.phase === 'gone') return undefined
  const { manifest } = workload
  if (placement.shape !== shapeOf(manifest, role)) return 'replaced'
  const isDraining = around.provider(placement.order.place.provider)?.isDraining === true
  return isDraining && manifest.migration.on.includes('drain') ? 'drained' : undefined
}

/** Neither coming nor going; what is to be moved need not be up for that. */
function standingIn({ upMs }: Around): (placement: Placement, move: 'drained' | 'replaced' | undefined) => boolean {
  return (placement, move) => {
    const { phase, why } = placement
    // What was put in place of another must be seen to work before the next one is touched: a bad version stops at the first.
    if (phase === 'running') return move !== undefined || steadyAtMs(placement) <= (upMs(placement.order.tag.slot) ?? 0)
    return phase === 'starting' ? move !== undefined : phase === 'gone' && why === 'finished'
  }
}

/** From when on a placement that is up counts as one that works, if nothing changes. */
export function steadyAtMs({ order, upMs = 0, wellMs, healthy }: Placement): number {
  if (healthy === false) return Infinity
  const isAsked = healthy !== undefined || !order.ports.some(({ health }) => health !== undefined)
  return isAsked ? Math.max(upMs, wellMs ?? 0) + STEADY_MS : upMs + HEARD_WITHIN_MS
}

/** When time alone brings a move, or the end of one, nearer. */
function steadyMs({ workload, placements, status }: Kept, { nowMs }: Around): number | undefined {
  if (workload.want !== 'running' || status.end !== undefined) return undefined
  const times = [...placements.values()].flatMap((placement) =>
    placement.phase === 'running' ? [steadyAtMs(placement), unreadyAtMs(placement) ?? 0] : [],
  )
  return earliest(times.filter((time) => time > nowMs && time !== Infinity))
}

function callsOf(
  { placements }: Kept,
  around: Around,
): { readonly calls: readonly PlacementCall[]; readonly wakeMs: number | undefined } {
  const calls: PlacementCall[] = []
  const wakes: (number | undefined)[] = []
  for (const [slot, placement] of placements) {
    const due = around.isBusy(slot) ? undefined : callFor(placement, around)
    if (due === undefined) continue
    if (due.atMs <= around.nowMs) calls.push({ kind: due.kind, slot })
    else wakes.push(due.atMs)
  }
  return { calls, wakeMs: earliest(wakes) }
}

/** The call that brings a placement further, and when. Undefined: lists will show. */
function callFor(placement: Placement, around: Around): DueCall | undefined {
  const { phase, nextTryMs, replayed } = placement
  switch (phase) {
    case 'reserved':
      return { kind: 'launch', atMs: nextTryMs }
    case 'unknown':
      // Repeating is safe only where a token makes it so; everywhere else it may start a second one.
      return around.provider(placement.order.place.provider)?.tokens === true && !replayed
        ? { kind: 'launch', atMs: nextTryMs }
        : undefined
    case 'starting':
      return { kind: 'describe', atMs: nextLook(placement, around) }
    case 'stopping':
      return { kind: 'stop', atMs: nextTryMs }
    case 'running':
    case 'gone':
      return undefined
  }
}

interface DueCall {
  readonly kind: PlacementCall['kind']
  readonly atMs: number
}

function nextLook({ sinceMs, order }: Placement, { nowMs, chance, lookedMs }: Around): number {
  const lastMs = lookedMs(order.tag.slot)
  return lastMs === undefined || lastMs < sinceMs ? sinceMs : lastMs + describeMs(nowMs - sinceMs, chance)
}

function placesOf(
  { workload, status, placements }: Kept,
  { nowMs }: Around,
): { readonly place: readonly (readonly SlotWish[])[]; readonly wakeMs: number | undefined } {
  if (workload.want !== 'running' || status.end !== undefined) return { place: [], wakeMs: undefined }
  const billed = [...placements.values()].filter(isBilled).map(({ order }) => groupOf(order.tag.slot))
  // What was given up stays empty until something else is wanted.
  const taken = new Set([...billed, ...(status.stalled?.groups ?? [])])
  const groups = groupsWanted(workload)
  const empty: (readonly SlotWish[])[] = []
  for (const [group, wishes] of groups) if (!taken.has(group)) empty.push(wishes)
  if (empty.length === 0) return { place: [], wakeMs: undefined }
  const atMs = status.backoffUntilMs
  return atMs <= nowMs ? { place: empty, wakeMs: undefined } : { place: [], wakeMs: atMs }
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
