import { describe, expect, test } from 'vitest'
import type { FleetNode } from '../core/fleet/fleet.ts'
import { at, NOW_MS, placed, service, workloadOf } from '../core/life/keep.suite.ts'
import type { Placement } from '../core/life/placement.ts'
import { offer } from '../core/offer/offer.suite.ts'
import type { Offer } from '../core/offer/offer.ts'
import { listingAt, rowCount, type Snapshot } from '../core/offer/snapshot.ts'
import type { OwnedFleet } from '../core/fleet/owned-fleet.ts'
import type { Inventory } from '../ports/provider.ts'
import { lostIn, offersOn, readInventory, offersOfProvider, snapshotOf } from './provider-offers.ts'

const WORKLOAD = workloadOf(service(3))

function capacity(offers: readonly Offer[]): Inventory {
  return { offers, fleets: [], complete: true, freshMs: 60_000 }
}

/** The units that a decision sees of each offer. */
function units(offers: readonly Offer[], placements: readonly Placement[], askedMs = NOW_MS): readonly unknown[] {
  const capacities = new Map([['alpha', offersOfProvider(capacity(offers), placements, askedMs)]])
  const snapshot = snapshotOf({
    capacities,
    refusals: [],
    config: undefined,
    placements: () => placements,
    lacks: () => [],
  })
  return rows(snapshot)
}

function rows(snapshot: Snapshot): readonly unknown[] {
  return Array.from({ length: rowCount(snapshot) }, (_, row) => {
    const { instance, state } = listingAt(snapshot, row)
    return [instance, state.units, state.stock]
  })
}

const FOUR = offer({ stock: { level: 'available', units: 4, seenAtMs: undefined } })

test('a node that is partly in use is one offer, and one that is wholly in use is, too', () => {
  const node = (level: 'available' | 'full', instance: string): Offer =>
    offer({ instance, capacity: 'owned', stock: { level, units: undefined, seenAtMs: undefined } })
  const inventory = capacity([node('available', 'a'), node('full', 'a'), node('full', 'b')])
  expect(offersOn({ inventory })).toBe(2)
  expect(offersOn(undefined)).toBe(0)
})

describe('what is left of an offer', () => {
  const since = { reservedMs: NOW_MS, calledMs: NOW_MS }

  test('is less by what was reserved since the provider was asked', () => {
    const two = ['0', '1'].map((slot) => placed(WORKLOAD, slot, 'reserved', since))
    expect(units([FOUR], two)).toEqual([['large', 2, 'available']])
  })

  test('does not count twice what the provider knows of already', () => {
    const before = placed(WORKLOAD, '0', 'running', { reservedMs: NOW_MS - 9, calledMs: NOW_MS - 1 })
    expect(units([FOUR], [before])).toEqual([['large', 4, 'available']])
  })

  test('counts what was reserved before and called since', () => {
    const called = placed(WORKLOAD, '0', 'starting', { reservedMs: NOW_MS - 9, calledMs: NOW_MS })
    expect(units([FOUR], [called])).toEqual([['large', 3, 'available']])
  })

  test('counts every intent, however old: no call was made for it yet', () => {
    const old = placed(WORKLOAD, '0', 'reserved', { reservedMs: NOW_MS - 9, calledMs: NOW_MS - 9 })
    expect(units([FOUR], [old])).toEqual([['large', 3, 'available']])
  })

  test('does not count what is gone', () => {
    expect(units([FOUR], [placed(WORKLOAD, '0', 'gone', since)])).toEqual([['large', 4, 'available']])
  })

  test('is sold out at nothing, and never less than that', () => {
    const five = ['0', '1', '2', '3', '4'].map((slot) => placed(WORKLOAD, slot, 'reserved', since))
    expect(units([FOUR], five)).toEqual([['large', 0, 'sold_out']])
  })

  test('stays unknown where the provider does not count', () => {
    expect(units([offer()], [placed(WORKLOAD, '0', 'reserved', since)])).toEqual([['large', undefined, 'available']])
  })

  test('is less only of the offer that was taken', () => {
    const other = offer({ instance: 'other', stock: { level: 'low', units: 2, seenAtMs: undefined } })
    const taken = at(placed(WORKLOAD, '0', 'reserved', since), { offer: other.id, instance: 'other' })
    expect(units([FOUR, other], [taken])).toEqual([
      ['large', 4, 'available'],
      ['other', 1, 'low'],
    ])
  })

  test('counts what was taken against the quota, of all offers that share it', () => {
    const shared = { quotaLeft: 3, quota: 'instances' }
    const other = offer({ instance: 'other', ...shared })
    const alone = offer({ instance: 'alone', quotaLeft: 3 })
    const two = ['0', '1'].map((slot) => at(placed(WORKLOAD, slot, 'reserved', since), { offer: other.id }))
    const capacities = new Map([['alpha', offersOfProvider(capacity([offer(shared), other, alone]), two, NOW_MS)]])
    const stock = { capacities, refusals: [], config: undefined, placements: () => two, lacks: () => [] }
    const snapshot = snapshotOf(stock)
    const left = Array.from({ length: rowCount(snapshot) }, (_, row) => listingAt(snapshot, row))
    expect(left.map(({ instance, state }) => [instance, state.quotaLeft]).toSorted()).toEqual([
      ['alone', 3],
      ['large', 1],
      ['other', 1],
    ])
  })

  test('tells two offers apart that share an id', () => {
    const twin = { ...offer({ region: 'eu-2' }), id: FOUR.id }
    expect(units([FOUR, twin], [])).toHaveLength(2)
  })
})

