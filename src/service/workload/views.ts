import { notFound } from '../../core/base/refuse.ts'
import { attemptsIn } from '../../core/event/attempts.ts'
import { hasStood } from '../../core/life/stood.ts'
import { withDrained } from '../../core/life/view/drained.ts'
import { viewInPieces, viewOf, type SummaryInput } from '../../core/life/view/summary.ts'
import type { Placement } from '../../core/life/placement.ts'
import { listingAt, rowCount, type Snapshot } from '../../core/offer/snapshot.ts'
import type { Status } from '../../core/life/status.ts'
import type { WorkloadView } from '../../core/life/view/view.ts'
import { workloadKey, type Workload } from '../../core/life/workload.ts'
import type { Parsed } from '../../api/call.ts'
import { parseSelector } from '../../core/life/view/selector.ts'
import type { At, Explanation, Paged, RevisionView } from '../../ports/berth.ts'
import type { Row, Store } from '../../ports/store.ts'
import { inTurns, nextTurn } from '../../ports/turn.ts'
import type { ServiceDeps, Principal } from '../deps.ts'
import { mayDo } from '../access.ts'
import { decided } from './decided.ts'
import { knownOf, knownOfAll } from './known.ts'
import { endpointFor, workloadIndexOf } from './listing.ts'
import { lastEvents, shown } from '../events.ts'
import { shareOf } from '../../core/place/share.ts'
import { outOfRules } from '../project-rules.ts'

/** A workload, and a tag that changes with every change to it. */
export interface Seen {
  readonly view: WorkloadView
  readonly tag: string
}

/** The default number of entries per page. */
const LIMIT = 100
/** How many rows to read at once. */
const CHUNK = 1000
const EVENTS_SHOWN = 20
/** The most slots of one workload in a list. */
const SLOTS_LISTED = 100
/** How many events to search for attempts. */
const EVENTS_READ = 1000
const ATTEMPTS_SHOWN = 20

export async function seeWorkload(deps: ServiceDeps, at: At): Promise<Seen> {
  const row = await mustGet(deps.store, at)
  const view = await inTurns(viewInPieces(row.body, await knownTo(deps, row.body)))
  const seen = withDrained(view, drainingIn(deps))
  return { view: { ...seen, ...endpointFor(row.body, deps.gateway) }, tag: tagOf(row) }
}

/** The ETag: changes with every write of the row, and differs from that of any other workload with the same name. */
export function tagOf({ version, body: { uid } }: Pick<Row<'workload'>, 'version' | 'body'>): string {
  return `${uid}.${version}`
}

export async function mustGet(store: Store, at: At): Promise<Row<'workload'>> {
  const row = await store.get('workload', workloadKey(at))
  if (row === undefined) throw notFound('workload', at)
  return row
}

/** The status and placements of one workload, with what this process knows about providers. */
export async function knownTo(deps: ServiceDeps, at: Pick<Workload, 'project' | 'name'>): Promise<SummaryInput> {
  return { ...(await knownOf(deps.store, at)), isConfigured: configured(deps) }
}

/** Whether a provider is configured. What runs at another one keeps running, but cannot be seen. */
export function configured({ providers }: Pick<ServiceDeps, 'providers'>): (provider: string) => boolean {
  const names = new Set(providers.views().map(({ name }) => name))
  // Right after the start no provider is open yet.
  return (provider) => names.size === 0 || names.has(provider)
}

/** Whether a provider is being emptied, by a drain or because it is removed. */
function drainingIn({ providers }: Pick<ServiceDeps, 'providers'>): (provider: string) => boolean {
  const emptied = providers.views().filter(({ state }) => state === 'draining' || state === 'removing')
  const names = new Set(emptied.map(({ name }) => name))
  return (provider) => names.has(provider)
}

/** The current manifest and the earlier ones still in the history, newest first. */
export async function historyOf({ store, clock }: ServiceDeps, at: At): Promise<readonly RevisionView[]> {
  const { body } = await mustGet(store, at)
  const stood = hasStood(body, await knownOf(store, at), clock.nowMs())
  const { generation, text, changedMs, past = [] } = body
  return [{ generation, text, atMs: changedMs, stood }, ...past].map((one) => {
    const is = one.stood === undefined ? {} : { stood: one.stood }
    return { generation: one.generation, text: one.text, at_ms: Math.round(one.atMs), ...is }
  })
}

export async function manifestOf({ store }: ServiceDeps, at: At) {
  const { body } = await mustGet(store, at)
  return { text: body.text, generation: body.generation }
}

/** The workloads that the principal may see, sorted by project and name. `after` is a key. */
export async function listWorkloads(
  deps: ServiceDeps,
  actor: Principal,
  query: Parsed<'workloads'>,
): Promise<Paged<WorkloadView>> {
  const { store } = deps
  const limit = query.limit ?? LIMIT
  if (FILTERS.some((key) => query[key] !== undefined)) return listFiltered(deps, actor, { ...query, limit })
  const rows: Row<'workload'>[] = []
  for (const prefix of prefixesOf(actor, query.project)) {
    if (rows.length > limit) break
    const after = query.after === undefined || query.after < prefix ? {} : { after: query.after }
    rows.push(...(await store.list('workload', { prefix, limit: limit + 1 - rows.length, ...after })))
  }
  const { page, known } = await knownOfAll(store, rows.slice(0, limit))
  const isConfigured = configured(deps)
  const isDraining = drainingIn(deps)
  return {
    items: page.map(({ key, body }) => {
      const view = withDrained(viewOf(body, { ...known(key), isConfigured }, SLOTS_LISTED), isDraining)
      return { ...view, ...endpointFor(body, deps.gateway) }
    }),
    next: rows.length > page.length ? page.at(-1)?.key : undefined,
  }
}

