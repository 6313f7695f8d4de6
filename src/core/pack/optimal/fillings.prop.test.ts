import fc from 'fast-check'
import { expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { migRules, runOf, startsFor } from '../../fleet/mig/rules.ts'
import { shareFillings, sliceFillings, type Filling, type Sort } from './fillings.ts'

const sorts = fc.uniqueArray(
  fc.record({ size: fc.integer({ min: 50, max: 999 }), most: fc.integer({ min: 1, max: 4 }) }),
  {
    selector: ({ size }) => size,
    minLength: 1,
    maxLength: 4,
  },
)

test('shares: every set that fits is covered by a filling, and every filling fits', () => {
  fc.assert(
    fc.property(sorts, fc.integer({ min: 0, max: 1000 }), (wanted, free) => {
      const found = must(shareFillings(free, wanted, 10_000), 'there are not so many')
      const fits = (filling: Filling) => filling.reduce((sum, count, at) => sum + count * sizeAt(wanted, at), 0) <= free
      const every = allSets(wanted.map(({ most }) => most))
      expect(found.every(fits)).toBe(true)
      expect(every.filter(fits).filter((set) => !found.some((filling) => covers(filling, set)))).toEqual([])
      expect(found.filter((one) => found.some((other) => other !== one && covers(other, one)))).toEqual([])
    }),
  )
})

const profiles = fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 })

test('slices: every set that fits is covered by a filling, and every filling fits', () => {
  const rules = must(migRules('a100-80-sxm'), 'a100-80-sxm')
  /** Tries every start of the first slice that is not laid yet. */
  const fits = (mask: number, slices: readonly number[]): boolean => {
    const [profile, ...rest] = slices
    if (profile === undefined) return true
    return startsFor(rules, profile).some((start) => {
      const run = runOf(rules, profile, start)
      return (mask & run) === 0 && fits(mask | run, rest)
    })
  }
  fc.assert(
    fc.property(profiles, fc.integer({ min: 0, max: 255 }), (wanted, taken) => {
      const sorted = wanted.map((size) => ({ size, most: 3 }))
      const found = sliceFillings(rules, taken, sorted)
      const isPossible = (set: Filling) =>
        fits(
          taken,
          set.flatMap((count, at) => Array.from({ length: count }, () => sizeAt(sorted, at))),
        )
      expect(found.every(isPossible)).toBe(true)
      const every = allSets(wanted.map(() => 3)).filter(isPossible)
      expect(every.filter((set) => !found.some((filling) => covers(filling, set)))).toEqual([])
      expect(found.filter((one) => found.some((other) => other !== one && covers(other, one)))).toEqual([])
    }),
  )
})

/** All lists of counts up to these. */
function allSets(mosts: readonly number[]): readonly Filling[] {
  return mosts.reduce<readonly Filling[]>(
    (sets, most) => sets.flatMap((set) => Array.from({ length: most + 1 }, (_, count) => [...set, count])),
    [[]],
  )
}

function sizeAt(wanted: readonly Sort[], at: number): number {
  return must(wanted[at], 'a sort').size
}

function covers(one: Filling, other: Filling): boolean {
  return one.every((count, at) => count >= (other[at] ?? 0))
}
