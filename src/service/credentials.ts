import { refuse } from '../core/base/refuse.ts'
import type { Config } from '../core/policy/policy.ts'
import type { Secret, Vault } from '../ports/secret.ts'
import type { Store } from '../ports/store.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { platformOf, readPlatform } from './platform.ts'
import { walk } from './platform-rows.ts'
import { EVERYWHERE, type SecretRow } from '../core/life/rows.ts'

// Provider credentials have a scope of their own. Older installations kept them among the secrets of the project
// `default`: such a credential still works for its provider until it is moved, and is out of reach for all other uses.

/** The scope of platform secrets. No project can have this name, so no manifest can refer to them. */
export const PLATFORM_SCOPE = EVERYWHERE

/** The project in which older versions kept credentials. */
const OLD_SCOPE = 'default'

/** The setting with the time after which new secrets of the old scope never serve as credentials. */
const APART_SINCE = 'credentials-apart-since'

/** Runs at every start. After the first start, no new secret of a project can become a credential. */
export async function keepCredentialsApart({ store, clock }: Pick<ServiceDeps, 'store' | 'clock'>): Promise<void> {
  if ((await store.get('setting', APART_SINCE)) !== undefined) return
  let sinceMs = clock.nowMs()
  for await (const { body } of walk(store, 'secret', `${OLD_SCOPE}/`)) sinceMs = Math.max(sinceMs, body.createdMs)
  // When two control planes start at once, the first write wins.
  await store.commit({ writes: [{ kind: 'setting', key: APART_SINCE, version: 0, body: { value: `${sinceMs}` } }] })
}

/** The scope that holds the value of a credential; undefined: there is none. */
export async function scopeOf(store: Store, credential: string): Promise<string | undefined> {
  if ((await store.get('secret', `${PLATFORM_SCOPE}/${credential}`)) !== undefined) return PLATFORM_SCOPE
  const [old, since] = await Promise.all([
    store.get('secret', `${OLD_SCOPE}/${credential}`),
    store.get('setting', APART_SINCE),
  ])
  const isOld = old !== undefined && since !== undefined && old.body.createdMs <= Number(since.body.value)
  return isOld ? OLD_SCOPE : undefined
}

/** Which of these names the project may not use, because they are still credentials of providers. */
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

/** The names of credentials that are still among the secrets of a project. */
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

/** Refuses the use or change of a provider credential, except by platform administrators. */
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
  return `The secret ${name} is the credential of a provider, and no workload may use it.`
}

export function movingHint(name: string): string {
  return `Use another name. An administrator of all projects can free this one with: berth secret set ${name} --platform --move`
}

export type SecretDeps = { readonly store: Store; readonly vault: Vault }

/** What a value is bound to: encrypted for one name and version, it cannot be decrypted under another. */
export function secretAbout({ project, name }: { project: string; name: string }, version: number): string {
  return `${project}/${name}/${version}`
}

/**
 * Reads the value of a provider's credential, as it is now, before each of its calls. Undefined: there is none, or it cannot be decrypted.
 * What is sealed as it was the last time is not decrypted again.
 */
export function credentialReader({ store, vault }: SecretDeps, name: string): () => Promise<Secret | undefined> {
  let last: { readonly sealed: string; readonly about: string; readonly secret: Secret } | undefined
  return async () => {
    const found = await credentialRow(store, name)
    if (found === undefined) return undefined
    const { sealed, about } = found
    if (last?.sealed === sealed && last.about === about) return last.secret
    const secret = vault.open(sealed, about)
    last = secret && { sealed, about, secret }
    return secret
  }
}

async function credentialRow(store: Store, name: string): Promise<SealedAt | undefined> {
  const row = await store.get('secret', `${PLATFORM_SCOPE}/${name}`)
  if (row !== undefined) return sealedAt(row.body, { project: PLATFORM_SCOPE, name })
  const project = await scopeOf(store, name)
  const old = project === undefined ? undefined : await store.get('secret', `${project}/${name}`)
  return project === undefined || old === undefined ? undefined : sealedAt(old.body, { project, name })
}

interface SealedAt {
  readonly sealed: string
  readonly about: string
}

function sealedAt({ sealed, version }: SecretRow, at: { readonly project: string; readonly name: string }): SealedAt {
  return { sealed, about: secretAbout(at, version) }
}
