import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { must } from '../../core/base/assert.ts'
import { patience } from '../../core/base/cpu.suite.ts'
import { sized } from '../../core/base/laws.suite.ts'
import { UserError } from '../../core/base/problem.ts'
import type { StoreChange, Commit, Store } from '../../ports/store.ts'
import { nextTurn } from '../../ports/turn.ts'
import { startHolder } from '../holder.suite.ts'
import { POSTGRES_MIGRATIONS } from '../migrations/postgres.ts'
import type { PostgresOptions } from './open.ts'
import { findPostgres, startPostgres, type Postgres } from './postgres.suite.ts'
import { openPostgresStore } from './postgres.ts'

const PROGRAMS = findPostgres()
let started: Postgres | undefined
let schema = ''
let count = 0

const server = (): Postgres => must(started, 'the server was started')
const url = (): string => `${server().url}?schema=${schema}`
const open = (options: PostgresOptions = {}): Promise<Store> => openPostgresStore(url(), options)
const put = (key: string, version?: number): Commit => ({
  writes: [{ kind: 'setting', key, body: { value: 'v' }, ...(version === undefined ? {} : { version }) }],
})

/** Runs statements as the owner of everything. */
async function admin(sql: string, database = server().url): Promise<readonly Record<string, unknown>[]> {
  const client = new Client(database)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** What a user would read. */
async function problemOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof UserError) return JSON.stringify(error.problems)
    throw error
  }
  return 'none'
}

