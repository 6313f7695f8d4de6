import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../src/ports/store.ts'
import { memoryStore } from '../src/store/memory.ts'
import { findPostgres, startPostgres } from '../src/store/postgres/postgres.suite.ts'
import { openPostgresStore } from '../src/store/postgres/postgres.ts'
import { openSqliteStore } from '../src/store/sqlite/sqlite.ts'
import { flag, round, type Bench, type Figures } from './bench.ts'

const BODY = { value: 'x'.repeat(2_000) }

/** Durable commits and reads a second on every store, and how long it takes to open one and read it all. */
export const store: Bench = {
  name: 'store',
  about: 'commits and reads a second on every store, opening a full one (--seconds N, --rows N)',
  async run(argv) {
    const size = { ms: 1_000 * Number(flag(argv, 'seconds', '3')), rows: Number(flag(argv, 'rows', '30000')) }
    const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'))
    const server = findPostgres() === undefined ? undefined : await startPostgres()
    try {
      const memory = memoryStore({ nowMs: Date.now })
      return {
        row_bytes: BODY.value.length,
        rows: size.rows,
        memory: await measure(() => Promise.resolve(memory), size),
        sqlite: await measure(() => openSqliteStore(join(folder, 'berth.db'), { nowMs: Date.now }), size),
        postgres: server === undefined ? 'not installed' : await measure(() => openPostgresStore(server.url), size),
      }
    } finally {
      await server?.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function measure(
  open: () => Promise<Store>,
  size: { readonly ms: number; readonly rows: number },
): Promise<Figures> {
  const filling = await open()
  const keys = Array.from({ length: size.rows }, (_, at) => `default/w${at}`)
  const put = (store: Store, key: string): Promise<unknown> =>
    store.commit({
      writes: [{ kind: 'setting', key, body: BODY }],
      events: [{ atMs: 0, project: 'default', subject: `workload/${key}`, kind: 'removed', facts: {} }],
      audit: [{ atMs: 0, project: 'default', subject: key, actor: 'bench', action: 'apply', facts: {} }],
    })
  await Promise.all(keys.map((key) => put(filling, key)))
  await filling.close()

  const startMs = performance.now()
  const store = await open()
  const openMs = performance.now() - startMs
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: readonly { readonly key: string }[] = await store.list('setting', { after, limit: 10_000 })
    after = rows.at(-1)?.key
  }
  const listMs = performance.now() - startMs - openMs
  const key = (at: number): string => keys[(at * 7919) % keys.length] ?? ''
  const figures = {
    open_ms: round(openMs),
    list_all_ms: round(listMs),
    commits_per_s: await rate(1, size.ms, (at) => put(store, key(at))),
    commits_per_s_64_callers: await rate(64, size.ms, (at) => put(store, key(at))),
    gets_per_s: await rate(1, size.ms, (at) => store.get('setting', key(at))),
    gets_per_s_64_callers: await rate(64, size.ms, (at) => store.get('setting', key(at))),
  }
  await store.close()
  return figures
}

/** Calls a second, by so many callers who each wait for their answer before they call again. */
async function rate(callers: number, ms: number, call: (at: number) => Promise<unknown>): Promise<number> {
  let count = 0
  const startMs = performance.now()
  const caller = async (): Promise<void> => {
    while (performance.now() - startMs < ms) await call(count++)
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return Math.round((count * 1_000) / (performance.now() - startMs))
}
