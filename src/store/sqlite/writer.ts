import type { DatabaseSync } from 'node:sqlite'
import type { RowKind } from '../../core/life/rows.ts'
import type { Committed, Led } from '../../ports/store.ts'
import { evaluate, judgeLead, judgeYield, type Lease, type Outcome, type PreparedCommit } from '../evaluate.ts'
import { COLUMNS, META } from './sql.ts'
import { Statements } from './statements.ts'

const VERSION = 'SELECT version FROM rows WHERE kind = ? AND key = ?'
const SET_LEASE = 'UPDATE meta SET term = ?, holder = ?, expires_ms = ?, ttl_ms = ?'
const PUT_ROW = `INSERT INTO rows (${COLUMNS}, deleted_ms) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (kind, key) DO UPDATE
  SET version = excluded.version, seq = excluded.seq, body = excluded.body, deleted_ms = excluded.deleted_ms`
const PUT_EVENT = 'INSERT INTO events (seq, at_ms, project, subject, kind, facts) VALUES (?, ?, ?, ?, ?, ?)'
const PUT_AUDIT = 'INSERT INTO audit (seq, at_ms, actor, project, action, subject, facts) VALUES (?, ?, ?, ?, ?, ?, ?)'

/** How many rows are deleted in one transaction. */
export const PRUNE_SLICE = 2_000

/** Everything that changes the file. Each call is one transaction, on disk when it returns; times come from the caller. */
export class Writer {
  readonly #database: DatabaseSync
  readonly #statements: Statements

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#statements = new Statements(database)
  }

  /** One transaction for the whole batch: one wait for the disk. */
  write(batch: readonly PreparedCommit<string>[], nowMs: number): readonly Committed[] {
    return this.#transact(() => {
      const version = this.#statements.of(VERSION)
      const versionOf = (kind: RowKind, key: string): number => Number(version.get(kind, key)?.['version'] ?? 0)
      const { seq, term } = this.#meta()
      const outcome = evaluate({ seq, term, versionOf }, batch)
      this.#put(outcome, nowMs)
      return outcome.answers
    })
  }

  lead(holder: string, ttlMs: number, nowMs: number): Led {
    return this.#transact(() => {
      const { lease, answer } = judgeLead(this.#meta(), { holder, ttlMs }, nowMs)
      this.#setLease(lease)
      return answer
    })
  }

  yieldLead(holder: string): void {
    this.#transact(() => this.#setLease(judgeYield(this.#meta(), holder)))
  }

  /** Deletes a slice of what is older: marks of deleted rows, or events. Returns how many; fewer than a slice: there are no more. */
  prune(table: 'rows' | 'events', beforeMs: number): number {
    const sql = `DELETE FROM ${table} WHERE seq IN
      (SELECT seq FROM ${table} WHERE ${table === 'rows' ? 'deleted_ms' : 'at_ms'} < ? LIMIT ${PRUNE_SLICE})`
    return this.#transact(() => Number(this.#statements.of(sql).run(beforeMs).changes))
  }

  close(): void {
    this.#database.close()
  }

  #meta(): Lease & { readonly seq: number } {
    const meta = this.#statements.of(META).get()
    return {
      seq: Number(meta?.['seq']),
      term: Number(meta?.['term']),
      holder: typeof meta?.['holder'] === 'string' ? meta['holder'] : undefined,
      expiresMs: Number(meta?.['expires_ms']),
      ttlMs: Number(meta?.['ttl_ms']),
    }
  }

  #setLease({ term, holder, expiresMs, ttlMs }: Lease): void {
    this.#statements.of(SET_LEASE).run(term, holder ?? null, expiresMs, ttlMs)
  }

  #put({ rows, events, audit, seq }: Outcome<string>, nowMs: number): void {
    for (const { kind, key, version, seq, body } of rows) {
      const deletedMs = body === undefined ? nowMs : null
      this.#statements.of(PUT_ROW).run(kind, key, version, seq, body ?? null, deletedMs)
    }
    for (const { seq, atMs, project, subject, kind, facts } of events) {
      this.#statements.of(PUT_EVENT).run(seq, atMs, project, subject, kind, JSON.stringify(facts))
    }
    for (const { seq, atMs, actor, project, action, subject, facts } of audit) {
      this.#statements.of(PUT_AUDIT).run(seq, atMs, actor, project, action, subject, JSON.stringify(facts))
    }
    this.#statements.of('UPDATE meta SET seq = ?').run(seq)
  }

  #transact<T>(work: () => T): T {
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
  }
}
