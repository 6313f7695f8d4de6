import type { NewEvent } from '../core/event/event.ts'
import type { EventKind, FactsOf, AboutOf } from '../core/event/kinds.ts'
import type { RowKind } from '../core/life/rows.ts'
import { isBilled } from '../core/life/placement.ts'
import type { Commit, Row, Store } from '../ports/store.ts'
import { auditBy } from './audit.ts'
import type { ServiceDeps, Principal } from './deps.ts'

const CHUNK = 1000

/** All rows of a kind whose key begins with the prefix, sorted by key. */
export async function everyRow<K extends RowKind>(store: Store, kind: K, prefix: string): Promise<readonly Row<K>[]> {
  const found: Row<K>[] = []
  for await (const row of walk(store, kind, prefix)) found.push(row)
  return found
}

/** The same one by one, for callers that need not keep them all. */
export async function* walk<K extends RowKind>(store: Store, kind: K, prefix: string): AsyncGenerator<Row<K>> {
  let after: string | undefined
  for (;;) {
    const rows = await store.list(kind, { prefix, limit: CHUNK, ...(after !== undefined && { after }) })
    yield* rows
    after = rows.at(-1)?.key
    if (rows.length < CHUNK) return
  }
}

/** Slots that may exist at a provider, as `PROJECT/NAME/SLOT`. */
export async function slotsAt(store: Store, provider: string): Promise<readonly string[]> {
  const slots: string[] = []
  for await (const { key, body } of walk(store, 'placement', '')) {
    if (isBilled(body) && body.order.place.provider === provider) slots.push(key)
  }
  return slots
}

/** A change, as recorded in events and audit. */
export type Done = {
  readonly [K in EventKind]: {
    readonly project: string
    /** Kind and name: `secret/HF_TOKEN`. */
    readonly subject: `${AboutOf<K>}/${string}`
    /** The action in the audit: `secret.set`. */
    readonly action: string
    /** The kind of the event. */
    readonly kind: K
    /** Without the caller, which is added. */
    readonly facts: Omit<FactsOf<K>, 'by'>
  }
}[EventKind]

/** The event and the audit entry to write together with a change. */
export function trail(
  { clock }: Pick<ServiceDeps, 'clock'>,
  actor: Principal,
  done: Done,
): Pick<Commit, 'events' | 'audit'> {
  const { project, subject, action, kind, facts } = done
  const atMs = clock.nowMs()
  // Every kind of a change by a user has its own facts, and the user's name besides.
  const event = { atMs, project, subject, kind, facts: { ...facts, by: actor.name } } as NewEvent
  return {
    events: [event],
    audit: [auditBy(actor, { atMs, project, action, subject, facts })],
  }
}

const SHOWN_MAX = 5

/** A few names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length - SHOWN_MAX
  return more > 0 ? `${names.slice(0, SHOWN_MAX).join(', ')} and ${more} more` : names.join(', ')
}
