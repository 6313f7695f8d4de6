import type { AuditEntry, EventEntry, NewAudit, NewEvent } from '../core/event/event.ts'
import type { RowKind } from '../core/life/rows.ts'
import type { Committed, Led } from '../ports/store.ts'

/** A commit with its bodies in the form that a store keeps them: texts, or the objects themselves. */
export interface PreparedCommit<B> {
  readonly term: number | undefined
  readonly writes: readonly AskedWrite<B>[]
  readonly events: readonly NewEvent[]
  readonly audit: readonly NewAudit[]
}

interface AskedWrite<B> {
  readonly kind: RowKind
  readonly key: string
  /** Undefined: whatever is there. */
  readonly version: number | undefined
  /** Undefined: a delete. */
  readonly body: B | undefined
}

/** What a batch is judged by. It must not change until what came of it is written. */
export interface StoreState {
  /** Of the last write of all. */
  readonly seq: number
  readonly term: number
  /** Version of a row, 0 if there is none. Asked only for rows that the batch touches. */
  readonly versionOf: (kind: RowKind, key: string) => number
}

/** A row as it is to be written; version 0: it is deleted, and stays as a mark for those who follow changes. */
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
 * Judges a batch of commits as if they came one after the other: a conflict of one is nothing to the others. Every store
 * decides by this function and nothing else; what differs is where versions are read and outcomes are written.
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
      // Deleting what is not there writes nothing, so nobody who follows hears of it.
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
  /** 0: nobody has led yet. */
  readonly term: number
  /** Undefined: nobody holds it. */
  readonly holder: string | undefined
  readonly expiresMs: number
  /** How long it was given for. */
  readonly ttlMs: number
}

export const NO_LEASE: Lease = { term: 0, holder: undefined, expiresMs: 0, ttlMs: 0 }

/**
 * Who leads after this request, by the store's clock. A holder keeps its term as long as nobody else has led since, also
 * when it renews too late: no other term has begun, so nothing was decided behind its back.
 */
export function judgeLead(
  lease: Lease,
  request: { readonly holder: string; readonly ttlMs: number },
  nowMs: number,
): { readonly lease: Lease; readonly answer: Led } {
  const { holder, ttlMs } = request
  // A clock that was set back must not keep a dead leader in office for longer than it asked for.
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

/** The lease after its holder gave it back. The term stays: it only ever grows. */
export function judgeYield(lease: Lease, holder: string): Lease {
  return lease.holder === holder ? { ...NO_LEASE, term: lease.term } : lease
}

/** Why nothing of a commit may land; undefined: it may. */
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
