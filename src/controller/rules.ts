import { DEFAULT_POLICY } from '../core/policy/policy.ts'
import { choosePolicyFor, policyWithin, type ChosenPolicy } from '../core/policy/project-rules.ts'
import type { ProjectRules } from '../core/policy/project-settings.ts'
import type { Workload } from '../core/life/workload.ts'
import type { Config } from '../core/policy/policy.ts'
import type { Provider } from '../ports/provider.ts'

/** The part of the platform on which rules depend. */
interface RulesPlatform {
  readonly providers: ReadonlyMap<string, { readonly provider: Pick<Provider, 'name' | 'unwalled'> }>
  readonly config: Config | undefined
  readonly isAlone?: boolean
}

/** Providers whose programs run as Berth's own user, and which therefore need an administrator's permission. */
export function unwalledIn({ providers, isAlone }: RulesPlatform): readonly string[] {
  if (isAlone === true) return []
  return [...providers.values()].flatMap(({ provider }) => (provider.unwalled === true ? [provider.name] : []))
}

/** The policy of a workload as its project may use it; the same for plans and for binding. */
export function policyOf(
  { project, manifest }: Pick<Workload, 'project' | 'manifest'>,
  rules: ProjectRules,
  platform: RulesPlatform,
): ChosenPolicy {
  const deciding = { project, rules, unwalled: unwalledIn(platform) }
  const chosen = choosePolicyFor(platform.config, manifest.policy, deciding)
  const isLost = 'problem' in chosen && chosen.problem.code === 'POLICY_UNKNOWN' && manifest.policy === undefined
  // If the default policy does not exist, work goes on under the built-in one.
  return isLost ? { policy: policyWithin(DEFAULT_POLICY, rules, deciding.unwalled) } : chosen
}
