import { looseness } from '../../fleet/topology/choose-cards.ts'
import { IDLE } from './card-code.ts'
import type { Kind } from './kinds.ts'
import { IDLE_AFTER, RATING, type CardChange, type PackingPolicy, type Rated } from './policy.ts'
import { code, int, real } from './read.ts'
import type { States } from './states.ts'

/** Cards that are further apart than necessary outweigh any score of a policy. */
const LOOSE = 2 ** 23

/** Where a kind would go on a row. A single node is judged in the same way as thousands in the same state. */
export class Evaluator {
  readonly #states: States
  readonly #policy: PackingPolicy
  readonly #change: CardChange
  readonly #trial: CardChange
  readonly #rated: Rated = new Float64Array(2)

  constructor(states: States, policy: PackingPolicy) {
    this.#states = states
    this.#policy = policy
    this.#change = emptyChange(states.width)
    this.#trial = emptyChange(states.width)
  }

  /** The codes that the last evaluation would change, and into what. */
  get change(): CardChange {
    return this.#change
  }

  /** The score of a kind on a row, a whole number; minus infinity if it does not fit. */
  evaluate(row: number, kind: Kind): number {
    const states = this.#states
    if (real(states.cpu, row) < kind.cpu) return Number.NEGATIVE_INFINITY
    if (real(states.memory, row) < kind.memory) return Number.NEGATIVE_INFINITY
    if (real(states.disk, row) < kind.disk) return Number.NEGATIVE_INFINITY
    const demand = kind.on[int(states.pool, row)]
    if (demand === undefined) return Number.NEGATIVE_INFINITY
    if (kind.count === 0) return this.#asIs(row, kind)
    if (demand.whole) return this.#wholeCards(row, kind)
    return kind.count === 1 ? this.#oneCard(row, kind, demand.next) : this.#tightest(row, kind, demand.next)
  }

  #asIs(row: number, kind: Kind): number {
    this.#change.cards = 0
    const rating = this.#policy.rate(row, kind, this.#change)
    return this.#score(row, kind, rating)
  }

  #wholeCards(row: number, kind: Kind): number {
    if (int(this.#states.idle, row) < kind.count) return Number.NEGATIVE_INFINITY
    const change = this.#change
    change.cards = kind.count
    for (let card = 0; card < kind.count; card++) {
      change.from[card] = IDLE
      change.into[card] = 0
    }
    const score = this.#score(row, kind, this.#policy.rate(row, kind, change))
    const tables = kind.count === 1 ? undefined : this.#states.shape[row]?.tables
    if (tables === undefined) return score
    return score - LOOSE * looseness(tables, this.#idleMask(row), kind.count)
  }

  /** Tries every state of card on the row. */
  #oneCard(row: number, kind: Kind, next: Int16Array): number {
    const { codes, width, cards } = this.#states
    const first = row * width
    const last = first + int(cards, row)
    const trial = this.#trial
    trial.cards = 1
    let best = Number.NEGATIVE_INFINITY
    let seen = -1
    for (let at = first; at < last; at++) {
      const from = code(codes, at)
      if (from === seen) continue
      seen = from
      const into = code(next, from)
      if (into < 0) continue
      trial.from[0] = from
      trial.into[0] = into
      const rating = this.#policy.rate(row, kind, trial)
      if (rating < best || (rating === best && !this.#isBetterTie(from))) continue
      best = rating
      this.#change.from[0] = from
      this.#change.into[0] = into
    }
    if (best === Number.NEGATIVE_INFINITY) return best
    this.#change.cards = 1
    return this.#score(row, kind, best)
  }

  /** Of equals, the fuller card, so that the order of cards decides nothing; or the first, if the policy wants that. */
  #isBetterTie(from: number): boolean {
    return !this.#policy.goesByCardOrder && tightness(from) < tightness(code(this.#change.from, 0))
  }

  /** Parts of several cards: those with the least room to spare. */
  #tightest(row: number, kind: Kind, next: Int16Array): number {
    const { codes, width, cards } = this.#states
    const first = row * width
    const fitting = [...codes.subarray(first, first + int(cards, row))].filter((from) => code(next, from) >= 0)
    if (fitting.length < kind.count) return Number.NEGATIVE_INFINITY
    fitting.sort((one, two) => tightness(one) - tightness(two))
    const change = this.#change
    change.cards = kind.count
    for (let card = 0; card < kind.count; card++) {
      const from = fitting[card] ?? 0
      change.from[card] = from
      change.into[card] = code(next, from)
    }
    return this.#score(row, kind, this.#policy.rate(row, kind, change))
  }

  #score(row: number, kind: Kind, rating: number): number {
    const change = this.#change
    let idleAfter = int(this.#states.idle, row)
    for (let card = 0; card < change.cards; card++) if (change.from[card] === IDLE) idleAfter--
    this.#rated[RATING] = rating
    this.#rated[IDLE_AFTER] = idleAfter
    return this.#policy.score(row, kind, this.#rated)
  }

  #idleMask(row: number): number {
    const { codes, width, cards } = this.#states
    const first = row * width
    let mask = 0
    for (let card = 0; card < int(cards, row); card++) if (code(codes, first + card) === IDLE) mask |= 1 << card
    return mask
  }
}

/** Cards in use come before idle ones, fuller ones first. */
function tightness(from: number): number {
  return from === IDLE ? Number.POSITIVE_INFINITY : from
}

function emptyChange(width: number): CardChange {
  return { cards: 0, from: new Int16Array(width), into: new Int16Array(width) }
}
