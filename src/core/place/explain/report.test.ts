import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { OBJECTIVES } from '../../policy/policy.ts'
import { ANYTHING, oneOf } from '../../requirement/need/choice.ts'
import { ANY_GPU } from '../../requirement/need/need.suite.ts'
import { atLeast, atMost } from '../../requirement/need/range.ts'
import type { Offer } from '../../offer/offer.ts'
import { cards } from '../../offer/offer.suite.ts'
import { freeze } from '../../offer/snapshot.ts'
import { report, type AskReport } from './report.ts'
import { planFor, sold, type Scene } from '../capacity.suite.ts'

const SEEN_MS = 1_799_999_940_000
const SOLD_OUT = { stock: { level: 'sold_out', units: undefined, seenAtMs: SEEN_MS } } as const
const NEEDS_80 = { gpu: { ...ANY_GPU, vramGib: atLeast(80) } }

function small(id: string, usdPerHour: number | undefined): Offer {
  return sold(id, usdPerHour, { gpu: cards({ model: 'l4', count: 1, link: 'pcie' }) })
}

function askReport(capacity: readonly Offer[], scene: Scene = {}): AskReport {
  return must(report(planFor(capacity, scene)).asks[0], 'one ask')
}

describe('the report', () => {
  const capacity = [sold('a', 2), sold('b', 3, { cpu: 8 }), small('c', 1), sold('d', 1, SOLD_OUT)]
  const reported = () => report(planFor(capacity, { need: NEEDS_80 }))

  test('says what was asked, under which policy, over what, and what it costs', () => {
    const whole = reported()
    expect(whole).toMatchObject({
      workload: 'w',
      policy: { name: 'default', objective: 'cheapest', spot: 'asked', fallback: false },
      fits: true,
      usd_per_hour: 2,
      offers: { looked_at: 4, version: freeze(capacity).version },
      refused: { VRAM_TOO_SMALL: 1, SOLD_OUT: 1 },
    })
    expect(report(planFor(capacity, { policy: { fallback: ['alpha'] } })).policy.fallback).toBe(true)
    expect(whole.relaxations).toEqual(whole.asks[0]?.relaxations)
  })

  test('says of each choice what it is, how it scores, and what is not known of it', () => {
    const whole = reported()
    expect(whole.chosen).toHaveLength(1)
    expect(whole.chosen[0]).toMatchObject({
      role: undefined,
      replica: 0,
      node: 0,
      offer: { id: 'a', usd_per_hour: 2, terms: 'on-demand', gpu: 'h100-sxm' },
      score: 1,
      scores: { price: 1, start: 0.5, stock: 1, reliability: 0.99, egress: 0.5 },
      because: 'best',
      usd_above_first: 0,
      unknown: ['quota'],
    })
  })

  test('says of the ask how it fared', () => {
    const whole = reported()
    expect(whole.asks[0]).toMatchObject({
      role: undefined,
      replicas: 1,
      nodes: 1,
      placed: 1,
      shortage: undefined,
      fitting: 2,
      passed_on: [],
      conflict: undefined,
    })
  })

  test('says of each reason how often it was given, from what price, and whether waiting helps', () => {
    const whole = reported()
    expect(whole.asks[0]?.refused).toEqual([
      {
        code: 'VRAM_TOO_SMALL',
        requirement: 'vram',
        wanted: '80Gi',
        because: 'under 80Gi of GPU memory',
        offers: 1,
        all: 1,
        cheapest_usd_per_hour: 1,
        waiting: 'never',
        seen_at_ms: undefined,
      },
      {
        code: 'SOLD_OUT',
        requirement: 'stock',
        wanted: '1',
        because: 'sold out',
        offers: 1,
        all: 1,
        cheapest_usd_per_hour: 1,
        waiting: 'helps',
        seen_at_ms: SEEN_MS,
      },
    ])
  })

  test('drops what is not known from the JSON and keeps all else', () => {
    const whole = reported()
    const json = JSON.parse(JSON.stringify(whole)) as typeof whole
    expect(Object.keys(json)).toEqual(Object.keys(whole))
    expect(json.chosen[0]).not.toHaveProperty('role')
    expect(json.asks[0]).not.toHaveProperty('shortage')
    expect(json.asks[0]).not.toHaveProperty('conflict')
    expect(json).toEqual(whole)
    expect(JSON.stringify(report(planFor(capacity.toReversed(), { need: NEEDS_80 })))).toBe(JSON.stringify(whole))
  })
})

