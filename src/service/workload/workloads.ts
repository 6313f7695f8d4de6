import { UserError } from '../../core/base/problem.ts'
import type { Facts, HappeningOf } from '../../core/event/event.ts'
import { slotCount } from '../../core/life/slots.ts'
import { differenceOf } from '../../core/manifest/difference.ts'
import { agreementWith } from '../../core/life/bind/agreed.ts'
import { hasStood } from '../../core/life/stood.ts'
import { viewOf, type SummaryInput } from '../../core/life/view/summary.ts'
import type { WorkloadView } from '../../core/life/view/view.ts'
import { workloadKey, type Workload } from '../../core/life/workload.ts'
import type { Manifest } from '../../core/manifest/manifest.ts'
import { told } from '../../api/problem.ts'
import type { AgreedPrice, Applied, At } from '../../ports/berth.ts'
import type { Commit, Row, Write } from '../../ports/store.ts'
import { auditBy } from '../audit.ts'
import type { ServiceDeps, Principal } from '../deps.ts'
import { checkProject } from '../known-projects.ts'
import { changeOnce, type Attempt, type Once } from '../requests.ts'
import { endpointFor } from './listing.ts'
import { knownTo, mustGet } from './views.ts'
import { checkNames, checkPlan, checkScale, checkSlots, checkTag, leaving, underQuota, workloadsMax } from './checks.ts'
import { isEnded, notEnded, notRestarted } from '../../core/life/view/ended.ts'
import { agreementOf, created, merged, type ApplyAsk } from './merge.ts'

/** The conditions of a change to a workload. */
export interface Terms {
  readonly once: Once | undefined
  /** Change only if the workload still has this tag; `*`: only if it exists. */
  readonly ifTag: string | undefined
}

/** Creates or changes the workload of a manifest. Applying the same text again changes nothing. */
export async function applyManifest(deps: ServiceDeps, actor: Principal, ask: ApplyAsk & Terms): Promise<Applied> {
  const { manifest, warnings } = await deps.parse(ask.text, ask.file)
  const at = { project: ask.project, name: manifest.name }
  const applied = await changeOnce(deps, ask.once, async (tries) => {
    // Most workloads are new, so the first try does not read: if there is one already, the commit conflicts.
    const isGuess = tries === 0 && ask.ifTag === undefined && (await workloadsMax(deps, at.project)) === undefined
    const [row] = await Promise.all([
      isGuess ? undefined : deps.store.get('workload', workloadKey(at)),
      checkNames(deps, at.project, manifest),
      checkProject(deps, actor, { project: at.project, create: ask.createProject }),
    ])
    checkTag(row, ask.ifTag, at)
    if (row?.body.want === 'removed') throw leaving(at)
    const service = { deps, actor }
    return row === undefined ? create(service, manifest, ask) : reapply(service, row, { manifest, ask })
  })
  return warnings.length === 0 ? applied : { ...applied, warnings: warnings.map(told) }
}

interface Service {
  readonly deps: ServiceDeps
  readonly actor: Principal
}

async function create({ deps, actor }: Service, manifest: Manifest, ask: ApplyAsk): Promise<Attempt<Applied>> {
  const workload = created(manifest, ask, { uid: deps.random.id(), nowMs: deps.clock.nowMs() })
  await checkPlan(deps, workload, [])
  const guard = await underQuota(deps, ask.project)
  const view = shownTo(deps, workload, { status: undefined, placements: [] })
  const { template } = workload
  const from = template && { template: template.name, template_version: template.version }
  const told = { kind: 'accepted', action: 'apply', facts: { replicas: slotCount(workload), ...from } } as const
  return {
    answer: { outcome: 'created', workload: view },
    commit: commitOf(workload, { actor, version: 0, ...told, guard }),
  }
}

