import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ALL_FILTERS } from '../requirement/filter/all-filters.ts'
import type { AnyFilter } from '../requirement/filter/filter.ts'
import { chooses } from '../requirement/need/choice.ts'
import { meet, type Need } from '../requirement/need/need.ts'
import { priceOn } from '../requirement/need/price.ts'
import { freeze, listingAt, rowCount, type Listing, type Snapshot } from '../offer/snapshot.ts'
import { must } from '../base/assert.ts'
import { classesOf } from './classes.ts'
import type { Relaxation } from './explain/loosen.ts'
import { countProviders } from './explain/providers.ts'
import { countReasons } from './explain/reasons.ts'
import { decide } from './decide.suite.ts'
import { explain } from './explain/explain.ts'
import { report } from './explain/report.ts'
import { cases, IS_WHOLE } from '../base/laws.suite.ts'
import { failing, verdictOf } from './tally.ts'
import { failuresOf } from './verdict.ts'
import { asking, inputs, needs, NOW_MS, offers, policies, refusals } from './world.suite.ts'

const RUNS = cases(2_000)

/** Written apart from the planner: each filter asked on its own, quarantine first. */
function plainFailures(listing: Listing, need: Need): string[] {
  const fails = (filter: AnyFilter): boolean => {
    const subject = listing[filter.about]
    // The subject is the one the filter is about, which the union of filters cannot express.
    const check = filter.check as (
      subject: unknown,
      need: Need,
      nowMs: number,
    ) => { found: string | undefined } | undefined
    const reason = check(subject, need, NOW_MS)
    return reason !== undefined && !(reason.found === undefined && chooses(need.unknownAccepted, filter.name))
  }
  if (listing.machine.quarantine !== undefined) return ['quarantine']
  return ALL_FILTERS.filter(fails).map((filter) => filter.name)
}

function rows(snapshot: Snapshot): number[] {
  return Array.from({ length: rowCount(snapshot) }, (_, row) => row)
}

function fitting(snapshot: Snapshot, need: Need): string[] {
  const listings = rows(snapshot).map((row) => listingAt(snapshot, row))
  return listings.filter((listing) => plainFailures(listing, need).length === 0).map((listing) => listing.id)
}

function only<T>(asks: readonly T[]): T {
  return must(asks[0], 'one ask')
}

