import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { assert } from '../core/assert.ts'
import type { RowKind } from '../core/keep/rows.ts'
import type { Committed, EventQuery, Led, Page, Row, Store } from '../ports/store.ts'
import { checkLimit, prepare } from './check.ts'
import { evaluate, judgeLead, judgeYield, type Asked, type Lease, type Outcome } from './evaluate.ts'
import { groupCommits, nextTurn } from './group.ts'
import { rangeOf } from './keys.ts'
import type { MigrationOptions } from './migrations/migration.ts'
import { showAudit, showChange, showEvent, showRow, type DatabaseRecord } from './records.ts'
import { openSqliteFile } from './sqlite-open.ts'
import { explainSqlite } from './sqlite-problem.ts'

/** How a SQLite store is set up. */
export interface SqliteOptions extends MigrationOptions {
  /** The clock that leases run out by. */
  readonly nowMs: () => number
}

/**
 * Everything in one file, for one process. Durable: an answer comes after the disk has it. Rejects with a UserError where
 * the file cannot be used. Whoever held the lease before is gone, because nobody else can have the file open: it is
 * free at once.
 */
export async function openSqliteStore(path: string, options: SqliteOptions): Promise<Store> {
  const file = openSqliteFile(path, options)
  const disk = new Disk(file.database, options.nowMs)
  let isClosed = false
  /** Every call answers later, and says what the user can do about a disk that fails. */
  const answer = async <T>(work: () => T | Promise<T>): Promise<T> => {
    assert(!isClosed, 'the store is closed')
    try {
      return await work()
    } catch (error) {
      throw explainSqlite(error, file.path)
    }
  }
  const group = groupCommits<string>((batch) => answer(() => disk.write(batch)))

  return {
    get: (kind, key) => answer(() => disk.get(kind, key)),
    list: (kind, page) => answer(() => disk.list(kind, page)),
    commit: async (commit) => group.commit(prepare(commit, JSON.stringify)),
    changes: (since, limit) => answer(() => disk.page(CHANGES, [since], limit).map(showChange)),
    head: () => answer(() => disk.seq()),
    events: (query) => answer(() => disk.events(query).map(showEvent)),
    audit: ({ after, limit }) => answer(() => disk.page(AUDIT, [after], limit).map(showAudit)),
    lead: (holder, ttlMs) => answer(() => disk.lead(holder, ttlMs)),
    yieldLead: (holder) => answer(() => disk.transact(() => disk.setLease(judgeYield(disk.lease(), holder)))),
    prune: (beforeMs) => answer(() => disk.prune(beforeMs)),
    close: async () => {
      await group.close()
      if (!isClosed) file.close()
      isClosed = true
    },
  }
}

const PRUNE_SLICE = 2_000
const COLUMNS = 'kind, key, version, seq, body'
const GET = `SELECT ${COLUMNS} FROM rows WHERE kind = ? AND key = ? AND body IS NOT NULL`
const CHANGES = `SELECT ${COLUMNS} FROM rows WHERE seq > ? ORDER BY seq LIMIT ?`
const AUDIT = 'SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?'
const VERSION = 'SELECT version FROM rows WHERE kind = ? AND key = ?'
const META = 'SELECT seq, term, holder, expires_ms, ttl_ms FROM meta'
const SET_LEASE = 'UPDATE meta SET term = ?, holder = ?, expires_ms = ?, ttl_ms = ?'
const PUT_ROW = `INSERT INTO rows (${COLUMNS}, deleted_ms) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (kind, key) DO UPDATE
  SET version = excluded.version, seq = excluded.seq, body = excluded.body, deleted_ms = excluded.deleted_ms`
const PUT_EVENT = 'INSERT INTO events (seq, at_ms, project, subject, kind, facts) VALUES (?, ?, ?, ?, ?, ?)'
const PUT_AUDIT = 'INSERT INTO audit (seq, at_ms, actor, project, action, subject, facts) VALUES (?, ?, ?, ?, ?, ?, ?)'

