import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeSnapshot, encodeSnapshot } from '../../../formats/snapshot-file.ts'
import { must } from '../../base/assert.ts'
import type { FleetNode, Spot } from '../../fleet/fleet.ts'
import { modelFacts } from '../../hardware/family.ts'
import type { Need } from '../../requirement/need/need.ts'
import { LINK_RANK } from '../../hardware/link.ts'
import type { Offer } from '../../offer/offer.ts'
import { freeze, type Snapshot } from '../../offer/snapshot.ts'
import { bestLink } from '../../pack/owned/card-link.ts'
import { fleetOffers } from '../../pack/owned/fleet-offers.ts'
import { freeIn, randomOwned } from '../../pack/owned/fleet.suite.ts'
import type { OwnedFleet } from '../../fleet/owned-fleet.ts'
import { fitsAt, fitsOn, withLodger } from '../../pack/proposal/free-state.ts'
import { rowsOf } from '../choose.ts'
import { fleetInputs, HOSTS, RENTED } from './own.suite.ts'
import type { OwnPlace } from './ask.ts'
import { plainSpot } from './plain.suite.ts'
import { decide } from '../decide.suite.ts'
import { explain } from '../explain/explain.ts'
import type { AskPlan, Plan } from '../plan.ts'
import { report } from '../explain/report.ts'
import { cases, IS_WHOLE } from '../../base/laws.suite.ts'

const RUNS = cases(300)

function capacityOf(owned: OwnedFleet, rented: readonly Offer[] = RENTED): Snapshot {
  return freeze(
    [
      ...rented,
      ...fleetOffers(
        owned,
        owned.fleet.nodes.map(() => HOSTS),
      ),
    ],
    [],
    [owned],
  )
}

/** All places in the order in which they were taken: reserve comes last. */
function placesOf({ asks }: Plan): readonly { readonly ask: AskPlan; readonly place: OwnPlace }[] {
  const chosen = asks.flatMap((ask) =>
    ask.choices.flatMap(({ own }) => (own?.places ?? []).map((place) => ({ ask, place }))),
  )
  return [...chosen, ...asks.flatMap((ask) => (ask.reserve?.kept ?? []).map((place) => ({ ask, place })))]
}

/** Memory of what is taken of each card. */
function gibOf(node: FleetNode, { taken }: Spot): number {
  const card = must(modelFacts(node.model ?? ''), 'a card of the table')
  if (taken === undefined) return card.vramGib
  if (taken.kind === 'share') return (card.vramGib * taken.milli) / 1000
  return must(
    card.mig.find(({ name }) => name === taken.profile),
    'a profile',
  ).gib
}

function isServed(need: Need, node: FleetNode, spot: Spot): boolean {
  const { gpu } = need
  if (gpu === undefined) return spot.cards.length === 0
  const link = bestLink(node, spot.cards, spot.cards.length)
  const isLinked = link === undefined || spot.cards.length < 2 || LINK_RANK[link] >= (gpu.link.min ?? 0)
  const isPart = spot.taken === undefined || (gpu.sharing.values.includes('mig') && spot.cards.length === 1)
  return spot.cards.length === gpu.count.min && gibOf(node, spot) >= (gpu.vramGib.min ?? 0) - 1e-9 && isLinked && isPart
}

