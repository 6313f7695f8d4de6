import { nearest } from '../document/nearest.ts'
import type { Market } from '../offer/offer.ts'
import type { SpotUse } from '../manifest/manifest.ts'
import type { Problem } from '../base/problem.ts'
import type { ProjectRules } from './project-settings.ts'

/** What a decision should favour. */
export type Objective = 'cheapest' | 'fastest-start' | 'most-reliable' | 'balanced'

/** A policy: the platform team owns it, and manifests refer to it by name. */
export interface Policy {
  readonly name: string
  readonly objective: Objective
  /** The weight of each score by name; those of the objective unless the file overrides them. */
  readonly weights: Readonly<Record<string, number>>
  /** Permitted terms of sale. `asked` permits spot only for workloads that ask for it (`spot` in the manifest). */
  readonly spot: 'never' | 'asked' | 'allowed' | 'only'
  readonly usdPerHourMax: number | undefined
  /** Allowed legal areas; undefined means anywhere. */
  readonly residency: readonly string[] | undefined
  readonly providersAllowed: readonly string[] | undefined
  readonly providersDenied: readonly string[]
  /** Allowed trust domains; undefined means any. */
  readonly trust: readonly string[] | undefined
  /** Providers in the order to try them, whatever the scores say. Providers that are not listed come last, together. */
  readonly fallback: readonly string[]
  /** Names of filters whose "unknown" is accepted; every other unknown is refused. */
  readonly unknownAccepted: readonly string[]
  /** What the workload's project may use. It is added to the policy for each decision and never stored. */
  readonly within?: ProjectWithin
}

interface ProjectWithin {
  /** Undefined means all. */
  readonly providers: readonly string[] | undefined
  /** Providers whose programs run as Berth's own user, and which the project may therefore not use. */
  readonly unwalled: readonly string[]
}

/** The platform's settings for one provider: labels and corrections that override what its sources say. */
export interface ProviderSettings {
  readonly name: string
  /** Where its offers come from, relative to the infrastructure file. */
  readonly offers: readonly string[]
  readonly residency: string | undefined
  /** Residency by region pattern (`eu-*`). The first match wins, and overrides `residency`. */
  readonly regions: readonly { readonly match: string; readonly residency: string }[]
  readonly trust: string | undefined
  /** Multiplies every price: 0.8 is a 20 % discount. */
  readonly priceFactor: number
  /** Fixed dollars per hour by instance pattern; the first match wins. */
  readonly prices: readonly { readonly match: string; readonly usdPerHour: number; readonly market: Market }[]
  readonly reliability: number | undefined
  readonly startSeconds: number | undefined
  readonly egressUsdPerGib: number | undefined
  readonly enabled: boolean
  /** The kind of provider, by its name in the registry; undefined when Berth only plans with its offers. */
  readonly kind: string | undefined
  /** Read by the schema of the kind. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The name of a platform secret; undefined when the provider needs none. */
  readonly credential: string | undefined
}

/** What a project may use, and how much of it at once; undefined means no limit. */
export interface ProjectSettings extends ProjectRules {
  readonly name: string
  readonly gpusMax: number | undefined
  readonly usdPerHourMax: number | undefined
  readonly workloadsMax: number | undefined
}

/** The whole infrastructure file. */
export interface Config {
  readonly providers: readonly ProviderSettings[]
  readonly policies: readonly Policy[]
  /** The policy for manifests that name none. */
  readonly defaultPolicy: string
  readonly projects: readonly ProjectSettings[]
  /** The configuration without an infrastructure file. */
  readonly isBuiltIn?: true
}

/** How much each score counts for an objective. Scores that are not listed do not count; ties are broken by id. */
export const OBJECTIVES: Readonly<Record<Objective, Readonly<Record<string, number>>>> = {
  cheapest: { price: 1 },
  'fastest-start': { start: 0.7, stock: 0.2, price: 0.1 },
  'most-reliable': { reliability: 0.6, stock: 0.3, price: 0.1 },
  balanced: { price: 0.45, start: 0.15, stock: 0.15, reliability: 0.15, surplus: 0.05, egress: 0.05 },
}

/**
 * The policy without an infrastructure file. Most clouds do not publish their driver, disk or stock, so unknown values
 * of those are accepted. An unknown residency or trust domain is never accepted.
 */
export const DEFAULT_POLICY: Policy = {
  name: 'default',
  objective: 'cheapest',
  weights: OBJECTIVES.cheapest,
  spot: 'asked',
  usdPerHourMax: undefined,
  residency: undefined,
  providersAllowed: undefined,
  providersDenied: [],
  trust: undefined,
  fallback: [],
  unknownAccepted: ['driver', 'cuda', 'disk', 'storage', 'network', 'health', 'stock', 'quota', 'topology'],
}

/** The policy that a manifest names, or the platform's default when it names none. */
export function choosePolicy(
  config: Config | undefined,
  name: string | undefined,
  spot?: SpotUse,
): { readonly policy: Policy } | { readonly problem: Problem } {
  const policies = config?.policies ?? []
  const wanted = name ?? config?.defaultPolicy ?? DEFAULT_POLICY.name
  const policy = policies.find((candidate) => candidate.name === wanted)
  const found = policy ?? (wanted === DEFAULT_POLICY.name ? DEFAULT_POLICY : undefined)
  if (found !== undefined)
    return isPermitted(found.spot, spot) ? { policy: found } : { problem: notPermitted(found, spot) }
  return { problem: config === undefined ? noConfig(wanted) : unknownPolicy(wanted, policies) }
}

/** The terms of sale of a workload: what it asks for, within what the policy permits. */
export function termsUnder(policy: Policy['spot'], asked: SpotUse | undefined): SpotUse {
  if (policy === 'asked') return asked ?? 'never'
  return policy === 'allowed' ? (asked ?? 'allowed') : policy
}

function isPermitted(policy: Policy['spot'], asked: SpotUse | undefined): boolean {
  if (asked === undefined || policy === 'asked' || policy === 'allowed') return true
  return policy === 'never' ? asked === 'never' : asked !== 'never'
}

function notPermitted({ name, spot }: Policy, asked: SpotUse | undefined): Problem {
  const only = spot === 'only'
  return {
    code: 'SPOT_NOT_PERMITTED',
    message: only
      ? `The workload asks for \`spot: ${asked}\`, but the policy ${name} permits only spot machines.`
      : `The workload asks for \`spot: ${asked}\`, but the policy ${name} does not permit spot machines.`,
    found: asked ?? '',
    hint: `The platform team decides this: \`spot: asked\` in the policy ${name} lets each workload choose. Until then, leave \`spot\` out or name another policy.`,
  }
}

function noConfig(wanted: string): Problem {
  return {
    code: 'POLICY_UNKNOWN',
    message: `The manifest names the policy ${wanted}, but there is no infrastructure file that could define it.`,
    found: wanted,
    hint: 'Pass --config FILE, add a berth.config.yaml here, or leave `policy` out of the manifest.',
  }
}

function unknownPolicy(wanted: string, policies: readonly Policy[]): Problem {
  const names = [...new Set([...policies.map((policy) => policy.name), DEFAULT_POLICY.name])].sort()
  const meant = nearest(wanted, names)
  const listed = `Policies here: ${names.join(', ')}.`
  return {
    code: 'POLICY_UNKNOWN',
    message: `There is no policy called ${wanted}.`,
    found: wanted,
    hint: meant === undefined ? listed : `Did you mean ${meant}? ${listed}`,
  }
}
