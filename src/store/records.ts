import type { AuditEntry, EventEntry } from '../core/event/event.ts'
import { readBody, writeBody, type BodyRead } from '../core/life/row/body.ts'
import { factsFormat } from '../core/life/row/facts.ts'
import type { RowFormat } from '../core/life/row/format.ts'
import { ROW_FORMATS } from '../core/life/row/formats.ts'
import type { RowKind } from '../core/life/rows.ts'
import type { StoreChange, Row } from '../ports/store.ts'
import { LargeBodies } from './large-bodies.ts'
import { newerRow } from './newer-rows.ts'
import { storeProblem } from './store-problem.ts'

/** A record as the database returns it. */
export type DatabaseRecord = Readonly<Record<string, unknown>>

const large = new LargeBodies<BodyRead>()

/**
 * An existing row. A row whose body cannot be read is still a row: only reading the body fails. A row that a newer program
 * wrote is refused at once, because nothing can be decided without knowing what it says.
 */
export function showRow<K extends RowKind = RowKind>(record: DatabaseRecord): Row<K> {
  const { key, version, seq } = record
  // Only commits write this table.
  const kind = record['kind'] as K
  const format = Object.hasOwn(ROW_FORMATS, kind) ? ROW_FORMATS[kind] : UNKNOWN
  const read = large.read(`${kind} ${String(key)}`, String(record['body']), (text) => readBody(text, format))
  if (read.kind === 'newer') throw newerRow({ kind, key, version: read.version, known: format.version })
  const row = { kind, key, version, seq, body: bodyIn(read) }
  if (read.kind === 'unreadable') {
    Object.defineProperty(row, 'body', { enumerable: true, get: () => throwDamaged(record) })
  }
  // The type of Write pairs a kind with its body.
  return row as Row<K>
}

/** Of a kind that this program does not know, every version is newer. */
const UNKNOWN: RowFormat = { ...factsFormat, version: 0 }

function bodyIn(read: BodyRead): object | undefined {
  return read.kind === 'read' ? read.body : undefined
}

function throwDamaged({ kind, key }: DatabaseRecord): never {
  throw storeProblem(
    'STORE_DAMAGED',
    `The row ${String(kind)} ${String(key)} of the store cannot be read.`,
    'Restore the last backup (docs/guides/operate.md). Until then everything else keeps working.',
  )
}

/** The body of a row as it is stored. */
export function bodyText(body: unknown, kind: RowKind): string {
  return writeBody(body, ROW_FORMATS[kind])
}

/** A row, or the mark that a deleted row leaves. */
export function showChange(record: DatabaseRecord): StoreChange {
  if (record['body'] !== null) return showRow(record)
  const { kind, key, seq } = record
  // Only commits write this table.
  return { kind, key, version: 0, seq, body: undefined } as StoreChange
}

/** Facts that cannot be read are left out: no decision depends on them. */
export function showEvent(record: DatabaseRecord): EventEntry {
  const { seq, at_ms: atMs, project, subject, kind, facts } = record
  // Only commits write this table.
  return { seq, atMs, project, subject, kind, facts: factsIn(facts) } as EventEntry
}

export function showAudit(record: DatabaseRecord): AuditEntry {
  const { seq, at_ms: atMs, actor, project, action, subject, facts } = record
  // Only commits write this table.
  return { seq, atMs, actor, project, action, subject, facts: factsIn(facts) } as AuditEntry
}

function factsIn(facts: unknown): object {
  return bodyIn(readBody(String(facts), factsFormat)) ?? {}
}
