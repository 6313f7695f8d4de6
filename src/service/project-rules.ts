import type { Config, Policy } from '../core/policy/policy.ts'
import {
  choosePolicyFor,
  mayUseProvider,
  noProcesses,
  whyNoProvider,
  type ProjectScope,
} from '../core/policy/project-rules.ts'
import type { ProjectRules } from '../core/policy/project-settings.ts'
import type { WorkloadView } from '../core/life/view/view.ts'
import type { Manifest } from '../core/manifest/manifest.ts'
import { UserError } from '../core/base/problem.ts'
import type { Store } from '../ports/store.ts'
import { isBilled } from '../core/life/placement.ts'
import { isPlatformAdmin } from './credentials.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { platformOf, providersOf, readPlatform } from './platform.ts'
import { someOf, walk } from './platform-rows.ts'

/** What a project may use. What the infrastructure file says counts before what the API was told. */
export async function rulesOf(
  { store, config }: { readonly store: Store; readonly config: () => Pick<Config, 'projects'> | undefined },
  project: string,
): Promise<ProjectRules> {
  const stated = config()?.projects.find(({ name }) => name === project)
  return stated ?? (await store.get('project', project))?.body ?? {}
}

/** Whose decision it is: the project's rules, and what takes an administrator's word. */
export async function decidingFor(deps: ServiceDeps, project: string): Promise<ProjectScope> {
  return { project, rules: await rulesOf(deps, project), unwalled: deps.providers.unwalled() }
}

/**
 * Refuses what the project may not have: a policy that is not its own, or one that leaves it no provider. The leader asks
 * again whenever it places something.
 */
export async function checkRules(deps: ServiceDeps, project: string, manifest: Manifest): Promise<void> {
  const deciding = await decidingFor(deps, project)
  const { rules, unwalled } = deciding
  if (rules.policies === undefined && rules.providers === undefined && unwalled.length === 0) return
  const rows = await readPlatform(deps.store)
  const chosen = choosePolicyFor(platformOf(deps.config(), rows), manifest.policy, {
    ...deciding,
    spot: manifest.spot,
  })
  // A policy that nobody knows is waited for, as ever.
  if ('problem' in chosen && chosen.problem.code === 'POLICY_UNKNOWN') return
  if ('problem' in chosen) throw new UserError([chosen.problem])
  const there = providersOf(deps.config(), rows).map(({ name }) => name)
  const problem = whyNoProvider(chosen.policy, there, deciding)
  if (problem !== undefined) throw new UserError([problem])
}

/** A program beside what still runs somewhere runs as the same user: it takes the same word of an administrator. */
export async function refuseUnwalled(
  deps: ServiceDeps,
  actor: Principal,
  { project, provider }: { readonly project: string; readonly provider: string },
): Promise<void> {
  if (!deps.providers.unwalled().includes(provider) || isPlatformAdmin(actor)) return
  if ((await rulesOf(deps, project)).processes !== true) throw new UserError([noProcesses([provider], project)])
}

/** The policy of a manifest, less what its project may not use. */
export async function policyFor(
  deps: ServiceDeps,
  {
    project,
    manifest,
    config,
  }: { readonly project: string; readonly manifest: Manifest; readonly config: Config | undefined },
): Promise<Policy> {
  const chosen = choosePolicyFor(config, manifest.policy, {
    ...(await decidingFor(deps, project)),
    spot: manifest.spot,
  })
  if ('problem' in chosen) throw new UserError([chosen.problem])
  return chosen.policy
}

/** Projects with programs that run as Berth's own user, and that nobody has named for it: what ends there is not started again. */
export async function unnamedProjects(deps: ServiceDeps): Promise<readonly string[]> {
  const unwalled = deps.providers.unwalled()
  if (unwalled.length === 0) return []
  const projects = new Set<string>()
  for await (const { key, body } of walk(deps.store, 'placement', '')) {
    if (isBilled(body) && unwalled.includes(body.order.place.provider)) projects.add(key.slice(0, key.indexOf('/')))
  }
  const rules = await Promise.all([...projects].map((project) => rulesOf(deps, project)))
  return [...projects].filter((_, index) => rules[index]?.processes !== true).toSorted()
}

/** What changes by a token that is not an administrator's, for whoever makes it. Undefined: nothing. */
export async function wallsNote(deps: ServiceDeps): Promise<string | undefined> {
  const unwalled = deps.providers.unwalled()
  if (unwalled.length === 0) return undefined
  const unnamed = await unnamedProjects(deps)
  const running = unnamed.length === 0 ? '' : ` ${someOf(unnamed)} has programs there now, which are left alone.`
  return (
    `Not everybody is an administrator any more: from now on programs on ${unwalled.join(', ')}, which run as Berth’s own user, ` +
    `start only for projects that you name: berth project set ${unnamed[0] ?? 'NAME'} --processes.${running}`
  )
}

/** What is no longer as the project's rules would have it, in sentences: what runs is left alone. */
export async function outOfRules(
  deps: ServiceDeps,
  { project, slots, policy }: WorkloadView,
): Promise<readonly string[]> {
  const deciding = await decidingFor(deps, project)
  const { rules } = deciding
  const providers = [...new Set(slots.filter(({ phase }) => phase !== 'gone').map(({ provider }) => provider))]
  const foreign = providers.filter((name) => !mayUseProvider(name, deciding))
  const name = policy ?? platformOf(deps.config(), await readPlatform(deps.store)).defaultPolicy
  const isForeign = rules.policies !== undefined && !rules.policies.includes(name)
  return [
    ...foreign.map(
      (one) =>
        `Project ${project} may no longer use ${one}: what runs there is left alone, and nothing new goes there.`,
    ),
    ...(isForeign
      ? [`Project ${project} may no longer use the policy ${name}: what runs is left alone, and nothing new is placed.`]
      : []),
  ]
}
