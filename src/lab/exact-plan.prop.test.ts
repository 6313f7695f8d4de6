import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { freeze, type Snapshot } from '../core/offer/snapshot.ts'
import { fleetOffers } from '../core/pack/owned/fleet-offers.ts'
import { freeIn, randomOwned } from '../core/pack/owned/fleet.suite.ts'
import type { OwnedFleet } from '../core/fleet/owned-fleet.ts'
import { exactQuestion, hintsFrom, placesIn, workIn } from '../core/place/own/exact.ts'
import type { OwnHints } from '../core/place/own/hint.ts'
import { fleetInputs, HOSTS, RENTED } from '../core/place/own/own.suite.ts'
import { decide } from '../core/place/decide.suite.ts'
import type { DecisionInput, Plan } from '../core/place/plan.ts'
import { report } from '../core/place/explain/report.ts'
import { cases } from '../core/base/laws.suite.ts'
import { fitsAt, withLodger } from '../core/pack/proposal/free-state.ts'
import { sourceSolver } from '../solver/highs.suite.ts'
import { exactPlan } from './exact-plan.ts'

const SOLVER = sourceSolver()

afterAll(() => SOLVER.close())

function capacityOf(owned: OwnedFleet): Snapshot {
  const offers = fleetOffers(
    owned,
    owned.fleet.nodes.map(() => HOSTS),
  )
  return freeze([...RENTED, ...offers], [], [owned])
}

/** Everything in a fleet is taken while it is free, gangs whole and with the same cards. */
function checkFree({ asks }: Plan, owned: OwnedFleet): void {
  let state = freeIn(owned)
  for (const { ask, choices } of asks) {
    for (const { own } of choices) {
      if (own === undefined) continue
      expect(own.places).toHaveLength(ask.need.nodes)
      expect(new Set(own.places.map(({ spot }) => spot.node)).size).toBe(ask.need.nodes)
      for (const place of own.places) {
        expect(fitsAt(state, place.request, place.spot)).toBe(true)
        state = withLodger(state, place)
      }
      const models = own.places.map(({ spot }) => owned.fleet.nodes[spot.node]?.model)
      if (ask.need.gpu !== undefined) expect(new Set(models).size).toBe(1)
    }
  }
}

/** Without a spread, which would be left to the engine. */
const inputs: fc.Arbitrary<DecisionInput> = fleetInputs.map((input) => ({
  ...input,
  asks: input.asks.map((ask) => ({ ...ask, spread: 'none' as const })),
}))

describe('an exact plan', () => {
  test('fits, is never worse than the engine’s, never above what is proven, and is decided again from its hints', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), inputs, async (seed, input) => {
        const owned = randomOwned(seed)
        const engine = decide(capacityOf(owned), input)
        const asked = { capacity: engine.snapshot, workloads: [input] }
        const { plan, report: exact, hints } = await exactPlan(engine, asked, { solver: SOLVER, limitMs: 5000 })
        checkFree(plan, owned)
        expect(plan.fits || !engine.fits).toBe(true)
        const { cards } = exact
        if (cards?.most === undefined) return
        expect(cards.placed).toBeGreaterThanOrEqual(cards.engine)
        expect(cards.most).toBeGreaterThanOrEqual(cards.placed)
        expect(exact.proven).toBe(cards.placed === cards.most)
        const told = hints && { hints: JSON.parse(JSON.stringify(hints)) as OwnHints } // What was written is read again.
        expect(report(decide(engine.snapshot, { ...input, ...told }))).toEqual(report(plan))
      }),
      { ...cases(100), interruptAfterTimeLimit: 60_000 },
    )
  }, 90_000)

  test('hints that are not free or not for them are not taken', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), inputs, (seed, other, input) => {
        const owned = randomOwned(seed)
        const plan = decide(capacityOf(owned), input)
        const question = exactQuestion(plan)
        if (question.kind === 'not-exact') return
        const shift = (node: number): number => (node + other) % question.nodes.length
        const places = placesIn(plan, question).map((spots) =>
          spots?.map((spot) => ({ ...spot, node: shift(spot.node) })),
        )
        const again = decide(plan.snapshot, { ...input, hints: hintsFrom(places, question) })
        checkFree(again, owned)
        const back = decide(plan.snapshot, { ...input, hints: hintsFrom(placesIn(plan, question), question) })
        expect(workIn(back, question)).toBe(workIn(plan, question))
      }),
      cases(200),
    )
  })
})
