import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSqliteFile } from './open.ts'
import { sqliteCode } from './problem.ts'
import { WriterThread } from './writer-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'berth-writer-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const BATCH = [
  { term: undefined, writes: [{ kind: 'setting', key: 'k', version: undefined, body: '{}' }], events: [], audit: [] },
] as const

test('calls of a lost thread reject, and the next call has another one', async () => {
  const place = join(folder, 'later')
  const path = join(place, 'berth.db')
  const writer = new WriterThread(path)
  await expect(writer.call('write', BATCH, 0)).rejects.toThrow('unable to open database file')
  mkdirSync(place)
  openSqliteFile(path, {}).close()
  expect(await writer.call('write', BATCH, 0)).toEqual([{ kind: 'done', versions: [1], seq: 1 }])
  await writer.close()
})

test('an error of the disk keeps its code', async () => {
  const path = join(folder, 'empty.db')
  const writer = new WriterThread(path)
  const failing = writer.call('yieldLead', 'me')
  await expect(failing).rejects.toThrow('no such table')
  expect(sqliteCode(await failing.catch((error: unknown) => error))).toBe(1)
  await writer.close()
})

test('calls are carried out in their order, and closing waits for them', async () => {
  const path = join(folder, 'order.db')
  openSqliteFile(path, {}).close()
  const writer = new WriterThread(path)
  const calls = Array.from({ length: 20 }, () => writer.call('write', BATCH, 0))
  await writer.close()
  const versions = (await Promise.all(calls)).flatMap(([answer]) => (answer?.kind === 'done' ? answer.versions : []))
  expect(versions).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
})
