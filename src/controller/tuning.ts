/** How the controller paces itself. */
export interface ControllerTuning {
  /** A leader that is silent for so long is replaced. */
  readonly leaseMs: number
  readonly renewMs: number
  /** How often writes of other control planes are looked for; a hint makes it look at once. */
  readonly pullMs: number
  /** A follower, and a leader whose store failed, tries again after about this. */
  readonly retryMs: number
  /** How often a provider is listed while something of it is unclear. */
  readonly unclearPollMs: number
}

export const TUNING: ControllerTuning = {
  leaseMs: 3000,
  renewMs: 1000,
  pullMs: 500,
  retryMs: 500,
  unclearPollMs: 10_000,
}
