import { aboutMs, doublingMs, type Backoff } from '../../base/backoff.ts'

const SECOND_MS = 1000

/**
 * The wait between failed calls about one placement: full jitter under a doubling ceiling, so that retries do not synchronise.
 */
export function retryMs(tries: number, chance: number): number {
  return Math.ceil(SECOND_MS + doublingMs(RETRY, tries, chance))
}

/** The wait before work that failed by itself is started again: from ten seconds, doubling, up to five minutes. */
export function backoffMs(failures: number, chance: number): number {
  return Math.ceil(doublingMs(RESTART, failures - 1, chance))
}

const RETRY: Backoff = { firstMs: SECOND_MS, mostMs: 60 * SECOND_MS, surely: 0 }
const RESTART: Backoff = { firstMs: 10 * SECOND_MS, mostMs: 300 * SECOND_MS, surely: 0.5 }

/** How soon to look again when there is no room. */
export function lookAgainMs(chance: number): number {
  return Math.ceil(20 * SECOND_MS + chance * 20 * SECOND_MS)
}

/** How soon to try again when a call was withheld because a person has to supply something first. */
export function withheldMs(chance: number): number {
  return Math.ceil(10 * SECOND_MS + chance * 10 * SECOND_MS)
}

/** How soon to ask whether an instance is up, given how long ago it was launched. */
export function describeMs(sinceMs: number, chance: number): number {
  const most = Math.min(10 * SECOND_MS, Math.max(SECOND_MS, sinceMs / 4))
  return Math.ceil(aboutMs(most, 0.25, chance))
}

/**
 * How soon to ask about an instance that waits in the provider's queue, or that starts at a provider which tells of changes: a list, which
 * shows all at once, mostly comes earlier.
 */
export function toldLookMs(chance: number): number {
  return Math.ceil(aboutMs(30 * SECOND_MS, 0.25, chance))
}

/** How soon a new leader repeats a call whose wait cannot be trusted. Jitter keeps the calls from coming all at once. */
export function bootMs(chance: number): number {
  return Math.ceil(chance * 2 * SECOND_MS)
}

/** Two lists prove absence only if they were requested at least this far apart: one list may be empty by mistake. */
export const ABSENCE_APART_MS = 30 * SECOND_MS

/** The longest waits of their kinds. A wait that would last longer was written by a different clock. */
export const RETRY_MOST_MS = 61 * SECOND_MS
export const LOOK_MOST_MS = 40 * SECOND_MS
export const REFUSAL_MOST_MS = 3600 * SECOND_MS

/** The longest pause after a failure when a new leader cannot tell how much of the pause is left. */
export const PAUSE_MOST_MS = 30 * SECOND_MS

/** How far the clocks of two control planes may differ before one stops trusting what the other wrote. */
export const SKEW_MOST_MS = 60 * SECOND_MS

/** A service that was healthy for this long starts counting failures from the beginning. */
export const FORGIVEN_WELL_MS = 600 * SECOND_MS

/** How long a replacement must be up and healthy before the next replica is touched. */
export const STEADY_MS = 10 * SECOND_MS

/** If a workload with a health path is not checked within this time, its provider cannot check it. */
export const HEARD_WITHIN_MS = 60 * SECOND_MS

/** A version that is not ready by then ends its roll-out. A start that takes longer is reported. */
export const READY_WITHIN_MS = 900 * SECOND_MS

/** A start that takes longer than this is ended and begun again. */
export const START_MOST_MS = 3600 * SECOND_MS

/** A gang that is not complete by then gives up the machines it has. */
export const GANG_WITHIN_MS = 900 * SECOND_MS
