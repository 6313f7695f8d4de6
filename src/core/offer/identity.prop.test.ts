import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OfferDraft } from './identity.ts'
import { assignIds, NO_FACTS, offerId } from './identity.ts'
import { cases } from '../base/laws.suite.ts'

const part = fc.string({ unit: fc.constantFrom('a', 'b', '/', '#', '%', '2', 'F', '5'), maxLength: 6 })
const place = fc.record({
  provider: part,
  region: part,
  zone: fc.option(part, { nil: undefined }),
  instance: part,
  ordinal: fc.integer({ min: 1, max: 3 }),
})

test('two offers share an id only when they share place and number', () => {
  fc.assert(
    fc.property(place, place, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      expect(offerId(one, one.ordinal) === offerId(other, other.ordinal)).toBe(isSame)
    }),
    cases(2000),
  )
})

const few = fc.constantFrom('a', 'b')
const draft = fc
  .record({
    region: few,
    zone: fc.option(few, { nil: undefined }),
    instance: few,
    cpu: fc.constantFrom(1, 2, undefined),
  })
  .map((parts): OfferDraft => ({
    ...NO_FACTS,
    provider: 'p',
    ...parts,
    gpu: parts.cpu === 2 ? { model: 'l4', count: 1, slice: undefined, link: 'pcie' } : undefined,
    usdPerHour: 1,
  }))

test('no id is given twice, and the order of offers changes nothing about who gets which', () => {
  const lists = fc
    .array(draft, { maxLength: 12 })
    .chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
    )
  fc.assert(
    fc.property(lists, ([list, shuffled]) => {
      expect(new Set(assignIds(list)).size).toBe(list.length)
      expect(withIds(shuffled)).toEqual(withIds(list))
    }),
    cases(2000),
  )
})

function withIds(drafts: readonly OfferDraft[]): ReadonlyMap<string, OfferDraft> {
  const ids = assignIds(drafts)
  const pairs = drafts.map((draft, index): [string, OfferDraft] => [ids[index] ?? '', draft])
  return new Map(pairs.toSorted(([one], [two]) => (one < two ? -1 : 1)))
}
