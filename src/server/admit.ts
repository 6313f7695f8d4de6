import type { FastifyRequest } from 'fastify'
import { mustBeAllowed } from '../service/access.ts'
import type { Principal } from '../service/deps.ts'
import type { Authenticator } from '../service/tokens.ts'
import { refuse } from '../core/base/refuse.ts'
import type { Action } from '../api/route.ts'
import type { ServerDeps, Mode } from './deps.ts'

/** Somebody who was let in, and what shows that they still may be. Token undefined: development, without one. */
export interface Admitted {
  readonly actor: Principal
  readonly token: string | undefined
}

const DEVELOPMENT: Principal = { name: 'development', role: 'admin', projects: ['*'] }

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A page in somebody's browser must not reach this server under a name of its own, nor from another site. */
export function checkHost(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { mode, tls }: Pick<ServerDeps, 'mode' | 'tls'>,
): void {
  const host = hostName(headers.host)
  if (host === undefined || !(LOOPBACK_HOSTS.has(host) || mode.hosts.includes(host) || tls?.isNamed(host) === true)) {
    throw refuse('HOST_REFUSED', 'This control plane does not answer for the host that the request names.')
  }
  const { origin } = headers
  if (origin !== undefined && origin !== `http://${headers.host}` && origin !== `https://${headers.host}`) {
    throw refuse('HOST_REFUSED', 'The request was made by a page of another site.', 'Call the API from your own page.')
  }
}

/** Without the port; undefined: there is none, or it is no name. */
function hostName(host: string | undefined): string | undefined {
  return /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9.-]{1,253})(?::\d{1,5})?$/.exec(host?.toLowerCase() ?? '')?.[1]
}

/** Who asks. Throws where nobody can tell. */
export async function admit(request: FastifyRequest, gate: Authenticator, mode: Mode): Promise<Admitted> {
  const { authorization } = request.headers
  if (authorization === undefined && mode.open && isFromHere(request)) return { actor: DEVELOPMENT, token: undefined }
  const [, token] = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(authorization ?? '') ?? []
  const actor = token === undefined ? undefined : await gate.open(token)
  if (actor !== undefined) return { actor, token }
  throw refuse(
    'UNAUTHENTICATED',
    authorization === undefined
      ? 'The request carries no token.'
      : 'The token is not valid: it is unknown, revoked or expired.',
    'Log in with one: berth login URL. Or give it with --token-file or BERTH_TOKEN; an administrator makes one with berth token create NAME.',
  )
}

/** From this machine, to this machine: both ends say so. */
function isFromHere({ socket, headers }: FastifyRequest): boolean {
  const peer = socket.remoteAddress ?? ''
  const isLoopback = peer === '::1' || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(peer)
  return isLoopback && LOOPBACK_HOSTS.has(hostName(headers.host) ?? '')
}

/** The project is the path's; where it has none, the one that is asked for. */
export function authorise(actor: Principal, action: Action, { params, query }: FastifyRequest): void {
  mustBeAllowed(actor, action, projectIn(params) ?? projectIn(query))
}

function projectIn(given: unknown): string | undefined {
  const isThere = typeof given === 'object' && given !== null && 'project' in given
  return isThere && typeof given.project === 'string' ? given.project : undefined
}
