import type { AuditEntry, EventEntry, NewAudit, NewEvent } from '../core/event/event.ts'
import type { RowKind } from '../core/life/rows.ts'
import type { Committed, Led } from '../ports/store.ts'

/** A commit with its bodies in the form that the store keeps: texts, or the objects themselves. */
export interface PreparedCommit<B> {
  readonly term: number | undefined
  readonly writes: readonly AskedWrite<B>[]
  readonly events: readonly NewEvent[]
  readonly audit: readonly NewAudit[]
}

interface AskedWrite<B> {
  readonly kind: RowKind
  readonly key: string
  /** Undefined: any version. */
  readonly version: number | undefined
  /** Undefined: a delete. */
  readonly body: B | undefined
}

/** The state that a batch is judged against. It must not change until the outcome is written. */
export interface StoreState {
  /** The seq of the latest write. */
  readonly seq: number
  readonly term: number
  /** Version of a row, 0 if there is none. Asked only for rows that the batch touches. */
  readonly versionOf: (kind: RowKind, key: string) => number
}

/** A row to write. Version 0: it is deleted, and a mark stays for readers that follow changes. */
export interface WrittenRow<B> {
  readonly kind: RowKind
  readonly key: string
  readonly version: number
  readonly seq: number
  readonly body: B | undefined
}

export interface Outcome<B> {
  /** One for each commit, in order. */
  readonly answers: readonly Committed[]
  /** Each row once, as it is after the whole batch, by seq. */
  readonly rows: readonly WrittenRow<B>[]
  readonly events: readonly EventEntry[]
  readonly audit: readonly AuditEntry[]
  readonly seq: number
}

/**
 * Judges a batch of commits as if they came one after the other: a conflict of one does not affect the others. Every store
 * decides with this function alone; stores differ only in where they read versions and write outcomes.
 */
export function evaluate<B>(standing: StoreState, batch: readonly PreparedCommit<B>[]): Outcome<B> {
  const rows = new Map<string, WrittenRow<B>>()
  const events: EventEntry[] = []
  const audit: AuditEntry[] = []
  let seq = standing.seq
  const versionOf = ({ kind, key }: AskedWrite<B>): number =>
    rows.get(rowId(kind, key))?.version ?? standing.versionOf(kind, key)

  const answers = batch.map((asked): Committed => {
    const refusal = refuse(asked, standing.term, versionOf)
    if (refusal !== undefined) return refusal
    const versions = asked.writes.map((write) => {
      const before = versionOf(write)
      const version = write.body === undefined ? 0 : before + 1
      // Deleting a row that does not exist writes nothing, so no change is reported.
      if (version === before) return version
      const id = rowId(write.kind, write.key)
      rows.delete(id) // A row that is written again moves to the end: the map stays in the order of seq.
      rows.set(id, { kind: write.kind, key: write.key, version, seq: ++seq, body: write.body })
      return version
    })
    for (const event of asked.events) events.push({ ...event, seq: ++seq })
    for (const entry of asked.audit) audit.push({ ...entry, seq: ++seq })
    return { kind: 'done', versions, seq }
  })
  return { answers, rows: [...rows.values()], events, audit, seq }
}

/** One text for a row of any kind: no kind has a `/` in its name. */
export function rowId(kind: RowKind, key: string): string {
  return `${kind}/${key}`
}

/** The lease as a store keeps it. */
export interface Lease {
  /** 0: there has been no leader yet. */
  readonly term: number
  /** Undefined: the lease is free. */
  readonly holder: string | undefined
  readonly expiresMs: number
  /** How long the lease was granted for. */
  readonly ttlMs: number
}

export const NO_LEASE: Lease = { term: 0, holder: undefined, expiresMs: 0, ttlMs: 0 }

/**
 * Who leads after this request, by the store's clock. A holder keeps its term as long as no other has led since, even if
 * it renews too late: no other term has begun, so no other leader can have decided anything.
 */
export function judgeLead(
  lease: Lease,
  request: { readonly holder: string; readonly ttlMs: number },
  nowMs: number,
): { readonly lease: Lease; readonly answer: Led } {
  const { holder, ttlMs } = request
  // If the clock is set back, a dead leader must not keep the lease longer than it asked for.
  const expiresMs = Math.min(lease.expiresMs, nowMs + lease.ttlMs)
  const taken = { holder, ttlMs, expiresMs: nowMs + ttlMs }
  if (lease.holder === holder) {
    return { lease: { ...taken, term: lease.term }, answer: { kind: 'leading', term: lease.term } }
  }
  if (lease.holder === undefined || expiresMs <= nowMs) {
    const term = lease.term + 1
    return { lease: { ...taken, term }, answer: { kind: 'leading', term } }
  }
  const answer: Led = { kind: 'following', term: lease.term, holder: lease.holder, leftMs: expiresMs - nowMs }
  return { lease: { ...lease, expiresMs }, answer }
}

/** The lease after its holder released it. The term stays, because terms only grow. */
export function judgeYield(lease: Lease, holder: string): Lease {
  return lease.holder === holder ? { ...NO_LEASE, term: lease.term } : lease
}

/** Why a commit is refused; undefined: it may be written. */
function refuse<B>(
  { term, writes }: PreparedCommit<B>,
  termNow: number,
  versionOf: (write: AskedWrite<B>) => number,
): Committed | undefined {
  if (term !== undefined && term !== termNow) return { kind: 'fenced', term: termNow }
  for (const write of writes) {
    const version = versionOf(write)
    if (write.version !== undefined && write.version !== version) {
      return { kind: 'conflict', row: { kind: write.kind, key: write.key }, version }
    }
  }
  return undefined
}