describe('reasons in the report', () => {
  const waits = (capacity: readonly Offer[], scene: Scene = {}) =>
    askReport(capacity, scene).refused.map(({ code, waiting, seen_at_ms: seen, cheapest_usd_per_hour: usd }) => [
      code,
      waiting,
      seen,
      usd,
    ])

  test('clear by waiting, by the policy, or never', () => {
    const failing = { health: 'failing', stock: { level: 'low', units: undefined, seenAtMs: 7 } } as const
    expect(waits([sold('a', 1, failing)])).toEqual([['UNHEALTHY', 'helps', 7, 1]])
    expect(waits([sold('a', undefined, { spotUsdPerHour: 1 })])).toEqual([
      ['NOT_SOLD_SO', 'policy', undefined, undefined],
    ])
    expect(waits([sold('a', 1, { gpu: undefined })])).toEqual([['NO_GPU', 'never', undefined, 1]])
  })

  test('that are never an offer’s first have no price and no time', () => {
    const capacity = [small('a', 1)].map((one) => ({ ...one, ...SOLD_OUT }))
    expect(waits(capacity, { need: NEEDS_80 })).toEqual([
      ['VRAM_TOO_SMALL', 'never', undefined, 1],
      ['SOLD_OUT', 'helps', undefined, undefined],
    ])
    expect(report(planFor(capacity, { need: NEEDS_80 })).refused).toEqual({ VRAM_TOO_SMALL: 1 })
  })

  test('are summed over all asks', () => {
    const capacity = [small('a', 1), small('b', 2), sold('c', 3)]
    const { refused } = report(planFor(capacity, { role: 'one', need: NEEDS_80 }, { role: 'two', need: NEEDS_80 }))
    expect(refused).toEqual({ VRAM_TOO_SMALL: 4 })
  })
})

describe('choices in the report', () => {
  test('are one entry a machine, and cost accordingly', () => {
    const { chosen, usd_per_hour: usd } = report(planFor([sold('a', 0.1)], { replicas: 2, need: { nodes: 3 } }))
    expect(chosen.map(({ replica, node }) => [replica, node])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 1],
      [1, 2],
    ])
    expect(usd).toBe(0.6)
  })

  test('say what they cost above the first and why they were taken', () => {
    const capacity = [sold('a', 1.1), sold('b', 1.3, { provider: 'beta' })]
    const { chosen } = report(planFor(capacity, { role: 'r', replicas: 2, spread: 'provider' }))
    expect(chosen.map(({ role, because, usd_above_first: above }) => [role, because, above])).toEqual([
      ['r', 'best', 0],
      ['r', 'spread', 0.2],
    ])
  })

  test('name the terms that the price is for', () => {
    const { chosen } = report(planFor([sold('a', 2, { spotUsdPerHour: 1 })], { need: { market: ANYTHING } }))
    expect(chosen[0]?.offer).toMatchObject({ usd_per_hour: 1, terms: 'spot', on_demand_usd_per_hour: 2 })
  })

  test('cost nothing where nothing was chosen', () => {
    expect(report(planFor([]))).toMatchObject({ fits: false, usd_per_hour: 0, chosen: [], refused: {} })
    expect(askReport([])).toMatchObject({ placed: 0, fitting: 0, shortage: 'nothing-fits', refused: [], providers: [] })
  })
})

describe('what did not win', () => {
  test('is told with its score, its tier, and the price at which it would have won', () => {
    const capacity = [sold('a', 2), sold('b', 4, { cpu: 8 }), sold('c', 5, { provider: 'beta' })]
    expect(askReport(capacity, { policy: { fallback: ['alpha'] } }).passed_over).toMatchObject([
      { offer: { id: 'b', usd_per_hour: 4, terms: 'on-demand' }, score: 0.5, would_win_at_usd: 2, tier: 0 },
      { offer: { id: 'c' }, score: 0.4, would_win_at_usd: undefined, tier: 1 },
    ])
  })

  test('has prices without noise', () => {
    const weights = OBJECTIVES.balanced
    const capacity = [sold('a', 0.7), sold('b', 2.1, { cpu: 8, startSeconds: 600 })]
    const [passed] = askReport(capacity, { policy: { weights } }).passed_over
    const price = must(passed?.would_win_at_usd, 'some price would do')
    expect(Math.round(price * 1e6) / 1e6).toBe(price)
    expect(price).toBeLessThan(0.7)
  })

  test('is told also where nothing could be chosen', () => {
    expect(askReport([sold('a', 2)], { replicas: 0 }).passed_over).toMatchObject([{ would_win_at_usd: 2 }])
  })

  test('names what kept earlier providers out', () => {
    const capacity = [sold('a', 1, SOLD_OUT), sold('b', 2, { provider: 'beta' })]
    expect(askReport(capacity, { policy: { fallback: ['alpha', 'beta'] } }).passed_on).toEqual([
      { provider: 'alpha', because: 'sold out' },
    ])
  })
})

