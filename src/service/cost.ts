import type { RouteReply } from '../api/call.ts'
import { billsSince, openBillOf, type Bill, type OpenBill } from '../core/life/bill.ts'
import { isBilled } from '../core/life/placement.ts'
import type { Store } from '../ports/store.ts'
import { mayDo } from './access.ts'
import type { Principal, ServiceDeps } from './deps.ts'
import { walk } from './platform-rows.ts'

type CostView = RouteReply<'cost'>
type CostItem = CostView['costs'][number]

/** What is asked: since when, of which project, and what is added up together. */
interface CostQuery {
  readonly project?: string | undefined
  readonly since_ms?: number | undefined
  readonly by?: CostView['by'] | undefined
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const CHUNK = 1000

/** How long bills are kept. */
export const BILLS_KEPT_MS = 90 * DAY_MS

/** What rented machines cost, by the price that they were ordered at. Only of projects that the caller may see. */
export async function costOf(
  { store, clock }: Pick<ServiceDeps, 'store' | 'clock'>,
  actor: Principal,
  query: CostQuery,
): Promise<CostView> {
  const nowMs = clock.nowMs()
  const sinceMs = query.since_ms ?? nowMs - 7 * DAY_MS
  const by = query.by ?? 'workload'
  const sums = new Sums(by, { sinceMs, nowMs })
  for (const scope of scopesOf(actor, query.project)) {
    for await (const bill of closedSince(store, scope, sinceMs)) {
      if (mayDo(actor, 'workload.read', bill.project)) sums.add(bill, bill.toMs)
    }
    for await (const { body } of walk(store, 'placement', scope === undefined ? '' : `${scope}/`)) {
      const open = isBilled(body) ? openBillOf(body) : undefined
      if (open !== undefined && mayDo(actor, 'workload.read', open.project)) sums.add(open, undefined)
    }
  }
  const costs = sums.costs()
  const total = costs.reduce((sum, { usd }) => sum + usd, 0)
  return { by, since_ms: Math.round(sinceMs), until_ms: Math.round(nowMs), total_usd: exact(total), costs }
}

/** The projects to read one by one; undefined: all of them at once. */
function scopesOf({ projects }: Principal, project: string | undefined): readonly (string | undefined)[] {
  if (project !== undefined) return [project]
  return projects.includes('*') ? [undefined] : [...new Set(projects)]
}

/** Bills that were closed since then. Those before are skipped, project by project, and not read. */
async function* closedSince(store: Store, only: string | undefined, sinceMs: number): AsyncGenerator<Bill> {
  for await (const project of only === undefined ? projectsWithBills(store) : [only]) {
    let after = billsSince(project, sinceMs)
    for (;;) {
      const rows = await store.list('bill', { prefix: `${project}/`, after, limit: CHUNK })
      for (const { body } of rows) yield body
      after = rows.at(-1)?.key ?? after
      if (rows.length < CHUNK) break
    }
  }
}

/** By the first bill of each. */
async function* projectsWithBills(store: Store): AsyncGenerator<string> {
  let after = ''
  for (;;) {
    const [first] = await store.list('bill', { after, limit: 1 })
    if (first === undefined) return
    const [project = ''] = first.key.split('/', 1)
    yield project
    // Behind every key of the project: keys are made of digits and letters.
    after = `${project}/~`
  }
}

/** Deletes bills that were closed before this. Returns how many. Call it periodically. */
export async function forgetBills({ store }: Pick<ServiceDeps, 'store'>, beforeMs: number): Promise<number> {
  let forgotten = 0
  for await (const project of projectsWithBills(store)) {
    for (;;) {
      const rows = await store.list('bill', { prefix: `${project}/`, limit: CHUNK })
      const old = rows.filter(({ body }) => body.toMs < beforeMs)
      if (old.length === 0) break
      const writes = old.map(({ key, version }) => ({ kind: 'bill' as const, key, version, body: undefined }))
      const committed = await store.commit({ writes })
      // Another control plane tidies, too; the next time will do.
      if (committed.kind !== 'done') break
      forgotten += old.length
      if (old.length < CHUNK) break
    }
  }
  return forgotten
}

interface Sum {
  usd: number
  hours: number
  instances: number
  running: number
  usdPerHour: number
  readonly about: Pick<CostItem, 'project' | 'workload' | 'provider'>
}

/** Costs, added up by what they are for. */
class Sums {
  readonly #by: CostView['by']
  readonly #span: { readonly sinceMs: number; readonly nowMs: number }
  readonly #sums = new Map<string, Sum>()

  constructor(by: CostView['by'], span: { readonly sinceMs: number; readonly nowMs: number }) {
    this.#by = by
    this.#span = span
  }

  /** `toMs` undefined: it goes on. Only what lies within the span counts. */
  add(bill: OpenBill, toMs: number | undefined): void {
    const { sinceMs, nowMs } = this.#span
    const hours = Math.max(0, (toMs ?? nowMs) - Math.max(bill.fromMs, sinceMs)) / HOUR_MS
    const about = aboutOf(bill, this.#by)
    const key = JSON.stringify(about)
    const sum = this.#sums.get(key) ?? { usd: 0, hours: 0, instances: 0, running: 0, usdPerHour: 0, about }
    this.#sums.set(key, sum)
    sum.usd += hours * bill.usdPerHour
    sum.hours += hours
    sum.instances++
    if (toMs !== undefined) return
    sum.running++
    sum.usdPerHour += bill.usdPerHour
  }

  /** The dearest first. */
  costs(): CostItem[] {
    const costs = [...this.#sums.values()].map(({ about, usd, hours, instances, running, usdPerHour }) => ({
      ...about,
      usd: exact(usd),
      hours: exact(hours),
      instances,
      running,
      usd_per_hour: exact(usdPerHour),
    }))
    return costs.toSorted((one, two) => two.usd - one.usd)
  }
}

function aboutOf({ project, workload, provider }: OpenBill, by: CostView['by']): Sum['about'] {
  switch (by) {
    case 'workload':
      return { project, workload }
    case 'provider':
      return { provider }
    case 'project':
      return { project }
  }
}

/** Sums of fractions carry errors; they must not be shown as money. */
function exact(amount: number): number {
  return Math.round(amount * 1e6) / 1e6
}
