import { refuse } from '../core/base/refuse.ts'
import { EVERYWHERE } from '../core/life/rows.ts'
import { nearest } from '../core/document/nearest.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { has } from './platform.ts'
import { everyRow, someOf } from './platform-rows.ts'
import { DEFAULT_PROJECT, listProjects } from './projects.ts'

/** Kinds of row that show that a project is in use: their keys begin with its name. */
const IN_USE = ['workload', 'template', 'secret'] as const

/**
 * Refuses an unknown project, so that a typo does not create one. Known are `default`, projects with rules, projects with
 * contents, and those that a token names. A caller with access to all projects must ask for a new one explicitly.
 */
export async function checkProject(
  deps: ServiceDeps,
  actor: Principal,
  { project, create }: { readonly project: string; readonly create: boolean | undefined },
): Promise<void> {
  if (create === true || project === DEFAULT_PROJECT || actor.projects.includes(project)) return
  if (await isKnown(deps, project)) return
  const { names, meant } = await near(deps, project)
  const how = `Create it with berth project create ${project}, or apply with --create-project. Projects: ${someOf(names)}.`
  const hint = meant === undefined ? how : `Did you mean ${meant}? ${how}`
  throw refuse('PROJECT_UNKNOWN', `There is no project ${project}.`, hint)
}

/** What to tell somebody who makes a token for projects that nobody knows yet: it makes them known, so a typo would last. */
export async function unknownNote(deps: ServiceDeps, projects: readonly string[]): Promise<string | undefined> {
  for (const project of projects) {
    if (project === DEFAULT_PROJECT || project === EVERYWHERE || (await isKnown(deps, project))) continue
    const { meant } = await near(deps, project)
    const hint = meant === undefined ? 'If that is a typo' : `If you meant ${meant}`
    return `There was no project ${project} until now. ${hint}, remove the token and create it again: berth token rm NAME`
  }
  return undefined
}

async function near(
  deps: ServiceDeps,
  project: string,
): Promise<{ names: readonly string[]; meant: string | undefined }> {
  const names = (await listProjects(deps)).map(({ name }) => name)
  return { names, meant: nearest(project, names) }
}

async function isKnown({ store, config }: ServiceDeps, project: string): Promise<boolean> {
  if (has(config()?.projects ?? [], project) || (await store.get('project', project)) !== undefined) return true
  for (const kind of IN_USE) {
    if ((await store.list(kind, { prefix: `${project}/`, limit: 1 })).length > 0) return true
  }
  return (await everyRow(store, 'token', '')).some(({ body }) => body.projects.includes(project))
}
