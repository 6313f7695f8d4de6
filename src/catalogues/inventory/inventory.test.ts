import { describe, expect, test } from 'vitest'
import { inventoryJsonSchema } from './schema.ts'
import { BARE, HEAD, inventoryOf, problemsOf, read, rowOf, SEEN_MS } from './inventory.suite.ts'

describe('an offer of an inventory', () => {
  test('is known by place, name and price; all else is unknown', () => {
    expect(inventoryOf('offers:\n  - { provider: p, region: r, instance: i, usd_per_hour: 1 }\n').rows).toEqual([
      {
        source: 'inventory.yaml',
        line: 4,
        accelerator: false,
        verdict: 'resolved',
        repairs: [],
        quarantine: undefined,
        note: undefined,
        named: 'i',
        offer: BARE,
      },
    ])
  })

  test('may say everything there is to say', () => {
    const { rows, observedAtMs } = inventoryOf(`
observed: 2026-11-15T10:00:00Z
offers:
  - provider: p
    region: r
    zone: 1
    instance: i
    capacity: owned
    gpu: { model: H100 SXM, count: 4, link: nvlink }
    cpu: 96
    memory: 1000Gi
    disk: 7Ti
    volume: 512Mi
    host_arch: amd64
    driver: 550.90
    cuda: 12.10
    inbound: true
    domain: rack
    usd_per_hour: 6.4
    spot_usd_per_hour: 3
    stock: { level: low, units: 2, seen: 2026-11-15T11:00:00+02:00 }
    quota_left: 0
    health: degraded
    start: 1m30s
    reliability: 0.995
    egress_usd_per_gib: 0
    residency: GB
    trust: internal
`)
    expect(observedAtMs).toBe(SEEN_MS)
    expect(rows[0]).toMatchObject({ accelerator: true, verdict: 'resolved', named: 'H100 SXM' })
    expect(rows[0]?.offer).toEqual({
      id: 'p/r/1/i',
      provider: 'p',
      region: 'r',
      zone: '1',
      instance: 'i',
      capacity: 'owned',
      gpu: { model: 'h100-sxm', count: 4, slice: undefined, link: 'nvlink' },
      cpu: 96,
      memoryGib: 1000,
      diskGib: 7168,
      volumeGib: 0.5,
      hostArch: 'amd64',
      driver: '550.90',
      cuda: '12.10',
      inbound: true,
      domain: 'rack',
      usdPerHour: 6.4,
      spotUsdPerHour: 3,
      stock: { level: 'low', units: 2, seenAtMs: SEEN_MS - 3_600_000 },
      quotaLeft: 0,
      health: 'degraded',
      startSeconds: 90,
      reliability: 0.995,
      egressUsdPerGib: 0,
      residency: 'uk',
      trust: 'internal',
      quarantine: undefined,
    })
  })

  test('may lead several by the same name: they are told apart by content', () => {
    const { rows } = inventoryOf(`
offers:
  - { provider: p, region: r, instance: i, usd_per_hour: 2 }
  - { provider: p, region: r, instance: i, usd_per_hour: 1 }
`)
    expect(rows.map((row) => [row.offer.id, row.offer.usdPerHour])).toEqual([
      ['p/r/i#2', 2],
      ['p/r/i', 1],
    ])
  })

  test.each([
    ['3', { level: 'available', units: 3, seenAtMs: SEEN_MS }],
    ['1', { level: 'available', units: 1, seenAtMs: SEEN_MS }],
    ['0', { level: 'sold_out', units: 0, seenAtMs: SEEN_MS }],
    ['sold_out', { level: 'sold_out', units: undefined, seenAtMs: SEEN_MS }],
    ['low', { level: 'low', units: undefined, seenAtMs: SEEN_MS }],
    ['{ units: 2 }', { level: 'available', units: 2, seenAtMs: SEEN_MS }],
    ['{ units: 0 }', { level: 'sold_out', units: 0, seenAtMs: SEEN_MS }],
    ['{ seen: 1970-01-01T00:00:01Z }', { level: 'available', units: undefined, seenAtMs: 1000 }],
  ])('has stock as a level, a number, or both: %s', (stock, expected) => {
    const offer = `{ provider: p, region: r, instance: i, usd_per_hour: 1, stock: ${stock} }`
    const { rows } = inventoryOf(`observed: 2026-11-15T10:00:00Z\noffers: [${offer}]`)
    expect(rows[0]?.offer.stock).toEqual(expected)
  })

  test('has no time for its stock when the file states none', () => {
    expect(rowOf('usd_per_hour: 1, stock: low').offer.stock).toEqual({
      level: 'low',
      units: undefined,
      seenAtMs: undefined,
    })
  })
})

