import { refuse } from '../../core/base/refuse.ts'
import { bind } from '../../core/life/bind/bind.ts'
import type { Placement } from '../../core/life/placement.ts'
import type { Project } from '../../core/life/rows.ts'
import { groupsWanted, slotCount } from '../../core/life/slots.ts'
import type { Workload } from '../../core/life/workload.ts'
import { SECRETS_CHARS_MAX, SLOTS_MAX } from '../../core/manifest/limits.ts'
import type { Manifest } from '../../core/manifest/manifest.ts'
import type { At } from '../../ports/berth.ts'
import type { Row, Store, Write } from '../../ports/store.ts'
import { refuseReserved } from '../credentials.ts'
import type { ServiceDeps } from '../deps.ts'
import { checkRules } from '../project-rules.ts'
import { unbound } from './unbound.ts'
import { tagOf } from './views.ts'
import { replicasOf } from './merge.ts'

/** Whatever a manifest names must be there before it is accepted: nobody should wait for a name that is misspelt. */
export async function checkNames(deps: ServiceDeps, project: string, manifest: Manifest): Promise<void> {
  const { store } = deps
  await checkRules(deps, project, manifest)
  await refuseReserved(deps, { project, names: manifest.secrets })
  const rows = await Promise.all(
    manifest.secrets.map(async (name) => ({ name, row: await store.get('secret', `${project}/${name}`) })),
  )
  const missing = rows.flatMap(({ name, row }) => (row === undefined ? [name] : []))
  if (missing.length === 0) return checkSecretsSize(manifest.name, rows)
  throw refuse(
    'SECRET_MISSING',
    `${manifest.name} names ${missing.join(', ')}, which project ${project} does not have.`,
    `Set it first: berth secret set ${missing[0]}${project === 'default' ? '' : ` --project ${project}`}`,
  )
}

/** What is sealed is a third longer than what it holds. */
function checkSecretsSize(name: string, rows: readonly { readonly row: Row<'secret'> | undefined }[]): void {
  const chars = Math.floor(rows.reduce((sum, { row }) => sum + (row?.body.sealed.length ?? 0), 0) * 0.75)
  if (chars <= SECRETS_CHARS_MAX) return
  throw refuse(
    'SECRETS_TOO_LARGE',
    `The secrets that ${name} names have about ${chars} characters together; a program may get ${SECRETS_CHARS_MAX}.`,
    'Keep large values in storage, and only the key to them in a secret.',
  )
}

/** A plan that can be seen not to hold is refused at once, by the check that the leader makes again when it binds it. */
export async function checkPlan(
  deps: ServiceDeps,
  workload: Workload,
  placements: readonly Placement[],
): Promise<void> {
  if (workload.pinned === undefined) return
  const { kept, bindInput } = await unbound(deps, workload, placements)
  const { status } = bind(kept, [...groupsWanted(workload).values()], bindInput)
  if (status?.end?.state !== 'failed') return
  const hint = 'Nothing was changed. Plan it again and apply the new plan, or apply the manifest without one.'
  throw refuse('PLAN_STALE', `${workload.name}: ${status.end.why}.`, hint)
}

/** Stops a change that was meant for another state of things. */
export function checkTag(row: Row<'workload'> | undefined, ifTag: string | undefined, { name }: At): void {
  if (ifTag === undefined || (ifTag === '*' && row !== undefined)) return
  if (row !== undefined && tagOf(row) === ifTag) return
  throw refuse('VERSION_STALE', `${name} is no longer what the request was made for.`, 'Read it again and decide anew.')
}

