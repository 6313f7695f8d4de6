import { notFound, refuse } from '../core/base/refuse.ts'
import type { Facts } from '../core/event/event.ts'
import type { TokenRow } from '../core/life/rows.ts'
import type { NewToken, TokenView } from '../ports/berth.ts'
import { auditBy } from './audit.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { walk } from './platform-rows.ts'

/** How long a token stays cached, and so how soon a revoked one stops working. */
const BELIEVED_MS = 1000
const REMEMBERED_MAX = 1000

/** `berth.NAME.SECRET`: the name finds the row, the secret proves it. */
const TOKEN = /^berth\.([a-z][a-z0-9-]{0,62})\.([A-Za-z0-9_-]{43})$/

/** Used for the comparison when there is no such token, so that an unknown name takes as long as a wrong secret. */
const NO_HASH = '0'.repeat(64)

/** Finds the principal of a token. Undefined: the token is unknown, revoked or expired. */
export interface Authenticator {
  readonly open: (token: string) => Promise<(Principal & { readonly expiresMs: number }) | undefined>
  /** Whether the token is still valid. For streams that it opened: all of a token share what was read a moment ago. */
  readonly isStillOpen: (token: string) => Promise<boolean>
}

export function makeAuthenticator({
  store,
  clock,
  hashing,
}: Pick<ServiceDeps, 'store' | 'clock' | 'hashing'>): Authenticator {
  const remembered = new Map<string, { readonly row: TokenRow; readonly readMs: number }>()

  const rowOf = async (name: string): Promise<TokenRow | undefined> => {
    const known = remembered.get(name)
    if (known !== undefined && clock.tickMs() - known.readMs < BELIEVED_MS) return known.row
    const readMs = clock.tickMs()
    const row = (await store.get('token', name))?.body
    remembered.delete(name)
    if (row === undefined) return undefined
    if (remembered.size >= REMEMBERED_MAX) remembered.clear()
    remembered.set(name, { row, readMs })
    return row
  }

  const open: Authenticator['open'] = async (token) => {
    const [, name, secret] = TOKEN.exec(token) ?? []
    if (name === undefined || secret === undefined) return undefined
    const row = await rowOf(name)
    const isProved = hashing.isSame(hashing.sha256(secret), row?.hash ?? NO_HASH)
    if (row === undefined || !isProved || clock.nowMs() >= row.expiresMs) return undefined
    return { name, role: row.role, projects: row.projects, expiresMs: row.expiresMs }
  }

  return {
    open,
    isStillOpen: async (token) => (await open(token)) !== undefined,
  }
}

/** Creates a token. Only this answer shows it, because only a hash is stored. */
export async function createToken(
  { store, clock, hashing }: Pick<ServiceDeps, 'store' | 'clock' | 'hashing'>,
  actor: Principal,
  { name, role, projects, ttl_ms }: NewToken,
): Promise<TokenView & { readonly token: string }> {
  const secret = hashing.newToken()
  const atMs = clock.nowMs()
  const body: TokenRow = { hash: hashing.sha256(secret), role, projects, createdMs: atMs, expiresMs: atMs + ttl_ms }
  const committed = await store.commit({
    writes: [{ kind: 'token', key: name, version: 0, body }],
    audit: [auditOf(actor, 'token.create', { name, atMs, facts: { role, projects: projects.join(' ') } })],
  })
  if (committed.kind !== 'done') {
    throw refuse(
      'TOKEN_EXISTS',
      `There is already a token ${name}.`,
      `Choose another name, or remove it first: berth token rm ${name}`,
    )
  }
  return { ...tokenView(name, body), token: `berth.${name}.${secret}` }
}

export async function listTokens({ store }: ServiceDeps): Promise<readonly TokenView[]> {
  const rows = await store.list('token', { limit: 10_000 })
  return rows.map(({ key, body }) => tokenView(key, body))
}

/** Removes a token. Streams that it opened end within seconds. */
export async function removeToken({ store, clock }: ServiceDeps, actor: Principal, name: string): Promise<void> {
  const row = await store.get('token', name)
  if (row === undefined) throw notFound('token', { name })
  if (isAdministrator(row.body) && !(await hasAnother(store, name, clock.nowMs()))) {
    const message = `${name} is the last administrator token; without it no further tokens could be created.`
    throw refuse('TOKEN_LAST', message, 'Create another one first: berth token create NAME --role admin')
  }
  await store.commit({
    writes: [{ kind: 'token', key: name, body: undefined }],
    audit: [auditOf(actor, 'token.remove', { name, atMs: clock.nowMs(), facts: {} })],
  })
}

/** Whether all valid tokens that can start anything are for administrators of all projects. Readers, such as gateways, start nothing. */
export async function onlyAdministrators({ store, clock }: Pick<ServiceDeps, 'store' | 'clock'>): Promise<boolean> {
  const nowMs = clock.nowMs()
  for await (const { body } of walk(store, 'token', '')) {
    if (body.expiresMs > nowMs && body.role !== 'reader' && !isAdministrator(body)) return false
  }
  return true
}

function isAdministrator({ role, projects }: Pick<TokenRow, 'role' | 'projects'>): boolean {
  return role === 'admin' && projects.includes('*')
}

async function hasAnother(store: ServiceDeps['store'], name: string, nowMs: number): Promise<boolean> {
  const rows = await store.list('token', { limit: 10_000 })
  return rows.some(({ key, body }) => key !== name && isAdministrator(body) && body.expiresMs > nowMs)
}

function auditOf(
  actor: Principal,
  action: string,
  { name, atMs, facts }: { readonly name: string; readonly atMs: number; readonly facts: Facts },
) {
  return auditBy(actor, { atMs, project: '*', action, subject: `token/${name}`, facts })
}

function tokenView(name: string, { role, projects, createdMs, expiresMs }: TokenRow): TokenView {
  return { name, role, projects, created_ms: createdMs, expires_ms: expiresMs }
}
