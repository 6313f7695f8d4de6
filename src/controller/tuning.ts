/** How the controller paces itself. */
export interface ControllerTuning {
  /** A leader that is silent for this long is replaced. */
  readonly leaseMs: number
  readonly renewMs: number
  /** How often writes of other control planes are read; a hint triggers it at once. */
  readonly pullMs: number
  /** A follower, and a leader whose store failed, tries again after about this time. */
  readonly retryMs: number
  /** How often a provider is listed while the outcome of something is unclear. */
  readonly unclearPollMs: number
}

export const TUNING: ControllerTuning = {
  leaseMs: 3000,
  renewMs: 1000,
  pullMs: 500,
  retryMs: 500,
  unclearPollMs: 10_000,
}