describe('the laws of a decision', () => {
  test('every offer has exactly one verdict, and the counts add up to all offers', () => {
    fc.assert(
      fc.property(offers, refusals, needs, (capacity, memory, need) => {
        const snapshot = freeze(capacity, memory)
        const { tally, judgement } = only(decide(snapshot, asking(need)).asks)
        const { rows: edges } = classesOf(snapshot)
        const stretches = [
          ...tally.bands,
          ...tally.shut.map((machine) => ({ from: edges[machine] ?? 0, to: edges[machine + 1] ?? 0 })),
        ]
        const seen = stretches.flatMap(({ from, to }) => Array.from(tally.order.rows.subarray(from, to)))
        expect(seen.toSorted((one, two) => one - two)).toEqual(rows(snapshot))
        const fits = tally.fits.reduce((sum, band) => sum + band.to - band.from, 0)
        const providers = countProviders(snapshot, judgement, tally)
        expect(providers.reduce((sum, { fitting: own }) => sum + own, 0)).toBe(fits)
        expect(providers.reduce((sum, { refused }) => sum + refused, 0)).toBe(capacity.length - fits)
        const reasons = countReasons(snapshot, judgement, tally)
        expect(reasons.reduce((sum, { first }) => sum + first, 0)).toBe(capacity.length - fits)
        const plain = rows(snapshot).flatMap((row) =>
          failuresOf(listingAt(snapshot, row), judgement).map(({ reason }) => reason.code),
        )
        for (const { code, all } of reasons)
          expect(`${code} ${all}`).toBe(`${code} ${plain.filter((other) => other === code).length}`)
        expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(plain))
      }),
      RUNS,
    )
  })

  test('a refused offer fails each requirement named and no other', () => {
    fc.assert(
      fc.property(offers, refusals, needs, (capacity, memory, need) => {
        const snapshot = freeze(capacity, memory)
        const { judgement } = only(decide(snapshot, asking(need)).asks)
        for (const row of rows(snapshot)) {
          const listing = listingAt(snapshot, row)
          const plain = plainFailures(listing, need)
          expect(failing(verdictOf(snapshot, judgement, row)).map((filter) => filter.name)).toEqual(plain)
          expect(failuresOf(listing, judgement).map((failure) => failure.filter)).toEqual(plain)
        }
      }),
      RUNS,
    )
  })

  test('a relaxation admits the offers it counts, at the price it names', () => {
    fc.assert(
      fc.property(offers, refusals, needs, (capacity, memory, need) => {
        const snapshot = freeze(capacity, memory)
        const before = new Set(fitting(snapshot, need))
        for (const relaxation of only(explain(decide(snapshot, asking(need)))).relaxations) {
          const after = fitting(snapshot, relaxation.need)
          const news = after.filter((id) => !before.has(id))
          expect(after.length - before.size).toBe(news.length)
          const prices = rows(snapshot)
            .map((row) => listingAt(snapshot, row))
            .filter((listing) => news.includes(listing.id) || isCheaper(listing, before, { need, relaxation }))
          expect(prices).toHaveLength(relaxation.offers)
          const cheapest = Math.min(
            ...prices.map((listing) => priceOn(listing.price, relaxation.need.market) ?? Number.NaN),
          )
          expect(cheapest).toBe(relaxation.usdPerHour)
          // A plan with the change made gets it for that, or for less where something cheaper fitted before.
          const [choice] = only(decide(snapshot, asking(relaxation.need)).asks).choices
          expect(choice?.standing.usdPerHour).toBeLessThanOrEqual(relaxation.usdPerHour)
        }
      }),
      RUNS,
    )
  })

  test('tightening a need never adds offers', () => {
    fc.assert(
      fc.property(offers, needs, needs, (capacity, need, more) => {
        const snapshot = freeze(capacity)
        const wide = new Set(fitting(snapshot, need))
        expect(fitting(snapshot, meet(need, more)).filter((id) => !wide.has(id))).toEqual([])
      }),
      RUNS,
    )
  })

  test('the same question over the same offers gives the same plan, in whatever order the offers came', () => {
    fc.assert(
      fc.property(offers, refusals, inputs, fc.infiniteStream(fc.nat()), (capacity, memory, input, salt) => {
        const shuffled = capacity
          .map((offer) => ({ offer, key: salt.next().value }))
          .sort((one, two) => one.key - two.key)
        const one = report(decide(freeze(capacity, memory), input))
        const two = report(
          decide(
            freeze(
              shuffled.map(({ offer }) => offer),
              memory.toReversed(),
            ),
            input,
          ),
        )
        expect(JSON.stringify(two)).toBe(JSON.stringify(one))
        expect(JSON.stringify(report(decide(freeze(capacity, memory), input)))).toBe(JSON.stringify(one))
      }),
      RUNS,
    )
  })

  test('what is chosen fits, ranks first, and leaves no replica out that had a place', () => {
    fc.assert(
      fc.property(offers, inputs, (capacity, input) => {
        const snapshot = freeze(capacity)
        const plan = decide(snapshot, input)
        const used = new Map<string, number>()
        for (const ask of plan.asks) {
          for (const choice of ask.choices) {
            const listing = listingAt(snapshot, choice.standing.row)
            expect(plainFailures(listing, ask.ask.need)).toEqual([])
            used.set(listing.id, (used.get(listing.id) ?? 0) + ask.ask.need.nodes)
            const room = Math.min(listing.state.units ?? Infinity, listing.state.quotaLeft ?? Infinity)
            expect(used.get(listing.id)).toBeLessThanOrEqual(room)
          }
        }
        expect(plan.fits).toBe(plan.asks.every((ask) => ask.shortage === undefined))
      }),
      RUNS,
    )
  })

  test('the cheapest policy takes the cheapest offer that a plain scan finds', () => {
    fc.assert(
      fc.property(offers, needs, (capacity, need) => {
        const snapshot = freeze(capacity)
        const { choices } = only(decide(snapshot, asking(need)).asks)
        const scan = rows(snapshot)
          .map((row) => listingAt(snapshot, row))
          .filter((listing) => plainFailures(listing, need).length === 0)
          .map((listing) => ({ usd: priceOn(listing.price, need.market) ?? Number.NaN, id: listing.id }))
          .sort((one, two) => one.usd - two.usd || (one.id < two.id ? -1 : 1))
        expect(choices.map((choice) => listingAt(snapshot, choice.standing.row).id)).toEqual(
          scan.slice(0, 1).map(({ id }) => id),
        )
      }),
      RUNS,
    )
  })

  test('when nothing fits, the conflict named really shuts every offer out', () => {
    fc.assert(
      fc.property(offers, needs, policies, (capacity, need, policy) => {
        const snapshot = freeze(capacity)
        const ask = only(explain(decide(snapshot, asking(need, policy))))
        const fits = fitting(snapshot, need).length > 0
        expect(ask.conflict === undefined).toBe(fits || capacity.length === 0)
        const parts = ask.conflict?.parts.map((part) => part.filter) ?? []
        const names = rows(snapshot).map((row) => plainFailures(listingAt(snapshot, row), need))
        const hopeless = (failures: readonly string[]): boolean =>
          failures.includes('quarantine') || failures.includes('gpu')
        const conceivable = names.some((failures) => !hopeless(failures))
          ? names.filter((failures) => !hopeless(failures))
          : names
        for (const failures of fits ? [] : conceivable) expect(failures.some((name) => parts.includes(name))).toBe(true)
      }),
      RUNS,
    )
  })
})

/** Whether it fitted before and costs less on the terms of a relaxation. */
function isCheaper(
  { id, price }: Listing,
  before: ReadonlySet<string>,
  { need, relaxation }: { readonly need: Need; readonly relaxation: Relaxation },
): boolean {
  if (!before.has(id)) return false
  const [then, now] = [priceOn(price, need.market), priceOn(price, relaxation.need.market)]
  return then !== undefined && now !== undefined && now < then
}

describe('the worlds these laws are tried in', () => {
  test.runIf(IS_WHOLE)('are rich enough: often something fits, often after tightening, and relaxations abound', () => {
    const capacities = fc.sample(fc.tuple(offers, needs, needs), { numRuns: 400, seed: 1 })
    const seen = capacities.map(([capacity, need, more]) => {
      const snapshot = freeze(capacity)
      const fits = fitting(snapshot, need).length > 0
      return {
        fits,
        tight: fitting(snapshot, meet(need, more)).length > 0,
        more: only(explain(decide(snapshot, asking(need)))).relaxations.length,
      }
    })
    expect(seen.filter(({ fits }) => fits).length).toBeGreaterThan(160)
    expect(seen.filter(({ tight }) => tight).length).toBeGreaterThan(20)
    expect(seen.filter(({ more }) => more > 0).length).toBeGreaterThan(160)
  })
})
