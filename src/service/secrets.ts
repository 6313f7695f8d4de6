import { notFound, refuse } from '../core/base/refuse.ts'
import type { SourcedProblem } from '../core/base/problem.ts'
import { secretsNeeded } from '../core/manifest/secret-names.ts'
import type { Config } from '../core/policy/policy.ts'
import type { SecretRow } from '../core/life/rows.ts'
import type { At, SecretView } from '../ports/berth.ts'
import type { Secret, Vault } from '../ports/secret.ts'
import type { Row, Store } from '../ports/store.ts'
import {
  isMisplaced,
  isPlatformAdmin,
  movingHint,
  PLATFORM_SCOPE,
  refuseReserved,
  reservedNames,
  reservedText,
  scopeOf,
  secretAbout,
  type SecretDeps,
} from './credentials.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { platformOf, readPlatform } from './platform.ts'
import { everyRow, someOf, trail, walk } from './platform-rows.ts'
import { changeOnce } from './requests.ts'

const LENGTH_MIN = 4
const LENGTH_MAX = 65_536

/** Names, versions and ages of secrets, never a value. */
export async function listSecrets(
  deps: ServiceDeps,
  actor: Principal,
  project: string,
): Promise<readonly SecretView[]> {
  const rows = await everyRow(deps.store, 'secret', `${project}/`)
  const views = rows.map(({ key, body }) => viewOf(key.slice(project.length + 1), body))
  if (project === PLATFORM_SCOPE || isPlatformAdmin(actor)) return views
  const platform = platformOf(deps.config(), await readPlatform(deps.store))
  const names = views.map(({ name }) => name)
  const reserved = new Set(await reservedNames(deps.store, { project, names, config: platform }))
  return views.filter(({ name }) => !reserved.has(name))
}

/** Sets a secret as a new version. What runs keeps the value it was started with. */
export async function setSecret(
  deps: ServiceDeps,
  actor: Principal,
  { at, value }: { readonly at: At; readonly value: Secret },
): Promise<SecretView> {
  refuseUnfit(at, value.reveal())
  return changeOnce(deps, undefined, async () => {
    await refuseReserved(deps, { ...at, names: [at.name], actor })
    const row = await deps.store.get('secret', keyOf(at))
    const version = (row?.body.version ?? 0) + 1
    const sealed = deps.vault.seal(value, secretAbout(at, version))
    // A credential that has not been moved yet keeps its age, because only old ones still serve as credentials.
    const createdMs = row !== undefined && (await isMisplaced(deps, at)) ? row.body.createdMs : deps.clock.nowMs()
    const body = { version, sealed, createdMs }
    const subject = `secret/${at.name}` as const
    const done = { project: at.project, subject, action: 'secret.set', kind: 'secret-set', facts: { version } } as const
    const write = { kind: 'secret' as const, key: keyOf(at), version: row?.version ?? 0, body }
    return { answer: viewOf(at.name, body), commit: { writes: [write], ...trail(deps, actor, done) } }
  })
}

/**
 * Sets a provider credential. Value undefined: moves the one that project `default` still has from an older version.
 * Either way the old one is removed from the project.
 */
export async function setCredential(
  deps: ServiceDeps,
  actor: Principal,
  { name, value }: { readonly name: string; readonly value: Secret | undefined },
): Promise<SecretView> {
  const at = { project: PLATFORM_SCOPE, name }
  if (value !== undefined) refuseUnfit(at, value.reveal())
  return changeOnce(deps, undefined, async () => {
    const [row, old] = await Promise.all([deps.store.get('secret', keyOf(at)), misplacedRow(deps, name)])
    const moved = value ?? (old && deps.vault.open(old.body.sealed, secretAbout(atOf(old), old.body.version)))
    if (moved === undefined) throw nothingToMove(name)
    const version = (row?.body.version ?? 0) + 1
    const body = { version, sealed: deps.vault.seal(moved, secretAbout(at, version)), createdMs: deps.clock.nowMs() }
    const subject = `secret/${name}` as const
    const done = { ...at, subject, action: 'secret.set', kind: 'secret-set', facts: { version } } as const
    const write = { kind: 'secret' as const, key: keyOf(at), version: row?.version ?? 0, body }
    const gone = old && { kind: 'secret' as const, key: old.key, version: old.version, body: undefined }
    return {
      answer: viewOf(name, body),
      commit: { writes: [write, ...(gone === undefined ? [] : [gone])], ...trail(deps, actor, done) },
    }
  })
}

async function misplacedRow(deps: ServiceDeps, name: string): Promise<Row<'secret'> | undefined> {
  const at = { project: (await scopeOf(deps.store, name)) ?? '', name }
  return (await isMisplaced(deps, at)) ? deps.store.get('secret', keyOf(at)) : undefined
}

function nothingToMove(name: string) {
  const message = `Project default has no provider credential ${name} to move.`
  return refuse('NOT_FOUND', message, `Give its value: berth secret set ${name} --platform --from-file FILE`)
}

/** Removes a secret. Refused while something needs it to start again. */
export async function removeSecret(deps: ServiceDeps, actor: Principal, at: At): Promise<void> {
  await changeOnce(deps, undefined, async () => {
    await refuseReserved(deps, { ...at, names: [at.name], actor })
    const row = await deps.store.get('secret', keyOf(at))
    if (row === undefined) throw notFound('secret', at.project === PLATFORM_SCOPE ? { name: at.name } : at)
    await refuseInUse(deps, at)
    const facts = { version: row.body.version }
    const subject = `secret/${at.name}` as const
    const done = { project: at.project, subject, action: 'secret.remove', kind: 'secret-removed', facts } as const
    const write = { kind: 'secret' as const, key: keyOf(at), version: row.version, body: undefined }
    return { answer: undefined, commit: { writes: [write], ...trail(deps, actor, done) } }
  })
}

