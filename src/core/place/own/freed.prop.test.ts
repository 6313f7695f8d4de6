import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Dice } from '../../base/dice.ts'
import { cases, enough } from '../../base/laws.suite.ts'
import type { OwnedFleet } from '../../fleet/owned-fleet.ts'
import { freeze, type Snapshot } from '../../offer/snapshot.ts'
import { fleetOffers } from '../../pack/owned/fleet-offers.ts'
import { randomOwned } from '../../pack/owned/fleet.suite.ts'
import { SHARING } from '../../requirement/gpu/sharing.ts'
import { sold } from '../capacity.suite.ts'
import { decide } from '../decide.suite.ts'
import type { DecisionInput, Plan } from '../plan.ts'
import { whileFreed, type Leaver } from './freed.ts'
import { fleetInputs, HOSTS } from './own.suite.ts'

function snapshotOf(owned: OwnedFleet): Snapshot {
  const hosts = owned.fleet.nodes.map(() => HOSTS)
  return freeze([...fleetOffers(owned, hosts), sold('cloud-1', 4, { provider: 'cloud' })], [], [owned])
}

/** Some of what runs in a fleet, as it would leave. */
function someOf(owned: OwnedFleet, seed: number): readonly OwnedFleet['tenants'][number][] {
  const dice = new Dice(seed)
  return owned.tenants.filter(() => dice.oneIn(2))
}

function leaversOf({ provider, region, fleet }: OwnedFleet, gone: OwnedFleet['tenants']): readonly Leaver[] {
  return gone.map(({ name, spot }) => ({ name, provider, region, offer: '', node: fleet.nodes[spot.node]?.id }))
}

/** Tenants with names of their own. */
function namedIn(owned: OwnedFleet): OwnedFleet {
  return { ...owned, tenants: owned.tenants.map((tenant, index) => ({ ...tenant, name: `t${index}` })) }
}

function placed({ asks }: Plan): readonly number[] {
  return asks.map(({ choices }) => choices.length)
}

/**
 * One ask, as one group is moved at a time, without what plans alone show, and only for what is asked of cards as a whole if
 * `form` says so. Spread replicas are left out: which of them gets which place depends on the order of the rows.
 */
function question({ asks, ...input }: DecisionInput, form: 'whole' | 'any'): DecisionInput {
  return {
    ...input,
    asks: asks.slice(0, 1).map((ask) => {
      const { gpu } = ask.need
      const need = form === 'whole' && gpu ? { ...ask.need, gpu: { ...gpu, sharing: SHARING.never } } : ask.need
      return { ...ask, need, spread: 'none', reserve: undefined }
    }),
  }
}

describe('a fleet as it would be if some of its work had left', () => {
  test('has the room that it has once that is gone, and everything is as before after the look', () => {
    let [looked, helped] = [0, 0]
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fleetInputs, (seed, other, input) => {
        const owned = namedIn(randomOwned(seed))
        const gone = someOf(owned, other)
        const snapshot = snapshotOf(owned)
        const after = snapshotOf({ ...owned, tenants: owned.tenants.filter((tenant) => !gone.includes(tenant)) })
        const asked = question(input, 'whole')
        const before = placed(decide(snapshot, asked))
        const freed = whileFreed({ snapshot, leavers: leaversOf(owned, gone), rows: 'all' }, (one) =>
          placed(decide(one, asked)),
        )
        const truth = placed(decide(after, asked))
        expect(freed ?? before).toEqual(truth)
        expect(placed(decide(snapshot, asked))).toEqual(before)
        if (freed !== undefined) looked++
        if (freed !== undefined && String(freed) !== String(before)) helped++
      }),
      cases(2000),
    )
    expect(looked).toBeGreaterThanOrEqual(enough(1000))
    expect(helped).toBeGreaterThanOrEqual(enough(30))
  })

  test('never promises room in any form of a card that is not there once that is gone', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fleetInputs, (seed, other, input) => {
        const owned = namedIn(randomOwned(seed))
        const gone = someOf(owned, other)
        const asked = question(input, 'any')
        const after = snapshotOf({ ...owned, tenants: owned.tenants.filter((tenant) => !gone.includes(tenant)) })
        const [freed = 0] =
          whileFreed({ snapshot: snapshotOf(owned), leavers: leaversOf(owned, gone), rows: 'all' }, (one) =>
            placed(decide(one, asked)),
          ) ?? []
        expect(freed).toBeLessThanOrEqual(placed(decide(after, asked))[0] ?? 0)
      }),
      cases(2000),
    )
  })

  test('is enough to look at alone for one machine that has no place elsewhere', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fleetInputs, (seed, other, input) => {
        const owned = namedIn(randomOwned(seed))
        const gone = someOf(owned, other)
        const [ask] = question(input, 'whole').asks
        if (ask === undefined) return
        const need = { ...ask.need, nodes: 1, within: undefined }
        const asked = { ...input, asks: [{ ...ask, need, replicas: 1 }] }
        const isPlaced = (one: Snapshot): boolean => placed(decide(one, asked))[0] === 1
        const snapshot = snapshotOf(owned)
        const after = snapshotOf({ ...owned, tenants: owned.tenants.filter((tenant) => !gone.includes(tenant)) })
        const leavers = leaversOf(owned, gone)
        const found = isPlaced(snapshot) || whileFreed({ snapshot, leavers, rows: 'freed' }, isPlaced) === true
        expect(found).toBe(isPlaced(after))
      }),
      cases(2000),
    )
  })
})
