import type { Need } from '../need/need.ts'
import type { Machine, State } from '../../offer/machine.ts'

/** What a score may look at: an offer that fits, and the price it would be rented at. */
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
 * One preference, from 0 (worst) to 1 (best). Offers of one group must score the same apart from the price, and a lower
 * price must never score lower: the planner looks only at the cheapest of each group.
 */
export interface Score {
  readonly name: string
  /** What it rewards, for the documentation. */
  readonly rewards: string
  readonly of: (candidate: Candidate, field: Field) => number
}

/** The score where the source does not say: neither a bonus nor a penalty. */
export const NOT_KNOWN = 0.5
