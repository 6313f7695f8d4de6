import type { PoolClient } from 'pg'
import { assert } from '../../core/base/assert.ts'
import type { AuditEntry, EventEntry } from '../../core/event/event.ts'
import type { RowKind } from '../../core/life/rows.ts'
import type { AuditQuery, Committed, EventQuery, Led, Page, Row, Store } from '../../ports/store.ts'
import { abortable } from '../abortable.ts'
import { checkLimit, prepare } from '../check.ts'
import { evaluate, judgeLead, judgeYield, rowId, type PreparedCommit, type Lease, type Outcome } from '../evaluate.ts'
import { groupCommits } from '../group.ts'
import { endOfPrefix, rangeOf } from '../keys.ts'
import { newer, openPostgresServer, withClient, type PostgresOptions, type PostgresServer } from './open.ts'
import { explainPostgres } from './problem.ts'
import { bodyText, showAudit, showChange, showEvent, showRow, type DatabaseRecord } from '../records.ts'

/**
 * Keeps everything in a schema of a PostgreSQL database, for any number of processes. A writer locks the one row of
 * `berth_meta` first, so writers take turns and seq grows in the order in which commits become visible.
 * Leases use the database's clock. Rejects with a UserError if the database cannot be used. A broken connection
 * rejects the calls in progress, and the next call makes a new one.
 */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  const server = await openPostgresServer(url, options)
  const remote = new Remote(server)
  let isClosed = false
  const answer = async <T>(work: () => Promise<T>): Promise<T> => {
    assert(!isClosed, 'the store is closed')
    try {
      return await work()
    } catch (error) {
      throw explainPostgres(error, server.shown)
    }
  }
  const group = groupCommits<string>((batch) => answer(() => remote.write(batch)))

  return abortable({
    get: (kind, key, signal) => answer(() => remote.with(signal).get(kind, key)),
    list: (kind, page, signal) => answer(() => remote.with(signal).list(kind, page)),
    commit: async (commit, signal) => group.commit(prepare(commit, bodyText), signal),
    changes: (since, limit, signal) =>
      answer(async () => (await remote.with(signal).changes(since, limit)).map(showChange)),
    head: (signal) => answer(() => remote.with(signal).head()),
    events: (query, signal) => answer(async () => (await remote.with(signal).events(query)).map(showEvent)),
    audit: (query, signal) => answer(async () => (await remote.with(signal).audit(query)).map(showAudit)),
    count: (kind, query, signal) => answer(() => remote.with(signal).count(kind, query)),
    lead: (holder, ttlMs) => answer(() => remote.lead(holder, ttlMs)),
    yieldLead: (holder) => answer(() => remote.yieldLead(holder)),
    prune: (beforeMs) => answer(() => remote.prune(beforeMs)),
    close: async () => {
      await group.close()
      if (!isClosed) await server.close()
      isClosed = true
    },
  })
}

const PRUNE_SLICE = 5_000
const COLUMNS = 'kind, key, version, seq, body'

/** The one row that writers lock, as it is in their transaction. */
interface Meta {
  readonly seq: number
  readonly lease: Lease
  readonly nowMs: number
}

class Remote {
  readonly #server: PostgresServer
  readonly #schema: string
  readonly #signal: AbortSignal | undefined

  constructor(server: PostgresServer, signal?: AbortSignal) {
    this.#server = server
    this.#schema = server.schema
    this.#signal = signal
  }

  /** The same, whose reads end once the signal is aborted. */
  with(signal: AbortSignal | undefined): Remote {
    return signal === undefined ? this : new Remote(this.#server, signal)
  }

  async get<K extends RowKind>(kind: K, key: string): Promise<Row<K> | undefined> {
    const [record] = await this.#read(
      `SELECT ${COLUMNS} FROM ${this.#schema}.rows WHERE kind = $1 AND key = $2 AND body IS NOT NULL`,
      [kind, key],
    )
    return record === undefined ? undefined : showRow<K>(record)
  }

