import { many } from '../core/base/words.ts'
import { notFound, refuse } from '../core/base/refuse.ts'
import { nearest } from '../core/document/nearest.ts'
import { EVERYWHERE, type ProviderRow } from '../core/life/rows.ts'
import { UserError } from '../core/base/problem.ts'
import type { ProviderView } from '../ports/berth.ts'
import { isBilled, type Placement } from '../core/life/placement.ts'
import { howToReach } from '../core/life/view/reach.ts'
import type { Commit, Row, Store } from '../ports/store.ts'
import { scopeOf } from './credentials.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { has, providersOf, readPlatform, stateKey, type WantedProvider } from './platform.ts'
import { slotsAt, someOf, trail, walk, type Done } from './platform-rows.ts'
import { changeOnce } from './requests.ts'

/** Every provider, with what this process knows about its state. What runs there is counted in the caller's projects only. */
export async function listProviders(
  { store, config, providers }: ServiceDeps,
  { role, projects }: Pick<Principal, 'role' | 'projects'>,
): Promise<readonly ProviderView[]> {
  const told = role === 'admin' && projects.includes(EVERYWHERE) ? asIs : withoutWords
  const live = new Map(providers.views().map((view) => [view.name, { ...told(view), instances: 0, usd_per_hour: 0 }]))
  const used = await useByProvider(store, projects)
  const known = providersOf(config(), await readPlatform(store))
  const views = known.map((wanted) =>
    withHint({ ...viewOf(wanted, live.get(wanted.name)), ...used.get(wanted.name)?.use }),
  )
  const lost = [...used].filter(([name]) => !has(known, name)).map(([name, held]) => unconfigured(name, held))
  return [...views, ...lost].toSorted((one, two) => (one.name < two.name ? -1 : 1))
}

function asIs<T>(view: T): T {
  return view
}

/** What a provider said may name accounts, addresses and credentials of the platform: only those who look after it read that. */
function withoutWords<T extends Pick<ProviderView, 'last_fault'>>(view: T): T {
  return view.last_fault === undefined ? view : { ...view, last_fault: 'it fails; an administrator can see why' }
}

/** Providers where instances of ours run or may run, but that are not configured. */
export async function unconfiguredProviders(
  store: Store,
  isConfigured: (provider: string) => boolean,
): Promise<readonly ProviderView[]> {
  const used = await useByProvider(store)
  return [...used].filter(([name]) => !isConfigured(name)).map(([name, held]) => unconfigured(name, held))
}

function unconfigured(name: string, { use, one }: Holding): ProviderView {
  const hint = `it is not configured, and ${many(use.instances, 'instance')} that Berth started may run there: ${howToReach(name, one)}`
  const view = viewOf({ name, kind: '?', state: 'open', origin: 'unknown' }, undefined)
  return { ...view, ...use, state: 'unconfigured', hint }
}

function withHint(view: ProviderView): ProviderView {
  if (view.state !== 'removing') return view
  const left =
    view.instances === 0
      ? 'once it confirms that nothing runs there'
      : `once ${view.instances} there ${view.instances === 1 ? 'has' : 'have'} ended`
  return { ...view, hint: `it will be removed ${left}` }
}

/** The view of a provider, with what runs or may run there. */
async function withUse(store: Store, view: ProviderView): Promise<ProviderView> {
  return { ...view, ...(await useByProvider(store)).get(view.name)?.use }
}

type Use = Pick<ProviderView, 'instances' | 'usd_per_hour'>

interface Holding {
  readonly use: Use
  /** One placement there, as an example. */
  readonly one: Placement
}

/** What runs or may run at each provider, and what it costs. */
async function useByProvider(
  store: Store,
  projects: Principal['projects'] = [EVERYWHERE],
): Promise<ReadonlyMap<string, Holding>> {
  const used = new Map<string, Holding>()
  const isEverywhere = projects.includes(EVERYWHERE)
  for await (const { key, body } of walk(store, 'placement', '')) {
    const isVisible = isEverywhere || projects.includes(key.slice(0, key.indexOf('/')))
    if (!isVisible || !isBilled(body)) continue
    const { provider } = body.order.place
    const { use, one } = used.get(provider) ?? { use: { instances: 0, usd_per_hour: 0 }, one: body }
    const usd = use.usd_per_hour + body.reserved.usdPerHour
    used.set(provider, { use: { instances: use.instances + 1, usd_per_hour: usd }, one })
  }
  return used
}

