import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { assert } from '../../core/base/assert.ts'
import type { AuditEntry, EventEntry } from '../../core/event/event.ts'
import type { RowKind } from '../../core/life/rows.ts'
import type { AuditQuery, StoreChange, Committed, EventQuery, Led, Page, Row, Store } from '../../ports/store.ts'
import { abortable } from '../abortable.ts'
import { checkLimit, prepare } from '../check.ts'
import { evaluate, judgeLead, judgeYield, rowId, type PreparedCommit, type Lease, type Outcome } from '../evaluate.ts'
import { groupCommits } from '../group.ts'
import { nextTurn } from '../../ports/turn.ts'
import { endOfPrefix, rangeOf } from '../keys.ts'
import { bodyText, showAudit, showChange, showEvent, showRow, type DatabaseRecord } from '../records.ts'
import { openSqliteFile, type SqliteFileOptions } from './open.ts'
import { explainSqlite } from './problem.ts'
import { makeTurns } from '../turns.ts'

/** How a SQLite store is set up. */
export interface SqliteOptions extends SqliteFileOptions {
  /** The clock for leases. */
  readonly nowMs: () => number
}

/**
 * Keeps everything in one file, for one process. Durable: a commit is answered after it is on disk. Rejects with a
 * UserError if the file cannot be used. On opening, the lease is free at once: no other process can have the file open,
 * so its last holder is gone.
 */
export async function openSqliteStore(path: string, options: SqliteOptions): Promise<Store> {
  const file = openSqliteFile(path, options)
  const disk = new Disk(file.database, options.nowMs)
  let isClosed = false
  /** Every call is asynchronous, and an error of the disk becomes a UserError with a hint. */
  const answer = async <T>(work: () => T | Promise<T>): Promise<T> => {
    assert(!isClosed, 'the store is closed')
    try {
      return await work()
    } catch (error) {
      throw explainSqlite(error, file.path)
    }
  }
  const group = groupCommits<string>((batch) => answer(() => disk.write(batch)))

  return abortable({
    get: (kind, key, signal) => answer(() => disk.get(kind, key, signal)),
    list: (kind, page, signal) => answer(() => disk.list(kind, page, signal)),
    commit: async (commit, signal) => group.commit(prepare(commit, bodyText), signal),
    changes: (since, limit, signal) => answer(() => disk.changes(since, limit, signal)),
    head: () => answer(() => disk.head()),
    events: (query, signal) => answer(() => disk.events(query, signal)),
    audit: (query, signal) => answer(() => disk.audit(query, signal)),
    count: (kind, query) => answer(() => disk.count(kind, query)),
    lead: (holder, ttlMs) => answer(() => disk.lead(holder, ttlMs)),
    yieldLead: (holder) => answer(() => disk.yieldLead(holder)),
    prune: (beforeMs) => answer(() => disk.prune(beforeMs)),
    close: async () => {
      await group.close()
      if (!isClosed) file.close()
      isClosed = true
    },
  })
}

const PRUNE_SLICE = 2_000
const COLUMNS = 'kind, key, version, seq, body'
const GET = `SELECT ${COLUMNS} FROM rows WHERE kind = ? AND key = ? AND body IS NOT NULL`
const CHANGES = `SELECT ${COLUMNS} FROM rows WHERE seq > ? ORDER BY seq LIMIT ?`
const EVENT = 'SELECT * FROM events WHERE seq = ?'
const VERSION = 'SELECT version FROM rows WHERE kind = ? AND key = ?'
const META = 'SELECT seq, term, holder, expires_ms, ttl_ms FROM meta'
const SET_LEASE = 'UPDATE meta SET term = ?, holder = ?, expires_ms = ?, ttl_ms = ?'
const PUT_ROW = `INSERT INTO rows (${COLUMNS}, deleted_ms) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (kind, key) DO UPDATE
  SET version = excluded.version, seq = excluded.seq, body = excluded.body, deleted_ms = excluded.deleted_ms`
const PUT_EVENT = 'INSERT INTO events (seq, at_ms, project, subject, kind, facts) VALUES (?, ?, ?, ?, ?, ?)'
const PUT_AUDIT = 'INSERT INTO audit (seq, at_ms, actor, project, action, subject, facts) VALUES (?, ?, ?, ?, ?, ?, ?)'

