import { countCards } from './card-mask.ts'

/** Says what a set of free cards is worth to future work; more is better. */
export type Wholeness = (free: number) => number

/**
 * Measures free cards against groups of cards that belong together. First: how many groups are whole, largest groups first.
 * Then: how much work of 16, 8, 4 and 2 cards still finds room inside a group. Then: how close together the free cards are,
 * so that a single card is taken from the most broken group. The result is one number, digit after digit, so sums and
 * differences over nodes of one layout keep their meaning.
 */
export function wholeness(groups: readonly number[]): Wholeness {
  const worths = worthsOf(groups.map(countCards))
  return (free) => {
    let worth = 0
    for (let at = 0; at < groups.length; at++) worth += worths[at]?.[countCards((groups[at] ?? 0) & free)] ?? 0
    return worth
  }
}

/** For each group, what it is worth with 0, 1, 2, ... of its cards free. */
function worthsOf(sizes: readonly number[]): readonly (readonly number[])[] {
  const { jobWeights, kindWeights } = weightsOf(sizes)
  return sizes.map((size) =>
    Array.from({ length: size + 1 }, (_, free) => {
      const room = JOBS.map((job) => Math.floor(free / job) * (jobWeights.get(job) ?? 0))
      return free * free + sum(room) + (free === size ? (kindWeights.get(size) ?? 0) : 0)
    }),
  )
}

/** The weight of a digit: more than all digits after it together. */
function weightsOf(sizes: readonly number[]): {
  readonly jobWeights: ReadonlyMap<number, number>
  readonly kindWeights: ReadonlyMap<number, number>
} {
  const jobWeights = new Map<number, number>()
  const kindWeights = new Map<number, number>()
  let weight = 1 + sum(sizes.map((size) => size * size))
  for (const job of JOBS) {
    jobWeights.set(job, weight)
    weight *= 1 + sum(sizes.map((size) => Math.floor(size / job)))
  }
  for (const kind of [...new Set(sizes)].sort((one, two) => one - two)) {
    kindWeights.set(kind, weight)
    weight *= 1 + sizes.filter((size) => size === kind).length
  }
  return { jobWeights, kindWeights }
}

/** Usual sizes of work, small ones first. */
const JOBS = [2, 4, 8, 16]

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
