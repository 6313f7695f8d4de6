import { knownOfAll } from './known.ts'
import { viewOf } from '../../core/life/view/summary.ts'
import { isServed } from '../../core/route/route.ts'
import { endpointOf } from '../../core/route/target.ts'
import { nextTurn } from '../../ports/turn.ts'
import { matches, type Selector } from '../../core/life/view/selector.ts'
import type { WorkloadState, WorkloadView } from '../../core/life/view/view.ts'
import type { Placement } from '../../core/life/placement.ts'
import type { Status } from '../../core/life/status.ts'
import type { Workload } from '../../core/life/workload.ts'
import type { Store, StoreChange } from '../../ports/store.ts'

/** How a list of workloads is ordered. Names break ties. */
type WorkloadSort = 'name' | 'age' | 'cost' | 'state' | 'where'

/** What a list of workloads must match; left out: anything. */
interface WorkloadFilter {
  readonly state?: readonly WorkloadState[] | undefined
  readonly provider?: string | undefined
  readonly label?: Selector | undefined
}

/** What is kept of a workload to filter and sort by; the rest is read for those that are shown. */
interface Entry {
  readonly key: string
  readonly project: string
  readonly name: string
  readonly state: WorkloadState
  readonly providers: readonly string[]
  /** The same, with those at which it has only what is gone. */
  readonly everAt: readonly string[]
  readonly where: string
  readonly labels: WorkloadView['labels']
  readonly createdMs: number
  readonly usdPerHour: number
}

interface Wanted extends WorkloadFilter {
  readonly sort: WorkloadSort
  readonly limit: number
  /** Position after the last entry of the page before. */
  readonly after: string | undefined
  readonly isVisible: (project: string) => boolean
  /** The providers that are configured: what runs at another one cannot be seen. */
  readonly providers: readonly string[]
  readonly gateway?: string | undefined
  /** The most slots of one workload to show. */
  readonly slotsMost: number
}

const CHUNK = 1000
/** How many views are kept. */
const VIEWS_MAX = 2000
/** Marks of deleted rows are kept longer than this; an index that was not read for so long is made anew. */
const STALE_MS = 600_000

/** One index for each control plane, identified by its one store. */
const INDEXES = new WeakMap<Store, WorkloadIndex>()

/** How many workloads are read before other work gets its turn. */
const PAGE = 100

export function workloadIndexOf(store: Store, tickMs: () => number): WorkloadIndex {
  const index = INDEXES.get(store) ?? new WorkloadIndex(store, tickMs)
  INDEXES.set(store, index)
  return index
}

/**
 * Workloads by what lists filter and sort by. A state follows from three kinds of rows and from the providers that are
 * configured, so no store has it in a column: the index is derived from the rows, by the same function as every view. It
 * follows the changes of the store and catches up before each answer, so it is never stale, in any process.
 */
class WorkloadIndex {
  readonly #store: Store
  readonly #tickMs: () => number
  #entries = new Map<string, Entry>()
  #sorted = new Map<WorkloadSort, readonly Entry[]>()
  #views = new Map<Entry, WorkloadView>()
  #seq = 0
  #configured: readonly string[] = []
  #readMs = Number.NEGATIVE_INFINITY
  #catching: Promise<unknown> = Promise.resolve()
  #isRead = false

  constructor(store: Store, tickMs: () => number) {
    this.#store = store
    this.#tickMs = tickMs
  }

