/** The only way to wait. In the simulation, a wait of a killed process never ends. */
export interface Timers {
  /** Ends after `ms` of monotonic time, or at once when the signal is aborted. Never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Why a wait is cut short. A constant reason costs nothing; an Error would build a stack. */
export const ENOUGH = 'enough'