function viewOf(
  { name, kind, state, origin }: Pick<ProviderView, 'name' | 'kind' | 'state' | 'origin'>,
  live: ProviderView | undefined,
): ProviderView {
  return {
    name,
    kind,
    state,
    origin,
    reachable: live?.reachable,
    last_answer_ms: live?.last_answer_ms,
    last_fault: live?.last_fault,
    offers: live?.offers ?? 0,
    instances: live?.instances ?? 0,
    usd_per_hour: live?.usd_per_hour ?? 0,
  }
}

export interface NewProvider {
  readonly name: string
  readonly kind: string
  readonly settings: Readonly<Record<string, unknown>>
  /** The name of a platform secret. */
  readonly credential?: string
}

/**
 * Adds a provider, which takes part from the next decision on. Adding the same again changes nothing. Changed settings
 * are accepted only while nothing can be running there: with another account behind the name, Berth could not see
 * what runs.
 */
export async function addProvider(deps: ServiceDeps, actor: Principal, added: NewProvider): Promise<ProviderView> {
  const { name, kind, settings, credential } = added
  if (has(deps.config()?.providers ?? [], name)) throw ofFile(name)
  refuseUnfit(deps, added)
  return changeOnce(deps, undefined, async () => {
    const row = await deps.store.get('provider', name)
    if (row?.body.state === 'removing') throw leaving(name)
    const state = row?.body.state ?? 'open'
    const body: ProviderRow = { kind, settings, ...(credential !== undefined && { credential }), state }
    const answer = await withUse(deps.store, viewOf({ name, kind, state, origin: 'api' }, liveOf(deps, name)))
    if (row !== undefined && isSame(row.body, body)) return { answer, commit: { writes: [] } }
    if (row !== undefined) await refuseInUse(deps, name, { before: row.body, after: body })
    await refuseCredential(deps, credential)
    const told = row === undefined ? 'provider-added' : 'provider-changed'
    const done = { action: 'provider.add', kind: told, facts: { kind } } as const
    return { answer, commit: written({ deps, actor, name, row }, body, done) }
  })
}

/** Opens, cordons or drains a provider, including one from the infrastructure file. */
export async function setProvider(
  deps: ServiceDeps,
  actor: Principal,
  { name, state }: { readonly name: string; readonly state: 'open' | 'cordoned' | 'draining' },
): Promise<ProviderView> {
  return changeOnce(deps, undefined, async () => {
    const wanted = await wantedOf(deps, name)
    if (wanted.state === 'removing') throw leaving(name)
    if (state === 'open') refuseTurnedOff(deps, name)
    const answer = await withUse(deps.store, viewOf({ ...wanted, state }, liveOf(deps, name)))
    if (wanted.state === state) return { answer, commit: { writes: [] } }
    const done = { action: 'provider.state', kind: 'provider-state', facts: { state } } as const
    if (wanted.origin !== 'api') return { answer, commit: await stateWritten({ deps, actor, name }, state, done) }
    const row = await deps.store.get('provider', name)
    if (row === undefined) throw notFound('provider', { name })
    return { answer, commit: written({ deps, actor, name, row }, { ...row.body, state }, done) }
  })
}

/**
 * Removes a provider: it takes no new work, what runs there leaves as manifests allow, and its row is deleted once nothing
 * is left there. The leader does that, or this function if the provider was already closed and nothing is there. The
 * leader may be placing work there at this moment, so the row of an open provider is never deleted here. Refused while
 * the provider does not answer and something may run there.
 */