describe('an offer that cannot be read', () => {
  test('does not stop the others, and keeps whatever name it has', () => {
    const { rows } = inventoryOf(`
offers:
  - { provider: p, region: r, instance: good, usd_per_hour: 1 }
  - { provider: p, region: r, zone: z, instance: bad, gpu: { model: l4, cuont: 1 }, usd_per_hr: 1 }
  - [a, list]
  - just text
  - { provider: p, region: r, instance: fine, usd_per_hour: 1 }
`)
    expect(rows.map(({ line, verdict, quarantine, note }) => [line, verdict, quarantine, note])).toEqual([
      [5, 'resolved', undefined, undefined],
      [6, 'quarantined', 'ROW_UNREADABLE', 'cuont: No such key here. Did you mean count? (and 1 more)'],
      [7, 'quarantined', 'ROW_UNREADABLE', 'Expected a map, found a list.'],
      [8, 'quarantined', 'ROW_UNREADABLE', 'just text: Expected a map, found text.'],
      [9, 'resolved', undefined, undefined],
    ])
    expect(rows[1]).toMatchObject({ accelerator: true, named: 'l4' })
    expect(rows[1]?.offer).toEqual({
      ...BARE,
      id: 'p/r/z/bad',
      zone: 'z',
      instance: 'bad',
      usdPerHour: undefined,
      quarantine: 'ROW_UNREADABLE',
    })
    expect(rows[2]).toMatchObject({ accelerator: false, named: '' })
    expect(rows[2]?.offer).toMatchObject({ id: '//', provider: '', region: '', instance: '' })
  })

  test.each([
    ['usd_per_hour: 1, price: 2', 'price: No such key here. Did you mean usd_per_hour?'],
    ['usd_per_hour: -1', '-1: The number must be at least 0.'],
    ['usd_per_hour: cheap', 'cheap: Expected a number, found text.'],
    ['memory: 64', '64: '],
    ['gpu: { count: 2 }', '`model` is missing in `gpu`.'],
    ['gpu: { model: l4, count: 0 }', '0: The number must be at least 1.'],
    ['gpu: { model: l4, slice: half }', 'half: This is neither a MIG profile nor an amount of memory.'],
    ['gpu: l4', 'l4: Expected a map, found text.'],
    ['driver: new', 'new: This is not a version number.'],
    ['stock: { seen: yesterday }', 'yesterday: A time needs a date and a time zone, as in 2026-11-15T10:00:00Z.'],
    ['stock: none', '`none` is not one of available, low, sold_out.'],
    ['capacity: mine', 'mine: `mine` is not one of rented, owned.'],
    ['reliability: 99', '99: The number must be at most 1.'],
  ])('says what is wrong with it: %s', (offer, note) => {
    const row = rowOf(offer)
    expect(row.quarantine).toBe('ROW_UNREADABLE')
    expect(row.note).toContain(note)
  })

  test('misses what it must have', () => {
    const { rows } = inventoryOf('offers:\n  - { instance: i, usd_per_hour: 1 }')
    expect(rows[0]).toMatchObject({ quarantine: 'ROW_UNREADABLE', note: '`provider` is missing. (and 1 more)' })
    expect(rows[0]?.offer.id).toBe('//i')
  })
})

