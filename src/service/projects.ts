import { refuse } from '../core/base/refuse.ts'
import { DEFAULT_POLICY } from '../core/policy/policy.ts'
import { nearest } from '../core/document/nearest.ts'
import { isBilled } from '../core/life/placement.ts'
import { EVERYWHERE, type Project } from '../core/life/rows.ts'
import type { ProjectView } from '../ports/berth.ts'
import type { Store } from '../ports/store.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { has, platformOf, readPlatform, rulesIn } from './platform.ts'
import { trail, walk } from './platform-rows.ts'
import { changeOnce } from './requests.ts'

/** The project of everything that does not name one. */
export const DEFAULT_PROJECT = 'default'

const NO_LIMITS: Project = { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: undefined }

/** The visible projects that have rules or workloads, sorted by name, each with its use. */
export async function listProjects(
  { store, config }: ServiceDeps,
  maySee: (name: string) => boolean = () => true,
): Promise<readonly ProjectView[]> {
  const { projects } = platformOf(config(), await readPlatform(store))
  const used = await useByProject(store)
  const names = new Set([DEFAULT_PROJECT, ...projects.map(({ name }) => name), ...used.keys()])
  return [...names]
    .filter(maySee)
    .toSorted()
    .map((name) => ({
      ...viewOf(projects.find((project) => project.name === name) ?? { name, ...NO_LIMITS }),
      used: used.get(name) ?? NO_USE,
    }))
}

/** A project as the API tells it. */
function viewOf({ name, gpusMax, usdPerHourMax, workloadsMax, ...rules }: Named<Project>): ProjectView {
  return {
    name,
    ...(gpusMax !== undefined && { gpus_max: gpusMax }),
    ...(usdPerHourMax !== undefined && { usd_per_hour_max: usdPerHourMax }),
    ...(workloadsMax !== undefined && { workloads_max: workloadsMax }),
    ...rules,
  }
}

type Named<T> = T & { readonly name: string }

type Use = NonNullable<ProjectView['used']>

const NO_USE: Use = { gpus: 0, usd_per_hour: 0, workloads: 0 }

/** The use of every project that has workloads, or instances left from removed ones. */
async function useByProject(store: Store): Promise<ReadonlyMap<string, Use>> {
  const used = new Map<string, Use>()
  const add = (project: string, more: Partial<Use>): void => {
    const { gpus, usd_per_hour: usd, workloads } = used.get(project) ?? NO_USE
    const { gpus: cards = 0, usd_per_hour: dollars = 0, workloads: count = 0 } = more
    used.set(project, { gpus: gpus + cards, usd_per_hour: usd + dollars, workloads: workloads + count })
  }
  for await (const { body } of walk(store, 'workload', '')) add(body.project, { workloads: 1 })
  for await (const { key, body } of walk(store, 'placement', '')) {
    const { gpus, usdPerHour } = body.reserved
    if (isBilled(body)) add(key.slice(0, key.indexOf('/')), { gpus, usd_per_hour: usdPerHour })
  }
  return used
}

/** New rules apply to what is placed from now on; they stop nothing that runs. */
export async function setProject(
  deps: ServiceDeps,
  actor: Principal,
  { name, limits }: { readonly name: string; readonly limits: Project },
): Promise<void> {
  if (has(deps.config()?.projects ?? [], name)) {
    const hint = 'Change it there, or remove it there first.'
    throw refuse('NAME_OF_FILE', `The rules of project ${name} are defined in the infrastructure file.`, hint)
  }
  await refuseUnknown(deps, limits)
  const { gpusMax, usdPerHourMax, workloadsMax } = limits
  await changeOnce(deps, undefined, async () => {
    const row = await deps.store.get('project', name)
    const facts = {
      gpus_max: gpusMax ?? null,
      usd_per_hour_max: usdPerHourMax ?? null,
      workloads_max: workloadsMax ?? null,
      ...(limits.policies !== undefined && { policies: limits.policies.join(' ') }),
      ...(limits.providers !== undefined && { providers: limits.providers.join(' ') }),
      ...(limits.processes !== undefined && { processes: limits.processes }),
    }
    const done = {
      project: EVERYWHERE,
      subject: `project/${name}`,
      action: 'project.set',
      kind: 'project-set',
      facts,
    } as const
    const body = { gpusMax, usdPerHourMax, workloadsMax, ...rulesIn(limits) }
    const commit = {
      writes: [{ kind: 'project' as const, key: name, version: row?.version ?? 0, body }],
      ...trail(deps, actor, done),
    }
    return { answer: undefined, commit }
  })
}

/** Refuses unknown names, because a misspelt one would keep all work out. */
async function refuseUnknown({ store, config }: ServiceDeps, { policies, providers }: Project): Promise<void> {
  const platform = platformOf(config(), await readPlatform(store))
  const known = [...platform.policies.map((policy) => policy.name), DEFAULT_POLICY.name]
  refuseStranger('policy', policies ?? [], known)
  refuseStranger(
    'provider',
    providers ?? [],
    platform.providers.map((provider) => provider.name),
  )
}

function refuseStranger(kind: string, names: readonly string[], known: readonly string[]): void {
  const stranger = names.find((name) => !known.includes(name))
  if (stranger === undefined) return
  const meant = nearest(stranger, known)
  const listed = known.length === 0 ? 'There are none yet.' : `Known: ${[...new Set(known)].toSorted().join(', ')}.`
  const hint = meant === undefined ? listed : `Did you mean ${meant}? ${listed}`
  throw refuse('NOT_FOUND', `There is no ${kind} ${stranger}.`, hint)
}
