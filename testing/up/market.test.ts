import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { MARKET_KEPT_MS } from '../../src/core/offer/market.ts'
import type { Offer } from '../../src/core/offer/offer.ts'
import { cards, offer } from '../../src/core/offer/offer.suite.ts'
import { freeze } from '../../src/core/offer/snapshot.ts'
import type { Store } from '../../src/ports/store.ts'
import { findPostgres, startPostgres, type Postgres } from '../../src/store/postgres/postgres.suite.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts'
import type { ServiceDeps } from '../../src/service/deps.ts'
import { forgetMarket, marketHistory, recordMarket } from '../../src/service/market.ts'
import { NOW_MS, refusalOf, service } from '../../src/service/platform.suite.ts'

const MINUTE_MS = 60_000
const CONFIG = 'providers:\n  alpha: { kind: sim }\n  beta: { kind: sim }\nprojects:\n  lab: { providers: [beta] }'
const NEED = 'berth: v1\nkind: job\nname: search\nimage: a\nresources: { gpu: { count: 2, min_vram: 80Gi } }\n'

function furnished(store?: Store): ServiceDeps {
  const deps = service({ config: CONFIG })
  return { ...deps, ...(store && { store }), capacity: async () => ({ snapshot: freeze([]), config: deps.config() }) }
}

/** The leader notes what these providers said so many minutes ago. */
async function note(deps: ServiceDeps, minutesAgo: number, offers: readonly Offer[], complete = true): Promise<number> {
  const led = await deps.store.lead('me', 60_000)
  const readMs = NOW_MS - minutesAgo * MINUTE_MS
  const reads = [...Map.groupBy(offers, ({ provider }) => provider)].map(([provider, own]) => {
    return { provider, offers: own, complete, readMs }
  })
  return recordMarket(deps, { reads, term: led.term })
}

function history(deps: ServiceDeps, ask: Partial<Parameters<typeof marketHistory>[1]> = {}) {
  return marketHistory(deps, { project: 'default', file: 'm', ...ask })
}

const ALPHA = offer({ provider: 'alpha' })
const BETA = offer({ provider: 'beta', usdPerHour: 3 })
const SMALL = offer({ provider: 'beta', instance: 'small', usdPerHour: 1, gpu: cards({ model: 'l4', count: 1 }) })

test('price and stock are told since a moment, beginning with what held then', async () => {
  const deps = furnished()
  await note(deps, 60, [BETA])
  await note(deps, 30, [{ ...BETA, usdPerHour: 2.5 }])
  await note(deps, 5, [{ ...BETA, usdPerHour: 2.5, stock: { level: 'sold_out', units: 0, seenAtMs: 1 } }])
  const { series, since_ms: sinceMs } = await history(deps, { since_ms: NOW_MS - 45 * MINUTE_MS })
  expect(series.map(({ offer: { provider, instance, gpu } }) => [provider, instance, gpu])).toEqual([
    ['beta', 'large', 'h100-sxm'],
  ])
  expect(series[0]?.points).toEqual([
    { at_ms: sinceMs, usd_per_hour: 3, spot_usd_per_hour: 1, stock: 'available' },
    { at_ms: NOW_MS - 30 * MINUTE_MS, usd_per_hour: 2.5, spot_usd_per_hour: 1, stock: 'available' },
    { at_ms: NOW_MS - 5 * MINUTE_MS, usd_per_hour: 2.5, spot_usd_per_hour: 1, stock: 'sold_out', units: 0 },
  ])
})

test('a need finds what would have met it, sold out or gone since', async () => {
  const deps = furnished()
  await note(deps, 60, [ALPHA, BETA, SMALL])
  await note(deps, 30, [ALPHA, SMALL])
  const found = await history(deps, { text: NEED })
  expect([found.matching, found.series.map(({ offer: { provider } }) => provider)]).toEqual([2, ['beta', 'alpha']])
  expect(found.series[0]?.points.at(-1)?.stock).toBe('gone')
  const cheap = await history(deps, { machine: 'SMALL' })
  expect(cheap.series.map(({ offer: { instance } }) => instance)).toEqual(['small'])
  expect((await history(deps, { gpus: ['l4'] })).series).toHaveLength(1)
  expect((await history(deps, { provider: 'alpha' })).series).toHaveLength(1)
  const wrong = history(deps, { text: `${NEED}policy: nowhere\n` })
  expect(await refusalOf(wrong)).toEqual([expect.stringContaining('POLICY_UNKNOWN')])
})

