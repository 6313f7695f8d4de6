import type { AuditEntry, EventEntry, NewAudit, NewEvent } from '../core/event/event.ts'
import type { RowBody, RowKind } from '../core/life/rows.ts'

/**
 * Where everything durable is kept. Rows have a version. A commit is a list of conditional writes that land together or not
 * at all, with the events and audit entries that belong to them. There are no open transactions: a commit is one call, so a
 * crash happens before it or after it.
 *
 * A call that rejects has an unknown outcome: the commit may have landed. The caller reads again before it decides.
 *
 * Every call takes a signal. Once it is aborted the call waits no longer, and rejects with the reason of the signal. What has
 * not begun by then is not done; a read that has begun is stopped where the database can do that.
 */
export interface Store {
  readonly get: <K extends RowKind>(kind: K, key: string, signal?: AbortSignal) => Promise<Row<K> | undefined>
  /** Rows by key, ascending, at most `limit` (1..10000): those after `after` whose key begins with `prefix`. Never stale. */
  readonly list: <K extends RowKind>(kind: K, page: Page, signal?: AbortSignal) => Promise<readonly Row<K>[]>
  /** Lands as a whole or not at all. Durable once it answers `done`. */
  readonly commit: (commit: Commit, signal?: AbortSignal) => Promise<Committed>
  /**
   * Everything written or deleted after `since` (0: from the start), by `seq`, at most `limit`. No change is ever skipped: a
   * lower seq never appears after a higher one. A row that changed twice appears once, at its last seq.
   */
  readonly changes: (since: number, limit: number, signal?: AbortSignal) => Promise<readonly StoreChange[]>
  /** The seq of the last write. */
  readonly head: (signal?: AbortSignal) => Promise<number>
  /** Events after a seq, oldest first, at most `limit` (1..10000). Events of others are not scanned to find them. */
  readonly events: (query: EventQuery, signal?: AbortSignal) => Promise<readonly EventEntry[]>
  /** Audit entries after a seq, oldest first, at most `limit` (1..10000). */
  readonly audit: (query: AuditQuery, signal?: AbortSignal) => Promise<readonly AuditEntry[]>
  /** How many rows of a kind have a key that begins with `prefix`; stops counting at `most` (1..1000000). */
  readonly count: (
    kind: RowKind,
    query: { readonly prefix: string; readonly most: number },
    signal?: AbortSignal,
  ) => Promise<number>
  /**
   * Takes or renews the lease. A holder that renews keeps its term; one that takes over an expired lease gets the next term.
   * The store's own clock decides when a lease has expired.
   */
  readonly lead: (holder: string, ttlMs: number, signal?: AbortSignal) => Promise<Led>
  /** Returns the lease if `holder` still has it, so that the next leader need not wait. */
  readonly yieldLead: (holder: string, signal?: AbortSignal) => Promise<void>
  /**
   * Deletes events older than this and returns their number; rows and audit entries stay. Marks of rows deleted before then go,
   * too: a reader that follows `changes` from further back must list everything again.
   */
  readonly prune: (beforeMs: number, signal?: AbortSignal) => Promise<number>
  readonly close: () => Promise<void>
}

export interface Row<K extends RowKind = RowKind> {
  readonly kind: K
  readonly key: string
  /** 1 when it is created, then one more with each write. Starts at 1 again after a delete. */
  readonly version: number
  /** The position of its last write in the sequence of all writes. */
  readonly seq: number
  readonly body: RowBody<K>
}

export interface Page {
  readonly prefix?: string
  readonly after?: string
  readonly limit: number
}

export interface Commit {
  /** Refused unless the lease still has this term: it fences off a leader that was asleep. Left out: no fence. */
  readonly term?: number
  readonly writes: readonly Write[]
  readonly events?: readonly NewEvent[]
  readonly audit?: readonly NewAudit[]
}

/** `version` is what the writer expects: 0 means no row; undefined, any version. A commit may touch each row only once. */
export type Write =
  | {
      [K in RowKind]: { readonly kind: K; readonly key: string; readonly version?: number; readonly body: RowBody<K> }
    }[RowKind]
  | { readonly kind: RowKind; readonly key: string; readonly version?: number; readonly body: undefined }

export type Committed =
  /** `versions`: of the written rows, in order; 0 for a delete. `seq`: of the last write. */
  | { readonly kind: 'done'; readonly versions: readonly number[]; readonly seq: number }
  /** Another writer was first; nothing was written. `version` is the current one (0: no row). */
  | {
      readonly kind: 'conflict'
      readonly row: { readonly kind: RowKind; readonly key: string }
      readonly version: number
    }
  /** Another term has begun; nothing was written. */
  | { readonly kind: 'fenced'; readonly term: number }

export type StoreChange =
  | Row
  | {
      readonly kind: RowKind
      readonly key: string
      readonly version: 0
      readonly seq: number
      readonly body: undefined
    }

export interface EventQuery {
  readonly after: number
  /** Only events with a lower seq; left out: all of them. */
  readonly before?: number
  readonly limit: number
  /** Left out: of every project. */
  readonly projects?: readonly string[]
  /** The object that they are about, as in the event: `workload/llama-70b`. */
  readonly subject?: string
  /** `last`: the last `limit` of them instead of the first, still oldest first. */
  readonly end?: 'first' | 'last'
}

/** Entries that match all of these; what is left out matches every entry. */
export interface AuditQuery {
  readonly after: number
  /** Only entries with a lower seq. */
  readonly before?: number | undefined
  readonly limit: number
  readonly project?: string | undefined
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** Only entries at this time or later. */
  readonly sinceMs?: number | undefined
  /** `last`: the last `limit` of them instead of the first, still oldest first. */
  readonly end?: 'first' | 'last'
}

export type Led =
  | { readonly kind: 'leading'; readonly term: number }
  | { readonly kind: 'following'; readonly term: number; readonly holder: string; readonly leftMs: number }
