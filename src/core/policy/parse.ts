import { checkDocument, inOrder } from '../document/check.ts'
import type { Checked } from '../document/check.ts'
import type { SourceDocument } from '../document/document.ts'
import { nodeAt, placeOf } from '../document/look-up.ts'
import type { Problem } from '../base/problem.ts'
import { choosePolicy, DEFAULT_POLICY, OBJECTIVES } from './policy.ts'
import type { Config, Policy, ProjectSettings, ProviderSettings } from './policy.ts'
import { normalizeArea } from '../hardware/residency.ts'
import { configSchema } from './schema.ts'
import type { ConfigFile, KnownNames, PolicyFile, ProjectFile, ProviderFile } from './schema.ts'

/** Reads the infrastructure file, or returns all of its problems. */
export function parseConfig(document: SourceDocument, names: KnownNames): Checked<Config> {
  const mistaken = manifestInstead(document)
  if (mistaken !== undefined) return { problems: [mistaken] }
  const checked = checkDocument(configSchema(names), document)
  const crossed = defaultPolicyProblems(document)
  if ('problems' in checked) return { problems: inOrder([...checked.problems, ...crossed]) }
  return crossed.length > 0 ? { problems: crossed } : { value: toConfig(checked.value) }
}

/** A manifest in place of the infrastructure file: no other problem is worth reporting. */
function manifestInstead(document: SourceDocument): Problem | undefined {
  const node = nodeAt(document, ['kind'])
  if (node?.kind !== 'scalar' || (node.text !== 'service' && node.text !== 'job')) return undefined
  return {
    code: 'VALUE_INVALID',
    message: `This is a manifest (kind: ${node.text}); --config takes a file with kind: config.`,
    found: node.text,
    hint: 'Start without --config, then run: berth apply FILE',
    place: placeOf(document, node.at),
  }
}

/** Reads the document itself, so that a wrong name is reported together with all other problems. */
function defaultPolicyProblems(document: SourceDocument): readonly Problem[] {
  const node = nodeAt(document, ['default_policy'])
  const policies = nodeAt(document, ['policies'])
  if (node?.kind !== 'scalar' || node.value === null) return []
  const names = policies?.kind === 'map' ? policies.entries.map((entry) => entry.key) : []
  const stubs = names.map((name) => ({ ...DEFAULT_POLICY, name }))
  const chosen = choosePolicy({ providers: [], policies: stubs, defaultPolicy: node.text, projects: [] }, undefined)
  return 'problem' in chosen ? [{ ...chosen.problem, place: placeOf(document, node.at) }] : []
}

function toConfig(file: ConfigFile): Config {
  return {
    providers: Object.entries(file.providers ?? {}).map(([name, settings]) => toSettings(name, settings)),
    policies: Object.entries(file.policies ?? {}).map(([name, policy]) => toPolicy(name, policy)),
    defaultPolicy: file.default_policy ?? DEFAULT_POLICY.name,
    projects: Object.entries(file.projects ?? {}).map(([name, project]) => toProject(name, project)),
  }
}

function toSettings(name: string, file: ProviderFile): ProviderSettings {
  return {
    name,
    offers: file.offers ?? [],
    residency: file.residency === undefined ? undefined : normalizeArea(file.residency),
    regions: Object.entries(file.regions ?? {}).map(([match, area]) => ({ match, residency: normalizeArea(area) })),
    trust: file.trust,
    priceFactor: file.price_factor ?? 1,
    prices: (file.prices ?? []).map((price) => ({
      match: price.match,
      usdPerHour: price.usd_per_hour,
      market: price.market ?? 'on-demand',
    })),
    reliability: file.reliability,
    startSeconds: file.start,
    egressUsdPerGib: file.egress_usd_per_gib,
    enabled: file.enabled ?? true,
    kind: file.kind,
    settings: file.settings ?? {},
    credential: file.credential,
  }
}

function toProject(name: string, file: ProjectFile): ProjectSettings {
  return {
    name,
    gpusMax: file.max_gpus,
    usdPerHourMax: file.max_usd_per_hour,
    workloadsMax: file.max_workloads,
    ...(file.policies !== undefined && { policies: file.policies }),
    ...(file.providers !== undefined && { providers: file.providers }),
    ...(file.processes !== undefined && { processes: file.processes }),
  }
}

/** A policy, with defaults from the built-in policy. */
export function toPolicy(name: string, file: PolicyFile): Policy {
  const objective = file.objective ?? DEFAULT_POLICY.objective
  return {
    name,
    objective,
    weights: file.weights === undefined ? OBJECTIVES[objective] : sharesOf(file.weights),
    spot: file.spot ?? DEFAULT_POLICY.spot,
    usdPerHourMax: file.max_usd_per_hour,
    residency: file.residency?.map(normalizeArea),
    providersAllowed: file.providers?.allow,
    providersDenied: file.providers?.deny ?? [],
    trust: file.trust,
    fallback: file.fallback ?? [],
    unknownAccepted: file.unknown?.accept ?? DEFAULT_POLICY.unknownAccepted,
  }
}

/** Weights scaled to a sum of one, like the weights of the objectives: only their proportions matter. */
function sharesOf(weights: Readonly<Record<string, number | undefined>>): Record<string, number> {
  const given = Object.entries(weights).map(([score, weight]) => [score, weight ?? 0] as const)
  const sum = given.reduce((total, [, weight]) => total + weight, 0)
  return Object.fromEntries(given.map(([score, weight]) => [score, weight / sum]))
}