test('what is not for the project has no history there', async () => {
  const deps = furnished()
  await note(deps, 5, [ALPHA, BETA])
  for (const ask of [{}, { text: NEED }, { provider: 'alpha' }, { machine: 'large' }]) {
    expect(JSON.stringify(await history(deps, { project: 'lab', ...ask }))).not.toContain('alpha')
  }
  expect((await history(deps, { project: 'lab' })).series).toHaveLength(1)
})

test('what was missing in half an answer is not gone', async () => {
  const deps = furnished()
  await note(deps, 60, [BETA, SMALL])
  expect(await note(deps, 30, [SMALL], false)).toBe(0)
  expect(await note(deps, 20, [SMALL])).toBe(1)
})

test('a price that nobody has looked at for hours is not told as today’s', async () => {
  const deps = furnished()
  await note(deps, 300, [BETA])
  expect((await history(deps)).series[0]?.points.map(({ stock }) => stock)).toEqual(['available', 'unread'])
})

test('whoever lost the lease writes nothing', async () => {
  const deps = furnished()
  const { term } = await deps.store.lead('me', 60_000)
  const reads = [{ provider: 'beta', offers: [BETA], complete: true, readMs: NOW_MS }]
  expect(await recordMarket(deps, { reads, term: term + 1 })).toBe(0)
  expect(await deps.store.list('market', { limit: 10 })).toEqual([])
})

test('there are at most 500 machines of a provider and 2,000 in all, and those known go on', async () => {
  const deps = furnished()
  const many = (provider: string, count: number): readonly Offer[] =>
    Array.from({ length: count }, (_, index) => offer({ provider, instance: `m${String(index).padStart(4, '0')}` }))
  await note(
    deps,
    60,
    ['a', 'b', 'c', 'd', 'e'].flatMap((name) => many(name, 600)),
  )
  expect(await deps.store.count('market', { prefix: '', most: 10_000 })).toBe(2000)
  expect(await deps.store.count('market', { prefix: 'a/', most: 10_000 })).toBe(500)
  expect(
    await note(
      deps,
      30,
      many('a', 600).map((one) => ({ ...one, usdPerHour: 7 })),
    ),
  ).toBe(500)
})

test('what nobody has seen for as long as prices are kept is forgotten', async () => {
  const deps = furnished()
  await note(deps, MARKET_KEPT_MS / MINUTE_MS + 1, [ALPHA])
  await note(deps, 5, [BETA])
  expect(await forgetMarket(deps)).toBe(1)
  expect((await deps.store.list('market', { limit: 10 })).map(({ key }) => key)).toEqual(['beta/eu-1/large'])
})

describe('in a database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-market-'))
  let server: Postgres | undefined
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const opens = {
    SQLite: () => openSqliteStore(join(folder, 'a.db'), { nowMs: () => NOW_MS }),
    PostgreSQL: async () => {
      server = await startPostgres()
      return openPostgresStore(server.url)
    },
  }

  test.each(['SQLite', 'PostgreSQL'] as const)('%s keeps it', async (kind) => {
    if (kind === 'PostgreSQL' && findPostgres() === undefined) return
    const store = await opens[kind]()
    try {
      const deps = furnished(store)
      await note(deps, 60, [ALPHA, BETA])
      await note(deps, 30, [ALPHA, { ...BETA, usdPerHour: 2 }])
      const { series } = await history(deps, { text: NEED })
      expect(series.map(({ offer: one, points }) => [one.provider, points.length])).toEqual([
        ['beta', 2],
        ['alpha', 1],
      ])
    } finally {
      await store.close()
    }
  })
})
