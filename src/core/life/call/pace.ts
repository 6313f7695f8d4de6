import { aboutMs, doublingMs, type Backoff } from '../../base/backoff.ts'

const SECOND_MS = 1000

/** Waits between calls about one placement that fail: full jitter under a doubling ceiling, so that nobody marches in step. */
export function retryMs(tries: number, chance: number): number {
  return Math.ceil(SECOND_MS + doublingMs(RETRY, tries, chance))
}

/** Waits before work that failed by itself is started again: ten seconds, doubling, to five minutes. */
export function backoffMs(failures: number, chance: number): number {
  return Math.ceil(doublingMs(RESTART, failures - 1, chance))
}

const RETRY: Backoff = { firstMs: SECOND_MS, mostMs: 60 * SECOND_MS, surely: 0 }
const RESTART: Backoff = { firstMs: 10 * SECOND_MS, mostMs: 300 * SECOND_MS, surely: 0.5 }

/** How soon to look again for room that is not there. */
export function lookAgainMs(chance: number): number {
  return Math.ceil(20 * SECOND_MS + chance * 20 * SECOND_MS)
}

/** How soon to try again what was not even asked for, because something is missing that a person has to supply. */
export function withheldMs(chance: number): number {
  return Math.ceil(10 * SECOND_MS + chance * 10 * SECOND_MS)
}

/** How soon to ask whether something is up that was launched so long ago. */
export function describeMs(sinceMs: number, chance: number): number {
  const most = Math.min(10 * SECOND_MS, Math.max(SECOND_MS, sinceMs / 4))
  return Math.ceil(aboutMs(most, 0.25, chance))
}

/** How soon a new leader repeats a call whose wait counts for nothing: not all of them in the same moment. */
export function bootMs(chance: number): number {
  return Math.ceil(chance * 2 * SECOND_MS)
}

/** Two lists prove absence only if they were asked for at least so far apart: one may be hollow for a moment. */
export const ABSENCE_APART_MS = 30 * SECOND_MS

/** The longest waits of their kinds: one that lasts longer from the moment it is read was written by another clock. */
export const RETRY_MOST_MS = 61 * SECOND_MS
export const LOOK_MOST_MS = 40 * SECOND_MS
export const REFUSAL_MOST_MS = 3600 * SECOND_MS

/** What failed waits no longer than this when a new leader cannot tell how much of its pause is left. */
export const PAUSE_MOST_MS = 30 * SECOND_MS

/** Clocks of two control planes may differ by so much, and what one wrote is still believed by the other. */
export const SKEW_MOST_MS = 60 * SECOND_MS

/** A service that was well for so long and then fails, fails for the first time. */
export const FORGIVEN_WELL_MS = 600 * SECOND_MS

/** A replica that was put in place of another is up for so long, and healthy, before the next one is touched. */
export const STEADY_MS = 10 * SECOND_MS

/** Whoever has a health path and is not asked within this cannot be asked. */
export const HEARD_WITHIN_MS = 60 * SECOND_MS

/** A version that is not ready by then ends its roll-out; a start that takes longer is said. */
export const READY_WITHIN_MS = 900 * SECOND_MS

/** What is still on its way then is ended, and begun again. */
export const START_MOST_MS = 3600 * SECOND_MS

/** A gang that is not complete by then lets go of what it has. */
export const GANG_WITHIN_MS = 900 * SECOND_MS
