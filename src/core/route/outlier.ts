/** What a gateway has seen of one replica: its own experience, whatever anybody else says. */
export interface Experience {
  /** Connections that failed, or broke before an answer, one after the other. */
  readonly broken: number
  /** Answers of 5xx, one after the other. */
  readonly errors: number
  /** How often in a row it was ejected. */
  readonly times: number
  /** Until when it gets nothing; 0: it is not ejected. */
  readonly untilMs: number
}

export const NO_EXPERIENCE: Experience = { broken: 0, errors: 0, times: 0, untilMs: 0 }

/** A replica is ejected after so many broken connections in a row, or so many answers of 5xx. */
export const BROKEN_MAX = 3
export const ERRORS_MAX = 5
const FIRST_MS = 2000
const LONGEST_MS = 60_000
/** At most this share of the replicas is ejected at a time. */
const SHARE_MAX = 0.5

export type RequestOutcome = 'answered' | 'error' | 'broken'

/** The experience after one more request. `mayEject`: whether the share of ejected replicas permits it. */
export function afterOutcome(
  before: Experience,
  outcome: RequestOutcome,
  { nowMs, mayEject }: { readonly nowMs: number; readonly mayEject: boolean },
): Experience {
  if (outcome === 'answered') return before.untilMs > nowMs ? before : answered(before, nowMs)
  const broken = outcome === 'broken' ? before.broken + 1 : 0
  const errors = outcome === 'error' ? before.errors + 1 : 0
  const counted = { ...before, broken, errors }
  const isOut = broken >= BROKEN_MAX || errors >= ERRORS_MAX
  if (!isOut || !mayEject || before.untilMs > nowMs) return counted
  const ms = Math.min(LONGEST_MS, FIRST_MS * 2 ** before.times)
  return { broken: 0, errors: 0, times: before.times + 1, untilMs: nowMs + ms }
}

/** One that has answered well for as long as it was ejected begins anew. */
function answered(before: Experience, nowMs: number): Experience {
  if (before.broken === 0 && before.errors === 0 && before.times === 0) return before
  const isOver = before.times > 0 && nowMs - before.untilMs > FIRST_MS * 2 ** before.times
  return { broken: 0, errors: 0, times: isOver ? 0 : before.times, untilMs: isOver ? 0 : before.untilMs }
}

/** Whether one more of so many replicas may be ejected; of two, one may. */
export function mayEjectOneMore(replicas: number, ejected: number): boolean {
  return ejected + 1 <= Math.floor(replicas * SHARE_MAX)
}
