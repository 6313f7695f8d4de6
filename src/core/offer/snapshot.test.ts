import { describe, expect, test } from 'vitest'
import type { Offer } from './offer.ts'
import { cards, offer } from './offer.suite.ts'
import { at, freeze, groupOf, listingAt, rowCount, type Listing, type Snapshot } from './snapshot.ts'

function listings(snapshot: Snapshot): readonly Listing[] {
  return Array.from({ length: rowCount(snapshot) }, (_, row) => listingAt(snapshot, row))
}

function ids(snapshot: Snapshot): readonly string[] {
  return listings(snapshot).map((listing) => listing.id)
}

/** Offers that differ in name and price only, so that they form one group. */
function zone(name: string, usdPerHour: number | undefined): Offer {
  return offer({ zone: name, usdPerHour })
}

describe('freezing', () => {
  test('keeps every fact of an offer', () => {
    const [listing] = listings(freeze([offer()]))
    expect(listing).toMatchObject({
      row: 0,
      id: 'alpha/eu-1/a/large',
      instance: 'large',
      zone: 'a',
      machine: { cpu: 64, memoryGib: 512, gpu: { model: 'h100-sxm', count: 2 } },
      site: { provider: 'alpha', region: 'eu-1', residency: 'eu', trust: 'secure' },
      state: { stock: 'available', health: 'ok', refusals: 0 },
      price: { usdPerHour: 4, spotUsdPerHour: 1 },
    })
  })

  test('keeps what is not sold apart from what is free', () => {
    const prices = [
      { usdPerHour: 0, spotUsdPerHour: undefined },
      { usdPerHour: undefined, spotUsdPerHour: 0 },
    ]
    const snapshot = freeze(prices.map((price, index) => offer({ ...price, instance: `i${index}` })))
    expect(listings(snapshot).map((listing) => listing.price)).toStrictEqual(prices)
  })

  test('puts offers that differ in name and price only into one group, cheapest first, unsold last, ties by id', () => {
    const snapshot = freeze([zone('b', undefined), zone('e', 2), zone('d', 2), zone('c', 3), zone('a', undefined)])
    expect(snapshot.groups.machine).toHaveLength(1)
    expect([...snapshot.groups.start]).toEqual([0, 5])
    expect(listings(snapshot).map((listing) => listing.zone)).toEqual(['d', 'e', 'c', 'a', 'b'])
  })

  test('puts a free offer before a cheap one', () => {
    const snapshot = freeze([zone('a', undefined), zone('b', 0.01), zone('c', 0)])
    expect(listings(snapshot).map((listing) => listing.zone)).toEqual(['c', 'b', 'a'])
  })

  const others: readonly (readonly [string, Partial<Offer>])[] = [
    ['provider', { provider: 'beta' }],
    ['region', { region: 'us-1' }],
    ['residency', { residency: undefined }],
    ['trust', { trust: 'community' }],
    ['stock level', { stock: { level: 'low', units: undefined, seenAtMs: 1_799_999_940_000 } }],
    ['units', { stock: { level: 'available', units: 1, seenAtMs: 1_799_999_940_000 } }],
    ['time of stock', { stock: { level: 'available', units: undefined, seenAtMs: 1 } }],
    ['quota', { quotaLeft: 1 }],
    ['health', { health: undefined }],
    ['start', { startSeconds: 61 }],
    ['reliability', { reliability: 0.98 }],
    ['egress', { egressUsdPerGib: 0 }],
    ['capacity', { capacity: 'owned' }],
    ['absence of cards', { gpu: undefined }],
    ['model', { gpu: cards({ model: 'h100-pcie' }) }],
    ['number of cards', { gpu: cards({ count: 4 }) }],
    ['link', { gpu: cards({ link: undefined }) }],
    ['MIG slice', { gpu: cards({ slice: { kind: 'mig', profile: '1g.10gb', gib: 10 } }) }],
    ['share', { gpu: cards({ slice: { kind: 'share', profile: '1g.10gb', gib: 10 } }) }],
    ['profile', { gpu: cards({ slice: { kind: 'mig', profile: '1g.10gb+me', gib: 10 } }) }],
    ['size of slice', { gpu: cards({ slice: { kind: 'mig', profile: '1g.10gb', gib: 12 } }) }],
    ['CPU', { cpu: 65 }],
    ['memory', { memoryGib: undefined }],
    ['disk', { diskGib: 1001 }],
    ['volume', { volumeGib: 2001 }],
    ['host', { hostArch: 'arm64' }],
    ['driver', { driver: '570.86.16' }],
    ['CUDA', { cuda: '12.9' }],
    ['reachability', { inbound: false }],
    ['domain', { domain: 'zone' }],
    ['quarantine', { quarantine: 'NAME_UNKNOWN' }],
  ]

  test('puts offers that differ in anything else into separate groups', () => {
    const capacity = [offer(), ...others.map(([name, change]) => offer({ ...change, instance: name }))]
    const snapshot = freeze(capacity)
    expect(snapshot.groups.machine).toHaveLength(capacity.length)
    expect([...snapshot.groups.start]).toEqual(Array.from({ length: capacity.length + 1 }, (_, row) => row))
  })

  test.each(others)('gives another version when the %s changes', (_, change) => {
    expect(freeze([offer({ ...change, id: 'x' })]).version).not.toBe(freeze([offer({ id: 'x' })]).version)
  })

  test('gives another version when a name or a price changes, and the same for equal offers', () => {
    const { version } = freeze([offer()])
    expect(freeze([offer()]).version).toBe(version)
    const changes = [
      { instance: 'larger' },
      { zone: 'b' },
      { id: 'x' },
      { usdPerHour: 5 },
      { spotUsdPerHour: undefined },
    ]
    const versions = changes.map((change) => freeze([offer(change)]).version)
    expect(new Set([version, freeze([]).version, ...versions]).size).toBe(changes.length + 2)
  })

  test('shares machines, sites and states between groups', () => {
    const snapshot = freeze([
      offer(),
      offer({ region: 'us-1' }),
      offer({ instance: 'other', health: 'degraded' }),
      offer({ region: 'us-1', instance: 'other', health: 'degraded' }),
    ])
    expect(snapshot.groups.machine).toHaveLength(4)
    expect([snapshot.machines.length, snapshot.sites.length, snapshot.states.length]).toEqual([1, 2, 2])
  })

  test('puts equal machines, sites and states next to each other', () => {
    const facts = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => ({
      cpu: (index & 1) + 1,
      region: `r${(index >> 1) & 1}`,
      startSeconds: index >> 2,
    }))
    const capacity = ['p', 'q', 'r'].flatMap((letter) =>
      facts.map((change, index) => offer({ ...change, zone: undefined, instance: letter, id: `${letter}${index}` })),
    )
    const snapshot = freeze(capacity)
    expect(snapshot.groups.machine).toHaveLength(8)
    expect([...snapshot.groups.start]).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24])
  })

  test('does not depend on the order of offers', () => {
    const capacity = ['b', 'd', 'a', 'e', 'c', 'f'].map((name, index) => offer({ instance: name, cpu: index % 4 }))
    const orders = [capacity, capacity.toReversed(), capacity.toSorted((one, two) => (one.id < two.id ? -1 : 1))]
    const [one, two, three] = orders.map((order) => freeze(order))
    expect(two).toEqual(one)
    expect(three).toEqual(one)
    expect(one?.machines.map((machine) => machine.cpu)).toEqual([2, 0, 1, 3])
  })

  test('folds in the refusals that concern an offer, and no others', () => {
    const refusal = { region: undefined, instance: undefined, why: 'fault', atMs: 1, untilMs: 2 } as const
    const snapshot = freeze([offer(), offer({ provider: 'beta' })], [{ ...refusal, provider: 'beta' }])
    expect(listings(snapshot).map(({ site, state }) => [site.provider, state.refusals, state.refusedWhy])).toEqual([
      ['alpha', 0, undefined],
      ['beta', 1, 'fault'],
    ])
  })

  test('two offers with one id are a bug', () => {
    expect(() => freeze([offer(), offer({ cpu: 1 })])).toThrow('every offer has an id of its own')
  })
})

