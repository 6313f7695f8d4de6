import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { must } from '../core/base/assert.ts'
import { Dice } from '../core/base/dice.ts'
import { cases } from '../core/base/laws.suite.ts'
import type { OwnedFleet } from '../core/fleet/owned-fleet.ts'
import type { Tenant } from '../core/fleet/fleet.ts'
import { placed, service, workloadOf } from '../core/life/keep.suite.ts'
import type { Placement } from '../core/life/placement.ts'
import type { Refusal } from '../core/offer/offer.ts'
import type { Snapshot } from '../core/offer/snapshot.ts'
import { ReferencePacker } from '../core/pack/engine/reference.ts'
import { fleetOffers } from '../core/pack/owned/fleet-offers.ts'
import { randomOwned } from '../core/pack/owned/fleet.suite.ts'
import { keptFleet, packingOf } from '../core/pack/owned/room.ts'
import { fleetInputs, HOSTS } from '../core/place/own/own.suite.ts'
import { decide } from '../core/place/decide.suite.ts'
import type { DecisionInput, Plan } from '../core/place/plan.ts'
import { NOW_MS } from '../core/place/world.suite.ts'
import { KeptFleets } from './kept-fleets.ts'
import { offersOfProvider, offersSnapshot, snapshotOf, type ProviderOffers } from './provider-offers.ts'

const WORKLOAD = workloadOf(service(1))

/** A provider with a fleet, a control plane that keeps it packed, and the reference, which packs it anew for every decision. */
class World {
  readonly dice: Dice
  readonly kept = new KeptFleets(() => true)
  readonly held = new Map<string, Placement>()
  told: OwnedFleet
  refusals: readonly Refusal[] = []
  isCordoned = false
  #serial = 0

  constructor(seed: number) {
    this.dice = new Dice(seed)
    this.told = randomOwned(seed)
  }

  /** The snapshot of a control plane that has kept its state. */
  now(): Snapshot {
    const offers = offersSnapshot({ ...this.#input(), refusals: this.refusals })
    if (this.isCordoned) return offers
    if (!this.kept.isOf('harbor', [this.told])) this.kept.set('harbor', [this.told], this.held.values())
    return { ...offers, fleets: this.kept.of('harbor') }
  }

  /** The same from nothing but what is held and what was told, with the slow engine. */
  anew(): Snapshot {
    const snapshot = snapshotOf({ ...this.#input(), refusals: this.refusals, placements: () => this.held.values() })
    const slow = (owned: OwnedFleet): OwnedFleet =>
      keptFleet(
        owned,
        packingOf(owned, (fleet, options) => new ReferencePacker(fleet, options)),
      )
    return { ...snapshot, fleets: snapshot.fleets.map(slow) }
  }

  /** Binds what a plan chose in the fleet. */
  bind({ asks, snapshot }: Plan): void {
    for (const { own } of asks.flatMap(({ choices }) => choices)) {
      for (const { fleet, spot, request } of own?.places ?? []) {
        const slot = String(this.#serial++)
        const plain = placed(WORKLOAD, slot, 'reserved')
        const owned = must(snapshot.fleets[fleet], 'a fleet of the snapshot')
        const node = { id: must(owned.fleet.nodes[spot.node], 'a node').id, spot, request }
        const place = { ...plain.order.place, provider: 'harbor', region: owned.region, node }
        this.#hold({ ...plain, order: { ...plain.order, place } })
      }
    }
  }

  /** Work of ours ends. */
  release(): void {
    const gone = this.dice.pick([undefined, ...this.held.values()])
    if (gone === undefined) return
    this.held.delete(gone.order.tag.attempt)
    this.kept.moved(gone, undefined)
  }

  /** The provider is read again: it knows of what we have there by now, and other work has come or gone. */
  read(): void {
    const ours = [...this.held.values()].flatMap((placement): readonly Tenant[] => {
      const { node } = placement.order.place
      const plain = { priority: 0, restart: 'inference', checkpointAgeS: undefined } as const
      return node === undefined
        ? []
        : [{ name: placement.order.tag.attempt, request: node.request, spot: node.spot, ...plain }]
    })
    const names = new Set(ours.map(({ name }) => name))
    const others = this.told.tenants.filter(({ name }) => !names.has(name) && !this.dice.oneIn(5))
    const listed = ours.filter(() => !this.dice.oneIn(3))
    const free = others.filter(({ name }) => !name.startsWith('a-'))
    this.told = { ...this.told, tenants: [...free, ...listed] }
  }

  #hold(placement: Placement): void {
    this.held.set(placement.order.tag.attempt, placement)
    this.kept.moved(undefined, placement)
  }

  #input() {
    const { told } = this
    const offers = fleetOffers(
      told,
      told.fleet.nodes.map(() => HOSTS),
    )
    const inventory = { offers, fleets: [told], complete: true, freshMs: 60_000 }
    const read = offersOfProvider(inventory, this.held.values(), NOW_MS)
    const capacities = new Map<string, ProviderOffers>(this.isCordoned ? [] : [['harbor', read]])
    return { capacities, config: undefined, lacks: () => [] }
  }
}

function refusalOf({ fleet, region }: OwnedFleet, dice: Dice): Refusal {
  const { id } = dice.pick([must(fleet.nodes[0], 'a node'), ...fleet.nodes])
  return { provider: 'harbor', region, instance: id, why: 'sold-out', atMs: NOW_MS - 1, untilMs: NOW_MS + 1000 }
}

function chosenBy({ asks }: Plan): unknown {
  return asks.map(({ choices, reserve }) => [
    choices.map(({ because, standing, own }) => [
      because,
      standing.row,
      own?.domain,
      own?.places.map(({ spot }) => spot),
    ]),
    reserve?.kept.map(({ spot }) => spot),
  ])
}

/** One thing that happens between two decisions. */
function happen(world: World): void {
  const what = world.dice.roll(8)
  if (what < 3) world.release()
  else if (what === 3) world.read()
  else if (what === 4) world.isCordoned = !world.isCordoned
  else if (what === 5) world.refusals = world.dice.oneIn(2) ? [] : [refusalOf(world.told, world.dice)]
}

describe('a fleet that is kept packed', () => {
  test('gives the spots that the reference gives, whatever came and went before', () => {
    let bound = 0
    fc.assert(
      fc.property(fc.nat(), fc.array(fleetInputs, { minLength: 4, maxLength: 12 }), (seed, inputs) => {
        const world = new World(seed)
        for (const input of inputs) {
          const plan = decide(world.now(), input)
          expect(chosenBy(plan)).toEqual(chosenBy(decide(world.anew(), input)))
          // What was only tried is free again.
          if (world.dice.oneIn(4)) continue
          world.bind(decide(world.now(), withoutReserve(input)))
          bound = Math.max(bound, world.held.size)
          happen(world)
        }
      }),
      cases(150),
    )
    expect(bound).toBeGreaterThan(5)
  })
})

function withoutReserve(input: DecisionInput): DecisionInput {
  return { ...input, asks: input.asks.map((ask) => ({ ...ask, reserve: undefined })) }
}