const FILTERS = ['state', 'provider', 'label', 'sort'] as const

/** The same, filtered and sorted by an index. A workload that was removed meanwhile is left out. */
async function listFiltered(
  deps: ServiceDeps,
  actor: Principal,
  query: Parsed<'workloads'> & { readonly limit: number },
): Promise<Paged<WorkloadView>> {
  const { project, after, limit, state, provider, sort = 'name' } = query
  const label = query.label === undefined ? undefined : parseSelector(query.label)
  const visible = new Map<string, boolean>()
  const isVisible = (name: string): boolean => {
    const known = visible.get(name) ?? ((project ?? name) === name && mayDo(actor, 'workload.read', name))
    visible.set(name, known)
    return known
  }
  const providers = deps.providers.views().map(({ name }) => name)
  const index = workloadIndexOf(deps.store, deps.clock.tickMs)
  const slotsMost = SLOTS_LISTED
  const { gateway } = deps
  const wanted = { state, provider, label, sort, after, limit, isVisible, providers, slotsMost, gateway }
  const page = await index.page(wanted)
  const isDraining = drainingIn(deps)
  return { ...page, items: page.items.map((view) => withDrained(view, isDraining)) }
}

/** Keeps the index of workloads up to date, so that no list waits while all rows are read. */
export async function keepListed(deps: ServiceDeps): Promise<void> {
  const index = workloadIndexOf(deps.store, deps.clock.tickMs)
  await index.follow(deps.providers.views().map(({ name }) => name))
  if (index.isRead) return
  // The first list in a process takes several times as long as the next one: that is done here, while no user waits.
  for (const query of [{ sort: 'name' }, {}] as const) {
    await nextTurn()
    await listWorkloads(deps, SYSTEM, query)
  }
}

const SYSTEM: Principal = { name: 'system', role: 'admin', projects: ['*'] }

/** The key prefixes that the principal may see, sorted. */
function prefixesOf(actor: Principal, project: string | undefined): readonly string[] {
  if (project !== undefined) return mayDo(actor, 'workload.read', project) ? [`${project}/`] : []
  if (actor.projects.includes('*')) return ['']
  return actor.projects.map((name) => `${name}/`).toSorted()
}

export async function explainWorkload(deps: ServiceDeps, at: At): Promise<Explanation> {
  const { store } = deps
  const { body } = await mustGet(store, at)
  const known = await knownTo(deps, body)
  const view = withDrained(await inTurns(viewInPieces(body, known)), drainingIn(deps))
  const nowMs = deps.clock.nowMs()
  const isPlaceless =
    body.want === 'running' && view.end === undefined && view.slots.filter(isPlaced).length < view.total
  // If the program itself fails, another place would not help, and a plan would only hide the cause.
  const isPlanned = isPlaceless && !isOwnFault(body, known.status)
  const placed = known.placements.filter(isPlaced)
  const notes = await outOfRules(deps, view)
  const [plan, refusals, events, capacity] = await Promise.all([
    isPlanned ? decided(deps, body, known) : undefined,
    store.list('refusal', { limit: CHUNK }),
    lastEvents(store, at, EVENTS_READ),
    placed.length === 0 ? undefined : deps.capacity().catch(() => undefined),
  ])
  const standing = refusals.map((row) => row.body).filter(({ untilMs }) => untilMs > nowMs)
  return {
    workload: plan?.problem === undefined ? view : { ...view, problem: plan.problem },
    plan: plan?.report,
    ...(notes.length > 0 && { notes }),
    refusals: standing.map(({ provider, region, instance, why, atMs, untilMs }) => {
      return { provider, region, instance, why, at_ms: atMs, until_ms: untilMs }
    }),
    events: events.slice(-EVENTS_SHOWN).map(shown),
    attempts: attemptsIn(events).slice(-ATTEMPTS_SHOWN),
    ...(capacity && { prices_now: pricesNow(placed, capacity.snapshot) }),
  }
}

/** Whether a workload has no place because its program fails: its roll-out has stalled, or it waits for its next try. */
function isOwnFault({ uid, generation }: Workload, status: Status | undefined): boolean {
  if (status?.uid !== uid || status.generation !== generation) return false
  return status.stalled !== undefined || (status.waiting === undefined && status.failures > 0)
}

/**
 * The current price of each slot in its place, on the same terms. A node of a fleet is offered in several forms, which change
 * with what runs there: any form with cards tells what its cards cost.
 */
function pricesNow(placements: readonly Placement[], snapshot: Snapshot): Readonly<Record<string, number>> {
  const wanted = Map.groupBy(placements, ({ order }) => placeIn(order.place.offer))
  const prices: Record<string, number> = {}
  for (let row = 0; row < rowCount(snapshot); row++) {
    const listing = listingAt(snapshot, row)
    const { id, price, machine, isShared } = listing
    for (const { order } of wanted.get(placeIn(id)) ?? []) {
      const isIt = isShared === true ? order.gpus === 0 || machine.gpu !== undefined : order.place.offer === id
      if (!isIt) continue
      const usdPerHour = order.place.market === 'spot' ? price.spotUsdPerHour : price.usdPerHour
      if (usdPerHour !== undefined) prices[order.tag.slot] = usdPerHour * shareOf(listing, order.gpus)
    }
  }
  return prices
}

/** What the offers in one place have in common in their ids. */
function placeIn(offer: string): string {
  return offer.replace(/#\d+$/, '')
}

function isPlaced({ phase }: Pick<WorkloadView['slots'][number], 'phase'>): boolean {
  return phase !== 'gone' && phase !== 'stopping'
}
