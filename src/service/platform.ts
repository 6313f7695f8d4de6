import { DEFAULT_POLICY, type Config, type ProviderSettings } from '../core/policy/policy.ts'
import type { ProjectRules } from '../core/policy/project-settings.ts'
import type { ProviderRow } from '../core/life/rows.ts'
import type { Row, Store } from '../ports/store.ts'
import { everyRow } from './platform-rows.ts'

/** Everything in the store that is the platform's, not a workload's. */
export interface PlatformRows {
  readonly providers: readonly Row<'provider'>[]
  readonly policies: readonly Row<'policy'>[]
  readonly projects: readonly Row<'project'>[]
  /** States of providers from the infrastructure file that were changed since; by name. */
  readonly states: ReadonlyMap<string, ProviderRow['state']>
}

/** A provider that Berth talks to: what to open, and how it may be used. */
export interface WantedProvider {
  readonly name: string
  readonly kind: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly credential: string | undefined
  readonly state: ProviderRow['state']
  readonly origin: 'built-in' | 'file' | 'api'
}

/** Where the state of a provider is kept that has no row of its own. */
const STATE_PREFIX = 'provider-state/'

export function stateKey(provider: string): string {
  return `${STATE_PREFIX}${provider}`
}

export async function readPlatform(store: Store): Promise<PlatformRows> {
  const [providers, policies, projects, states] = await Promise.all([
    everyRow(store, 'provider', ''),
    everyRow(store, 'policy', ''),
    everyRow(store, 'project', ''),
    everyRow(store, 'setting', STATE_PREFIX),
  ])
  const known = states.flatMap(({ key, body }) => {
    const state = STATES.find((one) => one === body.value)
    return state === undefined ? [] : [[key.slice(STATE_PREFIX.length), state] as const]
  })
  return { providers, policies, projects, states: new Map(known) }
}

const STATES = ['open', 'cordoned', 'draining'] as const

/**
 * The one platform that decisions use: the infrastructure file and what was added through the API. The API refuses names
 * that the file has; where the file has come to define a name later, the file counts.
 */
export function platformOf(file: Config | undefined, rows: PlatformRows): Config {
  const added = rows.providers.map(({ key, body }) => plainSettings(key, body))
  const projects = rows.projects.map(({ key, body }) => {
    const { gpusMax, usdPerHourMax, workloadsMax } = body
    return { name: key, gpusMax, usdPerHourMax, workloadsMax, ...rulesIn(body) }
  })
  return {
    providers: joined(file?.providers, added),
    policies: joined(
      file?.policies,
      rows.policies.map(({ key, body }) => ({ ...body, name: key })),
    ),
    defaultPolicy: file?.defaultPolicy ?? DEFAULT_POLICY.name,
    projects: joined(file?.projects, projects),
  }
}

/** What a project may use, without what is not said. */
export function rulesIn({ policies, providers, processes }: ProjectRules): ProjectRules {
  return {
    ...(policies !== undefined && { policies }),
    ...(providers !== undefined && { providers }),
    ...(processes !== undefined && { processes }),
  }
}

/**
 * The providers to be opened, by name. One that the file has turned off is kept, without new work: what runs there must
 * still be seen.
 */
export function providersOf(file: Config | undefined, rows: PlatformRows): readonly WantedProvider[] {
  const origin = file?.isBuiltIn === true ? 'built-in' : 'file'
  const stated = (file?.providers ?? []).flatMap(({ name, kind, settings, credential, enabled }): WantedProvider[] => {
    if (kind === undefined) return []
    const state = rows.states.get(name) ?? 'open'
    return [{ name, kind, settings, credential, state: enabled || state !== 'open' ? state : 'cordoned', origin }]
  })
  const added = rows.providers.map(({ key, body }): WantedProvider => {
    const { kind, settings, credential, state } = body
    return { name: key, kind, settings, credential, state, origin: 'api' }
  })
  const taken = file?.providers ?? []
  return [...stated, ...added.filter(({ name }) => !has(taken, name))].toSorted(byName)
}

/** A provider that was added through the API says nothing about its offers. */
function plainSettings(name: string, { kind, settings, credential }: ProviderRow): ProviderSettings {
  return {
    name,
    offers: [],
    residency: undefined,
    regions: [],
    trust: undefined,
    priceFactor: 1,
    prices: [],
    reliability: undefined,
    startSeconds: undefined,
    egressUsdPerGib: undefined,
    enabled: true,
    kind,
    settings,
    credential,
  }
}

interface Named {
  readonly name: string
}

function joined<T extends Named>(first: readonly T[] | undefined, added: readonly T[]): readonly T[] {
  const known = first ?? []
  return [...known, ...added.filter(({ name }) => !has(known, name))]
}

export function has(list: readonly Named[], name: string): boolean {
  return list.some((one) => one.name === name)
}

function byName(one: Named, two: Named): number {
  return one.name < two.name ? -1 : one.name > two.name ? 1 : 0
}
