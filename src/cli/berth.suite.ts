import type { AttemptView } from '../core/event/attempts.ts'
import type { EventEntry, EventKind, Facts } from '../core/event/event.ts'
import type { SlotView, WorkloadView } from '../core/life/view/view.ts'
import type { Waiting } from '../core/life/status.ts'
import type { DocNode } from '../core/document/document.ts'
import { differenceOf } from '../core/manifest/difference.ts'
import { listOffers } from '../core/offer/list.ts'
import type { Snapshot } from '../core/offer/snapshot.ts'
import { describeOffer } from '../core/place/explain/offer-report.ts'
import { decide } from '../core/place/plan.ts'
import { report } from '../core/place/explain/report.ts'
import { offersThatFit } from '../core/place/search.ts'
import { UserError } from '../core/base/problem.ts'
import { readYaml } from '../formats/yaml/yaml.ts'
import { loadOffers } from '../catalogues/load-offers.ts'
import { OFFER_SOURCES } from '../catalogues/sources.ts'
import type { Applied, ApplyRequest, At, Berth, ManifestRequest, Preview } from '../ports/berth.ts'
import { inputFor, planFor } from './plan/deciding.ts'
import { notFound, platformCapacity, TEMPLATE, type PlatformCapacity } from './berth-platform.suite.ts'
import { INVENTORY, MANIFEST, NOW_MS } from './harness.suite.ts'
import { manifestFrom, readManifest } from './inputs.ts'

/** A control plane in memory: what is applied has a place at once and comes up step by step. */
export interface MemoryBerth extends Berth {
  /** Everything comes one step nearer to what is wanted. */
  readonly step: () => void
  /** The next reads of a workload, this many, find no control plane. */
  readonly lose: (looks: number) => void
  /** From now on what is applied has no place, for this reason. */
  readonly sellOut: (waiting: Waiting) => void
  /** Changes a workload without a request. */
  readonly change: (name: string, change: Partial<WorkloadView>) => void
  readonly happen: (kind: EventKind, facts: Facts, agoMs?: number) => void
  /** Requests as they came. */
  readonly applied: readonly ApplyRequest[]
  /** What was tried, as tests want it. */
  readonly attempted: AttemptView[]
  readonly capacity: PlatformCapacity
}

interface Kept {
  readonly text: string
  readonly view: WorkloadView
}

