import type { EventEntry } from '../../core/keep/event.ts'
import type { At, EventsQuery, ListQuery, Paged } from '../../ports/berth.ts'
import type { AuditEntry } from '../../core/keep/event.ts'
import type { EventQuery, Store } from '../../ports/store.ts'
import { mayDo } from './access.ts'
import type { DeskDoors, Principal } from './doors.ts'

const CHUNK = 500
/** How soon news is seen at the latest. */
const LOOK_MS = 200
const LIMIT = 100

/** Everything after `after`, oldest first; with `follow` also what is still to come, until the signal. */
export async function* followEvents(
  doors: DeskDoors,
  actor: Principal,
  { query, signal }: { readonly query: EventsQuery; readonly signal: AbortSignal },
): AsyncGenerator<EventEntry> {
  let after = query.after
  while (!signal.aborted) {
    const entries = await doors.store.events({ ...filterOf(query), after, limit: CHUNK })
    for (const entry of entries) {
      after = entry.seq
      if (mayDo(actor, 'event.read', entry.project)) yield entry
      if (signal.aborted) return
    }
    if (entries.length === CHUNK) continue
    if (!query.follow) return
    await doors.timers.sleep(LOOK_MS, signal)
  }
}

function filterOf({
  project,
  workload,
}: Pick<EventsQuery, 'project' | 'workload'>): Pick<EventQuery, 'project' | 'subject'> {
  return {
    ...(project !== undefined && { project }),
    ...(workload !== undefined && { subject: `workload/${workload}` }),
  }
}

/** The last so many of one workload, oldest first. */
export async function lastEvents(store: Store, { project, name }: At, count: number): Promise<readonly EventEntry[]> {
  let last: readonly EventEntry[] = []
  let after = 0
  for (;;) {
    const entries = await store.events({ project, subject: `workload/${name}`, after, limit: CHUNK })
    last = [...last, ...entries].slice(-count)
    after = entries.at(-1)?.seq ?? after
    if (entries.length < CHUNK) return last
  }
}

/** Who changed what, oldest first. `after` is a seq. */
export async function listAudit({ store }: DeskDoors, query: ListQuery): Promise<Paged<AuditEntry>> {
  const limit = query.limit ?? LIMIT
  const items: AuditEntry[] = []
  let after = Number(query.after ?? 0)
  for (;;) {
    const entries = await store.audit({ after, limit: CHUNK })
    items.push(...entries.filter(({ project }) => query.project === undefined || project === query.project))
    after = entries.at(-1)?.seq ?? after
    if (items.length > limit) break
    if (entries.length < CHUNK) return { items, next: undefined }
  }
  const page = items.slice(0, limit)
  return { items: page, next: String(page.at(-1)?.seq) }
}