describe('providers in the report', () => {
  test('are sorted by what fits, then by what does not, then by name', () => {
    const capacity = [
      sold('a', 1, { provider: 'gamma' }),
      sold('b', 1, { provider: 'beta' }),
      sold('c', 1, { provider: 'beta', gpu: undefined }),
      sold('d', 1, { provider: 'alpha' }),
      sold('e', 1, { provider: 'alpha', cpu: 8 }),
      sold('f', 1, { provider: 'delta' }),
      sold('g', 1, { provider: 'zeta' }),
      sold('h', 1, { provider: 'zeta' }),
      sold('i', 1, { provider: 'zeta' }),
    ]
    expect(askReport(capacity).providers).toEqual([
      { provider: 'zeta', fitting: 3, refused: 0, mostly: undefined },
      { provider: 'alpha', fitting: 2, refused: 0, mostly: undefined },
      { provider: 'beta', fitting: 1, refused: 1, mostly: 'gpu' },
      { provider: 'delta', fitting: 1, refused: 0, mostly: undefined },
      { provider: 'gamma', fitting: 1, refused: 0, mostly: undefined },
    ])
  })
})

describe('the nearest misses', () => {
  const near = (capacity: readonly Offer[], scene: Scene) =>
    askReport(capacity, scene).nearest.map(({ offer, code, wanted, found }) =>
      [offer.id, offer.usd_per_hour, offer.terms, code, wanted, found].join(' '),
    )

  test('are the nearest offer for each requirement that alone keeps offers out, nearest first', () => {
    const capacity = [
      small('a', 3),
      small('b', 2),
      sold('ba', 2.5, { gpu: cards({ model: 'l40s' }) }),
      sold('c', 1, SOLD_OUT),
      sold('d', undefined, { spotUsdPerHour: 0.1 }),
      sold('e', 1, { gpu: undefined }),
      sold('f', 0.5, { ...SOLD_OUT, gpu: cards({ model: 'l4' }) }),
      sold('g', 1, { quarantine: 'NAME_UNKNOWN' }),
      sold('h', 9, { cpu: 8 }),
    ]
    expect(near(capacity, { need: { ...NEEDS_80, cpu: atLeast(16) } })).toEqual([
      'c 1 on-demand SOLD_OUT 1 0',
      'ba 2.5 on-demand VRAM_TOO_SMALL 80Gi 48Gi',
      'h 9 on-demand TOO_LITTLE_CPU 16 8',
      'd   NOT_SOLD_SO on-demand spot',
    ])
  })

  test('are five at most, nearest first, and equal ones keep the order of the offers', () => {
    const capacity = [
      sold('a', 1, { cpu: 8 }),
      sold('b', 1, { memoryGib: 1 }),
      sold('c', 1, { diskGib: 1 }),
      sold('d', 1, { volumeGib: 1 }),
      sold('e', 1, { health: 'failing' }),
      sold('f', 1, SOLD_OUT),
    ]
    const need = { cpu: atLeast(16), memoryGib: atLeast(8), diskGib: atLeast(8), volumeGib: atLeast(8) }
    expect(near(capacity, { need }).map((text) => text.slice(0, 1))).toEqual(['f', 'a', 'b', 'c', 'd'])
  })

  test('prefer what is sold to what is not', () => {
    const capacity = [
      sold('a', undefined, { cpu: 8, spotUsdPerHour: 3 }),
      sold('b', undefined, { memoryGib: 1, spotUsdPerHour: 1 }),
    ]
    const need = { cpu: atLeast(16), memoryGib: atLeast(8), market: ANYTHING, usdPerHour: atMost(5) }
    expect(near(capacity, { need })).toEqual(['a 3 spot TOO_LITTLE_CPU 16 8', 'b 1 spot TOO_LITTLE_MEMORY 8Gi 1Gi'])
  })
})

describe('what would help', () => {
  const capacity = [small('a', 1.005), sold('b', 3, { provider: 'beta' })]
  const need = { ...NEEDS_80, provider: oneOf(['alpha']) }

  test('is said with the key of the manifest or of the policy', () => {
    expect(askReport(capacity, { need }).relaxations).toEqual([
      { role: undefined, key: 'resources.gpu.min_vram', from: '80Gi', to: '24Gi', offers: 1, usd_per_hour: 1.005 },
      { role: undefined, key: 'policy.providers', from: '[alpha]', to: '[alpha, beta]', offers: 1, usd_per_hour: 3 },
    ])
  })

  test('is said of the role it would help', () => {
    expect(report(planFor(capacity, { need, role: 'decode' })).relaxations).toMatchObject([
      { role: 'decode', key: 'roles.decode.resources.gpu.min_vram' },
      { role: 'decode', key: 'policy.providers' },
    ])
  })

  test('includes the requirements that conflict', () => {
    expect(askReport(capacity, { need }).conflict).toEqual([
      { requirement: 'vram', offers: 1 },
      { requirement: 'provider', offers: 1 },
    ])
  })
})