/** A world of its own: three machines on offer, nothing running. */
export function memoryBerth(): MemoryBerth {
  const kept = new Map<string, Kept>()
  const events: EventEntry[] = []
  const applied: ApplyRequest[] = []
  const attempts: AttemptView[] = []
  const past = new Map<string, readonly string[]>()
  const capacity = platformCapacity()
  let lost = 0
  let full: Waiting | undefined

  const keyOf = ({ project, name }: At): string => `${project}/${name}`
  const find = (at: At): Kept => {
    const found = kept.get(keyOf(at))
    if (found === undefined)
      throw notFound(
        'workload',
        at.name,
        [...kept.values()].map(({ view }) => view.name),
      )
    return found
  }
  const happen: MemoryBerth['happen'] = (kind, facts, agoMs = 0) => {
    const subject = `workload/${facts['name'] ?? 'llama-70b'}`
    events.push({ seq: events.length + 1, atMs: NOW_MS - agoMs, project: 'default', subject, kind, facts })
  }
  const put = (at: At, change: Partial<WorkloadView>): WorkloadView => {
    const { text, view } = find(at)
    const next = { ...view, ...change }
    kept.set(keyOf(at), { text, view: next })
    return next
  }
  const place = (view: WorkloadView, usdPerHour: number): WorkloadView => {
    const slots = Array.from({ length: view.total }, (_, at) => slotOf(at, usdPerHour))
    return full === undefined
      ? { ...view, slots, usd_per_hour: usdPerHour * view.total, state: 'starting' }
      : { ...view, slots: [], usd_per_hour: 0, state: 'waiting', waiting: full }
  }
  const apply = async (request: ApplyRequest): Promise<Applied> => {
    const plan = planOf(request)
    applied.push(request)
    const { manifest, warnings } = readManifest(request)
    const warned = warnings.length === 0 ? {} : { warnings }
    const at = { project: request.project, name: manifest.name }
    const before = kept.get(keyOf(at))
    if (before?.text === request.text && before.view.want === 'running')
      return { outcome: 'unchanged', workload: before.view, ...warned }
    const fresh: WorkloadView = {
      ...FRESH_VIEW,
      ...at,
      kind: manifest.kind,
      total: manifest.replicas.min,
      policy: manifest.policy,
      labels: manifest.labels,
      generation: (before?.view.generation ?? 0) + 1,
    }
    const workload = place(fresh, plan.usd_per_hour / Math.max(1, fresh.total))
    if (before !== undefined) past.set(keyOf(at), [before.text, ...(past.get(keyOf(at)) ?? [])])
    kept.set(keyOf(at), { text: request.text, view: workload })
    happen('accepted', { name: at.name, replicas: fresh.total, by: 'ada' })
    return { outcome: before === undefined ? 'created' : 'changed', workload, ...warned }
  }

  const render: Berth['render'] = async (request) => {
    const at = { project: request.project, name: request.template }
    const { text, version } = await capacity.berth.template(at, request.version)
    const filled = text
      .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => request.set[name] ?? '1')
      .replace(/^parameters:\n(?: .*\n)*/m, '')
    const named = request.name === undefined ? filled : filled.replace(/^name: .*$/m, `name: ${request.name}`)
    const { name } = manifestFrom({ text: named, file: request.template })
    return { name, version, text: named, file: request.template }
  }

  return {
    ...capacity.berth,
    capacity,
    applied,
    attempted: attempts,
    happen,
    lose: (looks) => (lost = looks),
    sellOut: (waiting) => (full = waiting),
    change: (name, change) => void put({ project: 'default', name }, change),
    step: () => {
      for (const [key, { text, view }] of kept) {
        if (view.want === 'removed' && view.slots.length === 0) kept.delete(key)
        else kept.set(key, { text, view: stepped(view) })
      }
    },
    plan: async (request) => planOf(request),
    offers: async ({ provider, gpus, sort = 'price', limit = 20 }) => {
      const snapshot = capacityOfHarness()
      const { listings, ...counts } = listOffers(snapshot, { provider, gpus }, { sort, limit })
      const offers = listings.map((each) =>
        describeOffer(each, { usdPerHour: each.price.usdPerHour, terms: 'on-demand' }),
      )
      return { ...counts, providers: ['northwind'], offers }
    },
    searchOffers: async ({ text, file, limit = 20 }) => {
      const plan = decide(capacityOfHarness(), inputFor(manifestFrom({ text, file }), { config: undefined }, NOW_MS))
      return { offers: offersThatFit(plan, limit), plan: report(plan) }
    },
    preview: async (request) => {
      const { manifest, warnings } = readManifest(request)
      const preview = previewOf(kept.get(keyOf({ project: request.project, name: manifest.name })), request)
      return warnings.length === 0 ? preview : { ...preview, warnings }
    },
    apply,
    render,
    launch: async (request) => apply({ ...request, ...(await render(request)) }),
    workloads: async ({ project, after, limit = 100 }) => {
      const all = [...kept.values()]
        .map(({ view }) => view)
        .filter((view) => project === undefined || view.project === project)
        .toSorted((one, two) => (one.name < two.name ? -1 : 1))
      const from = after === undefined ? 0 : Number(after)
      return { items: all.slice(from, from + limit), next: from + limit < all.length ? `${from + limit}` : undefined }
    },
    workload: async (at) => {
      if (lost-- > 0) throw unreachable()
      return find(at).view
    },
    manifest: async (at) => ({ text: find(at).text, generation: find(at).view.generation }),
    history: async (at) => {
      const { text, view } = find(at)
      const { generation } = view
      const before = (past.get(keyOf(at)) ?? []).map((one, index) => {
        return { generation: generation - 1 - index, text: one, at_ms: NOW_MS - 3_600_000 * (index + 1) }
      })
      return [{ generation, text, at_ms: view.changed_ms }, ...before]
    },
    explain: async (at) => {
      const { view, text } = find(at)
      const plan = view.waiting === undefined ? undefined : planOf({ text, file: 'm' })
      return { workload: view, plan, refusals: capacity.refusals, events }
    },
    scale: async (at, { replicas }) => {
      const { view } = find(at)
      const slots = Array.from({ length: replicas }, (_, index) => view.slots[index] ?? slotOf(index, 9.4))
      return put(at, { total: replicas, slots, usd_per_hour: 9.4 * replicas, generation: view.generation + 1 })
    },
    stop: async (at) => put(at, { want: 'stopped', state: 'stopping', slots: leaving(find(at).view) }),
    rerun: async (at) => {
      const { view } = find(at)
      const fresh = { ...view, generation: view.generation + 1, want: 'running', end: undefined, ready: 0 } as const
      return put(at, place(fresh, 9.4))
    },
    exec: async (at, { slot = '0', command }) => {
      find(at)
      const code = command[0] === 'false' ? 1 : 0
      return { slot, code, out: `${command.join(' ')}\n`, err: code === 0 ? '' : 'no\n' }
    },
    remove: async (at) => put(at, { want: 'removed', state: 'stopping', slots: leaving(find(at).view) }),
    events: async function* ({ workload, after, tail, since_ms: sinceMs = 0 }) {
      const asked = events.filter(
        ({ seq, subject }) => seq > after && (workload === undefined || subject === `workload/${workload}`),
      )
      const last = tail === undefined ? asked : asked.slice(asked.length - Math.min(tail, asked.length))
      yield* last.filter(({ atMs }) => atMs >= sinceMs)
    },
    logs: async function* (at, { slot, tail }) {
      const lines = find(at).view.slots.flatMap((one) =>
        ['loading', 'ready'].map((text) => ({ atMs: NOW_MS, stream: 'out' as const, text, slot: one.slot })),
      )
      yield* lines.filter((line) => slot === undefined || line.slot === slot).slice(-(tail ?? lines.length))
    },
    attempts: async (at) => attempts.filter(({ slot }) => find(at).view.total > Number(slot)),
    audit: async () => ({ items: [], next: undefined }),
  }
}

