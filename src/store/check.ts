import { assert } from '../core/base/assert.ts'
import type { NewAudit, NewEvent } from '../core/event/event.ts'
import type { RowKind } from '../core/life/rows.ts'
import type { Commit } from '../ports/store.ts'
import { rowId, type PreparedCommit } from './evaluate.ts'

const KEY_MAX = 512
const LIMIT_MAX = 10_000

/**
 * A commit in the form that is queued. A commit that no store could write fails here, before it joins a batch: a bug in
 * one caller must not fail the commits of the others.
 */
export function prepare<B>(commit: Commit, encode: (body: unknown, kind: RowKind) => B): PreparedCommit<B> {
  const { writes, term, events = [], audit = [] } = commit
  if (writes.length > 1) {
    const ids = new Set(writes.map(({ kind, key }) => rowId(kind, key)))
    assert(ids.size === writes.length, 'a commit touches a row once')
  }
  for (const { key } of writes) checkKey(key)
  for (const event of events) checkEntry(event, [event.project, event.subject])
  for (const entry of audit) checkEntry(entry, [entry.actor, entry.project, entry.action, entry.subject])
  return {
    term,
    writes: writes.map(({ kind, key, version, body }) => ({
      kind,
      key,
      version,
      body: body === undefined ? undefined : encode(body, kind),
    })),
    events,
    audit,
  }
}

/** Callers must ask for a valid number of rows. */
export function checkLimit(limit: number): void {
  assert(Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX, `limit ${limit} is not within 1..${LIMIT_MAX}`)
}

function checkKey(key: string): void {
  assert(key.length >= 1 && key.length <= KEY_MAX, `key of ${key.length} characters, not 1..${KEY_MAX}`)
  checkText(key)
}

function checkEntry({ atMs }: NewEvent | NewAudit, texts: readonly string[]): void {
  assert(Number.isFinite(atMs), 'an entry has a time')
  for (const text of texts) checkText(text)
}

/** Databases accept neither lone surrogates nor NUL in a text; in bodies JSON escapes both. */
function checkText(text: string): void {
  assert(text.isWellFormed() && !text.includes('\0'), `${JSON.stringify(text)} cannot be stored as it is`)
}
