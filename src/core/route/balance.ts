/** What the choice between replicas depends on. */
export interface Loaded {
  /** Requests under way. */
  readonly load: number
  /** When it began to serve; a new one gets its share little by little. */
  readonly sinceMs: number
}

/** A new replica gets its full share after this time: caches fill, code gets compiled. */
export const SLOW_START_MS = 10_000
/** The share that it begins with. */
const FIRST_SHARE = 0.1

/** The share of a full load that a replica gets, 0.1 to 1. */
export function shareOf({ sinceMs }: Pick<Loaded, 'sinceMs'>, nowMs: number): number {
  return Math.min(1, Math.max(FIRST_SHARE, (nowMs - sinceMs) / SLOW_START_MS))
}

/** The chance of a choice: where to begin, so that equals take turns. */
export interface Chance {
  readonly nowMs: number
  /** 0..1 */
  readonly dice: number
}

/**
 * The replica with the least load for its share; undefined: there is none that `isAllowed`. A new one that has nothing to do
 * counts as any other that has nothing to do: one request at a time is never too much, and shows that it serves.
 */
export function leastLoaded<T extends Loaded>(
  replicas: readonly T[],
  { nowMs, dice }: Chance,
  isAllowed: (replica: T) => boolean = () => true,
): T | undefined {
  let best: T | undefined
  let least = Number.POSITIVE_INFINITY
  const first = Math.floor(dice * replicas.length)
  // When everything is new, everything is equal.
  const isSlow = replicas.some(({ sinceMs }) => nowMs - sinceMs >= SLOW_START_MS)
  for (let step = 0; step < replicas.length; step++) {
    const replica = replicas[(first + step) % replicas.length]
    if (replica === undefined || !isAllowed(replica)) continue
    const cost = replica.load / (isSlow ? shareOf(replica, nowMs) : 1)
    if (cost < least) [best, least] = [replica, cost]
  }
  return best
}