export async function removeProvider(deps: ServiceDeps, actor: Principal, name: string): Promise<ProviderView> {
  return changeOnce(deps, undefined, async () => {
    const wanted = await wantedOf(deps, name)
    if (wanted.origin !== 'api') throw ofFile(name)
    const row = await deps.store.get('provider', name)
    if (row === undefined) throw notFound('provider', { name })
    const answer = await withUse(deps.store, viewOf({ ...wanted, state: 'removing' }, liveOf(deps, name)))
    const slots = await slotsAt(deps.store, name)
    if (row.body.state !== 'open' && slots.length === 0) {
      const done = { action: 'provider.remove', kind: 'provider-removed', facts: {} } as const
      const removed = { ...answer, state: 'removed' } as const
      return { answer: removed, commit: written({ deps, actor, name, row }, undefined, done) }
    }
    if (row.body.state === 'removing') return { answer, commit: { writes: [] } }
    if (answer.reachable === false && slots.length > 0) throw unending(answer, slots)
    const done = { action: 'provider.remove', kind: 'provider-state', facts: { state: 'removing' } } as const
    return { answer, commit: written({ deps, actor, name, row }, { ...row.body, state: 'removing' }, done) }
  })
}

/** For the leader to call periodically: deletes providers that are being removed and have nothing left. Returns their names. */
export async function forgetRemoved(
  { store, clock }: Pick<ServiceDeps, 'store' | 'clock'>,
  term: number,
): Promise<readonly string[]> {
  const { providers } = await readPlatform(store)
  const forgotten: string[] = []
  for (const row of providers.filter(({ body }) => body.state === 'removing')) {
    if ((await slotsAt(store, row.key)).length > 0) continue
    const done = { action: 'provider.remove', kind: 'provider-removed', facts: {} } as const
    const commit = written({ deps: { clock }, actor: SYSTEM, name: row.key, row }, undefined, done)
    const committed = await store.commit({ term, ...commit })
    if (committed.kind === 'done') forgotten.push(row.key)
  }
  return forgotten
}

const SYSTEM: Principal = { name: 'system', role: 'admin', projects: [EVERYWHERE] }

interface Held {
  readonly deps: Pick<ServiceDeps, 'clock'>
  readonly actor: Principal
  readonly name: string
  readonly row: Row<'provider'> | undefined
}

/** A change of a provider, without what follows from the provider. */
type Trace = TraceOf<Extract<Done, { readonly subject: `provider/${string}` }>>

type TraceOf<D> = D extends unknown ? Omit<D, 'project' | 'subject'> : never

function written({ deps, actor, name, row }: Held, body: ProviderRow | undefined, done: Trace): Commit {
  const at = { kind: 'provider', key: name, version: row?.version ?? 0 } as const
  return {
    writes: [body === undefined ? { ...at, body } : { ...at, body }],
    ...trail(deps, actor, { project: EVERYWHERE, subject: `provider/${name}`, ...done }),
  }
}

/** A provider from the file has no row; its state is kept as a setting. */
async function stateWritten(
  { deps, actor, name }: { readonly deps: ServiceDeps; readonly actor: Principal; readonly name: string },
  state: string,
  done: Trace,
): Promise<Commit> {
  const key = stateKey(name)
  const row = await deps.store.get('setting', key)
  return {
    writes: [{ kind: 'setting', key, version: row?.version ?? 0, body: { value: state } }],
    ...trail(deps, actor, { project: EVERYWHERE, subject: `provider/${name}`, ...done }),
  }
}

async function wantedOf({ store, config }: ServiceDeps, name: string): Promise<WantedProvider> {
  const all = providersOf(config(), await readPlatform(store))
  const wanted = all.find((one) => one.name === name)
  if (wanted !== undefined) return wanted
  if (has(config()?.providers ?? [], name)) {
    const hint = 'Give it a `kind` in the infrastructure file.'
    throw refuse('NOT_FOUND', `The provider ${name} is a price list only: nothing can run there.`, hint)
  }
  const slots = await slotsAt(store, name)
  if (slots.length > 0) {
    const one = (await useByProvider(store)).get(name)?.one
    const hint = `To reach it again, ${howToReach(name, one)}.`
    throw refuse('NOT_FOUND', `The provider ${name} is not configured, and ${someOf(slots)} may run there.`, hint)
  }
  throw notFound('provider', { name })
}

