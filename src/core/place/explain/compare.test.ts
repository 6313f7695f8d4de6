import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { freeze } from '../../offer/snapshot.ts'
import { comparePlans, type ComparedPlan } from './compare.ts'
import type { OfferReport } from './offer-report.ts'
import { decide } from '../decide.suite.ts'
import { report, type AskReport, type ChosenReport, type PlanReport, type RelaxationReport } from './report.ts'
import { inputs, offers, refusals } from '../world.suite.ts'
import { cases } from '../../base/laws.suite.ts'

const OFFER: OfferReport = {
  id: 'p/r/i',
  provider: 'p',
  region: 'r',
  zone: undefined,
  instance: 'i',
  capacity: 'rented',
  gpu: undefined,
  gpu_name: undefined,
  gpu_vendor: undefined,
  gpu_count: 0,
  vram_gib: undefined,
  slice: undefined,
  interconnect: undefined,
  cpu: undefined,
  memory_gib: undefined,
  disk_gib: undefined,
  host_arch: undefined,
  driver: undefined,
  terms: 'on-demand',
  usd_per_hour: 1,
  on_demand_usd_per_hour: 1,
  spot_usd_per_hour: undefined,
  start_seconds: undefined,
  residency: undefined,
  trust: undefined,
  stock: undefined,
}

const ASK: AskReport = {
  role: undefined,
  replicas: 1,
  nodes: 1,
  placed: 1,
  shortage: undefined,
  fitting: 3,
  refused: [],
  providers: [],
  passed_on: [],
  passed_over: [],
  nearest: [],
  relaxations: [],
  conflict: undefined,
}

const REPORT: PlanReport = {
  workload: 'w',
  policy: { name: 'default', objective: 'cheapest', spot: 'never', fallback: false },
  fits: true,
  usd_per_hour: 1,
  offers: { looked_at: 10, version: 'v1' },
  chosen: [chosen(0, OFFER)],
  refused: { NO_GPU: 5 },
  relaxations: [],
  asks: [ASK],
}

function chosen(replica: number, offer: OfferReport, rest: Partial<ChosenReport> = {}): ChosenReport {
  const scores = { price: 1 }
  return {
    role: undefined,
    replica,
    node: 0,
    offer,
    score: 1,
    scores,
    because: 'best',
    usd_above_first: 0,
    unknown: [],
    ...rest,
  }
}

function relaxation(to: string, rest: Partial<RelaxationReport> = {}): RelaxationReport {
  const key = 'resources.gpu.min_vram'
  return { role: undefined, key, from: '80Gi', to, offers: 4, usd_per_hour: 2, ...rest }
}

function plan(report: Partial<PlanReport> = {}, texts: Partial<ComparedPlan> = {}): ComparedPlan {
  return { manifest: 'a: 1\nb: 2\n', config: undefined, ...texts, report: { ...REPORT, ...report } }
}

