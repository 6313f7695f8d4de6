import type { Change, WorkloadRecord } from './change.ts'
import {
  backoffMs,
  bootMs,
  GANG_WITHIN_MS,
  LOOK_MOST_MS,
  PAUSE_MOST_MS,
  RETRY_MOST_MS,
  START_MOST_MS,
} from './call/pace.ts'
import { advance, type Placement, type Queued } from './placement.ts'
import type { Moment } from './settle.ts'
import type { Status } from './status.ts'

/**
 * A workload as a new leader takes it over. Creates that may have been under way have an unknown outcome now. The new leader
 * trusts only its own clock, so every proof of absence starts again. A wait that is longer than any of its kind can be was
 * written by a different clock, and ends soon.
 */
export function takenOver({ workload, status, placements }: WorkloadRecord, moment: Moment): Change {
  const { nowMs } = moment
  const again = { calledMs: nowMs, absentMs: undefined }
  const changed = [...placements.values()].flatMap((placement) => {
    const known = cut(placement, moment)
    // What may have been made is paid for since the call that may have made it, whoever finds it later.
    const born = { isSure: false, ...placement.born, fromMs: Math.min(placement.born?.fromMs ?? nowMs, known.calledMs) }
    if (placement.phase === 'reserved') return [advance({ ...known, ...again, born }, 'unknown', { sinceMs: nowMs })]
    const isUnnamed = placement.instance === undefined && placement.phase !== 'gone'
    const after = { ...known, ...(isUnnamed && { ...again, born }) }
    return isSame(placement, after) ? [] : [after]
  })
  const next = cutStatus(status, { ...moment, isLimited: workload.manifest.maxDurationSeconds !== undefined })
  return { placements: changed, ...(next !== status && { status: next }), events: [] }
}

function cut(placement: Placement, { nowMs, chance }: Moment): Placement {
  const { phase, order, sinceMs, reservedMs, calledMs, nextTryMs, upMs, wellMs, sickMs, queued } = placement
  if (phase === 'gone') return placement
  const isOnItsWay = phase === 'reserved' || phase === 'starting' || phase === 'unknown'
  const soonMs = Math.min(nextTryMs, nowMs + bootMs(chance))
  return {
    ...placement,
    // A stop is safe to repeat, and what is not stopped costs money.
    nextTryMs: nextTryMs > nowMs + (phase === 'stopping' ? 0 : RETRY_MOST_MS) ? soonMs : nextTryMs,
    // Only time that a leader has seen pass counts against a start.
    sinceMs: phase === 'starting' ? within(sinceMs, START_MOST_MS, nowMs) : Math.min(sinceMs, nowMs),
    reservedMs: isOnItsWay && order.nodes > 1 ? within(reservedMs, GANG_WITHIN_MS, nowMs) : Math.min(reservedMs, nowMs),
    calledMs: Math.min(calledMs, nowMs),
    ...(queued !== undefined && { queued: cutQueued(queued, nowMs) }),
    ...(upMs !== undefined && { upMs: Math.min(upMs, nowMs) }),
    ...(wellMs !== undefined && { wellMs: Math.min(wellMs, nowMs) }),
    // Only time that a leader has seen pass counts against it.
    ...(sickMs !== undefined && { sickMs: nowMs }),
  }
}

function cutQueued({ sinceMs, reason, untilMs }: Queued, nowMs: number): Queued {
  const until = untilMs === undefined ? {} : { untilMs: within(untilMs, GANG_WITHIN_MS, nowMs) }
  return { sinceMs: Math.min(sinceMs, nowMs), reason, ...until }
}

/** A moment within the last `lastMs`. Any other moment cannot be trusted, and becomes now. */
function within(atMs: number, lastMs: number, nowMs: number): number {
  return atMs <= nowMs && atMs >= nowMs - lastMs ? atMs : nowMs
}

function isSame(one: Placement, two: Placement): boolean {
  return (
    one.nextTryMs === two.nextTryMs &&
    one.sinceMs === two.sinceMs &&
    one.reservedMs === two.reservedMs &&
    one.calledMs === two.calledMs &&
    one.absentMs === two.absentMs &&
    one.upMs === two.upMs &&
    one.wellMs === two.wellMs &&
    one.sickMs === two.sickMs &&
    one.queued?.sinceMs === two.queued?.sinceMs &&
    one.queued?.untilMs === two.queued?.untilMs
  )
}

function cutStatus(status: Status, { nowMs, chance, isLimited }: Moment & { readonly isLimited: boolean }): Status {
  const { backoffUntilMs, failures, waiting, startedMs, trouble, end } = status
  const isFuture = (atMs: number | undefined): boolean => atMs !== undefined && atMs > nowMs
  const isRunning = isLimited && startedMs !== undefined && end === undefined
  const isOddPause = backoffUntilMs > nowMs + backoffMs(failures, 1)
  const isOdd =
    isOddPause ||
    isFuture(startedMs) ||
    isFuture(trouble?.sinceMs) ||
    isFuture(waiting?.sinceMs) ||
    (waiting?.nextLookMs ?? 0) > nowMs + LOOK_MOST_MS
  if (!isOdd && !isRunning) return status
  return {
    ...status,
    backoffUntilMs: isOddPause ? nowMs + Math.min(backoffMs(failures, chance), PAUSE_MOST_MS) : backoffUntilMs,
    startedMs: startedMs === undefined ? undefined : Math.min(startedMs, nowMs),
    ...(waiting && {
      waiting: {
        ...waiting,
        sinceMs: Math.min(waiting.sinceMs, nowMs),
        nextLookMs: Math.min(waiting.nextLookMs, nowMs + LOOK_MOST_MS),
      },
    }),
    ...(trouble && { trouble: { ...trouble, sinceMs: Math.min(trouble.sinceMs, nowMs) } }),
    ...(isRunning && { ran: ranBy(status, startedMs, nowMs) }),
  }
}

/** How long it has run while a leader watched. Time that no clock can vouch for does not count against it. */
function ranBy({ ran }: Status, startedMs: number, nowMs: number): NonNullable<Status['ran']> {
  return { ms: ran?.ms ?? Math.max(0, nowMs - startedMs), atMs: nowMs }
}