export type FoundSecrets =
  | { readonly secrets: ReadonlyMap<string, Secret> }
  | { readonly problems: readonly SourcedProblem[] }

/** What is needed to hand secrets to workloads; the platform's credentials must not be handed out. */
interface Handing extends SecretDeps {
  readonly clock: Pick<ServiceDeps['clock'], 'nowMs'>
  readonly platform: () => { readonly config: Config | undefined }
}

/** The workload that secrets are handed to. */
interface Receiver {
  readonly project: string
  readonly workload: string
}

/** The values of these secrets, to hand to a workload, or a problem for each that is missing. */
export async function secretsFor(
  { store, vault, platform, clock }: Handing,
  { project, workload }: Receiver,
  names: readonly string[],
): Promise<FoundSecrets> {
  const reserved = await reservedNames(store, { project, names, config: platform().config })
  if (reserved.length > 0) return { problems: reserved.map(reservedSecret) }
  const found = await Promise.all(
    names.map(async (name) => {
      const row = await store.get('secret', keyOf({ project, name }))
      const secret = row && vault.open(row.body.sealed, secretAbout({ project, name }, row.body.version))
      return { name, secret, isThere: row !== undefined }
    }),
  )
  const problems = found
    .filter(({ secret }) => secret === undefined)
    .map(({ name, isThere }) => missingSecret({ project, name }, isThere ? 'closed' : 'absent'))
  if (problems.length > 0) return { problems }
  await noteUse({ store, clock }, { project, workload }, names)
  return { secrets: new Map(found.flatMap(({ name, secret }) => (secret === undefined ? [] : [[name, secret]]))) }
}

/** Each handing out of secrets is in the audit before they leave. */
async function noteUse(
  { store, clock }: Pick<Handing, 'store' | 'clock'>,
  { project, workload }: Receiver,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const atMs = clock.nowMs()
  const audit = names.map((name) => {
    return { atMs, actor: 'system', project, action: 'secret.use', subject: `secret/${name}`, facts: { workload } }
  })
  await store.commit({ writes: [], audit })
}

function reservedSecret(name: string): SourcedProblem {
  return { code: 'SECRET_RESERVED', message: reservedText(name), found: name, hint: movingHint(name) }
}

/** Secrets that this installation's keys cannot decrypt, as `PROJECT/NAME`. The key file must have been exchanged. */
export async function closedSecrets({
  store,
  vault,
}: {
  readonly store: Store
  readonly vault: Vault
}): Promise<readonly string[]> {
  const closed: string[] = []
  for await (const row of walk(store, 'secret', '')) {
    const about = secretAbout(atOf(row), row.body.version)
    if (vault.open(row.body.sealed, about) === undefined) closed.push(row.key)
  }
  return closed
}

/** The scope and the name of a secret. */
export function atOf({ key }: Row<'secret'>): At {
  const [project = '', name = ''] = key.split('/')
  return { project, name }
}

function keyOf({ project, name }: At): string {
  return `${project}/${name}`
}

function viewOf(name: string, { version, createdMs }: SecretRow): SecretView {
  return { name, version, created_ms: createdMs }
}

/** The message reveals nothing of the value, not even its length. */
function refuseUnfit({ name }: At, value: string): void {
  const why =
    value.length < LENGTH_MIN
      ? `has fewer than ${LENGTH_MIN} characters`
      : value.length > LENGTH_MAX
        ? 'is larger than 64 KB'
        : value.includes('\0') || !value.isWellFormed()
          ? 'holds a zero byte or is not valid text'
          : undefined
  if (why === undefined) return
  throw refuse(
    'SECRET_UNFIT',
    `The value of ${name} ${why}; nothing was changed.`,
    'Use another value, or a file in storage.',
  )
}

function missingSecret({ project, name }: At, why: 'absent' | 'closed'): SourcedProblem {
  const message =
    why === 'absent'
      ? `Project ${project} has no secret ${name}.`
      : `The secret ${name} of project ${project} cannot be decrypted with the keys of this installation.`
  return { code: 'SECRET_MISSING', message, found: name, hint: `Set it: berth secret set ${name} --project ${project}` }
}

async function refuseInUse(deps: ServiceDeps, at: At): Promise<void> {
  const users = [...(await workloadsWith(deps.store, at)), ...(await providersWith(deps, at))]
  if (users.length === 0) return
  const hint = 'Stop what uses it, or apply it without the secret. For a new value, set it again.'
  throw refuse('SECRET_IN_USE', `The secret ${at.name} is used by ${someOf(users)}.`, hint)
}

/** Workloads with this secret that may start again: neither stopped nor ended. */
async function workloadsWith(store: Store, { project, name }: At): Promise<readonly string[]> {
  const users: string[] = []
  for await (const { key, body } of walk(store, 'workload', `${project}/`)) {
    if (body.want !== 'running' || !secretsNeeded(body.manifest).includes(name)) continue
    const status = await store.get('status', key)
    const hasEnded =
      status?.body.uid === body.uid && status.body.generation === body.generation && status.body.end !== undefined
    if (!hasEnded) users.push(body.name)
  }
  return users
}

async function providersWith({ store, config }: ServiceDeps, { project, name }: At): Promise<readonly string[]> {
  if ((await scopeOf(store, name)) !== project) return []
  const { providers } = platformOf(config(), await readPlatform(store))
  return providers.filter(({ credential }) => credential === name).map((provider) => `provider ${provider.name}`)
}