describe('comparePlans', () => {
  test('a plan is the same as itself', () => {
    expect(comparePlans(plan(), plan())).toEqual({
      same: true,
      inputs: { workload: undefined, policy: undefined, manifest: [], config: [], offers: undefined },
      fits: undefined,
      usd_per_hour: undefined,
      chosen: [],
      fitting: [],
      refused: [],
      relaxations: [],
      details: [],
    })
  })

  test('a plan survives being written down and read again', () => {
    const read: PlanReport = JSON.parse(JSON.stringify(REPORT))
    expect(comparePlans(plan(), { ...plan(), report: read }).same).toBe(true)
  })

  test.each([
    [
      'the manifest',
      { manifest: 'a: 1\nb: 3\n' },
      {
        manifest: [
          { line: 2, kind: 'removed' },
          { line: 2, kind: 'added' },
        ],
      },
    ],
    ['the infrastructure file', { config: 'c: 1\n' }, { config: [{ kind: 'added', line: 1, text: 'c: 1' }] }],
  ])('%s alone may differ', (_, texts, difference) => {
    const compared = comparePlans(plan(), plan({}, texts))
    expect(compared.same).toBe(false)
    expect(compared.inputs).toMatchObject(difference)
    expect(compared.details).toEqual([])
  })

  test('tells workload, policy and offers apart', () => {
    const policy = { ...REPORT.policy, name: 'production' }
    const compared = comparePlans(plan(), plan({ workload: 'x', policy, offers: { looked_at: 10, version: 'v2' } }))
    expect(compared.same).toBe(false)
    expect(compared.inputs).toMatchObject({
      workload: { from: 'w', to: 'x' },
      policy: { from: 'default', to: 'production' },
      offers: { from: { looked_at: 10, version: 'v1' }, to: { looked_at: 10, version: 'v2' } },
    })
  })

  test('tells whether it fits and what it costs', () => {
    expect(comparePlans(plan(), plan({ fits: false, usd_per_hour: 2.5 }))).toMatchObject({
      same: false,
      fits: { from: true, to: false },
      usd_per_hour: { from: 1, to: 2.5 },
    })
  })

  test('goes through the places replica by replica', () => {
    const other = { ...OFFER, id: 'q' }
    const before = plan({ chosen: [chosen(0, OFFER), chosen(1, OFFER), chosen(2, OFFER)] })
    const after = plan({ chosen: [chosen(0, OFFER), chosen(1, other), chosen(3, OFFER)] })
    expect(comparePlans(before, after).chosen).toEqual([
      { role: undefined, replica: 1, node: 0, from: OFFER, to: other },
      { role: undefined, replica: 2, node: 0, from: OFFER, to: undefined },
      { role: undefined, replica: 3, node: 0, from: undefined, to: OFFER },
    ])
  })

  test('roles and nodes are places of their own', () => {
    const before = plan({ chosen: [chosen(0, OFFER, { role: 'a' }), chosen(0, OFFER, { node: 1 })] })
    const after = plan({ chosen: [chosen(0, OFFER, { role: 'b' }), chosen(0, OFFER)] })
    const places = comparePlans(before, after).chosen.map(({ role, node, from }) => [role, node, from === undefined])
    expect(places).toEqual([
      ['a', 0, false],
      [undefined, 1, false],
      ['b', 0, true],
      [undefined, 0, true],
    ])
  })

  test.each([
    ['its price', { usd_per_hour: 2 }, 1],
    ['its terms', { terms: 'spot' as const }, 1],
    ['what else is known about it', { cpu: 4 }, 0],
  ])('a place that differs in %s', (_, rest, changes) => {
    const compared = comparePlans(plan(), plan({ chosen: [chosen(0, { ...OFFER, ...rest })] }))
    expect(compared.chosen).toHaveLength(changes)
    expect(compared.same).toBe(false)
    expect(compared.details.length).toBeGreaterThan(0)
  })

  test('counts what fits by role', () => {
    const before = plan({ asks: [ASK, { ...ASK, role: 'a' }, { ...ASK, role: 'b', fitting: 7 }] })
    const after = plan({
      asks: [
        { ...ASK, fitting: 4 },
        { ...ASK, role: 'a' },
      ],
    })
    expect(comparePlans(before, after).fitting).toEqual([
      { role: undefined, from: 3, to: 4 },
      { role: 'b', from: 7, to: 0 },
    ])
    expect(comparePlans(after, before).fitting.at(-1)).toEqual({ role: 'b', from: 0, to: 7 })
  })

  test('counts reasons, the largest change first and ties by name', () => {
    const before = plan({ refused: { NO_GPU: 5, SOLD_OUT: 3, OVER_PRICE: 1 } })
    const after = plan({ refused: { NO_GPU: 5, WRONG_ARCH: 4, OVER_PRICE: 4 } })
    expect(comparePlans(before, after).refused).toEqual([
      { code: 'WRONG_ARCH', from: 0, to: 4 },
      { code: 'OVER_PRICE', from: 1, to: 4 },
      { code: 'SOLD_OUT', from: 3, to: 0 },
    ])
  })

  test('compares what would have helped', () => {
    const key = 'policy.spot'
    const before = plan({ relaxations: [relaxation('48Gi'), relaxation('40Gi'), relaxation('x', { role: 'a', key })] })
    const after = plan({
      relaxations: [relaxation('48Gi'), relaxation('40Gi', { offers: 5 }), relaxation('x', { role: 'b', key })],
    })
    expect(comparePlans(before, after).relaxations).toEqual([
      {
        role: undefined,
        key: 'resources.gpu.min_vram',
        value: '40Gi',
        from: { offers: 4, usd_per_hour: 2 },
        to: { offers: 5, usd_per_hour: 2 },
      },
      { role: 'a', key, value: 'x', from: { offers: 4, usd_per_hour: 2 }, to: undefined },
      { role: 'b', key, value: 'x', from: undefined, to: { offers: 4, usd_per_hour: 2 } },
    ])
    const dearer = plan({ relaxations: [relaxation('48Gi', { usd_per_hour: 3 })] })
    expect(comparePlans(plan({ relaxations: [relaxation('48Gi')] }), dearer).relaxations).toHaveLength(1)
  })

  test('an unexpected difference is still one', () => {
    const compared = comparePlans(plan(), plan({ asks: [{ ...ASK, replicas: 2 }] }))
    expect(compared).toMatchObject({ same: false, details: [{ path: 'asks[0].replicas', from: 1, to: 2 }] })
  })

  test('at most twenty details are given', () => {
    const many = (by: number): Record<string, number> =>
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`CODE_${at}`, at + by]))
    expect(comparePlans(plan({ refused: many(0) }), plan({ refused: many(1) })).details).toHaveLength(20)
  })

  test('the same question over the same offers gives the same plan, saved in between', () => {
    fc.assert(
      fc.property(offers, refusals, inputs, (capacity, remembered, input) => {
        const first = report(decide(freeze(capacity, remembered), input))
        const saved: PlanReport = JSON.parse(JSON.stringify(first))
        const again = report(decide(freeze(capacity.toReversed(), remembered), input))
        expect(comparePlans(plan(saved), plan(again)).same).toBe(true)
      }),
      cases(300),
    )
  })
})
