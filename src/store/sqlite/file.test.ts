import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sized } from '../../core/base/laws.suite.ts'
import { UserError } from '../../core/base/problem.ts'
import type { Store } from '../../ports/store.ts'
import { startHolder } from '../holder.suite.ts'
import type { MigrationOptions } from '../migrations/migration.ts'
import { SQLITE_MIGRATIONS } from '../migrations/sqlite.ts'
import { openSqliteStore } from './sqlite.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-sqlite-'))
  path = join(folder, 'berth.db')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const open = (options: MigrationOptions & { readonly at?: string } = {}): Promise<Store> =>
  openSqliteStore(options.at ?? path, { nowMs: () => 0, ...options })

/** What a user would read. */
async function problemOf(opening: Promise<Store>): Promise<{ code: string; message: string; hint?: string }> {
  try {
    await (await opening).close()
  } catch (error) {
    if (error instanceof UserError && error.problems[0] !== undefined) return error.problems[0]
    throw error
  }
  throw new Error('it opened')
}

/** A closed store with rows in it. */
async function filled(count: number): Promise<void> {
  const store = await open()
  const commits = Array.from({ length: count }, (_, at) =>
    store.commit({ writes: [{ kind: 'setting', key: `k${at}`, body: { value: 'x'.repeat(500) } }] }),
  )
  await Promise.all(commits)
  await store.close()
}

describe('the lock', () => {
  test('a second process is refused at once, and told who holds the file', async () => {
    const store = await open()
    const second = startHolder(path)
    const line = await second.nextLine()
    await second.kill()
    expect(line).toContain('STORE_LOCKED')
    expect(line).toContain(`in use by process ${process.pid}`)
    expect(line).toContain(`kill ${process.pid}`)
    expect(await store.head()).toBe(0)
    await store.close()
  })

  test('the same process cannot open it twice either, nor by another name', async () => {
    const store = await open()
    expect(await problemOf(open())).toMatchObject({ code: 'STORE_LOCKED' })
    symlinkSync(path, join(folder, 'other.db'))
    expect(await problemOf(open({ at: join(folder, 'other.db') }))).toMatchObject({ code: 'STORE_LOCKED' })
    await store.close()
    await (await open()).close()
  })

  test('kill -9 frees it, and every commit that was answered is there', async () => {
    for (let round = 0; round < 3; round++) {
      const holder = startHolder(path)
      expect(await holder.nextLine()).toBe('open')
      const answered: string[] = []
      while (answered.length < 40) answered.push(await holder.nextLine())
      expect(await problemOf(open())).toMatchObject({
        code: 'STORE_LOCKED',
        message: expect.stringContaining(String(holder.child.pid)),
      })
      answered.push(...(await holder.kill()))
      const store = await open()
      const rows = await store.list('setting', { limit: 10_000 })
      const keys = new Set(rows.map(({ key }) => key))
      expect(answered.filter((key) => !keys.has(key))).toEqual([])
      expect(await store.head()).toBe(Math.max(...rows.map(({ seq }) => seq)))
      await store.close()
      rmSync(path)
    }
  })

  test('closing leaves no word of a holder', async () => {
    await (await open()).close()
    expect(readdirSync(folder).toSorted()).toEqual(['berth.db', 'berth.db.lock'])
  })

  test('what stands beside it is for its owner alone, also where an earlier version left it open', async () => {
    const modes = () =>
      readdirSync(folder)
        .filter((name) => /lock|pid/.test(name))
        .map((name) => `${name} ${(statSync(join(folder, name)).mode & 0o777).toString(8)}`)
        .toSorted()
    const store = await open()
    const closed = ['berth.db.lock 600', 'berth.db.lock-journal 600', 'berth.db.pid 600']
    expect(modes().filter((one) => !closed.includes(one))).toEqual([])
    await store.close()
    chmodSync(`${path}.lock`, 0o644)
    writeFileSync(`${path}.pid`, '', { mode: 0o644 })
    const again = await open()
    expect(modes()).toEqual(expect.arrayContaining(['berth.db.lock 600', 'berth.db.pid 600']))
    expect(modes().filter((one) => !closed.includes(one))).toEqual([])
    await again.close()
  })

  test('a holder that left no word is another process', async () => {
    const store = await open()
    rmSync(`${path}.pid`)
    const { message } = await problemOf(open())
    expect(message).toContain('another process')
    await store.close()
  })
})

