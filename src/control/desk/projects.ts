import { refuse } from '../../core/api/refuse.ts'
import type { Project } from '../../core/keep/rows.ts'
import type { DeskDoors, Principal } from './doors.ts'
import { has, platformOf, readPlatform } from './platform.ts'
import { EVERYWHERE, trail } from './platform-rows.ts'
import { changeOnce } from './requests.ts'

/** The project of everything that names none. */
const DEFAULT_PROJECT = 'default'

const NO_LIMITS: Project = { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: undefined }

/** Projects with limits and projects with workloads, by name; whether somebody may see them is for the caller to ask. */
export async function listProjects({
  store,
  config,
}: DeskDoors): Promise<readonly ({ readonly name: string } & Project)[]> {
  const { projects } = platformOf(config(), await readPlatform(store))
  const names = new Set([DEFAULT_PROJECT, ...projects.map(({ name }) => name)])
  for (let after = ''; ;) {
    const [row] = await store.list('workload', { after, limit: 1 })
    if (row === undefined) break
    names.add(row.body.project)
    // Beyond every workload of this project: names have no character above this one.
    after = `${row.body.project}/\u007f`
  }
  return [...names]
    .toSorted()
    .map((name) => projects.find((project) => project.name === name) ?? { name, ...NO_LIMITS })
}

/** Limits hold for what is placed from now on; nothing that runs is stopped by them. */
export async function setProject(
  doors: DeskDoors,
  actor: Principal,
  { name, limits }: { readonly name: string; readonly limits: Project },
): Promise<void> {
  if (has(doors.config()?.projects ?? [], name)) {
    const hint = 'Change it there, or remove it there first.'
    throw refuse('NAME_OF_FILE', `The limits of project ${name} stand in the infrastructure file.`, hint)
  }
  const { gpusMax, usdPerHourMax, workloadsMax } = limits
  await changeOnce(doors, undefined, async () => {
    const row = await doors.store.get('project', name)
    const facts = {
      gpus_max: gpusMax ?? null,
      usd_per_hour_max: usdPerHourMax ?? null,
      workloads_max: workloadsMax ?? null,
    }
    const done = {
      project: EVERYWHERE,
      subject: `project/${name}`,
      action: 'project.set',
      kind: 'changed',
      facts,
    } as const
    const body = { gpusMax, usdPerHourMax, workloadsMax }
    const commit = {
      writes: [{ kind: 'project' as const, key: name, version: row?.version ?? 0, body }],
      ...trail(doors, actor, done),
    }
    return { answer: undefined, commit }
  })
}
