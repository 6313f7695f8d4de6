import type { Need } from '../need/need.ts'
import type { Machine, Price, Site, State } from '../../offer/machine.ts'

/** What a filter looks at. Machines and sites are shared by many offers, so most filters run a few hundred times a decision. */
export interface Subjects {
  readonly machine: Machine
  readonly site: Site
  readonly state: State
  readonly price: Price
}

export type About = keyof Subjects

/**
 * Why an offer was turned down, as data. `found` undefined means that the provider does not say, and that the policy
 * does not accept not knowing.
 */
export interface Reason {
  readonly code: string
  readonly wanted: string
  readonly found: string | undefined
}

/** All that is to be said about one reason: the CLI's text and the documentation follow from it. */
export interface ReasonDoc {
  /** Continues "112,207 offers looked at; 11,204 turned down because ...": `under 80Gi of GPU memory`. */
  readonly summary: (reason: Reason) => string
  /** Whether it passes by itself: `capacity` and `time` do, `policy` is the platform team's to change. */
  readonly clears: 'never' | 'capacity' | 'time' | 'policy'
  readonly why: string
  readonly fix: string
}

/** A change to one key that would let more through. `need` is the need with that change made. */
export interface Loosening {
  /** Key in the manifest, or in the policy (`policy.residency`). */
  readonly key: string
  readonly from: string
  readonly to: string
  readonly need: Need
  /** How large the change is, as a share of what was asked for; left out: another kind of thing. */
  readonly share?: number
}

/**
 * One hard requirement. A filter has an opinion about one thing, gives its reason as data, and is monotone: a narrower
 * need never passes what a wider one refuses.
 */
export interface Filter<A extends About = About> {
  readonly name: string
  /** An offer that fails several is counted under the lowest. Steps of ten leave room; filters on machines come first. */
  readonly rank: number
  readonly about: A
  readonly reasons: Readonly<Record<string, ReasonDoc>>
  /**
   * Undefined: fine, or not asked for. A filter on prices may look at two things only: whether the offer is sold on the
   * terms allowed, and whether it is over the ceiling.
   */
  readonly check: (subject: Subjects[A], need: Need, nowMs: number) => Reason | undefined
  /** How far a subject that is refused is from what is asked for, as a share of it; left out: another kind of thing. */
  readonly miss?: (subject: Subjects[A], need: Need) => number | undefined
  /** Set where no change to manifest or policy could ever help. */
  readonly final?: true
  /** The smallest changes that would admit some of `refused`, nearest first. One key must not affect a third filter. */
  readonly loosen?: (need: Need, refused: readonly Subjects[A][]) => readonly Loosening[]
}

/** A filter of any kind, for whoever only lists them. */
export type AnyFilter = { readonly [A in About]: Filter<A> }[About]

/** A plain "no": wanted this, found that. */
export function no(code: string, wanted: string, found: string): Reason {
  return { code, wanted, found }
}

/** The provider does not say. Whether that is good enough is the policy's decision. */
export function unknown(code: string, wanted: string): Reason {
  return { code, wanted, found: undefined }
}
