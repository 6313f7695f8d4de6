import { DEFAULT_POLICY, type Config, type ProviderSettings } from '../core/policy/policy.ts'
import type { ProjectRules } from '../core/policy/project-settings.ts'
import type { ProviderRow } from '../core/life/rows.ts'
import type { Row, Store } from '../ports/store.ts'
import { everyRow } from './platform-rows.ts'

/** The platform's rows in the store. */
export interface PlatformRows {
  readonly providers: readonly Row<'provider'>[]
  readonly policies: readonly Row<'policy'>[]
  readonly projects: readonly Row<'project'>[]
  /** Changed states of providers from the infrastructure file, by name. */
  readonly states: ReadonlyMap<string, ProviderRow['state']>
}

/** A provider that Berth should have: its configuration and its state. */
export interface WantedProvider {
  readonly name: string
  readonly kind: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly credential: string | undefined
  readonly state: ProviderRow['state']
  readonly origin: 'built-in' | 'file' | 'api'
}

/** The prefix of settings that hold the state of providers without a row of their own. */
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
 * The platform that decisions use: the infrastructure file plus what was added through the API. The API refuses names
 * that the file defines; when the file defines a name later, the file wins.
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

/** The rules of a project, without undefined keys. */
export function rulesIn({ policies, providers, processes }: ProjectRules): ProjectRules {
  return {
    ...(policies !== undefined && { policies }),
    ...(providers !== undefined && { providers }),
    ...(processes !== undefined && { processes }),
  }
}

/**
 * The providers to open, sorted by name. A provider that the file disables is kept without new work, because what runs
 * there must still be seen.
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

/** A provider added through the API has no settings about offers. */
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