  async list<K extends RowKind>(kind: K, page: Page): Promise<readonly Row<K>[]> {
    checkLimit(page.limit)
    const { from, isAfter, until } = rangeOf(page)
    const records = await this.#read(
      `SELECT ${COLUMNS} FROM ${this.#schema}.rows WHERE kind = $1 AND key ${isAfter ? '>' : '>='} $2
        ${until === undefined ? '' : 'AND key < $4'} AND body IS NOT NULL ORDER BY key LIMIT $3`,
      [kind, from, page.limit, ...(until === undefined ? [] : [until])],
    )
    return records.map((record) => showRow<K>(record))
  }

  changes(since: number, limit: number): Promise<readonly DatabaseRecord[]> {
    checkLimit(limit)
    return this.#read(`SELECT ${COLUMNS} FROM ${this.#schema}.rows WHERE seq > $1 ORDER BY seq LIMIT $2`, [
      since,
      limit,
    ])
  }

  async head(): Promise<number> {
    const [meta] = await this.#read(`SELECT seq FROM ${this.#schema}.berth_meta`, [])
    return Number(meta?.['seq'])
  }

  /** Scans the index for each project separately, so rows of other projects are not read, however many there are. */
  async events(query: EventQuery): Promise<readonly DatabaseRecord[]> {
    const { after, before = Number.MAX_SAFE_INTEGER, limit, projects, subject, end = 'first' } = query
    checkLimit(limit)
    const order = end === 'first' ? 'ASC' : 'DESC'
    const about = subject === undefined ? '' : 'AND subject = $4'
    const values = [after, limit, before, ...(subject === undefined ? [] : [subject])]
    const walk = (
      more: string,
    ): string => `SELECT * FROM ${this.#schema}.events WHERE seq > $1 AND seq < $3 ${about} ${more}
      ORDER BY seq ${order} LIMIT $2`
    const list = `$${values.length + 1}::text[]`
    const found = await (projects === undefined
      ? this.#read(walk(''), values)
      : this.#read(
          `SELECT found.* FROM unnest(${list}) AS mine (name)
            CROSS JOIN LATERAL (${walk('AND project = mine.name')}) AS found ORDER BY seq ${order} LIMIT $2`,
          [...values, [...new Set(projects)]],
        ))
    return end === 'first' ? found : found.toReversed()
  }

  async audit(query: AuditQuery): Promise<readonly DatabaseRecord[]> {
    const { after, before = Number.MAX_SAFE_INTEGER, limit, project, actor, action, sinceMs, end = 'first' } = query
    checkLimit(limit)
    const filters = Object.entries({ 'project =': project, 'actor =': actor, 'action =': action, 'at_ms >=': sinceMs })
    const asked = filters.filter(([, value]) => value !== undefined)
    const found = await this.#read(
      `SELECT * FROM ${this.#schema}.audit WHERE seq > $1 AND seq < $3
        ${asked.map(([filter], at) => `AND ${filter} $${at + 4}`).join(' ')}
        ORDER BY seq ${end === 'first' ? 'ASC' : 'DESC'} LIMIT $2`,
      [after, limit, before, ...asked.map(([, value]) => value)],
    )
    return end === 'first' ? found : found.toReversed()
  }

  async count(kind: RowKind, { prefix, most }: { readonly prefix: string; readonly most: number }): Promise<number> {
    const until = endOfPrefix(prefix)
    const [counted] = await this.#read(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${this.#schema}.rows WHERE kind = $1 AND key >= $2
        ${until === undefined ? '' : 'AND key < $4'} AND body IS NOT NULL LIMIT $3) AS those`,
      [kind, prefix, most, ...(until === undefined ? [] : [until])],
    )
    return Number(counted?.['count'])
  }

  /** Four round trips, however large the batch: lock, read versions, write everything, commit. */
  write(batch: readonly PreparedCommit<string>[]): Promise<readonly Committed[]> {
    return this.#transact(async (client, meta) => {
      const versions = await this.#versions(client, batch)
      const versionOf = (kind: RowKind, key: string): number => versions.get(rowId(kind, key)) ?? 0
      const outcome = evaluate({ seq: meta.seq, term: meta.lease.term, versionOf }, batch)
      if (outcome.seq > meta.seq) await this.#put(client, outcome, meta.nowMs)
      return outcome.answers
    })
  }

  lead(holder: string, ttlMs: number): Promise<Led> {
    return this.#transact(async (client, { lease, nowMs }) => {
      const led = judgeLead(lease, { holder, ttlMs }, nowMs)
      await this.#setLease(client, led.lease)
      return led.answer
    })
  }

  yieldLead(holder: string): Promise<void> {
    return this.#transact((client, { lease }) => this.#setLease(client, judgeYield(lease, holder)))
  }

  /** In slices, so that writers never wait long. */
  async prune(beforeMs: number): Promise<number> {
    const slice = (table: string, condition: string): Promise<number> =>
      this.#transact(async (client) => {
        const { rowCount } = await client.query(
          `DELETE FROM ${this.#schema}.${table} WHERE seq IN
            (SELECT seq FROM ${this.#schema}.${table} WHERE ${condition} < $1 LIMIT ${PRUNE_SLICE})`,
          [beforeMs],
        )
        return rowCount ?? 0
      })
    while ((await slice('rows', 'deleted_ms')) === PRUNE_SLICE);
    let total = 0
    for (let count = PRUNE_SLICE; count === PRUNE_SLICE; total += count) count = await slice('events', 'at_ms')
    return total
  }

  async #read(text: string, values: readonly unknown[]): Promise<readonly DatabaseRecord[]> {
    const signal = this.#signal
    return withClient(this.#server.readers, async (client) => {
      signal?.throwIfAborted()
      const cancel = (): void => void this.#cancel(client)
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        const { rows } = await client.query(text, [...values])
        // The cancellation may still be under way: a connection that is thrown away cannot be hit by it later.
        signal?.throwIfAborted()
        return rows
      } finally {
        signal?.removeEventListener('abort', cancel)
      }
    })
  }

  /** Asks the server to stop what a connection is doing. Nothing depends on the outcome. */
  async #cancel(client: PoolClient): Promise<void> {
    // The driver keeps the number of its server process, which its type does not declare.
    const { processID } = client as PoolClient & { readonly processID?: number }
    await this.#server.writers.query('SELECT pg_cancel_backend($1)', [processID]).catch(() => undefined)
  }

  /**
   * Runs `work` while no other process writes. If this session goes silent (frozen, cut off), the server ends it,
   * so it delays the others only for a moment. The time is read after the lock is acquired.
   */
  #transact<T>(work: (client: PoolClient, meta: Meta) => Promise<T>): Promise<T> {
    const begin = `BEGIN; SET LOCAL synchronous_commit = on;
      SET LOCAL idle_in_transaction_session_timeout = ${this.#server.silenceMs};
      SELECT * FROM ${this.#schema}.berth_meta FOR UPDATE;
      SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms`
    return withClient(this.#server.writers, async (client) => {
      // For several statements the driver returns a list, which its type does not declare.
      const results = (await client.query(begin)) as unknown as readonly { readonly rows: readonly DatabaseRecord[] }[]
      const meta = results.at(-2)?.rows[0]
      const version = Number(meta?.['schema_version'])
      if (version > this.#server.version) throw newer(this.#server.shown, version, this.#server.version)
      const result = await work(client, metaOf(meta, results.at(-1)?.rows[0]))
      const { command } = await client.query('COMMIT')
      assert(command === 'COMMIT', 'a transaction that did not fail is committed')
      return result
    })
  }

  async #versions(client: PoolClient, batch: readonly PreparedCommit<string>[]): Promise<ReadonlyMap<string, number>> {
    const writes = batch.flatMap(({ writes }) => writes)
    if (writes.length === 0) return new Map()
    // With outdated statistics a join could read the whole table; a subquery looks each row up by its key.
    const { rows } = await client.query({
      name: 'versions',
      text: `SELECT kind, key, (SELECT version FROM ${this.#schema}.rows WHERE kind = asked.kind AND key = asked.key)
        FROM unnest($1::text[], $2::text[]) AS asked (kind, key)`,
      values: [writes.map(({ kind }) => kind), writes.map(({ key }) => key)],
    })
    return new Map(rows.map(({ kind, key, version }) => [rowId(kind, key), Number(version ?? 0)]))
  }

  async #put(client: PoolClient, { rows, events, audit, seq }: Outcome<string>, nowMs: number): Promise<void> {
    await client.query({
      name: 'put',
      text: putQuery(this.#schema),
      values: [seq, ...rowColumns(rows, nowMs), ...entryColumns([...events, ...audit])],
    })
  }

  async #setLease(client: PoolClient, { term, holder, expiresMs, ttlMs }: Lease): Promise<void> {
    await client.query(`UPDATE ${this.#schema}.berth_meta SET term = $1, holder = $2, expires_ms = $3, ttl_ms = $4`, [
      term,
      holder ?? null,
      expiresMs,
      ttlMs,
    ])
  }
}

