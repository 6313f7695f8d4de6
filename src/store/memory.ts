import type { AuditEntry, EventEntry } from '../core/event/event.ts'
import type { RowKind } from '../core/life/rows.ts'
import type { AuditQuery, StoreChange, EventQuery, Page, Row, Store } from '../ports/store.ts'
import { abortable } from './abortable.ts'
import { checkLimit, prepare } from './check.ts'
import {
  evaluate,
  judgeLead,
  judgeYield,
  NO_LEASE,
  rowId,
  type Lease,
  type Outcome,
  type WrittenRow,
} from './evaluate.ts'
import { showRow } from './records.ts'
import { endOfPrefix, positionOf, rangeOf } from './keys.ts'

/** How a memory store is set up. */
export interface MemoryOptions {
  /** The clock for leases. */
  readonly nowMs: () => number
  /** Keeps bodies as JSON, as a database would: changing an object after the commit changes nothing in the store. */
  readonly strict?: boolean
  /** Encodes bodies, in any version of their kind; they are read as every database reads them. Takes precedence over `strict`. */
  readonly write?: (body: unknown, kind: RowKind) => string
}

/**
 * Keeps everything in this process, for simulations and trials. Without `strict`, bodies are kept by reference, so callers
 * must not change them afterwards. The data lives as long as the object: closing it loses nothing.
 */
export function memoryStore({ nowMs, strict = false, write }: MemoryOptions): Store {
  const capacity = new WorldCapacity()
  const encode = write ?? (strict ? (body: unknown): unknown => JSON.stringify(body) : (body: unknown): unknown => body)
  const decode = strict ? (kept: unknown): unknown => JSON.parse(String(kept)) : (kept: unknown): unknown => kept
  const show = <K extends RowKind>(written: WrittenRow<unknown>): Row<K> => {
    if (write !== undefined) return showRow<K>({ ...written })
    // A row of this kind and key was written with a body of that kind: the type of Write says so.
    return { ...written, body: decode(written.body) } as Row<K>
  }
  let lease: Lease = NO_LEASE

  return abortable({
    get: async (kind, key) => {
      const row = capacity.row(kind, key)
      return row === undefined || row.version === 0 ? undefined : show(row)
    },
    list: async <K extends RowKind>(kind: K, page: Page) => {
      checkLimit(page.limit)
      return capacity.page(kind, page).map((row) => show<K>(row))
    },
    commit: async (commit) => {
      const standing = { seq: capacity.seq, term: lease.term, versionOf: capacity.versionOf }
      const outcome = evaluate(standing, [prepare(commit, encode)])
      capacity.take(outcome, nowMs())
      const [answer] = outcome.answers
      if (answer === undefined) throw new Error('every commit has its answer')
      return answer
    },
    changes: async (since, limit) => {
      checkLimit(limit)
      return capacity
        .changes(since, limit)
        .map((row): StoreChange =>
          row.version === 0 ? { kind: row.kind, key: row.key, version: 0, seq: row.seq, body: undefined } : show(row),
        )
    },
    head: async () => capacity.seq,
    events: async (query) => {
      checkLimit(query.limit)
      return capacity.eventsOf(query)
    },
    audit: async (query) => {
      checkLimit(query.limit)
      return capacity.auditOf(query)
    },
    count: async (kind, query) => capacity.count(kind, query),
    lead: async (holder, ttlMs) => {
      const led = judgeLead(lease, { holder, ttlMs }, nowMs())
      lease = led.lease
      return led.answer
    },
    yieldLead: async (holder) => {
      lease = judgeYield(lease, holder)
    },
    prune: async (beforeMs) => capacity.prune(beforeMs),
    close: async () => {},
  })
}

/** Rows by key and by seq, with events and audit entries. */
class WorldCapacity {
  seq = 0
  events: EventEntry[] = []
  readonly audit: AuditEntry[] = []
  /** Deleted rows stay, with version 0, until they are pruned. */
  readonly #rows = new Map<string, WrittenRow<unknown>>()
  /** Keys of existing rows, sorted. */
  readonly #keys = new Map<RowKind, string[]>()
  /** Every write by seq. A write that a later one of the same row supersedes is skipped, and dropped later. */
  #log: WrittenRow<unknown>[] = []
  readonly #deletedMs = new Map<string, number>()

  row(kind: RowKind, key: string): WrittenRow<unknown> | undefined {
    return this.#rows.get(rowId(kind, key))
  }

