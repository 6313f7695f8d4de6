import { routeKey, routeOf, type RouteEntry, type ServiceRoute } from '../core/route/route.ts'
import type { Store, StoreChange } from '../ports/store.ts'
import type { Timers } from '../ports/timers.ts'
import { nextTurn } from '../ports/turn.ts'
import { knownOfAll } from './workload/known.ts'

type Deps = { readonly store: Store; readonly timers: Timers }

/** How often the store is asked for changes while somebody follows them. */
const LOOK_MS = 100
const CHUNK = 1000
/** How many workloads are read before other work gets its turn. */
const PAGE = 100

/** One table for each control plane, identified by its one store. */
const TABLES = new WeakMap<Store, RouteTable>()

/** Every route, then, with `isFollowed`, each change of one until the signal. */
export async function* followRoutes(deps: Deps, isFollowed: boolean, signal: AbortSignal): AsyncGenerator<RouteEntry> {
  const table = TABLES.get(deps.store) ?? new RouteTable(deps.store)
  TABLES.set(deps.store, table)
  yield { kind: 'start' }
  await table.catchUp()
  let seen = table.version
  for (const { route } of table.after(0)) if (route !== undefined) yield { kind: 'route', route }
  yield { kind: 'whole' }
  if (!isFollowed) return
  while (!signal.aborted) {
    await deps.timers.sleep(LOOK_MS, signal)
    if (signal.aborted) return
    await table.catchUp()
    const changed = table.after(seen)
    seen = table.version
    for (const { key, route } of changed) {
      const [project = '', name = ''] = key.split('/')
      yield route === undefined ? { kind: 'gone', project, name } : { kind: 'route', route }
    }
  }
}

interface Entry {
  readonly key: string
  /** Undefined: it is gone. */
  readonly route: ServiceRoute | undefined
  /** To see whether it changed. */
  readonly text: string
  /** Grows with each change of the table. */
  readonly version: number
}

/** The routes of all services, which follow from the rows of workloads and placements. Followed once for all who ask. */
class RouteTable {
  readonly #store: Store
  readonly #entries = new Map<string, Entry>()
  #seq = 0
  version = 0
  #catching: Promise<void> | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** What changed after a version, oldest first. */
  after(version: number): readonly Entry[] {
    if (version === this.version) return []
    return [...this.#entries.values()].filter((entry) => entry.version > version).sort(byVersion)
  }

  /** Everything that was written before the call is in the table after it. Callers at the same time share the work. */
  catchUp(): Promise<void> {
    this.#catching ??= this.#read().finally(() => (this.#catching = undefined))
    return this.#catching
  }

  async #read(): Promise<void> {
    if (this.#seq === 0) await this.#readAll()
    for (;;) {
      const changes = await this.#store.changes(this.#seq, CHUNK)
      const keys = new Set(changes.flatMap(keysIn))
      for (const key of keys) await this.#readOne(key)
      this.#seq = changes.at(-1)?.seq ?? this.#seq
      if (changes.length < CHUNK) return
    }
  }

  async #readAll(): Promise<void> {
    // Taken before the rows are read: what changes meanwhile comes after it.
    const seq = await this.#store.head()
    let after: string | undefined
    for (;;) {
      const rows = await this.#store.list('workload', { limit: PAGE, ...(after !== undefined && { after }) })
      const { page, known } = await knownOfAll(this.#store, rows)
      for (const { key, body } of page) this.#note(key, routeOf(body, known(key).placements))
      after = page.at(-1)?.key
      if (after === undefined || (rows.length < PAGE && page.length === rows.length)) break
      await nextTurn()
    }
    this.#seq = seq
  }

  async #readOne(key: string): Promise<void> {
    const [workload, placements] = await Promise.all([
      this.#store.get('workload', key),
      this.#store.list('placement', { prefix: `${key}/`, limit: 10_000 }),
    ])
    const rows = placements.map(({ body }) => body)
    this.#note(key, workload === undefined ? undefined : routeOf(workload.body, rows))
  }

  #note(key: string, route: ServiceRoute | undefined): void {
    const known = this.#entries.get(key)
    const text = route === undefined ? '' : JSON.stringify(route)
    if ((known?.text ?? '') === text) return
    this.version++
    // Behind all others: the newest change comes last.
    this.#entries.set(route === undefined ? key : routeKey(route), { key, route, text, version: this.version })
  }
}

function byVersion(one: Entry, other: Entry): number {
  return one.version - other.version
}

/** The key of the workload that a change is about, if it is about one. */
function keysIn({ kind, key }: StoreChange): readonly string[] {
  if (kind === 'placement') return [key.slice(0, key.lastIndexOf('/'))]
  return kind === 'workload' ? [key] : []
}