describe('a file that cannot be used', () => {
  test('in a folder that is not there', async () => {
    const { code, hint } = await problemOf(open({ at: join(folder, 'no', 'berth.db') }))
    expect({ code, hint }).toEqual({ code: 'STORE_UNWRITABLE', hint: `Create it: mkdir -p ${join(folder, 'no')}` })
  })

  test('that is a folder', async () => {
    mkdirSync(path)
    expect(await problemOf(open())).toMatchObject({ code: 'STORE_UNWRITABLE' })
  })

  test('in a folder that may not be written, or that may not be written itself', async () => {
    await filled(1)
    rmSync(`${path}.lock`)
    chmodSync(folder, 0o555)
    expect(await asNobody(() => problemOf(open()))).toMatchObject({ code: 'STORE_UNWRITABLE' })
    chmodSync(folder, 0o777)
    chmodSync(path, 0o444)
    expect(await asNobody(() => problemOf(open()))).toMatchObject({ code: 'STORE_UNWRITABLE' })
  })

  test('that is no database', async () => {
    writeFileSync(path, 'name: llama\nimage: vllm\n'.repeat(100))
    expect(await problemOf(open())).toMatchObject({ code: 'STORE_FOREIGN' })
    expect(readFileSync(path, 'utf8')).toContain('llama')
  })

  test('that is a database of something else, which stays as it is', async () => {
    const other = new DatabaseSync(path)
    other.exec('CREATE TABLE rows (x)')
    other.close()
    const before = readFileSync(path)
    expect(await problemOf(open())).toMatchObject({ code: 'STORE_FOREIGN' })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('that a newer program has written, which stays as it is', async () => {
    await (await open({ migrations: [...SQLITE_MIGRATIONS, ['CREATE TABLE more (x)']] })).close()
    const before = readFileSync(path)
    expect(await problemOf(open())).toMatchObject({
      code: 'STORE_NEWER',
      message: expect.stringContaining(`version ${SQLITE_MIGRATIONS.length + 1}`),
    })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test.each([
    ['placement', '{"v":99,"whatever":1}', 'The row placement x/y/0 of the store has version 99; this program knows'],
    [
      'setting',
      '{"v":2,"value":"x"}',
      'The row setting x/y/0 of the store has version 2; this program knows versions up to 1',
    ],
    [
      'hologram',
      '{"some":"thing"}',
      'The row hologram x/y/0 of the store has version 1; this program knows versions up to 0',
    ],
  ])('with a row of kind %s that only a newer program can read, which stays as it is', async (kind, body, message) => {
    await filled(3)
    const newer = new DatabaseSync(path)
    newer.prepare('INSERT INTO rows (kind, key, version, seq, body) VALUES (?, ?, 1, 1000, ?)').run(kind, 'x/y/0', body)
    newer.close()
    const before = readFileSync(path)
    const problem = { code: 'STORE_NEWER', message: expect.stringContaining(message) }
    expect(await problemOf(open())).toMatchObject({
      ...problem,
      hint: expect.stringContaining('newer version of Berth'),
    })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('while it is open, with a row that only a newer program can read: nothing is decided without it', async () => {
    const store = await open()
    await store.commit({ writes: [{ kind: 'setting', key: 'a', body: { value: '1' } }] })
    const newer = new DatabaseSync(path)
    newer.exec(`UPDATE rows SET body = '{"v":9}' WHERE key = 'a'`)
    newer.close()
    await expect(store.get('setting', 'a')).rejects.toThrow('STORE_NEWER')
    await expect(store.list('setting', { limit: 10 })).rejects.toThrow('STORE_NEWER')
    await expect(store.changes(0, 10)).rejects.toThrow('STORE_NEWER')
    await store.close()
  })

  test.each([0.1, 0.5, 0.9])('that has garbage at %d of its length', async (share) => {
    await filled(300)
    const size = readFileSync(path).length
    const handle = openSync(path, 'r+')
    writeSync(handle, Buffer.alloc(8192, 0xa5), 0, 8192, Math.floor((size * share) / 4096) * 4096)
    closeSync(handle)
    expect(await problemOf(open())).toMatchObject({ code: 'STORE_DAMAGED', hint: expect.stringContaining('backup') })
  })

  test('that was cut off', async () => {
    await filled(300)
    truncateSync(path, 40_000)
    expect(await problemOf(open())).toMatchObject({ code: 'STORE_DAMAGED' })
  })

  test('a refusal leaves the lock free', async () => {
    writeFileSync(path, 'no database at all, but a text that is long enough to be one'.repeat(20))
    await problemOf(open())
    rmSync(path)
    await (await open()).close()
  })

  test('an empty file is a new store', async () => {
    writeFileSync(path, '')
    const store = await open()
    expect(await store.head()).toBe(0)
    await store.close()
  })
})

describe('migrations', () => {
  const TWO = [
    ...SQLITE_MIGRATIONS,
    ['CREATE TABLE more (x)', 'INSERT INTO more SELECT seq FROM rows', 'DROP TABLE more'],
  ]

  test.each([
    ['of a new file', 0],
    ['of a file with rows', 5],
  ])('a crash before any statement %s leaves something that the next start completes', async (_, rows) => {
    if (rows > 0) await filled(rows)
    let crashes = 0
    const store = await open({
      migrations: TWO,
      beforeStatement: () => {
        // What lies on the disk now is what a kill -9 would leave.
        const image = join(folder, `image-${crashes++}`)
        mkdirSync(image)
        for (const end of ['', '-wal', '-shm', '-journal']) {
          if (existsSync(path + end)) copyFileSync(path + end, join(image, `berth.db${end}`))
        }
      },
    })
    await store.close()
    expect(crashes).toBeGreaterThanOrEqual(TWO.slice(rows > 0 ? SQLITE_MIGRATIONS.length : 0).flat().length + 2)
    for (let crash = 0; crash < crashes; crash += sized({ quick: 6, whole: 1 })) {
      const after = await open({ at: join(folder, `image-${crash}`, 'berth.db'), migrations: TWO })
      expect(await after.list('setting', { limit: 10 })).toHaveLength(rows)
      expect(await after.commit({ writes: [{ kind: 'setting', key: 'new', body: { value: 'v' } }] })).toMatchObject({
        kind: 'done',
        seq: rows + 1,
      })
      await after.close()
    }
  })

  test('one that fails changes nothing and lets go of the file', async () => {
    await filled(3)
    await expect(open({ migrations: [...SQLITE_MIGRATIONS, ['DELETE FROM rows', 'SELECT nonsense']] })).rejects.toThrow(
      /nonsense/,
    )
    const store = await open()
    expect(await store.list('setting', { limit: 10 })).toHaveLength(3)
    await store.close()
  })
})

/** Runs as a user who may do nothing; only root can change who it is, and anybody else is such a user already. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) chownSync(folder, 65_534, 65_534)
  if (isRoot) process.seteuid?.(65_534)
  try {
    // Opening a SQLite file is done when the call returns, so nothing else runs as nobody.
    return await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}
