import type { SummaryInput } from '../../core/life/view/summary.ts'
import { workloadKey, type Workload } from '../../core/life/workload.ts'
import type { Row, Store } from '../../ports/store.ts'

/** How many rows to read at once. */
const CHUNK = 1000
/** The most slots to read for one page. */
const SLOTS_A_PAGE = 10_000
/** How many more slots than workloads a page usually has. */
const FEW = 20

/** The status and placements of one workload. */
export async function knownOf(store: Store, at: Pick<Workload, 'project' | 'name'>): Promise<SummaryInput> {
  const key = workloadKey(at)
  const [status, placements] = await Promise.all([
    store.get('status', key),
    store.list('placement', { prefix: `${key}/`, limit: 10_000 }),
  ])
  return { status: status?.body, placements: placements.map(({ body }) => body) }
}

interface KnownPage {
  readonly page: readonly Row<'workload'>[]
  readonly known: (key: string) => SummaryInput
}

/**
 * Reads the statuses and placements of a page of workloads in ranges instead of one by one. If that is too much, the
 * page gets shorter: its entries stay complete, and it has at least one.
 */
export async function knownOfAll(store: Store, page: readonly Row<'workload'>[]): Promise<KnownPage> {
  const keys = page.map(({ key }) => key)
  const [first, last] = [keys[0], keys.at(-1)]
  if (first === undefined || last === undefined) return { page, known: () => ({ status: undefined, placements: [] }) }
  // `-` sorts before `/`, so the slots of `a-b` come before those of `a`. The range therefore uses the prefixes with `/`.
  const starts = keys.map((key) => `${key}/`).toSorted()
  const [placements, firstStatus, statuses] = await Promise.all([
    rangeOf(store, 'placement', { after: starts[0] ?? '', until: `${starts.at(-1)}\u007f`, few: keys.length + FEW }),
    store.get('status', first),
    rangeOf(store, 'status', { after: first, until: last, few: keys.length }),
  ])
  if (placements === undefined || statuses === undefined) return knownOneByOne(store, page)
  const statusOf = new Map(
    [...statuses, ...(firstStatus === undefined ? [] : [firstStatus])].map(({ key, body }) => [key, body]),
  )
  const slotsOf = Map.groupBy(placements, ({ key }) => key.slice(0, key.lastIndexOf('/')))
  const known = (key: string): SummaryInput => {
    return { status: statusOf.get(key), placements: slotsOf.get(key)?.map(({ body }) => body) ?? [] }
  }
  return { page, known }
}

async function knownOneByOne(store: Store, page: readonly Row<'workload'>[]): Promise<KnownPage> {
  const found = new Map<string, SummaryInput>()
  let slots = 0
  for (const { key, body } of page) {
    if (slots >= SLOTS_A_PAGE) break
    const known = await knownOf(store, body)
    found.set(key, known)
    slots += known.placements.length
  }
  const known = (key: string): SummaryInput => found.get(key) ?? { status: undefined, placements: [] }
  return { page: page.slice(0, found.size), known }
}

/** All rows in a range of keys; undefined: there are too many for one page. */
async function rangeOf<K extends 'status' | 'placement'>(
  store: Store,
  kind: K,
  { after, until, few }: { readonly after: string; readonly until: string; readonly few: number },
): Promise<readonly Row<K>[] | undefined> {
  const found: Row<K>[] = []
  let from = after
  // Most workloads have one row of a kind. What lies beyond the range is not read for nothing.
  for (let limit = Math.min(few, CHUNK); ; limit = CHUNK) {
    const rows = await store.list(kind, { after: from, limit })
    found.push(...rows)
    from = rows.at(-1)?.key ?? until
    if (rows.length < limit || from >= until) return found
    if (found.length > SLOTS_A_PAGE) return undefined
  }
}
