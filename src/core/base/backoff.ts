/** Waits that double from try to try. */
export interface Backoff {
  /** The longest wait at first. */
  readonly firstMs: number
  /** The longest wait ever. */
  readonly mostMs: number
  /** The share of the longest wait that is waited in any case; chance, 0..1, decides about the rest. */
  readonly surely: 0 | 0.5
}

/** How long to wait after so many failures, the first of which counts 0. Two that began together do not stay together. */
export function doublingMs({ firstMs, mostMs, surely }: Backoff, failures: number, chance: number): number {
  const longestMs = Math.min(mostMs, firstMs * 2 ** Math.min(Math.max(failures, 0), DOUBLINGS_MAX))
  const sureMs = longestMs * surely
  return sureMs + chance * (longestMs - sureMs)
}

/** Enough from any first wait to any longest one; numbers stay finite. */
const DOUBLINGS_MAX = 30

/** About so long: up to a share more or less, by chance, 0..1. For what is done again and again by many. */
export function aboutMs(ms: number, share: number, chance: number): number {
  return ms * (1 - share + 2 * share * chance)
}
