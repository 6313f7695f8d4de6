/** The only way to wait. In the simulation a wait that belongs to a process that was killed never ends. */
export interface Timers {
  /** Ends after `ms` of steady time, or at once when the signal is aborted. Never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Why a wait is cut short: a reason that is ready costs nothing, one made for the occasion has a stack. */
export const ENOUGH = 'enough'
