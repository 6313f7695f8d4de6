import { expect, test } from 'vitest'
import type { MarketPoint, MarketRow } from '../../core/offer/market.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, NOW_MS, words } from '../harness.suite.ts'
import { emptyPlane } from '../planes.suite.ts'
import { planeWith, type TestPlane } from '../plane.suite.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

function rowOf(machine: string, count: number, points: readonly MarketPoint[]): MarketRow {
  return {
    provider: 'northwind',
    region: 'north-1',
    machine,
    facts: {
      gpu: { model: 'h100-sxm', count, slice: undefined, link: 'nvlink' },
      cpu: 64,
      memoryGib: 800,
      diskGib: 1000,
      volumeGib: undefined,
      hostArch: 'amd64',
      driver: undefined,
      cuda: undefined,
      inbound: true,
      domain: undefined,
      residency: 'eu',
      trust: undefined,
    },
    seenMs: NOW_MS,
    points,
  }
}

const FOUR = rowOf('nw-h100-4', 4, [
  { atMs: NOW_MS - 8 * DAY_MS, usd: 9.4, spotUsd: 5.2, stock: 'available', units: 3 },
  { atMs: NOW_MS - 4 * DAY_MS, usd: 10.5, spotUsd: 6, stock: 'low', units: 1 },
  { atMs: NOW_MS - 2 * DAY_MS, stock: 'unread' },
  { atMs: NOW_MS - DAY_MS, usd: 9.9, spotUsd: 5.5, stock: 'sold_out', units: 0 },
])
const ONE = rowOf('nw-h100-1', 1, [{ atMs: NOW_MS - DAY_MS, usd: 2.5, stock: 'unknown' }])

/** A plane whose leader has noted these. */
function noted(...rows: readonly MarketRow[]): TestPlane {
  return planeWith(async ({ store }) => {
    const writes = rows.map((body) => ({ kind: 'market' as const, key: `northwind/north-1/${body.machine}`, body }))
    await store.commit({ writes })
  })
}

function history(control: TestPlane, flags = ''): ReturnType<typeof berth> {
  return berth(['offers', 'history', ...words(flags)], {
    control: () => control,
    files: { 'w.yaml': MANIFEST, 'bad.yaml': 'a: 1\n' },
  })
}

test('draws prices and stock over time', async () => {
  const { code, out } = await history(noted(FOUR, ONE))
  expect(code).toBe(EXIT.ok)
  expect(out).toMatchSnapshot()
})

test('of what meets a need, on the terms that are asked for', async () => {
  const { out } = await history(noted(FOUR, ONE), '--need w.yaml')
  expect(out).toContain('None can be had now; the cheapest was $9.40 to $10.50/h in the last 7 d')
  expect(out).not.toContain('nw-h100-1')
  const spot = await history(noted(FOUR, ONE), '--machine NW-H100-4 --spot only --since 30d')
  expect(spot.out).toContain('the cheapest was $5.20 to $6.00/h in the last 30 d')
})

test('a provider that is not configured any more has nothing to be had now', async () => {
  const left = { ...ONE, provider: 'southwind' }
  const control = planeWith(async ({ store }) => {
    await store.commit({ writes: [{ kind: 'market', key: 'southwind/north-1/nw-h100-1', body: left }] })
  })
  const { out } = await history(control)
  expect(out).toContain('None can be had now; the cheapest was $2.50 to $2.50/h in the last 7 d')
  const { series } = JSON.parse((await history(control, '-o json')).out)
  expect(series[0].points.at(-1)).toEqual({ at_ms: NOW_MS, stock: 'unread' })
})

test('for scripts, with every point', async () => {
  const { out } = await history(noted(FOUR, ONE), '--machine nw-h100-1 -o json')
  expect(JSON.parse(out)).toEqual({
    since_ms: NOW_MS - 7 * DAY_MS,
    until_ms: NOW_MS,
    matching: 1,
    series: [
      {
        offer: expect.objectContaining({ provider: 'northwind', instance: 'nw-h100-1', gpu: 'h100-sxm', gpu_count: 1 }),
        seen_ms: NOW_MS,
        points: [{ at_ms: NOW_MS - DAY_MS, usd_per_hour: 2.5, stock: 'unknown' }],
      },
    ],
  })
})

test('says so where there is nothing to show', async () => {
  expect((await history(emptyPlane())).out).toContain('Nothing has been noted in the last 7 d.')
  expect((await history(noted(ONE), '--machine other')).out).toContain(
    'Nothing that was offered in the last 7 d matches.',
  )
})

test('problems of the manifest are told before anything is asked', async () => {
  const { code, err } = await history(noted(ONE), '--need bad.yaml')
  expect(code).toBe(EXIT.invalid)
  expect(err).toContain('bad.yaml')
  expect((await history(noted(ONE), '--need w.yaml --machine x')).code).toBe(EXIT.usage)
  expect((await history(noted(ONE), '--limit 101')).err).toContain('from 1 to 100')
})
