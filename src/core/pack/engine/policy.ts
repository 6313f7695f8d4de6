import type { Kind, Kinds } from './kinds.ts'
import type { Pool, States } from './states.ts'

/** What a placement would do to the cards of a row: from which code to which, card by card. */
export interface CardChange {
  cards: number
  readonly from: Int16Array
  readonly into: Int16Array
}

/**
 * Says which of the places that would hold a piece of work is the best. It only ever sees rows and kinds, and answers
 * from those alone and from what it has learnt, so that equal rows are equal to it.
 */
export interface PackingPolicy {
  readonly name: string
  /** Of cards that are rated the same the first is taken; otherwise the order of cards is nothing to it. */
  readonly goesByCardOrder: boolean
  /** Notes what it wants to remember about a row whose state is new. */
  settle(row: number): void
  /** How good it is to change the cards of a row so. Higher is better; compared between the cards of one row. */
  rate(row: number, kind: Kind, change: CardChange): number
  /** The whole number that rows of one pool are compared by: the rating, and what the policy thinks of the row. */
  score(row: number, kind: Kind, rated: Rated): number
  /** What a pool costs this kind beyond its rows' scores, in the same unit. */
  price(kind: Kind, pool: number): number
  /** The rows of this pool's nodes have gained so much of the value that `settle` noted, or lost it. */
  moved(pool: number, gained: number): void
  /** Some work has left. */
  left(): void
  /** Work of this kind has come. True: what was learnt has changed, and every row must be settled and scored again. */
  arrived(kind: Kind): boolean
}

/** A rating, and the idle cards the row would have afterwards: an array, for the sake of the hot path. */
export type Rated = Float64Array

export const RATING = 0
export const IDLE_AFTER = 1

/** What a policy is made from. */
export interface PackingInput {
  readonly pools: readonly Pool[]
  readonly kinds: Kinds
  readonly states: States
  /** Cards of each pool, and CPU and memory, in all. */
  readonly capacity: { readonly cards: number; readonly cpu: number; readonly memory: number }
  /** What has come so far, before the first decision; empty: nothing is known. */
  readonly history: readonly PastRequests[]
}

/** So many requests of a kind. */
export interface PastRequests {
  readonly kind: Kind
  readonly count: number
}

export type MakePolicy = (ground: PackingInput) => PackingPolicy
