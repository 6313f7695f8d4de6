import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROUTES } from '../api/routes.ts'
import { placed, workloadOf } from '../core/life/keep.suite.ts'
import { placementKey } from '../core/life/placement.ts'
import { slotsWanted } from '../core/life/slots.ts'
import type { Store } from '../ports/store.ts'
import { openSqliteStore } from '../store/sqlite/sqlite.ts'
import { bearer, manifestNamed, world, type World } from './server.suite.ts'
import { costliestTurnMs } from '../core/base/cpu.suite.ts'

/** What one turn of the thread may cost of the processor: time on the wall says little on a busy machine. */
const TURN_MOST_MS = 100
const MANY = 10_000
const EVENTS = 20_000

const folder = mkdtempSync(join(tmpdir(), 'berth-turns-'))
const file = join(folder, 'berth.db')
let store: Store
let one: World
let headers: { readonly authorization: string }

beforeAll(async () => {
  store = await openSqliteStore(file, { nowMs: Date.now })
  const small = workloadOf(manifestNamed('small'))
  const named = (at: number) => `w${String(at).padStart(5, '0')}`
  for (let from = 0; from < MANY; from += 1000) {
    const writes = Array.from({ length: 1000 }, (_, at) => {
      const name = named(from + at)
      return { kind: 'workload' as const, key: `default/${name}`, body: { ...small, name, uid: name } }
    })
    await store.commit({ writes })
  }
  const wide = { ...workloadOf(manifestNamed('wide')), name: 'a', uid: 'a', scale: { '': MANY } }
  const slots = slotsWanted(wide).map(({ slot }) => placed(wide, slot, 'running'))
  await store.commit({ writes: [{ kind: 'workload', key: 'default/a', body: wide }] })
  await store.commit({ writes: slots.map((body) => ({ kind: 'placement', key: placementKey(body), body })) })
  await store.close()
  const database = new DatabaseSync(file)
  database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${EVENTS})
    INSERT INTO events (seq, at_ms, project, subject, kind, facts)
    SELECT (SELECT seq FROM meta) + i, ${Date.now()}, 'default', 'workload/a', 'up', '{"slot":"0"}' FROM n;
    UPDATE meta SET seq = seq + ${EVENTS}`)
  database.close()
  store = await openSqliteStore(file, { nowMs: Date.now })
  one = world({ store })
  headers = bearer(await one.token('admin', ['*']))
  await one.app.inject({ url: '/v2/workloads', headers })
}, 60_000)
afterAll(async () => {
  await one.app.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const READS = Object.values(ROUTES)
  .filter(({ method }) => method === 'GET')
  .map(({ path }) => path.replace(':project', 'default').replace(':name', 'a'))

test('no read holds up the others: ten thousand slots, ten thousand workloads, twenty thousand events', async () => {
  const costs: Record<string, number> = {}
  for (const url of [...READS, '/v2/workloads?limit=500', '/v2/events?tail=10000']) {
    const asking = one.app.inject({ url, headers })
    costs[url] = Math.round(await costliestTurnMs(asking))
    expect((await asking).statusCode, url).not.toBe(500)
  }
  expect(Object.entries(costs).filter(([, ms]) => ms > TURN_MOST_MS)).toEqual([])
}, 60_000)
