import { refuse } from '../core/base/refuse.ts'
import type { Config } from '../core/policy/policy.ts'
import type { Secret, Vault } from '../ports/secret.ts'
import type { Store } from '../ports/store.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { platformOf, readPlatform } from './platform.ts'
import { EVERYWHERE, walk } from './platform-rows.ts'

// What opens providers lies in a scope of its own. Installations from before that kept it among the secrets of the project
// `default`: such a credential goes on opening its provider until it is moved, and is meanwhile kept from everybody else.

/** The scope of the platform's own secrets. No project can have this name, so no manifest can reach into it. */
export const PLATFORM_SCOPE = EVERYWHERE

/** The project that credentials were kept in before. */
const OLD_SCOPE = 'default'

/** Secrets of the old scope that are younger than this never open a provider. */
const APART_SINCE = 'credentials-apart-since'

/** For every start: from the first one on, nothing new that a project sets can become a credential. */
export async function keepCredentialsApart({ store, clock }: Pick<ServiceDeps, 'store' | 'clock'>): Promise<void> {
  if ((await store.get('setting', APART_SINCE)) !== undefined) return
  let sinceMs = clock.nowMs()
  for await (const { body } of walk(store, 'secret', `${OLD_SCOPE}/`)) sinceMs = Math.max(sinceMs, body.createdMs)
  // Where two start at once the first one's word counts.
  await store.commit({ writes: [{ kind: 'setting', key: APART_SINCE, version: 0, body: { value: `${sinceMs}` } }] })
}

/** Where the value of a credential lies; undefined: nowhere. */
export async function scopeOf(store: Store, credential: string): Promise<string | undefined> {
  if ((await store.get('secret', `${PLATFORM_SCOPE}/${credential}`)) !== undefined) return PLATFORM_SCOPE
  const [old, since] = await Promise.all([
    store.get('secret', `${OLD_SCOPE}/${credential}`),
    store.get('setting', APART_SINCE),
  ])
  const isOld = old !== undefined && since !== undefined && old.body.createdMs <= Number(since.body.value)
  return isOld ? OLD_SCOPE : undefined
}

/** Those of these names that are kept from this project, because each is still the credential of a provider. */
export async function reservedNames(
  store: Store,
  {
    project,
    names,
    config,
  }: { readonly project: string; readonly names: readonly string[]; readonly config: Platform },
): Promise<readonly string[]> {
  if (project !== OLD_SCOPE) return []
  const used = credentialsIn(config).filter((name) => names.includes(name))
  const scopes = await Promise.all(used.map((name) => scopeOf(store, name)))
  return used.filter((_, index) => scopes[index] === OLD_SCOPE)
}

type Platform = Pick<Config, 'providers'> | undefined

function credentialsIn(config: Platform): readonly string[] {
  return [...new Set((config?.providers ?? []).flatMap(({ credential }) => credential ?? []))]
}

/** Credentials that still lie among the secrets of a project, by name. */
export async function misplacedCredentials({
  store,
  config,
}: Pick<ServiceDeps, 'store' | 'config'>): Promise<readonly string[]> {
  const platform = platformOf(config(), await readPlatform(store))
  return reservedNames(store, { project: OLD_SCOPE, names: credentialsIn(platform), config: platform })
}

export async function isMisplaced(
  deps: Pick<ServiceDeps, 'store' | 'config'>,
  { project, name }: { readonly project: string; readonly name: string },
): Promise<boolean> {
  return project === OLD_SCOPE && (await misplacedCredentials(deps)).includes(name)
}

/** Stops whoever is not the platform's administrator from using or changing what opens a provider. */
export async function refuseReserved(
  { store, config }: Pick<ServiceDeps, 'store' | 'config'>,
  {
    project,
    names,
    actor,
  }: { readonly project: string; readonly names: readonly string[]; readonly actor?: Principal },
): Promise<void> {
  if (project !== OLD_SCOPE || names.length === 0 || (actor !== undefined && isPlatformAdmin(actor))) return
  const [name] = await reservedNames(store, { project, names, config: platformOf(config(), await readPlatform(store)) })
  if (name !== undefined) throw refuse('SECRET_RESERVED', reservedText(name), movingHint(name))
}

export function isPlatformAdmin({ role, projects }: Principal): boolean {
  return role === 'admin' && projects.includes(EVERYWHERE)
}

export function reservedText(name: string): string {
  return `The secret ${name} is the credential of a provider, and no workload may have it.`
}

export function movingHint(name: string): string {
  return `Use another name. An administrator of all projects frees this one with: berth secret set ${name} --platform --move`
}

export type SecretDeps = { readonly store: Store; readonly vault: Vault }

/** What a value is bound to: sealed for one name and version, it opens for no other. */
export function secretAbout({ project, name }: { project: string; name: string }, version: number): string {
  return `${project}/${name}/${version}`
}

/** The value of a credential, for the provider that it opens. Undefined: there is none, or it cannot be opened. */
export async function credentialOf({ store, vault }: SecretDeps, name: string): Promise<Secret | undefined> {
  const project = await scopeOf(store, name)
  const row = project === undefined ? undefined : await store.get('secret', `${project}/${name}`)
  if (project === undefined || row === undefined) return undefined
  return vault.open(row.body.sealed, secretAbout({ project, name }, row.body.version))
}
