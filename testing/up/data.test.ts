import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { UpFlags } from '../../src/cli/cli.ts'
import type { ServiceDeps } from '../../src/service/deps.ts'
import { createToken, makeAuthenticator } from '../../src/service/tokens.ts'
import { UserError } from '../../src/core/base/problem.ts'
import { world } from '../../src/server/server.suite.ts'
import type { Store } from '../../src/ports/store.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { openStore, ownerOf } from '../../src/up/data.ts'
import { firstToken } from '../../src/up/token.ts'

const FLAGS: UpFlags = { listen: '127.0.0.1:0', log: 'text' }
const CLOCK = { nowMs: Date.now, tickMs: () => performance.now(), cpuMs: () => 0 }
const { random } = world().deps.service

let folder = ''
let opened: Store | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-data-'))
})
afterEach(async () => {
  await opened?.close()
  opened = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** As a start does it: answers the owner, or what the user is told. */
async function begin(more: Partial<UpFlags> = {}): Promise<string> {
  const place = { flags: { ...FLAGS, ...more }, folder }
  try {
    opened = await openStore(place, CLOCK)
    return await ownerOf(opened, random, place)
  } catch (error) {
    opened = undefined
    if (error instanceof UserError) return String(error.problems[0]?.code)
    throw error
  }
}

async function end(): Promise<void> {
  await opened?.close()
  opened = undefined
}

test('a new database is closed to other users from the start, with what SQLite puts beside it', async () => {
  await begin()
  const modes = ['berth.db', 'berth.db-wal', 'berth.db-shm'].map((name) => statSync(join(folder, name)).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600, 0o600])
})

describe('a database that is lost', () => {
  test.each([
    ['gone', () => rmSync(join(folder, 'berth.db'))],
    ['empty', () => truncateSync(join(folder, 'berth.db'))],
  ])('is not replaced by a new one: %s', async (_, lose) => {
    const owner = await begin()
    await end()
    expect(await begin()).toBe(owner)
    await end()
    lose()
    expect(await begin()).toBe('STORE_MISSING')
    expect(await begin()).toBe('STORE_MISSING')
    const other = await begin({ newStore: true })
    expect(other).not.toBe(owner)
    await end()
    expect(await begin()).toBe(other)
  })

  test.each(['vault.key', 'admin.token', 'providers/here/attempts'])('shows by %s alone', async (trace) => {
    if (trace.startsWith('providers')) mkdirSync(join(folder, trace), { recursive: true })
    else writeFileSync(join(folder, trace), 'x')
    expect(await begin()).toBe('STORE_MISSING')
    expect(() => statSync(join(folder, 'berth.db'))).toThrow()
  })

  test('is found missing also when a file of ours without rows lies in its place, or that of another', async () => {
    await begin()
    await end()
    const database = new DatabaseSync(join(folder, 'berth.db'))
    database.exec('DELETE FROM rows')
    database.close()
    expect(await begin()).toBe('STORE_MISSING')
    writeFileSync(join(folder, 'owner'), 'somebody-else\n')
    expect(await begin({ newStore: true })).not.toBe('STORE_MISSING')
  })

  test('is not missed where there was none: an empty folder, or one that a killed first start left', async () => {
    writeFileSync(join(folder, 'berth.db'), '')
    mkdirSync(join(folder, 'providers'))
    expect(await begin()).not.toBe('STORE_MISSING')
    expect(statSync(join(folder, 'owner')).mode & 0o777).toBe(0o600)
  })
})

test('a folder that was used with one database of a server is not used with another, or an empty one', async () => {
  const place = { flags: { ...FLAGS, database: 'postgres://db' }, folder }
  const store = memoryStore({ nowMs: () => 0 })
  const owner = await ownerOf(store, random, place)
  expect(await ownerOf(store, random, place)).toBe(owner)
  await expect(ownerOf(memoryStore({ nowMs: () => 0 }), random, place)).rejects.toThrow('STORE_MISSING')
  expect(readFileSync(join(folder, 'owner'), 'utf8').trim()).toBe(owner)
})

describe('the first token', () => {
  const ADMIN = { name: 'admin', role: 'admin', projects: ['*'] } as const
  const first = (service: ServiceDeps, more: Partial<UpFlags> = {}) =>
    firstToken(service, { folder, flags: { ...FLAGS, ...more } })
  const file = () => join(folder, 'admin.token')

  test('is made once, and handed on as long as the store knows it', async () => {
    const { service } = world().deps
    const token = await first(service)
    expect(await makeAuthenticator(service).open(token ?? '')).toMatchObject({ role: 'admin' })
    expect(await first(service)).toBe(token)
    expect(readFileSync(file(), 'utf8').trim()).toBe(token)
  })

  test('of another store is replaced where there is no token yet', async () => {
    await first(world().deps.service)
    const old = readFileSync(file(), 'utf8').trim()
    const { service } = world().deps
    const token = await first(service)
    expect(token).not.toBe(old)
    expect(await makeAuthenticator(service).open(token ?? '')).toBeDefined()
  })

  test('that was revoked is neither handed on nor made anew', async () => {
    const one = world()
    const { service } = one.deps
    await first(service)
    await createToken(service, ADMIN, { ...ADMIN, name: 'other', ttl_ms: 1e9 })
    await service.store.commit({ writes: [{ kind: 'token', key: 'admin', body: undefined }] })
    expect(await first(service)).toBeUndefined()
    expect((await service.store.list('token', { limit: 9 })).map(({ key }) => key)).toEqual(['other'])
    expect(one.logged.join('\n')).toContain('admin.token')
  })
})