describe("what is left in a fleet of one's own", () => {
  const node = (id: string): FleetNode => ({
    id,
    model: 'h100-sxm',
    cpuMilli: 64_000,
    memoryMib: 512_000,
    diskMib: undefined,
    cards: [
      { health: 'ok', parts: 'none' },
      { health: 'ok', parts: 'none' },
    ],
    layout: undefined,
    domains: { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined },
  })
  const request = {
    cpuMilli: 0,
    memoryMib: 0,
    diskMib: 0,
    count: 1,
    part: { kind: 'whole' },
    models: undefined,
  } as const
  const on = (id: string, slot: string): Placement =>
    at(placed(WORKLOAD, slot, 'reserved'), {
      node: { id, spot: { node: 0, cards: [1], taken: undefined }, request },
    })

  /** Who lies where, as a decision sees it. */
  const tenants = (
    placements: readonly Placement[],
    known: OwnedFleet['tenants'] = [],
    lost: readonly Placement[] = [],
  ): readonly string[] => {
    const owned = { provider: 'alpha', region: 'eu-1', fleet: { nodes: [node('n1'), node('n2')] }, tenants: known }
    const inventory = { ...capacity([]), fleets: [owned] }
    const capacities = new Map([['alpha', offersOfProvider(inventory, placements, NOW_MS)]])
    const snapshot = snapshotOf({
      capacities,
      refusals: [],
      config: undefined,
      placements: () => placements,
      lost,
      lacks: () => [],
    })
    return snapshot.fleets.flatMap((fleet) =>
      fleet.tenants.map(({ name, spot }) => `${name} on ${fleet.fleet.nodes[spot.node]?.id} card ${spot.cards.join()}`),
    )
  }

  test('is less by what lies there, on the node of that name wherever it stands now', () => {
    expect(tenants([on('n2', '0'), on('n1', '1')])).toEqual([
      'default/demo on n2 card 1',
      'default/demo 1 on n1 card 1',
    ])
  })

  test('is less by what a provider that is not configured holds on the same node', () => {
    const there = [on('n1', '0'), on('elsewhere', '1')].map((one) => at(one, { ...one.order.place, provider: 'gone' }))
    expect(tenants([], [], there)).toEqual(['default/demo on n1 card 1'])
    const held = lostIn([['gone', there] as const, ['alpha', [on('n2', '2')]] as const], (name) => name === 'alpha')
    expect(held).toEqual(there)
  })

  test('does not count twice what the fleet knows of', () => {
    const plain = { priority: 0, restart: 'inference', checkpointAgeS: undefined } as const
    const known = { name: 'a-0-1', request, spot: { node: 0, cards: [0], taken: undefined }, ...plain }
    expect(tenants([on('n1', '0')], [known])).toEqual(['default/demo on n1 card 0'])
  })

  test('does not count what lies on a node that is gone, in another fleet, or on a rented machine', () => {
    const elsewhere = at(on('n1', '1'), { region: 'eu-9' })
    expect(tenants([on('n7', '0'), elsewhere, placed(WORKLOAD, '2', 'running')])).toEqual([])
  })
})

describe('a reply about offers', () => {
  test('loses what cannot be believed, and is not complete then', () => {
    const bad = { ...offer(), usdPerHour: Number.NaN }
    expect(readInventory(capacity([offer(), bad]), 'alpha')).toMatchObject({ offers: [offer()], complete: false })
  })

  test('ignores offers of another provider', () => {
    expect(readInventory(capacity([offer({ provider: 'beta' })]), 'alpha')).toMatchObject({
      offers: [],
      complete: false,
    })
  })

  test.each([undefined, null, 5, {}, { offers: [] }, { offers: {}, fleets: [] }, { fleets: [] }])(
    '%j is none',
    (value) => {
      expect(readInventory(value, 'alpha')).toBeUndefined()
    },
  )

  test.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY, '60', undefined])(
    'with freshness %j gets a minute',
    (freshMs) => {
      expect(readInventory({ ...capacity([]), freshMs }, 'alpha')?.freshMs).toBe(60_000)
    },
  )

  test('with fleets that are none is read without them', () => {
    expect(readInventory({ ...capacity([offer()]), fleets: [null, 5, {}] }, 'alpha')).toMatchObject({
      offers: [offer()],
      fleets: [],
    })
  })
})