/** What applying a text does to what is kept under its name. */
function previewOf(kept: Kept | undefined, { text, file }: Pick<ManifestRequest, 'text' | 'file'>): Preview {
  const { min } = manifestFrom({ text, file }).replicas
  const none = { replaced: 0, kept: 0, added: 0, removed: 0 }
  if (kept === undefined) return { outcome: 'create', state: undefined, changes: [], replicas: { ...none, added: min } }
  const { state, want, slots } = kept.view
  const isSame = kept.text === text
  if (isSame && state === 'failed') return { outcome: 'again', state, changes: [], replicas: { ...none, added: min } }
  if (isSame && want === 'running') return { outcome: 'unchanged', state, changes: [], replicas: none }
  const changes = differenceOf(rootOf(kept.text), rootOf(text))
  const there = slots.filter(({ phase }) => phase !== 'gone' && phase !== 'stopping').length
  const replaced = isSame ? 0 : Math.min(there, min)
  const replicas = { replaced, kept: Math.min(there, min) - replaced, added: Math.max(0, min - there), removed: 0 }
  return { outcome: 'change', state, changes, replicas }
}

function rootOf(text: string): DocNode {
  const read = readYaml(text, 'm')
  if ('problems' in read) throw new UserError(read.problems)
  return read.document.root
}

