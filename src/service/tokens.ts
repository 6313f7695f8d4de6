import { notFound, refuse } from '../core/base/refuse.ts'
import type { TokenRow } from '../core/life/rows.ts'
import type { NewToken, TokenView } from '../ports/berth.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { walk } from './platform-rows.ts'

/** How long a token that was read is believed: a revoked one stops working this soon. */
const BELIEVED_MS = 1000
const REMEMBERED_MAX = 1000

/** `berth.NAME.SECRET`: the name finds the row, the secret proves it. */
const TOKEN = /^berth\.([a-z][a-z0-9-]{0,62})\.([A-Za-z0-9_-]{43})$/

/** Compared with where there is no such token, so that an unknown name takes as long as a wrong secret. */
const NO_HASH = '0'.repeat(64)

/** Finds out who holds a token. Undefined: nobody, or nobody any more. */
export interface Authenticator {
  readonly open: (token: string) => Promise<Principal | undefined>
  /** Whether what was opened with this token may stay open. Asks the store anew. */
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

  const open = async (token: string): Promise<Principal | undefined> => {
    const [, name, secret] = TOKEN.exec(token) ?? []
    if (name === undefined || secret === undefined) return undefined
    const row = await rowOf(name)
    const isProved = hashing.isSame(hashing.sha256(secret), row?.hash ?? NO_HASH)
    if (row === undefined || !isProved || clock.nowMs() >= row.expiresMs) return undefined
    return { name, role: row.role, projects: row.projects }
  }

  return {
    open,
    isStillOpen: async (token) => {
      const [, name = ''] = TOKEN.exec(token) ?? []
      remembered.delete(name)
      return (await open(token)) !== undefined
    },
  }
}

/** The only time that the token itself is seen: what is kept of it cannot be turned back. */
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
    audit: [{ ...auditOf(actor, 'token.create', { name, atMs }), facts: { role, projects: projects.join(' ') } }],
  })
  if (committed.kind !== 'done') {
    throw refuse('TOKEN_EXISTS', `There is a token ${name} already.`, `Choose another name, or: berth token rm ${name}`)
  }
  return { ...tokenView(name, body), token: `berth.${name}.${secret}` }
}

export async function listTokens({ store }: ServiceDeps): Promise<readonly TokenView[]> {
  const rows = await store.list('token', { limit: 10_000 })
  return rows.map(({ key, body }) => tokenView(key, body))
}

/** Whatever was opened with it ends within seconds. */
export async function removeToken({ store, clock }: ServiceDeps, actor: Principal, name: string): Promise<void> {
  const row = await store.get('token', name)
  if (row === undefined) throw notFound('token', { name })
  if (isAdministrator(row.body) && !(await hasAnother(store, name, clock.nowMs()))) {
    const message = `${name} is the last token of an administrator: nobody could get in any more.`
    throw refuse('TOKEN_LAST', message, 'Make another one first: berth token create NAME --role admin')
  }
  await store.commit({
    writes: [{ kind: 'token', key: name, body: undefined }],
    audit: [{ ...auditOf(actor, 'token.remove', { name, atMs: clock.nowMs() }), facts: {} }],
  })
}

/** Whether everybody who holds a token that is still good is an administrator of all projects. */
export async function onlyAdministrators({ store, clock }: Pick<ServiceDeps, 'store' | 'clock'>): Promise<boolean> {
  const nowMs = clock.nowMs()
  for await (const { body } of walk(store, 'token', '')) {
    if (body.expiresMs > nowMs && !isAdministrator(body)) return false
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

function auditOf(actor: Principal, action: string, { name, atMs }: { readonly name: string; readonly atMs: number }) {
  return { atMs, actor: actor.name, project: '*', action, subject: `token/${name}` }
}

function tokenView(name: string, { role, projects, createdMs, expiresMs }: TokenRow): TokenView {
  return { name, role, projects, created_ms: createdMs, expires_ms: expiresMs }
}
