/** The only way to the time. */
export interface Clock {
  /** Wall time in ms since 1970: for ages and expiries. */
  readonly nowMs: () => number
  /** A steady count in ms from any start: for durations. */
  readonly tickMs: () => number
}