async function reapply(
  { deps, actor }: Service,
  { key, version, body: before }: Row<'workload'>,
  { manifest, ask }: { readonly manifest: Manifest; readonly ask: ApplyAsk },
): Promise<Attempt<Applied>> {
  const nowMs = deps.clock.nowMs()
  const known = await knownTo(deps, before)
  const keys = keysOf(deps, before, ask)
  const next = merged(before, manifest, { ...ask, nowMs, stood: hasStood(before, known, nowMs), ...(keys && { keys }) })
  const isSame = next.generation === before.generation
  if (isSame && !hasFailed(before, known)) {
    const writes: readonly Write[] = next.text === before.text ? [] : [{ kind: 'workload', key, version, body: next }]
    return { answer: { outcome: 'unchanged', workload: shownTo(deps, next, known) }, commit: { writes } }
  }
  // Applying a failed workload again means: try again.
  const again = isSame ? { ...next, generation: next.generation + 1, changedMs: nowMs } : next
  const workload = ask.agreed === undefined ? again : agreedFor(again, ask.agreed, { known, nowMs })
  if (ask.keepReplicas === true) checkSlots(workload)
  await checkPlan(deps, workload, known.placements)
  return {
    answer: { outcome: 'changed', workload: shownTo(deps, workload, known) },
    commit: commitOf(workload, { actor, version, kind: 'changed', action: 'apply', facts: keysFact(keys) }),
  }
}

/** A workload as users see it, with the address of its service. */
function shownTo({ gateway }: ServiceDeps, workload: Workload, known: SummaryInput): WorkloadView {
  return { ...viewOf(workload, known), ...endpointFor(workload, gateway) }
}

/** Longer texts are not compared: every other request would wait for it. */
const COMPARED_MAX = 64 * 1024

