import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { needs } from '../../place/world.suite.ts'
import { chooses, meetChoices, noneOf, oneOf, type OneOf } from './choice.ts'
import { cases } from '../../base/laws.suite.ts'
import { ANY_NEED, meet, type Need } from './need.ts'
import { covers } from './need.suite.ts'
import { CHOICES, RANGES } from './algebra.ts'
import { inRange, meetRanges, type Range } from './range.ts'

const RUNS = cases(2_000)

const WORDS = ['a', 'b', 'c']
const VALUES = [-1, 0, 1, 1.5, 2, 3]

const choice: fc.Arbitrary<OneOf> = fc.oneof(fc.subarray(WORDS).map(oneOf), fc.subarray(WORDS).map(noneOf))
const end = fc.constantFrom(undefined, 0, 1, 2)
const range: fc.Arbitrary<Range> = fc.record({ min: end, max: end })

/** Meeting sorts the names of architectures, so those of a need that meets itself must be sorted already. */
const need: fc.Arbitrary<Need> = needs.map((one) =>
  one.gpu === undefined ? one : withNames(one, one.gpu.arch.names.toSorted()),
)

function withNames(need: Need, names: readonly string[]): Need {
  return need.gpu === undefined ? need : { ...need, gpu: { ...need.gpu, arch: { ...need.gpu.arch, names } } }
}

describe('the laws of needs', () => {
  test('meet does not depend on order, and a need that meets itself does not change', () => {
    fc.assert(
      fc.property(need, need, need, (one, two, three) => {
        expect(meet(one, two)).toEqual(meet(two, one))
        expect(meet(meet(one, two), three)).toEqual(meet(one, meet(two, three)))
        expect(meet(one, one)).toEqual(one)
      }),
      RUNS,
    )
  })

  test('the need that admits everything changes nothing and covers all others', () => {
    fc.assert(
      fc.property(need, (one) => {
        expect(meet(ANY_NEED, one)).toEqual(one)
        expect(covers(ANY_NEED, one)).toBe(true)
      }),
      RUNS,
    )
  })

  test('both needs cover their meet, and a need covers another exactly when the meet equals the other', () => {
    fc.assert(
      fc.property(need, need, need, (one, two, three) => {
        const both = meet(one, two)
        expect(covers(one, both) && covers(two, both)).toBe(true)
        for (const narrow of [one, two, both, meet(both, three)]) {
          const nameless = withNames(one, narrow.gpu?.arch.names ?? [])
          expect(covers(one, narrow)).toBe(isDeepStrictEqual(meet(nameless, narrow), meet(narrow, narrow)))
        }
      }),
      RUNS,
    )
  })
})

describe('the laws of ranges and choices', () => {
  test('the meet of two ranges is what both admit', () => {
    fc.assert(
      fc.property(range, range, fc.constantFrom(...VALUES), (one, two, value) => {
        expect(inRange(meetRanges(one, two), value)).toBe(inRange(one, value) && inRange(two, value))
      }),
      RUNS,
    )
  })

  test('a range that covers another admits all its values', () => {
    fc.assert(
      fc.property(range, range, (wide, narrow) => {
        const inside = VALUES.filter((value) => inRange(narrow, value))
        if (RANGES.covers(wide, narrow)) expect(inside.every((value) => inRange(wide, value))).toBe(true)
        // An empty range admits nothing, which every range covers; the comparison of ends does not look for that.
        else if (inside.length > 0) expect(inside.every((value) => inRange(wide, value))).toBe(false)
      }),
      RUNS,
    )
  })

  test('the meet of two choices is what both admit, and covering agrees with admitting', () => {
    fc.assert(
      fc.property(choice, choice, (one, two) => {
        // The last word is in no choice: it stands for every word that no choice names.
        const words = [...WORDS, 'unnamed']
        const both = words.filter((word) => chooses(one, word) && chooses(two, word))
        expect(words.filter((word) => chooses(meetChoices(one, two), word))).toEqual(both)
        const inside = words.filter((word) => chooses(two, word)).every((word) => chooses(one, word))
        expect(CHOICES.covers(one, two)).toBe(inside)
      }),
      RUNS,
    )
  })
})
