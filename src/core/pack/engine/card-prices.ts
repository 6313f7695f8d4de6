import { int, real } from './read.ts'

/** A requested size of share, in thousandths of a card, and how many cards are requested in that size. */
export interface ShareDemand {
  readonly milli: number
  readonly count: number
}

/** Sizes are rounded up to hundredths of a card: finer steps change no price that matters. */
const GRAIN = 10
const FULL = 1000 / GRAIN
const ROUNDS_MAX = 200
const SWEEPS_MAX = 4
/** Prices may overcharge a card by this much before another pattern is added. */
const SLACK = 0.003

/**
 * What the free part of a card is worth, by thousandths: 0 for nothing, 1 for an idle card. A size is worth its dual price
 * in the cutting-stock problem "cut as few cards as possible into these demands". A free part is worth the most valuable set
 * of sizes that fits into it: a remainder that no demand fits into is worth nothing. Where several prices are optimal (a 650
 * and a 320 together fill a card, and any split of its price would do), the prices nearest to the sizes themselves are
 * taken; `pull` says how strongly.
 */
export function cardWorth(demands: readonly ShareDemand[], pull: number): Float64Array {
  const asked = demands.filter(({ milli, count }) => milli > 0 && count > 0)
  const worth = new Float64Array(1001)
  if (asked.length === 0) return worth.map((_, milli) => milli / 1000)
  const sizes = Int32Array.from(asked, ({ milli }) => Math.min(FULL, Math.ceil(milli / GRAIN)))
  const counts = Float64Array.from(asked, ({ count }) => count)
  const cuts = new Cuts(sizes)
  cuts.find(dualPrices(cuts, counts, pull))
  for (let milli = 0; milli <= 1000; milli++) worth[milli] = real(cuts.worth, Math.floor(milli / GRAIN)) / cuts.full
  return worth
}

/** A way to cut a card, and the multiplier of its limit on the prices. */
interface Pattern {
  readonly times: Float64Array
  readonly stiffness: number
  press: number
}

/** Prices under a growing set of patterns: every pattern that current prices value above a card becomes a limit. */
function dualPrices(cuts: Cuts, counts: Float64Array, pull: number): Float64Array {
  const { sizes } = cuts
  const prices = new Prices(sizes, counts, pull)
  sizes.forEach((size, index) => prices.limit(alone(sizes.length, index, Math.floor(FULL / size))))
  for (let round = 0; round < ROUNDS_MAX; round++) {
    prices.settle()
    cuts.find(prices.values)
    if (cuts.full <= 1 + SLACK) break
    prices.limit(cuts.pattern())
  }
  return prices.values
}

/**
 * The prices that earn the most from the demands, less a quadratic pull towards the sizes, such that no pattern earns more
 * than a card. Solved limit by limit (Hildreth): each limit in turn is made to hold exactly, or to have no effect.
 */
class Prices {
  readonly values: Float64Array
  readonly #weights: Float64Array
  readonly #floors: Float64Array
  readonly #patterns: Pattern[] = []

  constructor(sizes: Int32Array, counts: Float64Array, pull: number) {
    const total = counts.reduce((sum, count, index) => sum + count * int(sizes, index), 0) / FULL
    this.#weights = counts.map((count, index) => (pull * count * FULL) / (int(sizes, index) * total))
    this.values = Float64Array.from(sizes, (size) => (size / FULL) * (1 + 1 / pull))
    this.#floors = new Float64Array(sizes.length)
  }

  limit(times: Float64Array): void {
    let stiffness = 0
    for (let index = 0; index < times.length; index++) stiffness += real(times, index) ** 2 / this.#weight(index)
    this.#patterns.push({ times, stiffness, press: 0 })
  }

  settle(): void {
    for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
      let worst = 0
      for (const pattern of this.#patterns) worst = Math.max(worst, this.#hold(pattern))
      for (let index = 0; index < this.values.length; index++) this.#holdFloor(index)
      if (worst < 1e-4) return
    }
  }

  /** Makes a pattern earn at most a card. Returns how far off it was. */
  #hold(pattern: Pattern): number {
    const { times, stiffness } = pattern
    let excess = -1
    for (let index = 0; index < times.length; index++) excess += real(times, index) * this.#value(index)
    const step = Math.max(excess / stiffness, -pattern.press)
    if (step === 0) return 0
    pattern.press += step
    for (let index = 0; index < times.length; index++)
      this.values[index] = this.#value(index) - (step * real(times, index)) / this.#weight(index)
    return Math.abs(excess)
  }

  /** No price is negative. */
  #holdFloor(index: number): void {
    const floor = real(this.#floors, index)
    const step = Math.max(-this.#value(index) * this.#weight(index), -floor)
    this.#floors[index] = floor + step
    this.values[index] = this.#value(index) + step / this.#weight(index)
  }

  #value(index: number): number {
    return real(this.values, index)
  }

  #weight(index: number): number {
    return real(this.#weights, index)
  }
}

function alone(length: number, index: number, times: number): Float64Array {
  const pattern = new Float64Array(length)
  pattern[index] = times
  return pattern
}

/** The most valuable set of sizes that fits into each free part of a card. */
class Cuts {
  readonly sizes: Int32Array
  readonly worth = new Float64Array(FULL + 1)
  /** The size that was added last; -1: none, the next smaller part is worth as much. */
  readonly #last = new Int32Array(FULL + 1)

  constructor(sizes: Int32Array) {
    this.sizes = sizes
  }

  /** What an idle card is worth. */
  get full(): number {
    return real(this.worth, FULL)
  }

  find(prices: Float64Array): void {
    for (let free = 1; free <= FULL; free++) this.#findFor(free, prices)
  }

  /** How often each size is cut from an idle card. */
  pattern(): Float64Array {
    const pattern = new Float64Array(this.sizes.length)
    let free = FULL
    while (free > 0) {
      const index = int(this.#last, free)
      if (index >= 0) pattern[index] = real(pattern, index) + 1
      free -= index < 0 ? 1 : int(this.sizes, index)
    }
    return pattern
  }

  #findFor(free: number, prices: Float64Array): void {
    const { sizes, worth } = this
    let best = real(worth, free - 1)
    let last = -1
    for (let index = 0; index < sizes.length; index++) {
      const size = int(sizes, index)
      const price = real(prices, index)
      if (size > free || price <= 0) continue
      const sum = real(worth, free - size) + price
      if (sum <= best + 1e-12) continue
      best = sum
      last = index
    }
    worth[free] = best
    this.#last[free] = last
  }
}
