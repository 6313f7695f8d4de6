/** The only way to the time. */
export interface Clock {
  /** Wall time in ms since 1970: for ages and expiries. */
  readonly nowMs: () => number
  /** A steady count in ms from any start: for durations. */
  readonly tickMs: () => number
  /** Processor time that this process has used so far, in ms: for what work costs, whatever else the machine does. */
  readonly cpuMs: () => number
}
