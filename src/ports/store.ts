import type { AuditEntry, EventEntry, NewAudit, NewEvent } from '../core/event/event.ts'
import type { RowBody, RowKind } from '../core/life/rows.ts'

/**
 * Where everything durable lies. Rows carry a version; a commit is a list of conditional writes that land all together
 * or not at all, with the events and audit entries that belong to them. There are no open transactions: a commit is one
 * call, so a crash is before it or after it.
 *
 * A call that rejects has an unknown outcome: the commit may have landed. Whoever made it reads again before deciding.
 */
export interface Store {
  readonly get: <K extends RowKind>(kind: K, key: string) => Promise<Row<K> | undefined>
  /** Rows by key, ascending, at most `limit` (1..10000), those after `after` whose key begins with `prefix`. Never stale. */
  readonly list: <K extends RowKind>(kind: K, page: Page) => Promise<readonly Row<K>[]>
  /** Lands whole or not at all. Durable when it answers `done`. */
  readonly commit: (commit: Commit) => Promise<Committed>
  /**
   * Everything written or deleted after `since` (0: from the start), by `seq`, at most `limit`. No change is ever skipped: a lower
   * seq never appears after a higher one was returned. A row that changed twice appears once, at its last seq.
   */
  readonly changes: (since: number, limit: number) => Promise<readonly StoreChange[]>
  /** The seq of the last write of all. */
  readonly head: () => Promise<number>
  /** Events after a seq, oldest first, at most `limit` (1..10000). What others have is not read to find them. */
  readonly events: (query: EventQuery) => Promise<readonly EventEntry[]>
  readonly audit: (query: AuditQuery) => Promise<readonly AuditEntry[]>
  /** How many rows of a kind have a key that begins with `prefix`; counts no further than `most` (1..1000000). */
  readonly count: (kind: RowKind, query: { readonly prefix: string; readonly most: number }) => Promise<number>
  /**
   * Takes or renews the lease. Whoever holds it keeps its term; whoever takes it over after it ran out gets the next one.
   * The store's own clock decides when a lease has run out.
   */
  readonly lead: (holder: string, ttlMs: number) => Promise<Led>
  /** Gives the lease back, if `holder` still has it: the next one need not wait. */
  readonly yieldLead: (holder: string) => Promise<void>
  /**
   * Deletes events older than this, and answers how many; rows and audit entries stay. Marks of rows that were deleted
   * before go, too: whoever follows `changes` from further back than that lists everything anew.
   */
  readonly prune: (beforeMs: number) => Promise<number>
  readonly close: () => Promise<void>
}

export interface Row<K extends RowKind = RowKind> {
  readonly kind: K
  readonly key: string
  /** 1 when it is created, then one more with each write. Starts at 1 again after a delete. */
  readonly version: number
  /** When it was written last, on the one line of all writes. */
  readonly seq: number
  readonly body: RowBody<K>
}

export interface Page {
  readonly prefix?: string
  readonly after?: string
  readonly limit: number
}

export interface Commit {
  /** Refused unless the lease still has this term: the fence against a leader that was asleep. Left out: anybody may. */
  readonly term?: number
  readonly writes: readonly Write[]
  readonly events?: readonly NewEvent[]
  readonly audit?: readonly NewAudit[]
}

/** `version` is what the writer believes is there: 0, nothing; undefined, whatever it is. A commit touches a row once. */
export type Write =
  | {
      [K in RowKind]: { readonly kind: K; readonly key: string; readonly version?: number; readonly body: RowBody<K> }
    }[RowKind]
  | { readonly kind: RowKind; readonly key: string; readonly version?: number; readonly body: undefined }

export type Committed =
  /** `versions`: those of the rows written, in order; 0 for a delete. `seq`: of the last thing written. */
  | { readonly kind: 'done'; readonly versions: readonly number[]; readonly seq: number }
  /** Somebody else was there first; nothing was written. `version` is what is there now (0: nothing). */
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
  readonly limit: number
  /** Left out: of every project. */
  readonly projects?: readonly string[]
  /** The object they are about, as the event has it: `workload/llama-70b`. */
  readonly subject?: string
  /** `last`: not the first `limit` of them but the last, oldest first all the same. */
  readonly end?: 'first' | 'last'
}

export interface AuditQuery {
  readonly after: number
  readonly limit: number
  /** Left out: of every project. */
  readonly project?: string
}

export type Led =
  | { readonly kind: 'leading'; readonly term: number }
  | { readonly kind: 'following'; readonly term: number; readonly holder: string; readonly leftMs: number }