/** The statements of the store, each prepared once. Every method blocks until the file has answered. */
class Disk {
  readonly #database: DatabaseSync
  readonly #nowMs: () => number
  /** By their text, of which there are a dozen. */
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync, nowMs: () => number) {
    this.#database = database
    this.#nowMs = nowMs
  }

  get<K extends RowKind>(kind: K, key: string): Row<K> | undefined {
    const record = this.#statement(GET).get(kind, key)
    return record === undefined ? undefined : showRow<K>(record)
  }

  list<K extends RowKind>(kind: K, page: Page): readonly Row<K>[] {
    const { from, isAfter, until } = rangeOf(page)
    const sql = `SELECT ${COLUMNS} FROM rows WHERE kind = ? AND key ${isAfter ? '>' : '>='} ?
      ${until === undefined ? '' : 'AND key < ?'} AND body IS NOT NULL ORDER BY key LIMIT ?`
    return this.page(sql, [kind, from, ...(until === undefined ? [] : [until])], page.limit).map((row) =>
      showRow<K>(row),
    )
  }

  events({ after, limit, project, subject }: EventQuery): readonly DatabaseRecord[] {
    const sql = `SELECT * FROM events WHERE seq > ? ${project === undefined ? '' : 'AND project = ?'}
      ${subject === undefined ? '' : 'AND subject = ?'} ORDER BY seq LIMIT ?`
    return this.page(
      sql,
      [after, project, subject].filter((value) => value !== undefined),
      limit,
    )
  }

  page(sql: string, values: readonly SQLInputValue[], limit: number): readonly DatabaseRecord[] {
    checkLimit(limit)
    return this.#statement(sql).all(...values, limit)
  }

  /** One transaction for the whole batch: one wait for the disk. */
  write(batch: readonly Asked<string>[]): readonly Committed[] {
    return this.transact(() => {
      const version = this.#statement(VERSION)
      const versionOf = (kind: RowKind, key: string): number => Number(version.get(kind, key)?.['version'] ?? 0)
      const outcome = evaluate({ seq: this.seq(), term: this.lease().term, versionOf }, batch)
      this.#put(outcome)
      return outcome.answers
    })
  }

  seq(): number {
    return Number(this.#statement(META).get()?.['seq'])
  }

  lease(): Lease {
    const meta = this.#statement(META).get()
    return {
      term: Number(meta?.['term']),
      holder: typeof meta?.['holder'] === 'string' ? meta['holder'] : undefined,
      expiresMs: Number(meta?.['expires_ms']),
      ttlMs: Number(meta?.['ttl_ms']),
    }
  }

  setLease({ term, holder, expiresMs, ttlMs }: Lease): void {
    this.#statement(SET_LEASE).run(term, holder ?? null, expiresMs, ttlMs)
  }

  lead(holder: string, ttlMs: number): Led {
    return this.transact(() => {
      const { lease, answer } = judgeLead(this.lease(), { holder, ttlMs }, this.#nowMs())
      this.setLease(lease)
      return answer
    })
  }

  /** In slices, between which others get their turn. */
  async prune(beforeMs: number): Promise<number> {
    const slice = (table: string, condition: string): number => {
      const sql = `DELETE FROM ${table} WHERE seq IN
        (SELECT seq FROM ${table} WHERE ${condition} < ? LIMIT ${PRUNE_SLICE})`
      return this.transact(() => Number(this.#statement(sql).run(beforeMs).changes))
    }
    while (slice('rows', 'deleted_ms') === PRUNE_SLICE) await nextTurn()
    let total = 0
    for (let count = PRUNE_SLICE; count === PRUNE_SLICE; total += count) {
      await nextTurn()
      count = slice('events', 'at_ms')
    }
    return total
  }

  transact<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      // SQLite has rolled back by itself after some errors.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      throw error
    }
  }

  #put({ rows, events, audit, seq }: Outcome<string>): void {
    for (const { kind, key, version, seq, body } of rows) {
      const deletedMs = body === undefined ? this.#nowMs() : null
      this.#statement(PUT_ROW).run(kind, key, version, seq, body ?? null, deletedMs)
    }
    for (const { seq, atMs, project, subject, kind, facts } of events) {
      this.#statement(PUT_EVENT).run(seq, atMs, project, subject, kind, JSON.stringify(facts))
    }
    for (const { seq, atMs, actor, project, action, subject, facts } of audit) {
      this.#statement(PUT_AUDIT).run(seq, atMs, actor, project, action, subject, JSON.stringify(facts))
    }
    this.#statement('UPDATE meta SET seq = ?').run(seq)
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const prepared = this.#database.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }
}
