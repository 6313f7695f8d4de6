import type { BudgetTerms } from './retry.ts'

/** How many answers are remembered, and how many there must be before they say anything. */
const KEPT = 256
const ENOUGH = 20
/** The order of what is remembered is worked out again after so many answers. */
const FRESH = 32
/** A second copy is never sent earlier: a whole turn of the network is no sign of slowness. */
const SOONEST_MS = 5

/** Second copies are at most a tenth of the requests, beyond a few at the beginning. */
export const HEDGES: BudgetTerms = { most: 20, aRequest: 0.1 }

/** How long requests of a service took until their answer began, of late. */
export class Latencies {
  readonly #kept: number[] = []
  #next = 0
  #sorted: readonly number[] = []
  #stale = 0

  add(ms: number): void {
    this.#kept[this.#next] = ms
    this.#next = (this.#next + 1) % KEPT
    this.#stale++
  }

  /** After which time a request is slower than this share of the others; undefined: too little is known. */
  delayMs(share: number): number | undefined {
    if (this.#kept.length < ENOUGH) return undefined
    if (this.#sorted.length === 0 || this.#stale >= FRESH) {
      this.#sorted = this.#kept.toSorted((one, two) => one - two)
      this.#stale = 0
    }
    const at = Math.min(this.#sorted.length - 1, Math.floor(this.#sorted.length * share))
    return Math.max(SOONEST_MS, this.#sorted[at] ?? 0)
  }
}