describe('defaults', () => {
  test('fill in what an offer leaves out, by provider', () => {
    const { rows } = inventoryOf(`
provider: a
defaults:
  a: { region: north, trust: secure, start: 2m }
  b: { region: south }
offers:
  - { instance: one, usd_per_hour: 1 }
  - { instance: two, usd_per_hour: 1, region: west, trust: own }
  - { provider: b, instance: three, usd_per_hour: 1 }
  - { provider: c, region: east, instance: four, usd_per_hour: 1 }
`)
    expect(rows.map(({ offer }) => [offer.id, offer.trust, offer.startSeconds])).toEqual([
      ['a/north/one', 'secure', 120],
      ['a/west/two', 'own', 120],
      ['b/south/three', undefined, undefined],
      ['c/east/four', undefined, undefined],
    ])
  })

  test('are taken back by null, which is also a way of saying nothing', () => {
    const { rows } = inventoryOf(`
defaults: { a: { trust: secure, driver: 550 } }
offers:
  - { provider: a, region: r, instance: i, usd_per_hour: 1, trust: null, zone: ~, driver: }
`)
    expect(rows[0]).toMatchObject({
      verdict: 'resolved',
      offer: { trust: undefined, zone: undefined, driver: undefined },
    })
  })

  test('keep the line of the offer', () => {
    const { rows } = inventoryOf('defaults: { a: { region: r } }\noffers:\n  -\n    provider: a\n    instance: i\n')
    expect(rows[0]).toMatchObject({ line: 6, quarantine: 'PRICE_MISSING' })
  })
})

describe('refusals', () => {
  test('are remembered with their scope and their end', () => {
    const { refusals } = inventoryOf(`
provider: a
offers: []
refusals:
  - { why: fault, at: 1970-01-01T00:00:01Z, until: 1970-01-01T00:00:02Z }
  - { provider: b, region: r, instance: i, why: sold-out, at: 1970-01-01T00:00:01Z, until: 1970-01-01T01:00:02+01:00 }
`)
    expect(refusals).toEqual([
      { provider: 'a', region: undefined, instance: undefined, why: 'fault', atMs: 1000, untilMs: 2000 },
      { provider: 'b', region: 'r', instance: 'i', why: 'sold-out', atMs: 1000, untilMs: 2000 },
    ])
  })

  test.each([
    [
      '{ why: quota, at: 1970-01-01T00:00:01Z, until: 1970-01-01T00:00:02Z }',
      'KEY_MISSING | 4:12 | `provider` is missing in refusal 1. | For example: provider: northwind',
    ],
    [
      '{ provider: a, why: quota, at: 1970-01-01T00:00:01Z, until: 1970-01-01T00:00:01Z }',
      'VALUE_CONFLICT | 4:72 | 1970-01-01T00:00:01Z | `until` must be later than `at`. | A refusal counts from `at` until `until`.',
    ],
    [
      '{ provider: a, why: full, at: 1970-01-01T00:00:01Z, until: 1970-01-01T00:00:02Z }',
      'VALUE_INVALID | 4:32 | full | `full` is not one of sold-out, quota, fault.',
    ],
  ])('that make no sense are problems: %s', (refusal, problem) => {
    expect(problemsOf(read(`${HEAD}offers: []\nrefusals: [${refusal}]\n`))).toEqual([problem])
  })
})

describe('a mistake in the file around the offers', () => {
  test.each([
    ['berth: v1\nkind: inventory\n', ['KEY_MISSING | 1:1 | `offers` is missing. | For example: offers: []']],
    [`${HEAD}offers: []\nobservd: x\n`, ['KEY_UNKNOWN | 4:1 | observd | No such key here. | Did you mean observed?']],
    [`${HEAD}offers: {}\n`, [expect.stringContaining('VALUE_TYPE | 3:9 | Expected a list, found a map.')]],
    [
      `${HEAD}offers: []\nobserved: today\n`,
      [expect.stringContaining('VALUE_INVALID | 4:11 | today | A time needs a date')],
    ],
    [
      `${HEAD}offers: []\ndefaults: { a: { regoin: x } }\n`,
      ['KEY_UNKNOWN | 4:18 | regoin | No such key here. | Did you mean region?'],
    ],
    [
      `${HEAD}offers: []\ndefaults: { a: { gpu: { model: l4 } } }\n`,
      [expect.stringContaining('KEY_UNKNOWN | 4:18 | gpu')],
    ],
    [`${HEAD}offers: []\ndefaults: { a: { trust: ~ } }\n`, [expect.stringContaining('VALUE_TYPE | 4:25')]],
  ])('is a problem: %j', (text, problems) => {
    expect(problemsOf(read(text))).toEqual(problems)
  })
})

test('the JSON Schema of an inventory describes the offers too', () => {
  const schema = inventoryJsonSchema()
  expect(schema).toMatchObject({
    title: 'Berth inventory',
    required: ['berth', 'kind', 'offers'],
    additionalProperties: false,
    properties: { offers: { items: { required: ['provider', 'region', 'instance'], additionalProperties: false } } },
  })
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
})
