import type { Reason, ReasonDoc } from '../reason.ts'
import type { Need } from '../need/need.ts'
import type { Machine, Price, Site, State } from '../../offer/machine.ts'

/** What a filter looks at. Many offers share a machine or a site, so most filters run a few hundred times per decision. */
export interface Subjects {
  readonly machine: Machine
  readonly site: Site
  readonly state: State
  readonly price: Price
}

export type About = keyof Subjects

/** A change to one key that would admit more offers. `need` includes the change. */
export interface Loosening {
  /** The key in the manifest, or in the policy (`policy.residency`). */
  readonly key: string
  readonly from: string
  readonly to: string
  readonly need: Need
  /** The size of the change as a share of what was asked for; left out where the values have no distance. */
  readonly share?: number
  /** What to know before making the change, in one sentence; left out: nothing. */
  readonly note?: string
}

/**
 * One hard requirement. A filter has an opinion about one thing, gives its reason as data, and is monotone: a narrower
 * need never passes what a wider one refuses.
 */
export interface Filter<A extends About = About> {
  readonly name: string
  /** An offer that fails several filters counts under the lowest rank. Steps of ten leave room; filters on machines come first. */
  readonly rank: number
  readonly about: A
  readonly reasons: Readonly<Record<string, ReasonDoc>>
  /**
   * Undefined when the offer passes, or when nothing was asked for. A filter on prices may look at two things only:
   * whether the offer is sold on allowed terms, and whether it is over the ceiling.
   */
  readonly check: (subject: Subjects[A], need: Need, nowMs: number) => Reason | undefined
  /** How far a refused subject is from what was asked for, as a share of it; left out where the values have no distance. */
  readonly miss?: (subject: Subjects[A], need: Need) => number | undefined
  /** Set where no change to the manifest or the policy could help. */
  readonly final?: true
  /** The smallest changes that would admit some of `refused`, smallest first. One key may affect at most two filters. */
  readonly loosen?: (need: Need, refused: readonly Subjects[A][]) => readonly Loosening[]
}

/** A filter of any kind, for code that only lists them. */
export type AnyFilter = { readonly [A in About]: Filter<A> }[About]