function metaOf(meta: DatabaseRecord | undefined, now: DatabaseRecord | undefined): Meta {
  const holder = meta?.['holder']
  return {
    seq: Number(meta?.['seq']),
    nowMs: Number(now?.['now_ms']),
    lease: {
      term: Number(meta?.['term']),
      holder: typeof holder === 'string' ? holder : undefined,
      expiresMs: Number(meta?.['expires_ms']),
      ttlMs: Number(meta?.['ttl_ms']),
    },
  }
}

/** Values to write are sent column by column, one list each. */
function rowColumns(rows: Outcome<string>['rows'], nowMs: number): readonly unknown[] {
  return [
    rows.map(({ kind }) => kind),
    rows.map(({ key }) => key),
    rows.map(({ version }) => version),
    rows.map(({ seq }) => seq),
    rows.map(({ body }) => body ?? null),
    rows.map(({ body }) => (body === undefined ? nowMs : null)),
  ]
}

function entryColumns(entries: readonly (EventEntry | AuditEntry)[]): readonly unknown[] {
  return [
    entries.map(({ seq }) => seq),
    entries.map(({ atMs }) => atMs),
    entries.map(({ project }) => project),
    entries.map(({ subject }) => subject),
    entries.map(({ facts }) => JSON.stringify(facts)),
    entries.map((entry) => ('kind' in entry ? entry.kind : null)),
    entries.map((entry) => ('actor' in entry ? entry.actor : null)),
    entries.map((entry) => ('action' in entry ? entry.action : null)),
  ]
}

/** Rows, events, audit entries and the new seq in one statement. Events have a kind; audit entries have none. */
function putQuery(schema: string): string {
  return `WITH put_rows AS (
      INSERT INTO ${schema}.rows (${COLUMNS}, deleted_ms)
      SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::float8[])
      ON CONFLICT (kind, key) DO UPDATE
      SET version = excluded.version, seq = excluded.seq, body = excluded.body, deleted_ms = excluded.deleted_ms
    ), entries AS (
      SELECT * FROM unnest($8::bigint[], $9::float8[], $10::text[], $11::text[], $12::text[], $13::text[],
        $14::text[], $15::text[]) AS entry (seq, at_ms, project, subject, facts, kind, actor, action)
    ), put_events AS (
      INSERT INTO ${schema}.events (seq, at_ms, project, subject, kind, facts)
      SELECT seq, at_ms, project, subject, kind, facts FROM entries WHERE kind IS NOT NULL
    ), put_audit AS (
      INSERT INTO ${schema}.audit (seq, at_ms, actor, project, action, subject, facts)
      SELECT seq, at_ms, actor, project, action, subject, facts FROM entries WHERE kind IS NULL
    )
    UPDATE ${schema}.berth_meta SET seq = $1::bigint`
}
