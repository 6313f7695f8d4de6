import type { Parsed } from '../api/call.ts'
import type { AuditEntry, EventEntry } from '../core/event/event.ts'
import type { At, AuditView, EventsQuery, Paged } from '../ports/berth.ts'
import type { EventQuery, Store } from '../ports/store.ts'
import { mayDo } from './access.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { feedOf } from './feed.ts'

const CHUNK = 500
const LIMIT = 100

/** An event, or an entry of the audit, as the API tells it. */
export function shown<T extends { readonly atMs: number }>({ atMs, ...entry }: T) {
  return { ...entry, at_ms: atMs }
}

/** All events after `after`, oldest first; with `follow` also new ones, until the signal. */
export async function* followEvents(
  deps: ServiceDeps,
  actor: Principal,
  { query, signal }: { readonly query: EventsQuery; readonly signal: AbortSignal },
): AsyncGenerator<EventEntry> {
  if (query.order === 'newest') return yield* newestFirst(deps.store, actor, { query, signal })
  let after = query.after ?? 0
  const isWanted = wantedBy(query, actor)
  const upTo = query.before === undefined ? {} : { before: query.before }
  if (query.tail !== undefined) {
    const last = await lastBefore(deps.store, { ...filterOf(query, actor), ...upTo, after }, query.tail)
    yield* last.entries.filter(isWanted)
    after = last.seq
    if (!query.follow) return
  }
  // Taken before the store is read: what comes after it is in the feed.
  let known = query.follow === true ? await feedOf(deps).position() : 0
  while (!signal.aborted) {
    const entries = await deps.store.events({ ...filterOf(query, actor), ...upTo, after, limit: CHUNK })
    for (const entry of entries) {
      after = entry.seq
      if (isWanted(entry)) yield entry
      if (signal.aborted) return
    }
    if (entries.length === CHUNK) continue
    if (query.follow !== true) return
    for await (const news of newsOf(deps, Math.max(after, known), signal)) {
      if ('behind' in news) break
      after = news.seq
      if (isAbout(news, query) && isWanted(news)) yield news
    }
    known = await feedOf(deps).position()
  }
}

/** Access is checked for each entry, so that no query returns what its caller may not see. */
function wantedBy(query: EventsQuery, actor: Principal): (entry: EventEntry) => boolean {
  return ({ atMs, project }) => atMs >= (query.since_ms ?? 0) && mayDo(actor, 'event.read', project)
}

/** The newest first, at most `tail` of them. */
async function* newestFirst(
  store: Store,
  actor: Principal,
  { query, signal }: { readonly query: EventsQuery; readonly signal: AbortSignal },
): AsyncGenerator<EventEntry> {
  const isWanted = wantedBy(query, actor)
  let left = query.tail ?? Number.POSITIVE_INFINITY
  let { before } = query
  while (left > 0 && !signal.aborted) {
    const limit = query.since_ms === undefined ? Math.min(CHUNK, left) : CHUNK
    const filter = { ...filterOf(query, actor), after: query.after ?? 0, ...(before !== undefined && { before }) }
    const entries = await store.events({ ...filter, limit, end: 'last' }, signal)
    const wanted = entries.filter(isWanted).toReversed().slice(0, left)
    for (const entry of wanted) {
      if (signal.aborted) return
      yield entry
    }
    left -= wanted.length
    before = entries[0]?.seq
    // Clocks of several processes differ a little, so one older event does not mean that all before it are older.
    if (entries.length < limit || wanted.length === 0) return
  }
}

/** New events of the feed, until the signal; `behind`: the reader was too slow for the feed, and the store has the rest. */
async function* newsOf(
  deps: ServiceDeps,
  from: number,
  signal: AbortSignal,
): AsyncGenerator<EventEntry | { readonly behind: true }> {
  const feed = feedOf(deps)
  let seq = from
  while (!signal.aborted) {
    await feed.more(seq, signal)
    const news = feed.after(seq)
    if (news === undefined) return yield { behind: true }
    for (const entry of news.entries) {
      if (signal.aborted) return
      yield entry
    }
    seq = news.seq
  }
}

/** The filters of a query, as the store applies them. Access is checked apart. */
function isAbout({ project, subject }: EventEntry, query: Pick<EventsQuery, 'project' | 'workload'>): boolean {
  if (query.project !== undefined && query.project !== project) return false
  return query.workload === undefined || subject === `workload/${query.workload}`
}

/** The most that the store returns at once. */
const TAIL_MAX = 10_000

/** The last `tail` events and where to continue. The head is read first, so that no event is missed in between. */
async function lastBefore(
  store: Store,
  query: Omit<EventQuery, 'limit'>,
  tail: number,
): Promise<{ readonly entries: readonly EventEntry[]; readonly seq: number }> {
  const head = await store.head()
  const limit = Math.min(tail, TAIL_MAX)
  const entries = limit === 0 ? [] : await store.events({ ...query, limit, end: 'last' })
  return { entries, seq: entries.at(-1)?.seq ?? Math.max(head, query.after) }
}

/** Filters by what the principal may see, so that reading does not cost more with the events of others. */
function filterOf(
  { project, workload }: Pick<EventsQuery, 'project' | 'workload'>,
  { projects }: Principal,
): Pick<EventQuery, 'projects' | 'subject'> {
  const mine = project === undefined ? (projects.includes('*') ? undefined : projects) : [project]
  return {
    ...(mine !== undefined && { projects: mine }),
    ...(workload !== undefined && { subject: `workload/${workload}` }),
  }
}

/** The last `count` events of a workload, oldest first. */
export async function lastEvents(store: Store, { project, name }: At, count: number): Promise<readonly EventEntry[]> {
  return store.events({ projects: [project], subject: `workload/${name}`, after: 0, limit: count, end: 'last' })
}

/** The request id has a key of its own; it is stored among the facts. */
function shownAudit(entry: AuditEntry): AuditView {
  const { request_id: requestId, ...facts } = entry.facts
  return { ...shown(entry), facts, ...(typeof requestId === 'string' && { request_id: requestId }) }
}

/** Who changed what. `after` is the seq of the last entry of the page before. */
export async function listAudit({ store }: ServiceDeps, query: Parsed<'audit'>): Promise<Paged<AuditView>> {
  const { limit = LIMIT, since_ms: sinceMs } = query
  const isNewest = query.order === 'newest'
  const from = query.after === undefined ? undefined : Number(query.after)
  const before = isNewest ? (from ?? query.before) : query.before
  const found = await store.audit({
    project: query.project,
    actor: query.actor,
    action: query.action,
    sinceMs,
    before,
    after: isNewest ? 0 : (from ?? 0),
    limit: limit + 1,
    end: isNewest ? 'last' : 'first',
  })
  const page = (isNewest ? found.toReversed() : found).slice(0, limit).map(shownAudit)
  return { items: page, next: found.length > limit ? String(page.at(-1)?.seq) : undefined }
}
