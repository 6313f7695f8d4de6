/**
 * How many launches may be under way towards one provider at once. It shrinks when answers come late or not at all, and grows while they come
 * quickly: what a provider cannot take on yet waits with us, where it costs nothing and can still be called off, and not there, where its
 * deadline runs.
 */
export interface LaunchWindow {
  readonly size: number
  /** The quickest answer of late; undefined: there was none. */
  readonly bestMs: number | undefined
  /** When it last shrank. What was sent before that is part of the same trouble. */
  readonly shrunkMs: number
}

/** A launch that has ended. */
export interface LaunchEnd {
  /** When it left this process, and when its answer came; monotonic. */
  readonly sentMs: number
  readonly nowMs: number
  /** `refused`: no trouble, and no word on how long a launch takes. */
  readonly how: 'launched' | 'refused' | 'trouble'
  /** How many were under way with it. */
  readonly underWay: number
  readonly deadlineMs: number
}

const LEAST = 4
const FIRST = 64
const MOST = 512

export const NEW_WINDOW: LaunchWindow = { size: FIRST, bestMs: undefined, shrunkMs: -Infinity }

/** An answer within this share of the deadline is quick. One that takes longer is late, unless the provider takes its time over every launch. */
const QUICK_SHARE = 0.1
const LATE_TIMES = 4
const SHRINKS_TO = 0.7
const GROWS_BY = 0.25
/** How soon it is forgotten that a provider was quicker once. */
const FORGETS = 1.001

/** The window after a launch. */
export function afterLaunch(window: LaunchWindow, end: LaunchEnd): LaunchWindow {
  const { sentMs, nowMs, how, underWay, deadlineMs } = end
  const { size, shrunkMs } = window
  const bestMs = bestOf(window, end)
  const tookMs = nowMs - sentMs
  const quickMs = deadlineMs * QUICK_SHARE
  if (how === 'trouble' || tookMs > Math.max(quickMs, (bestMs ?? 0) * LATE_TIMES)) {
    if (sentMs < shrunkMs) return { size, bestMs, shrunkMs }
    return { size: Math.max(LEAST, size * SHRINKS_TO), bestMs, shrunkMs: nowMs }
  }
  // What was not used says nothing about how much more would be taken.
  const isUsed = underWay >= Math.floor(size)
  return { size: isUsed && tookMs <= quickMs ? Math.min(MOST, size + GROWS_BY) : size, bestMs, shrunkMs }
}

function bestOf({ bestMs }: LaunchWindow, { sentMs, nowMs, how }: LaunchEnd): number | undefined {
  if (how !== 'launched') return bestMs
  return Math.min(nowMs - sentMs, (bestMs ?? Infinity) * FORGETS)
}