function liveOf({ providers }: ServiceDeps, name: string): ProviderView | undefined {
  return providers.views().find((view) => view.name === name)
}

function refuseUnfit({ providers }: ServiceDeps, { name, kind, settings }: NewProvider): void {
  const kinds = providers.kinds().map((one) => one.kind)
  if (!kinds.includes(kind)) {
    const meant = nearest(kind, kinds)
    const listed = `Known kinds: ${kinds.join(', ')}.`
    const hint = meant === undefined ? listed : `Did you mean ${meant}? ${listed}`
    throw refuse('PROVIDER_KIND_UNKNOWN', `There is no provider kind ${kind}.`, hint)
  }
  const problems = providers.problemsOf(kind, settings)
  if (problems.length === 0) return
  throw new UserError(
    problems.map((message) => ({
      code: 'PROVIDER_SETTINGS',
      message: `${name}: ${message}`,
      hint: `Check the settings for the kind ${kind}.`,
    })),
  )
}

async function refuseCredential({ store }: ServiceDeps, credential: string | undefined): Promise<void> {
  if (credential === undefined || (await scopeOf(store, credential)) !== undefined) return
  const hint = `Set it first: berth secret set ${credential} --platform`
  throw refuse('SECRET_MISSING', `The platform has no secret ${credential}.`, hint)
}

/** While something runs at a provider, only its harmless settings may change, never the account behind its name. */
async function refuseInUse(
  { store, providers }: ServiceDeps,
  name: string,
  { before, after }: { readonly before: ProviderRow; readonly after: ProviderRow },
): Promise<void> {
  const harmless = providers.kinds().find(({ kind }) => kind === after.kind)?.harmless ?? []
  const rest = (row: ProviderRow): ProviderRow => {
    const settings = Object.entries(row.settings).filter(([key]) => !harmless.includes(key))
    return { ...row, settings: Object.fromEntries(settings) }
  }
  if (isSame(rest(before), rest(after))) return
  const slots = await slotsAt(store, name)
  if (slots.length === 0) return
  const free =
    harmless.length === 0 ? '' : `While something runs there, only these settings may change: ${harmless.join(', ')}.\n`
  const hint = `${free}Drain it first: berth drain ${name}. Or add the changed provider under another name.`
  throw refuse('PROVIDER_IN_USE', `${someOf(slots)} may still run at ${name}.`, hint)
}

function refuseTurnedOff({ config }: ServiceDeps, name: string): void {
  const stated = config()?.providers.find((provider) => provider.name === name)
  if (stated === undefined || stated.enabled) return
  throw refuse(
    'NAME_OF_FILE',
    `The infrastructure file disables the provider ${name}.`,
    'Remove `enabled: false` there.',
  )
}

function ofFile(name: string): UserError {
  const hint = 'Change it there, or choose another name.'
  return refuse('NAME_OF_FILE', `The provider ${name} is defined in the infrastructure file.`, hint)
}

function leaving(name: string): UserError {
  return refuse(
    'PROVIDER_LEAVING',
    `The provider ${name} is being removed.`,
    'Wait until it is gone, then add it again.',
  )
}

/** A removal cannot be undone, so one that cannot finish is not started. */
function unending({ name, last_fault: fault }: ProviderView, slots: readonly string[]): UserError {
  const why = fault === undefined ? '' : ` (${fault})`
  const hint = `Keep new work away meanwhile: berth drain ${name} --cordon. See what is wrong: berth provider test ${name}`
  const message = `${name} does not answer${why}, so what may run there cannot be stopped: ${someOf(slots)}.`
  return refuse('PROVIDER_IN_USE', message, hint)
}

/** Compares regardless of key order, because rows from JSON have the order in which they were written. */
function isSame(one: ProviderRow, two: ProviderRow): boolean {
  const plain = ({ kind, settings, credential, state }: ProviderRow) =>
    JSON.stringify([kind, sorted(settings), credential, state])
  return plain(one) === plain(two)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([one], [two]) => (one < two ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)])
}