/** The keys in which a text differs from what is applied, as users write them; undefined: not known. */
function keysOf({ read }: ServiceDeps, { text }: Workload, ask: ApplyAsk): readonly string[] | undefined {
  if (text === ask.text) return []
  if (Math.max(text.length, ask.text.length) > COMPARED_MAX) return undefined
  try {
    return differenceOf(read(text, 'before').root, read(ask.text, ask.file).root).map(({ field }) => field)
  } catch (error) {
    // An earlier version may have accepted what this one cannot read. That is no reason to refuse the next text.
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** How many keys an event names. */
const KEYS_TOLD = 20

function keysFact(keys: readonly string[] = []): { readonly keys?: string } {
  if (keys.length === 0) return {}
  const more = keys.length - KEYS_TOLD
  return { keys: [...keys.slice(0, KEYS_TOLD), ...(more > 0 ? [`and ${more} more`] : [])].join(', ') }
}

/** With the price that the user has just agreed to. */
function agreedFor(
  workload: Workload,
  agreed: AgreedPrice,
  { known, nowMs }: { readonly known: SummaryInput; readonly nowMs: number },
): Workload {
  return { ...workload, agreed: agreementWith(agreementOf(agreed, nowMs), workload, known.placements) }
}

/** Sets the number of replicas of a role, until a changed manifest is applied. */
export async function scaleWorkload(
  deps: ServiceDeps,
  actor: Principal,
  ask: { readonly at: At; readonly role: string | undefined; readonly replicas: number } & Terms,
): Promise<WorkloadView> {
  const { role = '', replicas } = ask
  const facts = { ...(role !== '' && { role }), replicas }
  return change({ deps, actor }, { ...ask, kind: 'scaled', action: 'scale', facts }, (before) => {
    checkScale(before, { role, replicas })
    const after = { ...before, scale: { ...before.scale, [role]: replicas } }
    checkSlots(after)
    return before.scale[role] === replicas ? before : after
  })
}

type Leave = { readonly at: At } & Terms

/** Stops a workload but keeps its manifest and history. Applying it again starts it. What has ended stays as it ended. */
export async function stopWorkload(deps: ServiceDeps, actor: Principal, ask: Leave): Promise<WorkloadView> {
  return change({ deps, actor }, { ...ask, kind: 'stop-requested', action: 'stop', facts: {} }, (before, known) =>
    before.want === 'running' && !isEnded(viewOf(before, known).state) ? { ...before, want: 'stopped' } : before,
  )
}

/** Runs an ended workload again, unchanged. Refused for one that still runs. */
export async function rerunWorkload(
  deps: ServiceDeps,
  actor: Principal,
  ask: Leave & { readonly agreed?: AgreedPrice | undefined },
): Promise<WorkloadView> {
  return changeOnce(deps, ask.once, async () => {
    const [row, known] = await Promise.all([mustGet(deps.store, ask.at), knownTo(deps, ask.at)])
    checkTag(row, ask.ifTag, ask.at)
    const { body: before, version } = row
    const view = viewOf(before, known)
    if (before.want === 'removed') throw leaving(before)
    if (!isEnded(view.state)) throw notEnded(before.name, view)
    const nowMs = deps.clock.nowMs()
    const again: Workload = { ...before, want: 'running', generation: before.generation + 1, changedMs: nowMs }
    const workload = ask.agreed === undefined ? again : agreedFor(again, ask.agreed, { known, nowMs })
    await checkPlan(deps, workload, known.placements)
    const step = { kind: 'changed', action: 'rerun', facts: { what: 'run again' } } as const
    return { answer: shownTo(deps, workload, known), commit: commitOf(workload, { ...step, actor, version }) }
  })
}

/** Replaces every replica of a service by a fresh attempt, one after the other. Its manifest stays as it is. */
export async function restartWorkload(deps: ServiceDeps, actor: Principal, ask: Leave): Promise<WorkloadView> {
  const facts = { what: 'restart' }
  return change({ deps, actor }, { ...ask, kind: 'changed', action: 'restart', facts }, (before, known) => {
    if (before.want === 'removed') throw leaving(before)
    const view = viewOf(before, known)
    if (before.manifest.kind === 'job' || isEnded(view.state)) throw notRestarted(before.name, view)
    return { ...before, restartedIn: before.generation + 1 }
  })
}

/** Stops a workload; the controller deletes it when all of it has stopped. */
export async function removeWorkload(deps: ServiceDeps, actor: Principal, ask: Leave): Promise<WorkloadView> {
  const facts = { remove: true }
  return change({ deps, actor }, { ...ask, kind: 'stop-requested', action: 'remove', facts }, (before) =>
    before.want === 'removed' ? before : { ...before, want: 'removed' },
  )
}

/** The event of a change, without what follows from the workload and the caller. */
type Step = {
  readonly [K in 'accepted' | 'changed' | 'scaled' | 'stop-requested']: {
    readonly kind: K
    readonly action: string
    readonly facts: Omit<HappeningOf<K>['facts'], 'generation' | 'by'>
  }
}['accepted' | 'changed' | 'scaled' | 'stop-requested']

/** Changes an existing workload. If `decide` returns it unchanged, nothing is written. */
async function change(
  { deps, actor }: Service,
  { at, once, ifTag, ...step }: { readonly at: At } & Terms & Step,
  decide: (before: Workload, known: SummaryInput) => Workload,
): Promise<WorkloadView> {
  return changeOnce(deps, once, async () => {
    const [row, known] = await Promise.all([mustGet(deps.store, at), knownTo(deps, at)])
    checkTag(row, ifTag, at)
    const decided = decide(row.body, known)
    if (decided === row.body) return { answer: shownTo(deps, row.body, known), commit: { writes: [] } }
    const workload = { ...decided, generation: decided.generation + 1, changedMs: deps.clock.nowMs() }
    const commit = commitOf(workload, { ...step, actor, version: row.version })
    return { answer: shownTo(deps, workload, known), commit }
  })
}

/** Whether a workload has failed or its roll-out has stalled, so that applying it again tries again. */
export function hasFailed(before: Workload, known: SummaryInput): boolean {
  const { status } = known
  const isStalled =
    status?.uid === before.uid && status.generation === before.generation && status.stalled !== undefined
  return isStalled || viewOf(before, known).end?.state === 'failed'
}

/** One commit with the row, its event and its audit entry. */
function commitOf(
  workload: Workload,
  told: Step & { readonly actor: Principal; readonly version: number; readonly guard?: readonly Write[] },
): Commit {
  const { project, name, generation, changedMs: atMs } = workload
  const subject = `workload/${name}` as const
  const facts: Facts = { generation, ...told.facts }
  // Each kind of a step has its own facts, and these two besides.
  const happened = { kind: told.kind, facts: { ...facts, by: told.actor.name } } as HappeningOf<Step['kind']>
  const write: Write = { kind: 'workload', key: workloadKey(workload), version: told.version, body: workload }
  return {
    writes: [write, ...(told.guard ?? [])],
    events: [{ atMs, project, subject, ...happened }],
    audit: [auditBy(told.actor, { atMs, project, action: told.action, subject, facts })],
  }
}
