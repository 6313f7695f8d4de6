import type { ProjectRules } from './project-settings.ts'
import type { SpotUse } from '../manifest/manifest.ts'
import { choosePolicy, type Config, type Policy } from './policy.ts'
import { nearest } from '../document/nearest.ts'
import type { Problem } from '../base/problem.ts'

/** The project that a decision is for, its rules, and the providers that run work as Berth's own user. */
export interface ProjectScope {
  readonly project: string
  readonly rules: ProjectRules
  /** Providers whose programs run as Berth's own user; empty where every caller is an administrator. */
  readonly unwalled: readonly string[]
  /** The terms of sale that the manifest asks for; left out when it asks for none, or when they do not matter here. */
  readonly spot?: SpotUse | undefined
}

export type ChosenPolicy = { readonly policy: Policy } | { readonly problem: Problem }

/** The policy that a manifest names, without what its project may not use. */
export function choosePolicyFor(
  config: Config | undefined,
  name: string | undefined,
  { project, rules, unwalled, spot }: ProjectScope,
): ChosenPolicy {
  const chosen = choosePolicy(config, name, spot)
  if ('problem' in chosen) return chosen
  const { policies } = rules
  if (policies !== undefined && !policies.includes(chosen.policy.name))
    return { problem: notForProject(chosen.policy.name, project, policies) }
  return { policy: policyWithin(chosen.policy, rules, unwalled) }
}

/** The policy restricted to what the project may use. Decisions apply it as a requirement with its own reason. */
export function policyWithin(
  policy: Policy,
  { providers, processes }: ProjectRules,
  unwalled: readonly string[],
): Policy {
  if (providers === undefined && (processes === true || unwalled.length === 0)) return policy
  return { ...policy, within: { providers, unwalled: processes === true ? [] : unwalled } }
}

/** Whether a project's work may run at a provider. */
export function mayUseProvider(
  provider: string,
  { rules, unwalled }: Pick<ProjectScope, 'rules' | 'unwalled'>,
): boolean {
  const isListed = rules.providers === undefined || rules.providers.includes(provider)
  return isListed && (rules.processes === true || !unwalled.includes(provider))
}

/**
 * Why a policy leaves a project none of the existing `providers`. Undefined when it leaves at least one, or when the
 * policy itself allows none of them.
 */
export function whyNoProvider(
  policy: Policy,
  providers: readonly string[],
  deciding: ProjectScope,
): Problem | undefined {
  const { project, rules } = deciding
  const meant = providers.filter(
    (name) => policy.providersAllowed?.includes(name) !== false && !policy.providersDenied.includes(name),
  )
  if (meant.length === 0 || meant.some((name) => mayUseProvider(name, deciding))) return undefined
  const listed = meant.filter((name) => rules.providers?.includes(name) !== false)
  return listed.length === 0 ? noneListed(meant, deciding) : noProcesses(listed, project)
}

function noneListed(meant: readonly string[], { project, rules }: ProjectScope): Problem {
  const mine = rules.providers ?? []
  const may = mine.length === 0 ? 'It may use none.' : `It may use ${mine.join(', ')}.`
  return {
    code: 'NO_PROVIDER_FOR_PROJECT',
    message: `Project ${project} may not use ${meant.join(', ')}, and the policy allows no other provider.`,
    hint: `${may} Name another policy, or ask an administrator: berth project set ${project} --provider ${[...mine, ...meant].join(' ')}`,
  }
}

/** Programs would run as Berth's own user, for a project that may not do that. */
export function noProcesses(listed: readonly string[], project: string): Problem {
  return {
    code: 'NO_PROVIDER_FOR_PROJECT',
    message: `Programs on ${listed.join(', ')} run as Berth’s own user, and project ${project} has no permission for that.`,
    hint: `They could read every token and secret that Berth keeps. Name a policy with another provider, set runtime: podman or docker there, or ask an administrator: berth project set ${project} --processes`,
  }
}

function notForProject(policy: string, project: string, policies: readonly string[]): Problem {
  const meant = nearest(policy, policies)
  const may = policies.length === 0 ? 'It may use none.' : `It may use ${policies.join(', ')}.`
  const ask = `Or ask an administrator: berth project set ${project} --policy ${[...policies, policy].join(' ')}`
  return {
    code: 'POLICY_NOT_FOR_PROJECT',
    message: `Project ${project} may not use the policy ${policy}.`,
    found: policy,
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}${may} ${ask}`,
  }
}