  readonly versionOf = (kind: RowKind, key: string): number => this.row(kind, key)?.version ?? 0

  page(kind: RowKind, page: Page): readonly WrittenRow<unknown>[] {
    const keys = this.#keys.get(kind) ?? []
    const { from, isAfter, until } = rangeOf(page)
    const at = positionOf(keys, from)
    const first = isAfter && keys[at] === from ? at + 1 : at
    const last = until === undefined ? keys.length : positionOf(keys, until)
    return keys.slice(first, Math.min(last, first + page.limit)).flatMap((key) => this.row(kind, key) ?? [])
  }

  take(outcome: Outcome<unknown>, nowMs: number): void {
    for (const row of outcome.rows) this.#put(row, nowMs)
    this.events.push(...outcome.events)
    this.audit.push(...outcome.audit)
    this.seq = outcome.seq
    if (this.#log.length > 2 * this.#rows.size + 64) this.#log = this.#log.filter((row) => this.#isLast(row))
  }

  changes(since: number, limit: number): readonly WrittenRow<unknown>[] {
    const found: WrittenRow<unknown>[] = []
    for (let at = firstAfter(this.#log, since); at < this.#log.length && found.length < limit; at++) {
      const row = this.#log[at]
      if (row !== undefined && this.#isLast(row)) found.push(row)
    }
    return found
  }

  count(kind: RowKind, { prefix, most }: { readonly prefix: string; readonly most: number }): number {
    const keys = this.#keys.get(kind) ?? []
    const until = endOfPrefix(prefix)
    const last = until === undefined ? keys.length : positionOf(keys, until)
    return Math.min(most, last - positionOf(keys, prefix))
  }

  eventsOf({ after, before, limit, projects, subject, end = 'first' }: EventQuery): readonly EventEntry[] {
    const found: EventEntry[] = []
    const first = firstAfter(this.events, after)
    const until = before === undefined ? this.events.length : firstAfter(this.events, before - 1)
    for (let step = 0; first + step < until && found.length < limit; step++) {
      const event = this.events[end === 'first' ? first + step : until - 1 - step]
      if (event === undefined || projects?.includes(event.project) === false) continue
      if (subject === undefined || event.subject === subject) found.push(event)
    }
    return end === 'first' ? found : found.toReversed()
  }

  auditOf({ after, before, limit, end = 'first', ...filter }: AuditQuery): readonly AuditEntry[] {
    const until = before === undefined ? undefined : firstAfter(this.audit, before - 1)
    const entries = this.audit.slice(firstAfter(this.audit, after), until).filter((entry) => isWanted(entry, filter))
    return end === 'first' ? entries.slice(0, limit) : entries.slice(-limit)
  }

  prune(beforeMs: number): number {
    const before = this.events.length
    this.events = this.events.filter(({ atMs }) => atMs >= beforeMs)
    for (const [id, deletedMs] of this.#deletedMs) {
      if (deletedMs >= beforeMs) continue
      this.#rows.delete(id)
      this.#deletedMs.delete(id)
    }
    return before - this.events.length
  }

  #put(row: WrittenRow<unknown>, nowMs: number): void {
    const id = rowId(row.kind, row.key)
    const wasThere = this.versionOf(row.kind, row.key) > 0
    const keys = this.#keys.get(row.kind) ?? []
    this.#keys.set(row.kind, keys)
    if (row.version === 0) this.#deletedMs.set(id, nowMs)
    else this.#deletedMs.delete(id)
    if (row.version === 0 && wasThere) keys.splice(positionOf(keys, row.key), 1)
    if (row.version > 0 && !wasThere) keys.splice(positionOf(keys, row.key), 0, row.key)
    this.#rows.set(id, row)
    this.#log.push(row)
  }

  #isLast(row: WrittenRow<unknown>): boolean {
    return this.row(row.kind, row.key) === row
  }
}

function isWanted(
  entry: AuditEntry,
  { project, actor, action, sinceMs }: Omit<AuditQuery, 'after' | 'limit'>,
): boolean {
  if (project !== undefined && entry.project !== project) return false
  if (actor !== undefined && entry.actor !== actor) return false
  if (action !== undefined && entry.action !== action) return false
  return sinceMs === undefined || entry.atMs >= sinceMs
}

/** Index of the first entry with a seq greater than `seq`; entries are in order. */
function firstAfter(entries: readonly { readonly seq: number }[], seq: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle]?.seq ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low
}
