import type { Edit } from './edit.ts'

/** A rule of the protocol switched off: one place of a function of the product is changed while it is loaded, nothing else. */
export interface Mutant extends Edit {
  readonly name: string
  /** The rule or invariant that is broken by it. */
  readonly rule: string
  /** From the repository's root. */
  readonly file: string
}
