import type { AuditEntry, EventEntry } from '../core/event/event.ts'
import type { RowKind } from '../core/life/rows.ts'
import type { StoreChange, Row } from '../ports/store.ts'
import { LargeBodies } from './large-bodies.ts'
import { storeProblem } from './store-problem.ts'

/** A record as a database hands it over. */
export type DatabaseRecord = Readonly<Record<string, unknown>>

const large = new LargeBodies()

/** A row that is there. One whose body cannot be read is a row all the same: it fails whoever looks at the body, and nobody else. */
export function showRow<K extends RowKind = RowKind>(record: DatabaseRecord): Row<K> {
  const { kind, key, version, seq } = record
  const body = large.read(`${String(kind)} ${String(key)}`, String(record['body']), readBody)
  const row = { kind, key, version, seq, body }
  if (body === undefined) Object.defineProperty(row, 'body', { enumerable: true, get: () => throwDamaged(record) })
  // Only commits write this table, and the type of Write pairs a kind with its body.
  return row as Row<K>
}

/** Undefined: it is not what anybody wrote. */
function readBody(text: unknown): object | undefined {
  try {
    const body: unknown = JSON.parse(String(text))
    return typeof body === 'object' && body !== null ? body : undefined
  } catch {
    return undefined
  }
}

function throwDamaged({ kind, key }: DatabaseRecord): never {
  throw storeProblem(
    'STORE_DAMAGED',
    `The row ${String(kind)} ${String(key)} of the store cannot be read.`,
    'Restore the last backup; everything else goes on meanwhile. docs/guides/operate.md says how.',
  )
}

/** A row, or the mark that a deleted one has left. */
export function showChange(record: DatabaseRecord): StoreChange {
  if (record['body'] !== null) return showRow(record)
  const { kind, key, seq } = record
  // Only commits write this table.
  return { kind, key, version: 0, seq, body: undefined } as StoreChange
}

/** Facts that cannot be read are left out: nothing is decided by them. */
export function showEvent(record: DatabaseRecord): EventEntry {
  const { seq, at_ms: atMs, project, subject, kind, facts } = record
  // Only commits write this table.
  return { seq, atMs, project, subject, kind, facts: readBody(facts) ?? {} } as EventEntry
}

export function showAudit(record: DatabaseRecord): AuditEntry {
  const { seq, at_ms: atMs, actor, project, action, subject, facts } = record
  // Only commits write this table.
  return { seq, atMs, actor, project, action, subject, facts: readBody(facts) ?? {} } as AuditEntry
}