describe.skipIf(PROGRAMS === undefined)('with a real server', () => {
  beforeAll(async () => {
    started = await startPostgres()
  })
  afterAll(async () => {
    await started?.stop()
  })
  beforeEach(() => {
    schema = `server_${++count}`
  })

  test('a read whose signal is aborted is cancelled by the server, and the store goes on', async () => {
    const store = await open()
    await store.commit(put('a'))
    const blocker = new Client(server().url)
    await blocker.connect()
    await blocker.query(`BEGIN; LOCK TABLE ${schema}.rows IN ACCESS EXCLUSIVE MODE`)
    const stop = new AbortController()
    const reading = store.get('setting', 'a', stop.signal)
    const waiting = async (): Promise<number> =>
      (await admin("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).length
    while ((await waiting()) === 0) await nextTurn()
    stop.abort('enough')
    await expect(reading).rejects.toBe('enough')
    while ((await waiting()) > 0) await nextTurn()
    await blocker.query('ROLLBACK')
    await blocker.end()
    expect((await store.get('setting', 'a'))?.body).toEqual({ value: 'v' })
    await store.close()
  })

  describe('a database that cannot be used', () => {
    test('is not there', async () => {
      const problem = await problemOf(openPostgresStore('postgres://me:hunter2@127.0.0.1:1/db'))
      expect(problem).toContain('DATABASE_UNREACHABLE')
      expect(problem).toContain('127.0.0.1:1/db')
      expect(problem).not.toContain('hunter2')
    })

    test('turns us away', async () => {
      await admin('CREATE ROLE nologin NOLOGIN')
      expect(await problemOf(openPostgresStore(url().replace('berth@', 'nologin@')))).toContain('may not connect')
      expect(await problemOf(openPostgresStore(url().replace('/postgres?', '/nowhere?')))).toContain('createdb')
    })

    test('does not let us create a schema', async () => {
      await admin('CREATE ROLE guest LOGIN')
      expect(await problemOf(openPostgresStore(url().replace('berth@', 'guest@')))).toContain('DATABASE_UNSUITABLE')
    })

    test('cannot hold every text', async () => {
      await admin("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
      const problem = await problemOf(openPostgresStore(url().replace('/postgres?', '/latin?')))
      expect(problem).toContain('DATABASE_UNSUITABLE')
      expect(problem).toContain('LATIN1')
    })

    test('holds tables of something else in that schema', async () => {
      await admin(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.rows (x int)`)
      expect(await problemOf(open())).toContain('STORE_FOREIGN')
    })

    test('was written by a newer program, before or while we run', async () => {
      const store = await open()
      await (await open({ migrations: [...POSTGRES_MIGRATIONS, ['CREATE TABLE @.more (x int)']] })).close()
      expect(await problemOf(store.commit(put('x')))).toContain('STORE_NEWER')
      expect(await store.get('setting', 'x')).toBeUndefined()
      await store.close()
      expect(await problemOf(open())).toContain(`version ${POSTGRES_MIGRATIONS.length + 1}`)
    })
  })

  test('with a row that only a newer program can read is refused, and stays as it is', async () => {
    await (await open({ migrations: POSTGRES_MIGRATIONS.slice(0, -1) })).close()
    await admin(`INSERT INTO ${schema}.rows (kind, key, version, seq, body) VALUES ('policy', 'x', 1, 1, '{"v":7}')`)
    expect(await problemOf(open())).toContain('The row policy x of the store has version 7')
    const rows = await admin(`SELECT schema_version FROM ${schema}.berth_meta`)
    expect(rows).toEqual([{ schema_version: POSTGRES_MIGRATIONS.length - 1 }])
  })

  describe('migrations', () => {
    const TWO = [
      ...POSTGRES_MIGRATIONS,
      ['CREATE TABLE @.more (x bigint)', 'INSERT INTO @.more SELECT seq FROM @.rows'],
    ]

    test.each([0, 3])('a crash before any statement with %i rows is completed by the next start', async (rows) => {
      let total = Number.POSITIVE_INFINITY
      for (let crashAt = 0; crashAt < total; crashAt += sized({ quick: 6, whole: 1 })) {
        schema = `crash_${rows}_${crashAt}`
        if (rows > 0) {
          const before = await open()
          await Promise.all(Array.from({ length: rows }, (_, at) => before.commit(put(`k${at}`))))
          await before.close()
        }
        let ran = 0
        const crashing = open({
          migrations: TWO,
          beforeStatement: () => {
            if (ran++ === crashAt) throw new Error('the plug was pulled')
          },
        })
        // A connection that is dropped in the middle is all that a server sees of a crash.
        const crashed = await crashing.catch((error: unknown) => String(error))
        if (typeof crashed !== 'string') {
          total = ran
          await crashed.close()
        } else expect(crashed).toContain('plug')
        const after = await open({ migrations: TWO })
        expect(await after.list('setting', { limit: 10 })).toHaveLength(rows)
        expect(await after.commit(put('new', 0))).toMatchObject({ kind: 'done', seq: rows + 1 })
        await after.close()
        await admin(`DROP SCHEMA ${schema} CASCADE`)
      }
      expect(total).toBeGreaterThan(TWO.slice(rows > 0 ? POSTGRES_MIGRATIONS.length : 0).flat().length)
    })

    test('several that start at once find the same store', async () => {
      const stores = await Promise.all(Array.from({ length: 5 }, () => open()))
      await stores[0]?.commit(put('x'))
      for (const store of stores) expect(await store.head()).toBe(1)
      await Promise.all(stores.map((store) => store.close()))
    })
  })

  describe('several control planes', () => {
    test('never overwrite each other, and whoever follows changes misses none', async () => {
      const stores = await Promise.all([open(), open(), open()])
      const seen: StoreChange[] = []
      const over = new AbortController()
      const follow = async (): Promise<void> => {
        const store = must(stores[0], 'three were opened')
        while (!over.signal.aborted || seen.at(-1)?.seq !== (await store.head())) {
          seen.push(...(await store.changes(seen.at(-1)?.seq ?? 0, 3)))
        }
      }
      const increment = async (store: Store): Promise<void> => {
        for (let done = 0; done < 30;) {
          const row = await store.get('setting', 'count')
          const value = String(Number(row?.body.value ?? 0) + 1)
          const answer = await store.commit({
            writes: [
              { kind: 'setting', key: 'count', version: row?.version ?? 0, body: { value } },
              { kind: 'setting', key: `count/${value}`, version: 0, body: { value } },
            ],
          })
          if (answer.kind === 'done') done++
        }
      }
      const following = follow()
      await Promise.all(stores.map(increment))
      over.abort()
      await following
      expect((await stores[1]?.get('setting', 'count'))?.body).toEqual({ value: '90' })
      const marks = seen.filter(({ key }) => key.startsWith('count/')).map(({ key }) => Number(key.slice(6)))
      expect(marks).toEqual(Array.from({ length: 90 }, (_, at) => at + 1))
      await Promise.all(stores.map((store) => store.close()))
    })

    test('one that is frozen in the middle of a write holds the others up for a moment only', async () => {
      const store = await open()
      const holder = startHolder(url())
      // One that stayed frozen would keep the whole run from ending.
      onTestFinished(async () => void (await holder.kill()))
      await holder.nextLine()
      const silent =
        "SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction' AND application_name = 'berth'"
      for (let isSilent = false; !isSilent;) {
        holder.child.kill('SIGCONT')
        await holder.nextLine()
        holder.child.kill('SIGSTOP')
        // What it had sent before it froze is answered by now.
        await admin('SELECT 1')
        isSilent = (await admin(silent)).length > 0
      }
      const startMs = performance.now()
      expect(await store.lead('me', 10_000)).toEqual({ kind: 'leading', term: 1 })
      expect(await store.commit({ ...put('x'), term: 1 })).toMatchObject({ kind: 'done' })
      expect(performance.now() - startMs).toBeLessThan(4_000 * patience())
      await store.close()
    })
  })

  describe('kill -9', () => {
    test('of the server: what was under way rejects, what was answered is there, and the store goes on', async () => {
      const store = await open({ connectMs: 2_000 })
      for (let round = 0; round < 2; round++) {
        const answered: string[] = []
        const write = async (writer: number): Promise<string> => {
          for (let at = 0; at < 10_000; at++) {
            const key = `${round}/${writer}/${at}`
            await store.commit(put(key, 0))
            answered.push(key)
            if (answered.length === 100) await server().kill()
          }
          return 'never rejected'
        }
        const ends = await Promise.all([1, 2, 3, 4].map((writer) => problemOf(write(writer))))
        for (const end of ends) expect(end).toContain('DATABASE_UNREACHABLE')
        expect(await problemOf(store.head())).toContain('DATABASE_UNREACHABLE')
        await server().start()
        const rows = await store.list('setting', { prefix: `${round}/`, limit: 10_000 })
        const keys = new Set(rows.map(({ key }) => key))
        expect(answered.filter((key) => !keys.has(key))).toEqual([])
        expect(await store.commit(put(`after/${round}`, 0))).toMatchObject({ kind: 'done' })
      }
      await store.close()
    })

    test('of a control plane: every commit that was answered is there', async () => {
      const holder = startHolder(url())
      expect(await holder.nextLine()).toBe('open')
      const answered: string[] = []
      while (answered.length < 100) answered.push(await holder.nextLine())
      answered.push(...(await holder.kill()))
      const store = await open()
      const keys = new Set((await store.list('setting', { limit: 10_000 })).map(({ key }) => key))
      expect(answered.filter((key) => !keys.has(key))).toEqual([])
      await store.close()
    })
  })
})
