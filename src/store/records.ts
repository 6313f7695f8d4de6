import type { AuditEntry, EventEntry } from '../core/keep/event.ts'
import type { RowKind } from '../core/keep/rows.ts'
import type { Change, Row } from '../ports/store.ts'

/** A record as a database hands it over. */
export type DatabaseRecord = Readonly<Record<string, unknown>>

/** A row that is there. */
export function showRow<K extends RowKind = RowKind>(record: DatabaseRecord): Row<K> {
  const { kind, key, version, seq, body } = record
  // Only commits write this table, and the type of Write pairs a kind with its body.
  return { kind, key, version, seq, body: JSON.parse(String(body)) } as Row<K>
}

/** A row, or the mark that a deleted one has left. */
export function showChange(record: DatabaseRecord): Change {
  if (record['body'] !== null) return showRow(record)
  const { kind, key, seq } = record
  // Only commits write this table.
  return { kind, key, version: 0, seq, body: undefined } as Change
}

export function showEvent(record: DatabaseRecord): EventEntry {
  const { seq, at_ms: atMs, project, subject, kind, facts } = record
  // Only commits write this table.
  return { seq, atMs, project, subject, kind, facts: JSON.parse(String(facts)) } as EventEntry
}

export function showAudit(record: DatabaseRecord): AuditEntry {
  const { seq, at_ms: atMs, actor, project, action, subject, facts } = record
  // Only commits write this table.
  return { seq, atMs, actor, project, action, subject, facts: JSON.parse(String(facts)) } as AuditEntry
}
