/** A size of share that is asked for, in thousandths of a card, and how many cards are asked for it. */
export interface ShareDemand {
  readonly milli: number
  readonly count: number
}

/** Sizes are rounded up to hundredths of a card: finer steps change no price that matters. */
const GRAIN = 10
const FULL = 1000 / GRAIN
const ROUNDS_MAX = 60
const SWEEPS_MAX = 60
/** Prices may overcharge a card by this much before another pattern is added. */
const SLACK = 0.003

/**
 * What the free part of a card is worth, by thousandths: 0 for nothing, 1 for an idle card. A size is worth its dual
 * price in the cutting-stock problem "cut as few cards as possible into these demands", and what is free is worth the
 * dearest set of sizes that fits into it: a remainder that no demand fits into is worth nothing. Where several prices
 * are optimal (a 650 and a 320 together fill a card, and any split of it would do), the ones nearest to the sizes
 * themselves are taken; `pull` says how strongly.
 */
export function cardWorth(demands: readonly ShareDemand[], pull: number): Float64Array {
  const sizes = demands
    .filter(({ milli, count }) => milli > 0 && count > 0)
    .map(({ milli, count }) => ({ size: Math.min(FULL, Math.ceil(milli / GRAIN)), count }))
  if (sizes.length === 0) return Float64Array.from({ length: 1001 }, (_, milli) => milli / 1000)
  const { worth } = dearest(sizes, dualPrices(sizes, pull))
  const full = worth[FULL] ?? 1
  return Float64Array.from({ length: 1001 }, (_, milli) => (worth[Math.floor(milli / GRAIN)] ?? 0) / full)
}

interface Size {
  readonly size: number
  readonly count: number
}

/** A way to cut a card, and how hard its limit presses on the prices. */
interface Pattern {
  readonly times: Float64Array
  readonly stiffness: number
  press: number
}

/** Prices under patterns that grow in number: whatever today's prices value above a card becomes a limit itself. */
function dualPrices(sizes: readonly Size[], pull: number): Float64Array {
  const prices = new Prices(sizes, pull)
  sizes.forEach(({ size }, index) => prices.limit(alone(sizes.length, index, Math.floor(FULL / size))))
  for (let round = 0; round < ROUNDS_MAX; round++) {
    prices.settle()
    const { worth, pattern } = dearest(sizes, prices.values)
    if ((worth[FULL] ?? 0) <= 1 + SLACK) break
    prices.limit(pattern())
  }
  return prices.values
}

/**
 * The prices that earn most from the demands, less a quadratic pull towards the sizes, such that no pattern earns more
 * than a card. Solved limit by limit (Hildreth): each in turn is made to hold exactly or to press no more.
 */
class Prices {
  readonly values: Float64Array
  readonly #weights: Float64Array
  readonly #floors: Float64Array
  readonly #patterns: Pattern[] = []

  constructor(sizes: readonly Size[], pull: number) {
    const total = sizes.reduce((sum, { size, count }) => sum + size * count, 0) / FULL
    this.#weights = Float64Array.from(sizes, ({ size, count }) => (pull * count * FULL) / (size * total))
    this.values = Float64Array.from(sizes, ({ size }) => (size / FULL) * (1 + 1 / pull))
    this.#floors = new Float64Array(sizes.length)
  }

  limit(times: Float64Array): void {
    let stiffness = 0
    for (let index = 0; index < times.length; index++) stiffness += (times[index] ?? 0) ** 2 / this.#weight(index)
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

  /** Makes a pattern earn a card at most; answers how far it was off. */
  #hold(pattern: Pattern): number {
    const { times, stiffness } = pattern
    let excess = -1
    for (let index = 0; index < times.length; index++) excess += (times[index] ?? 0) * this.#value(index)
    const step = Math.max(excess / stiffness, -pattern.press)
    if (step === 0) return 0
    pattern.press += step
    for (let index = 0; index < times.length; index++)
      this.values[index] = this.#value(index) - (step * (times[index] ?? 0)) / this.#weight(index)
    return Math.abs(excess)
  }

  /** No price is negative. */
  #holdFloor(index: number): void {
    const floor = this.#floors[index] ?? 0
    const step = Math.max(-this.#value(index) * this.#weight(index), -floor)
    this.#floors[index] = floor + step
    this.values[index] = this.#value(index) + step / this.#weight(index)
  }

  #value(index: number): number {
    return this.values[index] ?? 0
  }

  #weight(index: number): number {
    return this.#weights[index] ?? 1
  }
}

function alone(length: number, index: number, times: number): Float64Array {
  const pattern = new Float64Array(length)
  pattern[index] = times
  return pattern
}

/** The dearest set of sizes that fits into each free part of a card, and how the whole card is cut for it. */
function dearest(
  sizes: readonly Size[],
  prices: Float64Array,
): { readonly worth: Float64Array; readonly pattern: () => Float64Array } {
  const worth = new Float64Array(FULL + 1)
  const last = new Int32Array(FULL + 1).fill(-1)
  for (let free = 1; free <= FULL; free++) {
    let best = worth[free - 1] ?? 0
    for (let index = 0; index < sizes.length; index++) {
      const size = sizes[index]?.size ?? FULL
      const price = prices[index] ?? 0
      if (size > free || price <= 0) continue
      const sum = (worth[free - size] ?? 0) + price
      if (sum <= best + 1e-12) continue
      best = sum
      last[free] = index
    }
    worth[free] = best
  }
  return { worth, pattern: () => cutting(sizes, last) }
}

function cutting(sizes: readonly Size[], last: Int32Array): Float64Array {
  const pattern = new Float64Array(sizes.length)
  let free = FULL
  while (free > 0) {
    const index = last[free] ?? -1
    if (index < 0) free--
    else {
      pattern[index] = (pattern[index] ?? 0) + 1
      free -= sizes[index]?.size ?? free
    }
  }
  return pattern
}
