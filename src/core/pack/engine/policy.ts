import type { Kind, Kinds } from './kinds.ts'
import type { Pool, States } from './states.ts'

/** What a placement would do to the cards of a row: from which code to which, card by card. */
export interface CardChange {
  cards: number
  readonly from: Int16Array
  readonly into: Int16Array
}

/**
 * Ranks the places that could hold a piece of work. It sees only rows and kinds, and answers from those and from what it has
 * learnt, so that equal rows get equal answers.
 */
export interface PackingPolicy {
  readonly name: string
  /** Of cards with the same rating, the first is taken. If false, the order of cards does not matter. */
  readonly goesByCardOrder: boolean
  /** Stores what it needs to know about a row with a new state. */
  settle(row: number): void
  /** How good this change of a row's cards is. Higher is better; compared between the cards of one row. */
  rate(row: number, kind: Kind, change: CardChange): number
  /** The whole number by which rows of one pool are compared: the rating, and the policy's view of the row. */
  score(row: number, kind: Kind, rated: Rated): number
  /** What a pool costs this kind in addition to its rows' scores, in the same unit. */
  price(kind: Kind, pool: number): number
  /** The rows of this pool's nodes have gained (or lost) this much of the value that `settle` stored. */
  moved(pool: number, gained: number): void
  /** Some work has left. */
  left(): void
  /** Work of this kind has arrived. True: the policy has learnt something, and every row must be settled and scored again. */
  arrived(kind: Kind): boolean
}

/** A rating, and the idle cards the row would have afterwards. An array, for speed on the hot path. */
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
  /** The machines of the fleet when nothing runs on them. */
  readonly machines: readonly FleetMachine[]
  /** Arrivals before the first decision; empty: nothing is known. */
  readonly history: readonly PastRequests[]
}

/** Equal machines of a pool, and how many there are. */
export interface FleetMachine {
  readonly pool: number
  readonly cards: number
  readonly cpu: number
  readonly memory: number
  readonly count: number
}

/** A number of requests of one kind. */
export interface PastRequests {
  readonly kind: Kind
  readonly count: number
}

export type MakePolicy = (ground: PackingInput) => PackingPolicy
