import fc from 'fast-check'
import { expect, test } from 'vitest'
import { meet, type Need } from '../need/need.ts'
import { freeze, listingAt, rowCount, type Listing } from '../../offer/snapshot.ts'
import { NOW_MS, needs, offers, refusals } from '../../place/world.suite.ts'
import { ALL_FILTERS } from './all-filters.ts'
import type { AnyFilter } from './filter.ts'
import type { Reason } from '../reason.ts'
import { cases } from '../../base/laws.suite.ts'

const RUNS = cases(2_000)

/** One of some random offers. */
const listings = fc
  .tuple(offers, refusals, fc.nat())
  .map(([capacity, memory, pick]) => ({ snapshot: freeze(capacity, memory), pick }))
  .filter(({ snapshot }) => rowCount(snapshot) > 0)
  .map(({ snapshot, pick }) => listingAt(snapshot, pick % rowCount(snapshot)))

function ask(filter: AnyFilter, listing: Listing, need: Need): Reason | undefined {
  // The subject is the one the filter is about, which the union of filters cannot express.
  const check = filter.check as (subject: unknown, need: Need, nowMs: number) => Reason | undefined
  return check(listing[filter.about], need, NOW_MS)
}

test('no filter passes under a narrower need what it refuses under a wider one', () => {
  fc.assert(
    fc.property(listings, needs, needs, (listing, need, more) => {
      const narrow = meet(need, more)
      for (const filter of ALL_FILTERS) {
        // New terms bring a new price, so what is over the ceiling on one market may not be sold on the other at all.
        if (filter.about === 'price' && ask(filter, listing, need) !== undefined) {
          const refused = ALL_FILTERS.filter(
            (other) => other.about === 'price' && ask(other, listing, narrow) !== undefined,
          )
          expect(`${filter.name} ${refused.length > 0}`).toBe(`${filter.name} true`)
        } else if (ask(filter, listing, need) !== undefined)
          expect(ask(filter, listing, narrow), filter.name).toBeDefined()
      }
    }),
    RUNS,
  )
})

test('GPU requirements ignore a machine without a GPU, apart from the one that turns it down', () => {
  fc.assert(
    fc.property(listings, needs, (listing, need) => {
      if (listing.machine.gpu !== undefined) return
      for (const filter of ALL_FILTERS) {
        if (filter.name === 'gpu') continue
        expect(ask(filter, listing, need), filter.name).toEqual(ask(filter, listing, { ...need, gpu: undefined }))
      }
    }),
    RUNS,
  )
})

test('every reason given is in the filter’s own catalogue, and its words can be read', () => {
  fc.assert(
    fc.property(listings, needs, (listing, need) => {
      for (const filter of ALL_FILTERS) {
        const reason = ask(filter, listing, need)
        if (reason === undefined) continue
        expect(filter.reasons[reason.code]?.summary(reason), `${filter.name} ${reason.code}`).toMatch(/\S/)
        expect(reason.wanted).not.toBe('')
        expect(reason.found).not.toBe('')
      }
    }),
    RUNS,
  )
})
