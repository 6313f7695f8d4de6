/** Waits that double with each try. */
export interface Backoff {
  /** The longest first wait. */
  readonly firstMs: number
  /** The longest wait of all. */
  readonly mostMs: number
  /** The fixed share of each wait; chance, 0..1, decides the rest. */
  readonly surely: 0 | 0.5
}

/** How long to wait after a number of failures, counted from 0. Chance keeps callers that started together apart. */
export function doublingMs({ firstMs, mostMs, surely }: Backoff, failures: number, chance: number): number {
  const longestMs = Math.min(mostMs, firstMs * 2 ** Math.min(Math.max(failures, 0), DOUBLINGS_MAX))
  const sureMs = longestMs * surely
  return sureMs + chance * (longestMs - sureMs)
}

/** Enough doublings to reach any longest wait, while numbers stay finite. */
const DOUBLINGS_MAX = 30

/** A duration, more or less by up to a share, by chance 0..1. It keeps periodic work of many callers apart. */
export function aboutMs(ms: number, share: number, chance: number): number {
  return ms * (1 - share + 2 * share * chance)
}