describe('ids', () => {
  test('come back whole, whether they follow from the place or not', () => {
    const capacity = [
      offer(),
      offer({ id: 'alpha/eu-1/a/large#2' }),
      offer({ zone: undefined }),
      offer({ id: 'of its own' }),
      offer({ instance: 'a/b#c' }),
    ]
    expect(ids(freeze(capacity)).toSorted()).toEqual(capacity.map(({ id }) => id).toSorted())
  })

  test('come back whole where the card names an unnamed instance', () => {
    const nameless = offer({ instance: '' })
    expect(nameless.id).toBe('alpha/eu-1/a/2xh100-sxm')
    const second = offer({ instance: '', id: 'alpha/eu-1/a/2xh100-sxm#2' })
    const suspect = offer({ instance: '', zone: '', id: 'alpha/eu-1//2xh100-sxm', quarantine: 'NAME_UNKNOWN' })
    expect(ids(freeze([nameless, second, suspect])).toSorted()).toEqual([suspect.id, nameless.id, second.id])
  })

  test('take no room where they follow from the place', () => {
    expect(freeze([offer(), offer({ zone: 'b' })]).strings).toEqual(['large', 'a', 'b', ''])
    expect(freeze([offer({ id: 'alpha/eu-1/a/large#2' })]).strings).toEqual(['large', 'a', '~#2'])
  })
})

describe('looking rows up', () => {
  test('finds the group of every row', () => {
    const sizes = [1, 3, 1, 2, 4]
    const capacity = sizes.flatMap((size, group) =>
      Array.from({ length: size }, (_, index) => offer({ zone: `${index}`, cpu: group + 1, instance: `${group}` })),
    )
    const snapshot = freeze(capacity)
    const groups = Array.from({ length: rowCount(snapshot) }, (_, row) => groupOf(snapshot, row))
    expect(groups).toEqual(sizes.flatMap((size, group) => Array.from({ length: size }, () => group)))
    expect(listings(snapshot).map(({ machine }) => machine.cpu)).toEqual(groups.map((group) => group + 1))
  })

  test('an empty snapshot has no rows', () => {
    const empty = freeze([])
    expect(rowCount(empty)).toBe(0)
    expect([...empty.groups.start]).toEqual([0])
  })

  test('an index outside an array is a bug', () => {
    expect(at(Uint32Array.of(7), 0)).toBe(7)
    expect(() => at(Uint32Array.of(7), 1)).toThrow('assertion failed: 1 lies outside of 1 values')
    expect(() => listingAt(freeze([offer()]), 1)).toThrow('1 lies outside of 1 values')
  })
})
