import { must } from '../../base/assert.ts'
import { runOf, startsFor, type MigRules } from '../../fleet/mig/rules.ts'

/** How many pieces of each sort are on a card. */
export type Filling = readonly number[]

/** Shares of one size, or slices of one profile. */
export interface Sort {
  /** Thousandths of a card, or the index of a profile. */
  readonly size: number
  /** The most of them that are wanted on one card; at least 1. */
  readonly most: number
}

/**
 * All ways to fill the free part of a card with shares. A way that leaves room for another wanted share is left out, because
 * the way with that share is included. Undefined: there are more than `limit`, or the search takes too long.
 */
export function shareFillings(
  freeMilli: number,
  sorts: readonly Sort[],
  limit: number,
): readonly Filling[] | undefined {
  const falling = [...sorts.entries()].toSorted(([, one], [, two]) => two.size - one.size)
  const reach = falling.map((_, at) => falling.slice(at).reduce((sum, [, { size, most }]) => sum + size * most, 0))
  const found: Filling[] = []
  let steps = 0
  // `open` is the smallest share that could be added once more.
  const fillFrom = (at: number, filling: Filling, { left, open }: { left: number; open: number }): void => {
    if (left - (reach[at] ?? 0) >= open || steps++ > STEPS * limit) return
    const entry = falling[at]
    if (entry === undefined) return void found.push(filling)
    const [index, { size, most }] = entry
    for (let count = Math.min(most, Math.floor(left / size)); count >= 0; count--) {
      const stillOpen = count < most ? Math.min(open, size) : open
      fillFrom(at + 1, filling.with(index, count), { left: left - count * size, open: stillOpen })
    }
  }
  fillFrom(0, empty(sorts), { left: freeMilli, open: Number.POSITIVE_INFINITY })
  return steps > STEPS * limit || found.length > limit ? undefined : found
}

/** Search steps for each filling that is allowed. */
const STEPS = 50

/** The same for slices on the rest of a card. Cards have few positions, so there are never many ways. */
export function sliceFillings(rules: MigRules, taken: number, sorts: readonly Sort[]): readonly Filling[] {
  const found = new Map<string, Filling>()
  const fillFrom = (position: number, mask: number, filling: Filling): void => {
    found.set(filling.join(), filling)
    for (const [index, { size: profile, most }] of sorts.entries()) {
      const count = must(filling[index], 'one count a sort')
      if (count === most) continue
      for (const start of startsFor(rules, profile)) {
        const slices = runOf(rules, profile, start)
        // Slices are placed from left to right, so that each set of them occurs once.
        if (start >= position && (mask & slices) === 0)
          fillFrom(start + 1, mask | slices, filling.with(index, count + 1))
      }
    }
  }
  fillFrom(0, taken, empty(sorts))
  const all = [...found.values()]
  return all.filter((one) => !all.some((other) => other !== one && covers(other, one)))
}

function empty(sorts: readonly Sort[]): Filling {
  return sorts.map(() => 0)
}

function covers(one: Filling, other: Filling): boolean {
  return one.every((count, index) => count >= must(other[index], 'one count a sort'))
}
