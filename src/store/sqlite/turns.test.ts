import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../../ports/store.ts'
import { nextTurn } from '../../ports/turn.ts'
import { openSqliteStore } from './sqlite.ts'
import { cpuMs } from '../../core/base/cpu.suite.ts'

const EVENTS = 200_000
const ROWS = 10_000

const folder = mkdtempSync(join(tmpdir(), 'berth-turns-'))
const path = join(folder, 'berth.db')
const opening = (): Promise<Store> => openSqliteStore(path, { nowMs: () => 0 })
let store: Store

beforeAll(async () => {
  await (await opening()).close()
  const database = new DatabaseSync(path)
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <`
  database.exec(`${numbers} ${EVENTS}) INSERT INTO events (seq, at_ms, project, subject, kind, facts)
    SELECT i, 0, 'beta', 'workload/w' || (i % 100), 'up', '{"slot":"0"}' FROM n`)
  database.exec(`${numbers} ${ROWS}) INSERT INTO rows (kind, key, version, seq, body)
    SELECT 'setting', 'k' || i, 1, ${EVENTS} + i, '{"value":"' || hex(zeroblob(1000)) || '"}' FROM n`)
  database.exec(`INSERT INTO events (seq, at_ms, project, subject, kind, facts)
    VALUES (1000000, 0, 'alpha', 'workload/mine', 'up', '{}'); UPDATE meta SET seq = 1000000`)
  database.close()
  store = await opening()
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** How often others had a turn while it went on, and how long it took. */
async function watched(work: Promise<unknown>): Promise<{ readonly turns: number; readonly tookMs: number }> {
  const seen = { isDone: false, turns: 0 }
  const startMs = performance.now()
  void work.then(() => (seen.isDone = true))
  for (; !seen.isDone; seen.turns++) await nextTurn()
  return { turns: seen.turns, tookMs: performance.now() - startMs }
}

test.each([
  { projects: ['alpha'] },
  { projects: ['alpha', 'gamma', 'delta'] },
  { projects: ['alpha'], subject: 'workload/mine' },
])('a reader of %j pays nothing for the events of others', async (query) => {
  const startMs = cpuMs()
  const found = await store.events({ ...query, after: 0, limit: 500 })
  expect(cpuMs() - startMs).toBeLessThan(100)
  expect(found.map(({ project }) => project)).toEqual(['alpha'])
})

test('the last of many are found from the end', async () => {
  const startMs = cpuMs()
  const last = await store.events({ projects: ['beta'], subject: 'workload/w7', after: 0, limit: 2, end: 'last' })
  expect(cpuMs() - startMs).toBeLessThan(100)
  expect(last.map(({ seq }) => seq)).toEqual([EVENTS - 193, EVENTS - 93])
})

test('ten thousand rows are read in many turns, with every row once', async () => {
  const reading = store.list('setting', { limit: ROWS })
  expect((await watched(reading)).turns).toBeGreaterThan(5)
  expect(new Set((await reading).map(({ key }) => key)).size).toBe(ROWS)
})

test('a commit does not wait for those who read', async () => {
  const reading = Promise.all(Array.from({ length: 5 }, () => store.events({ after: 0, limit: 10_000 })))
  const committing = store.commit({ writes: [{ kind: 'setting', key: 'new', body: { value: 'v' } }] })
  expect(await Promise.race([reading.then(() => 'read'), committing.then(() => 'written')])).toBe('written')
  await reading
})
