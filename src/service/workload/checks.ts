import { refuse } from '../../core/base/refuse.ts'
import { bind } from '../../core/life/bind/bind.ts'
import type { Placement } from '../../core/life/placement.ts'
import type { Project } from '../../core/life/rows.ts'
import { groupsWanted, slotCount } from '../../core/life/slots.ts'
import type { Workload } from '../../core/life/workload.ts'
import { SECRETS_CHARS_MAX, SLOTS_MAX } from '../../core/manifest/limits.ts'
import type { Manifest } from '../../core/manifest/manifest.ts'
import { secretsNeeded } from '../../core/manifest/secret-names.ts'
import type { At } from '../../ports/berth.ts'
import type { Row, Store, Write } from '../../ports/store.ts'
import { refuseReserved } from '../credentials.ts'
import type { ServiceDeps } from '../deps.ts'
import { checkRules } from '../project-rules.ts'
import { unbound } from './unbound.ts'
import { tagOf } from './views.ts'
import { replicasOf } from './merge.ts'

/** Everything that a manifest names must exist before it is accepted, so that no workload waits for a misspelt name. */
export async function checkNames(deps: ServiceDeps, project: string, manifest: Manifest): Promise<void> {
  const { store } = deps
  await checkRules(deps, project, manifest)
  const names = secretsNeeded(manifest)
  await refuseReserved(deps, { project, names })
  const rows = await Promise.all(
    names.map(async (name) => ({ name, row: await store.get('secret', `${project}/${name}`) })),
  )
  const missing = rows.flatMap(({ name, row }) => (row === undefined ? [name] : []))
  const own = rows.filter(({ name }) => manifest.secrets.includes(name))
  if (missing.length === 0) return checkSecretsSize(manifest.name, own)
  throw refuse(
    'SECRET_MISSING',
    `${manifest.name} needs the ${missing.length === 1 ? 'secret' : 'secrets'} ${missing.join(', ')}, which project ${project} does not have.`,
    `Set it first: berth secret set ${missing[0]}${project === 'default' ? '' : ` --project ${project}`}`,
  )
}

/** Estimates the size of the values: an encrypted value is a third longer than its plain text. */
function checkSecretsSize(name: string, rows: readonly { readonly row: Row<'secret'> | undefined }[]): void {
  const chars = Math.floor(rows.reduce((sum, { row }) => sum + (row?.body.sealed.length ?? 0), 0) * 0.75)
  if (chars <= SECRETS_CHARS_MAX) return
  throw refuse(
    'SECRETS_TOO_LARGE',
    `The secrets of ${name} have about ${chars} characters in total; the limit for a program is ${SECRETS_CHARS_MAX}.`,
    'Keep large values in storage, and only the key to them in a secret.',
  )
}

/** Refuses a stale plan at once. The leader makes the same check again when it places the workload. */
export async function checkPlan(
  deps: ServiceDeps,
  workload: Workload,
  placements: readonly Placement[],
): Promise<void> {
  if (workload.pinned === undefined) return
  const { kept, bindInput } = await unbound(deps, workload, placements)
  const { status } = bind(kept, [...groupsWanted(workload).values()], bindInput)
  if (status?.end?.state !== 'failed') return
  const hint = 'Nothing was changed. Plan again and apply the new plan, or apply the manifest without a plan.'
  throw refuse('PLAN_STALE', `${workload.name}: ${status.end.why}.`, hint)
}

/** Refuses a change that was made for another version of the workload. */
export function checkTag(row: Row<'workload'> | undefined, ifTag: string | undefined, { name }: At): void {
  if (ifTag === undefined || (ifTag === '*' && row !== undefined)) return
  if (row !== undefined && tagOf(row) === ifTag) return
  throw refuse(
    'VERSION_STALE',
    `${name} has changed since the version that the request names.`,
    'Read it again and repeat the change if it still applies.',
  )
}

export function checkScale(workload: Workload, { role, replicas }: { role: string; replicas: number }): void {
  const { name, manifest } = workload
  if (workload.want === 'removed') throw leaving(workload)
  if (manifest.kind === 'job') {
    throw refuse('SCALE_IMPOSSIBLE', `${name} is a job: its manifest says how often it runs and on how many machines.`)
  }
  const known = replicasOf(manifest, role)
  if (known === undefined) {
    const roles = manifest.roles.map((each) => each.name).join(', ')
    const message =
      role === '' ? `${name} has roles; name the one to scale with --role.` : `${name} has no role ${role}.`
    throw refuse(
      'SCALE_IMPOSSIBLE',
      message,
      roles === '' ? 'It has no roles: leave out --role.' : `Its roles: ${roles}`,
    )
  }
  if (workload.pinned !== undefined && replicas > known.min) {
    const hint = 'Apply the manifest without a plan first.'
    throw refuse('SCALE_IMPOSSIBLE', `${name} was applied with a plan, which has no place for more replicas.`, hint)
  }
}

/** A scaled workload may have no more slots than a manifest may ask for. */
export function checkSlots(workload: Workload): void {
  const slots = slotCount(workload)
  if (slots <= SLOTS_MAX) return
  const message = `${workload.name} would have ${slots} slots in all, and a workload may have at most ${SLOTS_MAX}.`
  throw refuse('SCALE_IMPOSSIBLE', message, 'Ask for fewer replicas, or split it into several workloads.')
}

export function leaving({ name }: At) {
  return refuse('WORKLOAD_LEAVING', `${name} is being removed; its name is free once all of it has stopped.`)
}

/**
 * What to write along with a new workload so that the project's quota holds even when several are created at once: all
 * of them count under the version of one row. Empty when there is no quota.
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
    `Project ${project} has reached its limit of ${most === 1 ? '1 workload' : `${most} workloads`}.`,
  )
}

/** The limit of a project without its own, against runaway scripts. Counted only now and then, so slightly more may pass. */
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

/** How long the limits of a project stay cached, and so how soon a new limit applies. */
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
