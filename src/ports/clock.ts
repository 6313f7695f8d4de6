/** The only access to the time. */
export interface Clock {
  /** Wall time in ms since 1970, for ages and expiries. */
  readonly nowMs: () => number
  /** A monotonic count in ms from an arbitrary start, for durations. */
  readonly tickMs: () => number
  /** Processor time that this process has used, in ms: measures the cost of work independently of other load. */
  readonly cpuMs: () => number
}