describe('what a plan takes of fleets', () => {
  test('is free when it is taken, and is what was asked for', () => {
    fc.assert(
      fc.property(fc.nat(), fleetInputs, (seed, input) => {
        const owned = randomOwned(seed)
        const plan = decide(capacityOf(owned), input)
        let state = freeIn(owned)
        for (const { ask, place } of placesOf(plan)) {
          const node = must(owned.fleet.nodes[place.spot.node], 'a node')
          expect(fitsAt(state, place.request, place.spot)).toBe(true)
          expect(isServed(ask.ask.need, node, place.spot)).toBe(true)
          expect(place.request.cpuMilli).toBe((ask.ask.need.cpu.min ?? 0) * 1000)
          expect(place.request.memoryMib).toBe((ask.ask.need.memoryGib.min ?? 0) * 1024)
          state = withLodger(state, place)
        }
      }),
      RUNS,
    )
  })

  test('leaves no replica out that a node would still hold', () => {
    fc.assert(
      fc.property(fc.nat(), fleetInputs, (seed, input) => {
        const owned = randomOwned(seed)
        const [only] = input.asks
        const plan = decide(capacityOf(owned, []), { ...input, asks: [must(only, 'an ask')] })
        const ask = must(plan.asks[0], 'an ask')
        // What cannot be spread is left out on purpose.
        if (ask.shortage === 'one-domain-only') return
        const { gpu, nodes } = ask.ask.need
        if (ask.choices.length === ask.ask.replicas || nodes > 1 || gpu === undefined || gpu.link.min !== undefined)
          return
        const state = placesOf(plan).reduce((left, { place }) => withLodger(left, place), freeIn(owned))
        const request = {
          cpuMilli: (ask.ask.need.cpu.min ?? 0) * 1000,
          memoryMib: (ask.ask.need.memoryGib.min ?? 0) * 1024,
          diskMib: 0,
          count: gpu.count.min ?? 0,
          part: { kind: 'whole' as const },
          models: undefined,
        }
        const left = owned.fleet.nodes.flatMap((node, index) => {
          const isEnough = (modelFacts(node.model ?? '')?.vramGib ?? 0) >= (gpu.vramGib.min ?? 0)
          return isEnough && fitsOn(state, index, request) !== undefined ? [node.id] : []
        })
        expect(left).toEqual([])
      }),
      RUNS,
    )
  })

  test('is all of a gang or nothing, on nodes of its own with the same cards, as close together as asked', () => {
    fc.assert(
      fc.property(fc.nat(), fleetInputs, (seed, input) => {
        const owned = randomOwned(seed)
        for (const { ask, choices } of decide(capacityOf(owned), input).asks) {
          for (const { own } of choices) {
            if (own === undefined) continue
            const nodes = own.places.map(({ spot }) => must(owned.fleet.nodes[spot.node], 'a node'))
            expect(new Set(nodes).size).toBe(ask.need.nodes)
            if (ask.need.nodes === 1) continue
            if (ask.need.gpu !== undefined) expect(new Set(nodes.map(({ model }) => model)).size).toBe(1)
            const { within } = ask.need
            const level = within === 'rack' ? 'rack' : 'zone'
            if (within === undefined) continue
            expect(nodes[0]?.domains[level]).toBeDefined()
            expect(new Set(nodes.map(({ domains }) => domains[level])).size).toBe(1)
          }
        }
      }),
      RUNS,
    )
  })

  test('is what the reference takes, which looks at every row every time', () => {
    fc.assert(
      fc.property(fc.nat(), fleetInputs, (seed, input) => {
        const [first] = input.asks
        if (first === undefined) return
        const asks = [{ ...first, need: { ...first.need, nodes: 1, within: undefined }, spread: 'none' as const }]
        // Several fleets at once, with different work in them.
        const fleets = [seed, seed + 1].map((each) => ({ ...randomOwned(each), region: `hall-${each % 7}` }))
        const offers = fleets.flatMap((owned) =>
          fleetOffers(
            owned,
            owned.fleet.nodes.map(() => HOSTS),
          ),
        )
        const plan = decide(freeze(offers, [], fleets), { ...input, asks })
        expect(plan.asks[0]?.choices[0]?.own?.places[0]?.spot).toEqual(plainSpot(plan))
      }),
      RUNS,
    )
  })

  test('is the same for the same inputs, whatever order they came in, and from a saved snapshot', () => {
    fc.assert(
      fc.property(fc.nat(), fleetInputs, (seed, input) => {
        const owned = randomOwned(seed)
        const snapshot = capacityOf(owned)
        const text = JSON.stringify(report(decide(snapshot, input)))
        expect(JSON.stringify(report(decide(capacityOf(owned, RENTED.toReversed()), input)))).toBe(text)
        const opened = must(decodeSnapshot(encodeSnapshot(snapshot)), 'what was written can be read')
        expect(JSON.stringify(report(decide(opened, input)))).toBe(text)
      }),
      RUNS,
    )
  })

  test('a fleet that may not be used changes no choice', () => {
    fc.assert(
      fc.property(fc.nat(), fleetInputs, (seed, input) => {
        const denied = { ...input, asks: input.asks.map((ask) => ({ ...ask, need: without(ask.need, 'harbor') })) }
        const alone = decide(freeze(RENTED), denied)
        const beside = decide(capacityOf(randomOwned(seed)), denied)
        expect(beside.asks.map(chosenIds(beside))).toEqual(alone.asks.map(chosenIds(alone)))
        expect(explain(beside).flatMap(({ waits }) => waits)).toEqual([])
      }),
      RUNS,
    )
  })
})

describe('the fleets these laws are tried on', () => {
  test.runIf(IS_WHOLE)('are rich enough: slices, shares, gangs, waiting and reserve all occur', () => {
    const samples = fc.sample(fc.tuple(fc.nat(), fleetInputs), { numRuns: 300, seed: 7 })
    const plans = samples.map(([seed, input]) => decide(capacityOf(randomOwned(seed)), input))
    const places = plans.flatMap(placesOf).map(({ place }) => place.spot)
    const count = (holds: (spot: Spot) => boolean): number => places.filter(holds).length
    expect(count(({ taken }) => taken?.kind === 'slice')).toBeGreaterThan(10)
    expect(count(({ taken }) => taken?.kind === 'share')).toBeGreaterThan(10)
    expect(count(({ cards, taken }) => taken === undefined && cards.length > 1)).toBeGreaterThan(30)
    const asks = plans.flatMap((plan) => plan.asks)
    const waiting = plans.flatMap(explain)
    expect(waiting.filter(({ waits }) => waits.length > 0).length).toBeGreaterThan(30)
    expect(waiting.filter(({ waits }) => waits.some(({ moves }) => moves !== undefined)).length).toBeGreaterThan(3)
    expect(
      asks.filter(({ ask, choices }) => ask.need.nodes > 1 && choices[0]?.own !== undefined).length,
    ).toBeGreaterThan(10)
    expect(asks.filter(({ reserve }) => reserve !== undefined && reserve.kept.length > 0).length).toBeGreaterThan(10)
    expect(asks.filter(({ choices }) => choices.some(({ own }) => own === undefined)).length).toBeGreaterThan(10)
  })
})

function without(need: Need, provider: string): Need {
  return { ...need, provider: { not: true, values: [provider] } }
}

function chosenIds({ snapshot }: Plan): (ask: AskPlan) => readonly string[] {
  const { rows, strings } = snapshot
  return ({ choices }) => choices.flatMap(rowsOf).map((row) => must(strings[rows.instance[row] ?? 0], 'an instance'))
}