/** One in which everything has something to show. What it does happens at once: none of it waits for anything. */
export function furnishedBerth(): MemoryBerth {
  const berth = memoryBerth()
  const at = { project: 'default', name: 'chat' }
  void berth.apply({ project: 'default', text: MANIFEST, file: 'w.yaml', idempotencyKey: 'k' })
  berth.step()
  berth.step()
  void berth.pushTemplate(at, TEMPLATE)
  void berth.pushTemplate(at, TEMPLATE.replace('default: 4', 'default: 2'))
  void berth.setSecret({ project: 'default', name: 'HF_TOKEN' }, 'canary')
  void berth.createToken({ name: 'ci', role: 'writer', projects: ['default'], ttl_ms: 86_400_000 })
  return berth
}

/** What the planner says of the offers of the harness. */
function planOf({ text, file }: Pick<ManifestRequest, 'text' | 'file'>): ReturnType<typeof planFor> {
  return planFor(manifestFrom({ text, file }), { config: undefined, snapshot: capacityOfHarness() }, NOW_MS)
}

function capacityOfHarness(): Snapshot {
  const read = (path: string): Uint8Array | undefined =>
    path === 'inventory.yaml' ? new TextEncoder().encode(INVENTORY) : undefined
  const files = { read, list: () => undefined, write: () => false }
  const options = { files, sources: OFFER_SOURCES, config: undefined, owners: new Map<string, string>() }
  return loadOffers(['inventory.yaml'], options)
}

const FRESH_VIEW: WorkloadView = {
  project: 'default',
  name: '',
  uid: 'u1',
  kind: 'service',
  generation: 1,
  want: 'running',
  state: 'starting',
  ready: 0,
  total: 1,
  usd_per_hour: 0,
  created_ms: NOW_MS - 3 * 3_600_000,
  changed_ms: NOW_MS - 60_000,
  slots: [],
  waiting: undefined,
  end: undefined,
  restarts: 0,
  lost_seconds: 0,
  template: undefined,
  policy: undefined,
  set_aside: undefined,
}

function slotOf(at: number, usdPerHour: number): SlotView {
  return {
    slot: `${at}`,
    epoch: 1,
    attempt: `a${at}`,
    phase: 'reserved',
    since_ms: NOW_MS - 41_000,
    provider: 'northwind',
    region: 'north-1',
    offer: 'northwind/north-1/nw-h100-4',
    instance: undefined,
    gpus: 4,
    usd_per_hour: usdPerHour,
    healthy: undefined,
    ports: {},
    because: 'cheapest of 1 that fit',
    why: undefined,
    exit: undefined,
    tries: 0,
    next_try_ms: 0,
  }
}

function leaving({ slots }: WorkloadView): readonly SlotView[] {
  return slots.map((slot) => ({ ...slot, phase: 'stopping' as const, why: 'stopped' }))
}

function stepped(view: WorkloadView): WorkloadView {
  if (view.waiting !== undefined) return view
  const slots = view.slots.filter(({ phase }) => phase !== 'stopping').map(steppedSlot)
  const ready = slots.filter(({ phase }) => phase === 'running').length
  if (view.want !== 'running') return { ...view, slots, ready, usd_per_hour: 0, state: 'stopped' }
  const isUp = ready === view.total
  return { ...view, slots, ready, state: isUp ? (view.kind === 'job' ? 'running' : 'serving') : 'starting' }
}

function steppedSlot(slot: SlotView): SlotView {
  if (slot.phase === 'reserved') return { ...slot, phase: 'starting', instance: `i-${slot.slot}` }
  if (slot.phase !== 'starting') return slot
  return { ...slot, phase: 'running', healthy: true, ports: { http: `127.0.0.1:3123${slot.slot}` } }
}

function unreachable(): UserError {
  return new UserError([{ code: 'CONTROL_PLANE_UNREACHABLE', message: 'Nothing answers at http://127.0.0.1:7700.' }])
}