export function checkScale(workload: Workload, { role, replicas }: { role: string; replicas: number }): void {
  const { name, manifest } = workload
  if (workload.want === 'removed') throw leaving(workload)
  if (manifest.kind === 'job') {
    throw refuse('SCALE_IMPOSSIBLE', `${name} is a job: its manifest says how often and on how many machines it runs.`)
  }
  const known = replicasOf(manifest, role)
  if (known === undefined) {
    const roles = manifest.roles.map((each) => each.name).join(', ')
    const message = role === '' ? `${name} has roles; say which one to scale.` : `${name} has no role ${role}.`
    throw refuse(
      'SCALE_IMPOSSIBLE',
      message,
      roles === '' ? 'It has no roles: leave --role out.' : `Its roles: ${roles}`,
    )
  }
  if (workload.pinned !== undefined && replicas > known.min) {
    const hint = 'Apply the manifest without a plan first.'
    throw refuse('SCALE_IMPOSSIBLE', `${name} was applied with a plan, which has no place for more replicas.`, hint)
  }
}

/** Scaled by hand, a workload may have no more slots than a manifest may ask for. */
export function checkSlots(workload: Workload): void {
  const slots = slotCount(workload)
  if (slots <= SLOTS_MAX) return
  const message = `${workload.name} would have ${slots} slots in all, and a workload may have ${SLOTS_MAX}.`
  throw refuse('SCALE_IMPOSSIBLE', message, 'Ask for fewer replicas, or divide it into several workloads.')
}

export function leaving({ name }: At) {
  return refuse('WORKLOAD_LEAVING', `${name} is being removed; its name is free once everything of it has stopped.`)
}

/**
 * What must be written along with a new workload so that the project's quota holds whoever else creates one at the same
 * time: everybody counts under the version of one row. Nothing where there is no quota.
 */
export async function underQuota(deps: ServiceDeps, project: string): Promise<readonly Write[]> {
  const { store } = deps
  const most = await workloadsMax(deps, project)
  if (most === undefined) return underDefault(deps, project)
  const key = `workloads/${project}`
  const counter = await store.get('setting', key)
  const there = await store.count('workload', { prefix: `${project}/`, most })
  if (there < most)
    return [{ kind: 'setting', key, version: counter?.version ?? 0, body: { value: String(there + 1) } }]
  throw overQuota(project, most)
}

function overQuota(project: string, most: number) {
  return refuse(
    'WORKLOADS_OVER_QUOTA',
    `Project ${project} may have ${most === 1 ? '1 workload' : `${most} workloads`}, and has ${most === 1 ? 'it' : 'them'}.`,
  )
}

/** Of a project that has no limit of its own: nobody needs more by intention. Counted now and then, so a little more gets by. */
const WORKLOADS_MAX = 20_000
const COUNTED_MS = 5000
const counts = new WeakMap<Store, Map<string, { readonly there: number; readonly readMs: number }>>()

async function underDefault({ store, clock }: ServiceDeps, project: string): Promise<readonly Write[]> {
  const known = counts.get(store) ?? new Map()
  counts.set(store, known)
  const readMs = clock.tickMs()
  const last = known.get(project)
  const isFresh = last !== undefined && readMs - last.readMs < COUNTED_MS
  const there = isFresh ? last.there : await store.count('workload', { prefix: `${project}/`, most: WORKLOADS_MAX })
  if (known.size >= REMEMBERED_MAX) known.clear()
  if (!isFresh) known.set(project, { there, readMs })
  if (there >= WORKLOADS_MAX) throw overQuota(project, WORKLOADS_MAX)
  return []
}

/** How long the limits of a project are believed: a new limit counts this soon. */
const BELIEVED_MS = 1000
const REMEMBERED_MAX = 1000
const remembered = new WeakMap<Store, Map<string, { readonly most: number | undefined; readonly readMs: number }>>()

/** How many workloads a project may have; undefined: any number. */
export async function workloadsMax(
  { store, config, clock }: ServiceDeps,
  project: string,
): Promise<number | undefined> {
  const known = remembered.get(store) ?? new Map()
  remembered.set(store, known)
  const last = known.get(project)
  const readMs = clock.tickMs()
  if (last !== undefined && readMs - last.readMs < BELIEVED_MS) return last.most
  const stated = config()?.projects.find(({ name }) => name === project)
  const limits: Project | undefined = stated ?? (await store.get('project', project))?.body
  if (known.size >= REMEMBERED_MAX) known.clear()
  known.set(project, { most: limits?.workloadsMax, readMs })
  return limits?.workloadsMax
}
