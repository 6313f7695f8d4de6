import type { FastifyRequest } from 'fastify'
import { mustBeAllowed } from '../service/access.ts'
import type { Principal } from '../service/deps.ts'
import type { Authenticator } from '../service/tokens.ts'
import { refuse } from '../core/base/refuse.ts'
import type { Action } from '../api/action.ts'
import type { ServerDeps, Mode } from './deps.ts'

/** A caller who was admitted, and the token to check again later. Token undefined: development mode, without one. */
export interface Admitted {
  readonly actor: Principal
  readonly token: string | undefined
  readonly expiresMs?: number | undefined
}

const DEVELOPMENT: Principal = { name: 'development', role: 'admin', projects: ['*'] }

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Refuses requests from web pages: under a host name that an attacker chose, or from another site. */
export function checkHost(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { mode, tls }: Pick<ServerDeps, 'mode' | 'tls'>,
): void {
  const host = hostName(headers.host)
  if (host === undefined || !(LOOPBACK_HOSTS.has(host) || mode.hosts.includes(host) || tls?.isNamed(host) === true)) {
    throw refuse('HOST_REFUSED', 'This control plane does not answer for the host name in the request.')
  }
  const { origin } = headers
  if (origin !== undefined && origin !== `http://${headers.host}` && origin !== `https://${headers.host}`) {
    throw refuse(
      'HOST_REFUSED',
      'The request was made by a web page of another site.',
      'Call the API from your own page.',
    )
  }
}

/** The host name without the port; undefined: there is none, or it is not valid. */
function hostName(host: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9.-]{1,253})(?::\d{1,5})?$/.exec(host?.toLowerCase() ?? '')?.[1]
}

/** The caller of a request. Throws when there is no valid token. */
export async function admit(request: FastifyRequest, gate: Authenticator, mode: Mode): Promise<Admitted> {
  const { authorization } = request.headers
  if (authorization === undefined && mode.open && isFromHere(request))
    return { actor: { ...DEVELOPMENT, requestId: request.id }, token: undefined }
  const [, token] = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? '') ?? []
  const actor = token === undefined ? undefined : await gate.open(token)
  if (actor !== undefined) {
    const { expiresMs, ...principal } = actor
    return { actor: { ...principal, requestId: request.id }, token, expiresMs }
  }
  throw refuse(
    'UNAUTHENTICATED',
    authorization === undefined
      ? 'The request carries no token.'
      : 'The token is not valid: it is unknown, revoked or expired.',
    'Log in with a token: berth login URL. Or pass it with --token-file or BERTH_TOKEN. An administrator creates tokens with berth token create NAME.',
  )
}

/** Whether the request comes from this machine and was addressed to this machine: both must hold. */
function isFromHere({ socket, headers }: FastifyRequest): boolean {
  const peer = socket.remoteAddress ?? ''
  const isLoopback = peer === '::1' || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(peer)
  return isLoopback && LOOPBACK_HOSTS.has(hostName(headers.host) ?? '')
}

/** Checks access in the project of the path, else in the one of the query. */
export function authorise(actor: Principal, action: Action, { params, query }: FastifyRequest): void {
  mustBeAllowed(actor, action, projectOf({ params, query }))
}

/** The project that a request is about; undefined: none, or all. */
export function projectOf({ params, query }: Pick<FastifyRequest, 'params' | 'query'>): string | undefined {
  return projectIn(params) ?? projectIn(query)
}

function projectIn(given: unknown): string | undefined {
  const isThere = typeof given === 'object' && given !== null && 'project' in given
  return isThere && typeof given.project === 'string' ? given.project : undefined
}