  /** One page, and where the next one begins. */
  async page(wanted: Wanted): Promise<{ readonly items: readonly WorkloadView[]; readonly next: string | undefined }> {
    this.#isRead = true
    await this.follow(wanted.providers)
    const order = ORDERS[wanted.sort]
    const after = wanted.after === undefined ? undefined : positionIn(wanted.after)
    const found: Entry[] = []
    for (const entry of this.#inOrder(wanted.sort)) {
      if (found.length > wanted.limit) break
      if (after !== undefined && compare(positionOf(entry, order), after) <= 0) continue
      if (wanted.isVisible(entry.project) && isWanted(entry, wanted)) found.push(entry)
    }
    const page = found.slice(0, wanted.limit)
    const last = page.at(-1)
    const next = found.length > page.length && last !== undefined ? JSON.stringify(positionOf(last, order)) : undefined
    return { items: (await Promise.all(page.map((entry) => this.#viewOf(entry, wanted)))).flat(), next }
  }

  /** Whether any page of it was asked for. */
  get isRead(): boolean {
    return this.#isRead
  }

  /** Catches up with the store. Done at the start and now and then, so that the first list need not wait for all rows. */
  follow(providers: readonly string[]): Promise<void> {
    // One after the other: two that catch up at once would read the same changes.
    const catching = this.#catching.then(() => this.#catchUp(providers))
    this.#catching = catching.catch(() => undefined)
    return catching
  }

  /** The view of an entry; none, if it was removed meanwhile. Views of unchanged entries are kept for the next who asks. */
  async #viewOf(entry: Entry, { providers, slotsMost, gateway }: Wanted): Promise<readonly WorkloadView[]> {
    const kept = this.#views.get(entry)
    if (kept !== undefined) return [kept]
    const { workload, ...known } = await readAll(this.#store, entry.key)
    if (workload === undefined) return []
    const seen = viewOf(workload, { ...known, isConfigured: configuredIn(providers) }, slotsMost)
    const view = { ...seen, ...endpointFor(workload, gateway) }
    this.#views.set(entry, view)
    if (this.#views.size > VIEWS_MAX) this.#views = new Map([[entry, view]])
    return [view]
  }

  #inOrder(sort: WorkloadSort): readonly Entry[] {
    const known = this.#sorted.get(sort)
    if (known !== undefined) return known
    const order = ORDERS[sort]
    const placed = [...this.#entries.values()].map((entry) => ({ entry, at: positionOf(entry, order) }))
    const sorted = placed.toSorted((one, other) => compare(one.at, other.at)).map(({ entry }) => entry)
    this.#sorted.set(sort, sorted)
    return sorted
  }

  async #catchUp(providers: readonly string[]): Promise<void> {
    const isConfigured = configuredIn(providers)
    const isAnew = this.#seq === 0 || this.#tickMs() - this.#readMs > STALE_MS
    // Taken before all rows are read: what changes meanwhile comes after it.
    let seq = isAnew ? await this.#store.head() : this.#seq
    const entries = isAnew ? await this.#readAnew(isConfigured) : this.#entries
    const keys = new Set(isAnew ? [] : this.#seenOtherwise(isConfigured))
    for (;;) {
      const changes = await this.#store.changes(seq, CHUNK)
      for (const change of changes) for (const key of keysIn(change)) keys.add(key)
      seq = changes.at(-1)?.seq ?? seq
      if (changes.length < CHUNK) break
    }
    for (const key of keys) {
      const known = await readAll(this.#store, key)
      if (known.workload === undefined) entries.delete(key)
      else entries.set(key, entryOf(key, known.workload, { ...known, isConfigured }))
    }
    if (keys.size > 0 || isAnew) this.#sorted = new Map()
    this.#entries = entries
    this.#seq = seq
    this.#configured = providers
    this.#readMs = this.#tickMs()
  }

  /** All entries, page by page, so that little is held at once and other work gets its turn. */
  async #readAnew(isConfigured: (provider: string) => boolean): Promise<Map<string, Entry>> {
    const entries = new Map<string, Entry>()
    let after: string | undefined
    for (;;) {
      const rows = await this.#store.list('workload', { limit: PAGE, ...(after !== undefined && { after }) })
      const { page, known } = await knownOfAll(this.#store, rows)
      for (const { key, body } of page) entries.set(key, entryOf(key, body, { ...known(key), isConfigured }))
      after = page.at(-1)?.key
      if (after === undefined || (rows.length < PAGE && page.length === rows.length)) return entries
      await nextTurn()
    }
  }

  /** Entries that look different because a provider was configured or removed. */
  #seenOtherwise(isConfigured: (provider: string) => boolean): readonly string[] {
    const wasConfigured = configuredIn(this.#configured)
    const isOther = (provider: string): boolean => isConfigured(provider) !== wasConfigured(provider)
    return [...this.#entries.values()].filter(({ everAt }) => everAt.some(isOther)).map(({ key }) => key)
  }
}

/** Where a service answers, behind the gateway. */
export function endpointFor(workload: Workload, gateway: string | undefined): Pick<WorkloadView, 'endpoint'> {
  return gateway !== undefined && isServed(workload.manifest) ? { endpoint: endpointOf(gateway, workload) } : {}
}

/** Right after the start no provider is open yet. */
function configuredIn(providers: readonly string[]): (provider: string) => boolean {
  const names = new Set(providers)
  return (provider) => names.size === 0 || names.has(provider)
}

interface Known {
  readonly workload: Workload | undefined
  readonly status: Status | undefined
  readonly placements: readonly Placement[]
}

/** The key of the workload that a change is about, if it is about one. */
function keysIn({ kind, key }: StoreChange): readonly string[] {
  if (kind === 'placement') return [key.slice(0, key.lastIndexOf('/'))]
  return kind === 'workload' || kind === 'status' ? [key] : []
}

async function readAll(store: Store, key: string): Promise<Known> {
  const [workload, status, placements] = await Promise.all([
    store.get('workload', key),
    store.get('status', key),
    store.list('placement', { prefix: `${key}/`, limit: 10_000 }),
  ])
  return { workload: workload?.body, status: status?.body, placements: placements.map(({ body }) => body) }
}

function entryOf(key: string, workload: Workload, known: Parameters<typeof viewOf>[1]): Entry {
  const {
    project,
    name,
    state,
    slots,
    labels,
    created_ms: createdMs,
    usd_per_hour: usdPerHour,
  } = viewOf(workload, known)
  const there = slots.filter(({ phase }) => phase !== 'gone')
  const providers = [...new Set(there.map(({ provider }) => provider))]
  const everAt = [...new Set(slots.map(({ provider }) => provider))]
  const where = there[0] === undefined ? '' : `${there[0].provider}/${there[0].region}`
  return { key, project, name, state, providers, everAt, where, labels, createdMs, usdPerHour }
}

function isWanted({ state, providers, labels }: Entry, wanted: WorkloadFilter): boolean {
  if (wanted.state !== undefined && !wanted.state.includes(state)) return false
  if (wanted.provider !== undefined && !providers.includes(wanted.provider)) return false
  return wanted.label === undefined || matches(labels, wanted.label)
}

/** What an entry is sorted by, then its name and its project: no two are the same. */
type Position = readonly (string | number)[]

/** The newest and the most expensive come first. */
const ORDERS: Readonly<Record<WorkloadSort, (entry: Entry) => string | number>> = {
  name: () => 0,
  age: ({ createdMs }) => -createdMs,
  cost: ({ usdPerHour }) => -usdPerHour,
  state: ({ state }) => state,
  where: ({ where }) => where,
}

function positionOf(entry: Entry, order: (entry: Entry) => string | number): Position {
  return [order(entry), entry.name, entry.project]
}

function positionIn(cursor: string): Position | undefined {
  try {
    const given: unknown = JSON.parse(cursor)
    if (Array.isArray(given) && given.length === 3) return given
  } catch {
    // It is a cursor of another list: the page begins at the start.
  }
  return undefined
}

function compare(one: Position, other: Position): number {
  for (let at = 0; at < one.length; at++) {
    const [a, b] = [one[at] ?? '', other[at] ?? '']
    if (a !== b) return a < b ? -1 : 1
  }
  return 0
}
