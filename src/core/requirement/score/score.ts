import type { Need } from '../need/need.ts'
import type { Machine, State } from '../../offer/machine.ts'

/** What a score may look at: an offer that fits, at the price it would be had for. */
export interface Candidate {
  readonly machine: Machine
  readonly state: State
  readonly usdPerHour: number
}

/** What all candidates of one decision share. */
export interface Field {
  readonly need: Need
  /** The lowest price among all that fit. */
  readonly usdPerHourMin: number
  readonly nowMs: number
}

/**
 * One preference: 1 is the best there could be, 0 the worst. Apart from the price, offers of one group must score the
 * same, and a lower price must never score lower: the planner looks only at the cheapest of each group.
 */
export interface Score {
  readonly name: string
  /** What it rewards, for the documentation. */
  readonly rewards: string
  readonly of: (candidate: Candidate, field: Field) => number
}

/** Where the source does not say: neither praised nor punished. */
export const NOT_KNOWN = 0.5
