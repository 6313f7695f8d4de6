import type { Config, Policy } from '../core/policy/policy.ts'
import {
  choosePolicyFor,
  mayUseProvider,
  noProcesses,
  whyNoProvider,
  type ProjectScope,
} from '../core/policy/project-rules.ts'
import type { ProjectRules } from '../core/policy/project-settings.ts'
import { NO_LIMITS } from '../core/life/bind/usage.ts'
import type { Project } from '../core/life/rows.ts'
import type { WorkloadView } from '../core/life/view/view.ts'
import type { Manifest } from '../core/manifest/manifest.ts'
import { UserError } from '../core/base/problem.ts'
import type { Store } from '../ports/store.ts'
import { isBilled } from '../core/life/placement.ts'
import { isPlatformAdmin } from './credentials.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { platformOf, providersOf, readPlatform } from './platform.ts'
import { someOf, walk } from './platform-rows.ts'

/** What a project may use, and how much of it. The infrastructure file takes precedence over the API. */
export async function limitsOf(
  { store, config }: { readonly store: Store; readonly config: () => Pick<Config, 'projects'> | undefined },
  project: string,
): Promise<Project & { readonly isOfFile?: true }> {
  const stated = config()?.projects.find(({ name }) => name === project)
  if (stated !== undefined) return { ...stated, isOfFile: true }
  return (await store.get('project', project))?.body ?? NO_LIMITS
}

/** What a project may use. */
function rulesOf(deps: Parameters<typeof limitsOf>[0], project: string): Promise<ProjectRules> {
  return limitsOf(deps, project)
}

/** The scope of a decision: the project's rules, and the providers that need an administrator's permission. */
export async function decidingFor(deps: ServiceDeps, project: string): Promise<ProjectScope> {
  return { project, rules: await rulesOf(deps, project), unwalled: deps.providers.unwalled() }
}

/**
 * Refuses what the project may not use: a policy that is not on its list, or one that leaves it no provider. The leader
 * checks again whenever it places something.
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
  // A workload with an unknown policy is accepted and waits for it.
  if ('problem' in chosen && chosen.problem.code === 'POLICY_UNKNOWN') return
  if ('problem' in chosen) throw new UserError([chosen.problem])
  const there = providersOf(deps.config(), rows).map(({ name }) => name)
  const problem = whyNoProvider(chosen.policy, there, deciding)
  if (problem !== undefined) throw new UserError([problem])
}

/** A command next to a workload runs as the same user as the workload, so it needs the same permission. */
export async function refuseUnwalled(
  deps: ServiceDeps,
  actor: Principal,
  { project, provider }: { readonly project: string; readonly provider: string },
): Promise<void> {
  if (!deps.providers.unwalled().includes(provider) || isPlatformAdmin(actor)) return
  if ((await rulesOf(deps, project)).processes !== true) throw new UserError([noProcesses([provider], project)])
}

/** The policy of a manifest, without what its project may not use. */
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

/** Projects whose programs run as Berth's own user without permission. Programs that end there are not started again. */
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

/** Tells the creator of the first token with which others can start work what it changes. Undefined: nothing. */
export async function wallsNote(deps: ServiceDeps): Promise<string | undefined> {
  const unwalled = deps.providers.unwalled()
  if (unwalled.length === 0) return undefined
  const unnamed = await unnamedProjects(deps)
  const running =
    unnamed.length === 0
      ? ''
      : ` Programs of ${someOf(unnamed)} that run there now keep running, but are not started again when they end.`
  return (
    `Others than administrators can start work now. From now on programs on ${unwalled.join(', ')}, which run as Berth’s own user, ` +
    `start only for projects that you allow: berth project set ${unnamed[0] ?? 'NAME'} --processes.${running}`
  )
}

/** What no longer complies with the project's rules, in sentences. Running work is not affected. */
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
        `Project ${project} may no longer use ${one}: what runs there keeps running, but nothing new is placed there.`,
    ),
    ...(isForeign
      ? [`Project ${project} may no longer use the policy ${name}: what runs keeps running, but nothing new is placed.`]
      : []),
  ]
}
