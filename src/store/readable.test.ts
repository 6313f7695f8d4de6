import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UserError } from '../core/base/problem.ts'
import type { RowKind } from '../core/life/rows.ts'
import type { Store } from '../ports/store.ts'
import { readableStore } from './readable.ts'
import { openSqliteStore } from './sqlite/sqlite.ts'

let folder = ''
let file: Store
let told: string[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'berth-readable-'))
  await fill(['a', 'b', 'c', 'd'])
})
afterEach(async () => {
  await file.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(['{"value":', 'null', '7', ''])('a row whose body is %j', (body) => {
  test('is left out of lists and changes, told of once, and the others come, page by page', async () => {
    await spoil('setting', 'b', body)
    const store = readable()
    expect(await pages(store, 2)).toEqual([['a', 'c'], ['d']])
    expect(await pages(store, 1)).toEqual([['a'], ['c'], ['d'], []])
    expect((await store.changes(0, 3)).map(({ key }) => key)).toEqual(['a', 'c', 'd'])
    expect(told).toEqual(['setting b'])
  })

  test('is not taken for absent: asked for by its key, it says what is wrong', async () => {
    await spoil('setting', 'b', body)
    const row = await readable().get('setting', 'b')
    expect(row).toBeDefined()
    expect(() => row?.body).toThrow(UserError)
    expect(() => row?.body).toThrow('The row setting b of the store cannot be read.')
  })

  test('comes to whoever knows what to do with it', async () => {
    await spoil('setting', 'b', body)
    const rows = await readable(['setting']).list('setting', { limit: 10 })
    expect(rows.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd'])
    expect(() => rows[1]?.body).toThrow(UserError)
    expect(told).toEqual([])
  })
})

test('a project whose limits cannot be read may have nothing more, and can be set again', async () => {
  await file.commit({
    writes: [{ kind: 'project', key: 'x', body: { gpusMax: 9, usdPerHourMax: undefined, workloadsMax: undefined } }],
  })
  await spoil('project', 'x', 'not JSON')
  const store = readable()
  const [row] = await store.list('project', { limit: 10 })
  expect(row).toMatchObject({ key: 'x', version: 1, body: { gpusMax: 0, usdPerHourMax: 0, workloadsMax: 0 } })
  const body = { gpusMax: 4, usdPerHourMax: undefined, workloadsMax: undefined }
  expect(await store.commit({ writes: [{ kind: 'project', key: 'x', version: 1, body }] })).toMatchObject({
    kind: 'done',
  })
})

test('an event whose facts cannot be read is told without them', async () => {
  const event = { atMs: 1, project: 'default', subject: 'workload/x', kind: 'set-aside', facts: { why: 'x' } } as const
  await file.commit({ writes: [], events: [event, event] })
  await onDisk((database) => database.exec("UPDATE events SET facts = '{' WHERE seq = (SELECT min(seq) FROM events)"))
  const events = await readable().events({ after: 0, limit: 10 })
  expect(events.map(({ facts }) => facts)).toEqual([{}, { why: 'x' }])
})

async function fill(keys: readonly string[]): Promise<void> {
  told = []
  file = await openSqliteStore(join(folder, 'berth.db'), { nowMs: () => 0 })
  await file.commit({ writes: keys.map((key) => ({ kind: 'setting', key, body: { value: key } })) })
}

/** As a bad disk or a foreign hand would. */
async function spoil(kind: RowKind, key: string, body: string): Promise<void> {
  const sql = 'UPDATE rows SET body = ? WHERE kind = ? AND key = ?'
  await onDisk((database) => database.prepare(sql).run(body, kind, key))
}

async function onDisk(change: (database: DatabaseSync) => void): Promise<void> {
  await file.close()
  const database = new DatabaseSync(join(folder, 'berth.db'))
  change(database)
  database.close()
  file = await openSqliteStore(join(folder, 'berth.db'), { nowMs: () => 0 })
}

function readable(passed: readonly RowKind[] = []): Store {
  return readableStore(file, { tell: ({ kind, key }) => told.push(`${kind} ${key}`), passed })
}

async function pages(store: Store, limit: number): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = []
  for (let after: string | undefined; ;) {
    const rows = await store.list('setting', { limit, ...(after !== undefined && { after }) })
    found.push(rows.map(({ key }) => key))
    after = rows.at(-1)?.key
    if (rows.length < limit) return found
  }
}