/** The statements of the store, each prepared once. Reads take turns; writes block until they are done. */
class Disk {
  readonly #database: DatabaseSync
  readonly #nowMs: () => number
  /** By their text; there are about a dozen. */
  readonly #statements = new Map<string, StatementSync>()
  readonly #turns = makeTurns()

  constructor(database: DatabaseSync, nowMs: () => number) {
    this.#database = database
    this.#nowMs = nowMs
  }

  get<K extends RowKind>(kind: K, key: string, signal?: AbortSignal): Promise<Row<K> | undefined> {
    return this.#turns.soon(() => {
      const record = this.#statement(GET).get(kind, key)
      return record === undefined ? undefined : showRow<K>(record)
    }, signal)
  }

  head(): Promise<number> {
    return this.#turns.soon(() => this.seq())
  }

  list<K extends RowKind>(kind: K, page: Page, signal?: AbortSignal): Promise<readonly Row<K>[]> {
    const range = rangeOf(page)
    const { until } = range
    const ask = (last: Row<K> | undefined): Statement => {
      const isAfter = last !== undefined || range.isAfter
      const sql = `SELECT ${COLUMNS} FROM rows WHERE kind = ? AND key ${isAfter ? '>' : '>='} ?
        ${until === undefined ? '' : 'AND key < ?'} AND body IS NOT NULL ORDER BY key LIMIT ?`
      return { sql, values: [kind, last?.key ?? range.from, ...(until === undefined ? [] : [until])] }
    }
    return this.#read({ limit: page.limit, signal }, ask, (record) => showRow<K>(record))
  }

  /** A row that changes between two pieces appears in both; only its last position counts. */
  async changes(since: number, limit: number, signal?: AbortSignal): Promise<readonly StoreChange[]> {
    const ask = (last: StoreChange | undefined): Statement => ({ sql: CHANGES, values: [last?.seq ?? since] })
    const found = await this.#read({ limit, signal }, ask, showChange)
    const lastAt = new Map(found.map(({ kind, key }, at) => [rowId(kind, key), at]))
    return found.filter(({ kind, key }, at) => lastAt.get(rowId(kind, key)) === at)
  }

  /** Scans the index for each project separately, and returns only seqs. */
  async events(query: EventQuery, signal?: AbortSignal): Promise<readonly EventEntry[]> {
    const { after, before = Number.MAX_SAFE_INTEGER, limit, projects, subject, end = 'first' } = query
    checkLimit(limit)
    const [order, sign] = end === 'first' ? (['ASC', 1] as const) : (['DESC', -1] as const)
    const walk = <T extends { readonly seq: number }>(
      columns: string,
      project: string | undefined,
      show: (record: DatabaseRecord) => T,
    ): Promise<readonly T[]> => {
      const index = indexOf({ project, subject })
      const sql = `SELECT ${columns} FROM events ${index} WHERE seq > ? AND seq < ?
        ${project === undefined ? '' : 'AND project = ?'} ${subject === undefined ? '' : 'AND subject = ?'}
        ORDER BY seq ${order} LIMIT ?`
      const filters = [project, subject].filter((value) => value !== undefined)
      const ask = (last: T | undefined): Statement => {
        const from = end === 'first' ? (last?.seq ?? after) : after
        const until = end === 'first' ? before : (last?.seq ?? before)
        return { sql, values: [from, until, ...filters] }
      }
      return this.#read({ limit, signal }, ask, show)
    }
    const mine = projects === undefined ? undefined : [...new Set(projects)]
    if (mine === undefined || mine.length === 1) {
      const found = await walk('*', mine?.[0], showEvent)
      return end === 'first' ? found : found.toReversed()
    }
    const seqs: number[] = []
    for (const project of mine) {
      seqs.push(...(await walk('seq', project, ({ seq }) => ({ seq: Number(seq) }))).map(({ seq }) => seq))
    }
    const wanted = seqs.toSorted((one, other) => sign * (one - other)).slice(0, limit)
    return this.#eventsAt(wanted.toSorted((one, other) => one - other))
  }

  /**
   * Actor, action and time have no index, because audit entries are written often and read rarely. The entries of the project
   * are walked through instead, in pieces, so that a rare action among many entries keeps no other work waiting.
   */
  async audit(query: AuditQuery, signal?: AbortSignal): Promise<readonly AuditEntry[]> {
    const { limit, project, end = 'first' } = query
    checkLimit(limit)
    const sql = `SELECT * FROM audit ${project === undefined ? '' : 'INDEXED BY audit_by_project'}
      WHERE seq > ? AND seq < ? ${project === undefined ? '' : 'AND project = ?'}
      ORDER BY seq ${end === 'first' ? 'ASC' : 'DESC'}`
    let { after, before = Number.MAX_SAFE_INTEGER } = query
    const found: AuditEntry[] = []
    await this.#turns.pieces((isLong) => {
      for (const record of this.#statement(sql).iterate(after, before, ...(project === undefined ? [] : [project]))) {
        if (end === 'first') after = Number(record['seq'])
        else before = Number(record['seq'])
        if (isAudited(record, query)) found.push(showAudit(record))
        if (found.length === limit) return found
        if (isLong()) return undefined
      }
      return found
    }, signal)
    return end === 'first' ? found : found.toReversed()
  }

  count(kind: RowKind, { prefix, most }: { readonly prefix: string; readonly most: number }): Promise<number> {
    const until = endOfPrefix(prefix)
    const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM rows WHERE kind = ? AND key >= ?
      ${until === undefined ? '' : 'AND key < ?'} AND body IS NOT NULL LIMIT ?)`
    const values = [kind, prefix, ...(until === undefined ? [] : [until]), most]
    return this.#turns.soon(() => Number(this.#statement(sql).get(...values)?.['count']))
  }

  /** The rows of a statement, in as many pieces as needed; `ask` continues after the last row of the previous piece. */
  async #read<T>(
    { limit, signal }: { readonly limit: number; readonly signal: AbortSignal | undefined },
    ask: (last: T | undefined) => Statement,
    show: (record: DatabaseRecord) => T,
  ): Promise<readonly T[]> {
    checkLimit(limit)
    const found: T[] = []
    return this.#turns.pieces((isLong) => {
      const { sql, values } = ask(found.at(-1))
      for (const record of this.#statement(sql).iterate(...values, limit - found.length)) {
        found.push(show(record))
        if (found.length < limit && isLong()) return undefined
      }
      return found
    }, signal)
  }

  async #eventsAt(seqs: readonly number[]): Promise<readonly EventEntry[]> {
    const found: EventEntry[] = []
    let at = 0
    return this.#turns.pieces((isLong) => {
      for (; at < seqs.length; at++) {
        if (isLong()) return undefined
        const record = this.#statement(EVENT).get(seqs[at] ?? 0)
        if (record !== undefined) found.push(showEvent(record))
      }
      return found
    })
  }

  /** One transaction for the whole batch: one wait for the disk. */
  write(batch: readonly PreparedCommit<string>[]): readonly Committed[] {
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

  yieldLead(holder: string): void {
    this.transact(() => this.setLease(judgeYield(this.lease(), holder)))
  }

  lead(holder: string, ttlMs: number): Led {
    return this.transact(() => {
      const { lease, answer } = judgeLead(this.lease(), { holder, ttlMs }, this.#nowMs())
      this.setLease(lease)
      return answer
    })
  }

  /** In slices, between which other calls get their turn. */
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
    return this.#turns.now(() => {
      this.#database.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        this.#database.exec('COMMIT')
        return result
      } catch (error) {
        // After some errors SQLite has already rolled back.
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
        throw error
      }
    })
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

interface Statement {
  readonly sql: string
  /** Without the limit, which every statement ends with. */
  readonly values: readonly SQLInputValue[]
}

function isAudited(record: DatabaseRecord, { actor, action, sinceMs }: AuditQuery): boolean {
  if (actor !== undefined && record['actor'] !== actor) return false
  if (action !== undefined && record['action'] !== action) return false
  return sinceMs === undefined || Number(record['at_ms']) >= sinceMs
}

/** Names the index explicitly, because no statistics are kept: the scan must start at the requested rows. */
function indexOf({ project, subject }: { readonly project: string | undefined; readonly subject: string | undefined }) {
  if (project === undefined) return subject === undefined ? '' : 'INDEXED BY events_by_subject'
  return `INDEXED BY ${subject === undefined ? 'events_by_project' : 'events_by_project_subject'}`
}
