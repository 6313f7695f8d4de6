import { nearest } from '../document/nearest.ts'
import type { Market } from '../offer/offer.ts'
import type { SpotUse } from '../manifest/manifest.ts'
import type { Problem } from '../base/problem.ts'
import type { ProjectRules } from './project-settings.ts'

/** What a decision should favour. */
export type Objective = 'cheapest' | 'fastest-start' | 'most-reliable' | 'balanced'

/** A routing policy: owned by the platform team, named by manifests. */
export interface Policy {
  readonly name: string
  readonly objective: Objective
  /** Weight of each score by its name; the objective's own weights unless the file overrides them. */
  readonly weights: Readonly<Record<string, number>>
  /** Terms of sale that are permitted; `asked`: spot for workloads that ask for it (`spot` in the manifest), and for no others. */
  readonly spot: 'never' | 'asked' | 'allowed' | 'only'
  readonly usdPerHourMax: number | undefined
  /** Legal areas allowed; undefined: anywhere. */
  readonly residency: readonly string[] | undefined
  readonly providersAllowed: readonly string[] | undefined
  readonly providersDenied: readonly string[]
  /** Trust domains allowed; undefined: any. */
  readonly trust: readonly string[] | undefined
  /** Providers in the order to try them: an earlier one wins over any score. Providers not listed come last, together. */
  readonly fallback: readonly string[]
  /** Names of filters whose "unknown" is good enough; every other unknown is refused. */
  readonly unknownAccepted: readonly string[]
  /** What the project of the workload may use, laid over the policy where a decision is made; never stored. */
  readonly within?: ProjectWithin
}

interface ProjectWithin {
  /** Undefined: all. */
  readonly providers: readonly string[] | undefined
  /** Providers whose programs run as Berth's own user, which the project may not have. */
  readonly unwalled: readonly string[]
}

/** The platform's side of one provider: labels and corrections laid over the offers its sources give. */
export interface ProviderSettings {
  readonly name: string
  /** Where its offers come from, relative to the infrastructure file. */
  readonly offers: readonly string[]
  readonly residency: string | undefined
  /** Residency by region pattern (`eu-*`), first match wins, over `residency`. */
  readonly regions: readonly { readonly match: string; readonly residency: string }[]
  readonly trust: string | undefined
  /** Multiplies every price: 0.8 is a 20 % discount. */
  readonly priceFactor: number
  /** Fixed dollars an hour by instance pattern, first match wins. */
  readonly prices: readonly { readonly match: string; readonly usdPerHour: number; readonly market: Market }[]
  readonly reliability: number | undefined
  readonly startSeconds: number | undefined
  readonly egressUsdPerGib: number | undefined
  readonly enabled: boolean
  /** What Berth talks to, as the registry of providers calls it; undefined: only offers on paper. */
  readonly kind: string | undefined
  /** As the kind's own schema understands it. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Name of a secret of the platform; undefined: it needs none. */
  readonly credential: string | undefined
}

/** What a project may use, and how much of it at once; undefined: no limit. */
export interface ProjectSettings extends ProjectRules {
  readonly name: string
  readonly gpusMax: number | undefined
  readonly usdPerHourMax: number | undefined
  readonly workloadsMax: number | undefined
}

/** The infrastructure file, whole. */
export interface Config {
  readonly providers: readonly ProviderSettings[]
  readonly policies: readonly Policy[]
  /** Policy for manifests that name none. */
  readonly defaultPolicy: string
  readonly projects: readonly ProjectSettings[]
  /** There is no infrastructure file: this is what holds without one. */
  readonly isBuiltIn?: true
}

/** How much each score counts for an objective. Scores that are not named count nothing; ties are broken by id. */
export const OBJECTIVES: Readonly<Record<Objective, Readonly<Record<string, number>>>> = {
  cheapest: { price: 1 },
  'fastest-start': { start: 0.7, stock: 0.2, price: 0.1 },
  'most-reliable': { reliability: 0.6, stock: 0.3, price: 0.1 },
  balanced: { price: 0.45, start: 0.15, stock: 0.15, reliability: 0.15, surplus: 0.05, egress: 0.05 },
}

/**
 * What holds when nobody wrote a policy. Most clouds do not tell their driver, disk or stock, so their silence is
 * accepted there; where a machine stands and who shares it is never taken on trust.
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

/** The policy a manifest asks for by name, or the platform's default when it names none. */
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

/** The terms of sale that a workload gets: its own word, within what the policy permits. */
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
      ? `\`spot: ${asked}\` is asked for, and the policy ${name} takes spot machines only.`
      : `\`spot: ${asked}\` is asked for, and the policy ${name} does not permit spot machines.`,
    found: asked ?? '',
    hint: `The platform team decides this: \`spot: asked\` in the policy ${name} lets each workload say. Until then leave \`spot\` out, or name another policy.`,
  }
}

function noConfig(wanted: string): Problem {
  return {
    code: 'POLICY_UNKNOWN',
    message: `The policy ${wanted} is asked for, but no infrastructure file was read that could define it.`,
    found: wanted,
    hint: 'Give --config FILE, put a berth.config.yaml here, or leave `policy` out of the manifest.',
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
