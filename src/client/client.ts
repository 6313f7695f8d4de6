import type { Calls, RouteRequest, RouteId } from '../api/call.ts'
import type { Route } from '../api/route.ts'
import { ROUTES } from '../api/routes.ts'
import type { Berth } from '../ports/berth.ts'
import { follow } from './follow.ts'
import { withMeant } from './meant.ts'
import { send, type ClientDeps, type Parts } from './send.ts'
import { openTunnel } from './tunnel.ts'

export type { ClientDeps } from './send.ts'

/**
 * A client of a control plane over HTTP: one method for each route of the table. Failed reads are retried; so are changes,
 * each under one idempotency key.
 */
export function httpBerth(deps: ClientDeps): Berth {
  const routes: readonly (readonly [string, Route])[] = Object.entries(ROUTES)
  const methods = routes.flatMap(([id, route]) => {
    if (route.kind === 'text') return []
    return [[id, methodOf(deps, id, route)] as const]
  })
  // The methods are made from the same table that their types are inferred from.
  return withMeant(Object.fromEntries(methods) as unknown as Calls)
}

/** A request as callers write it: the keys of path, query and body side by side. */
type Flat = Readonly<Record<string, unknown>>

function methodOf(deps: ClientDeps, id: string, route: Route) {
  if (route.kind === 'stream') return streaming(deps, route)
  return route.kind === 'tunnel' ? tunnelling(deps, route) : calling(deps, id, route)
}

function tunnelling(deps: ClientDeps, route: Route) {
  return (request: Flat, signal: AbortSignal) => openTunnel(deps, route, { ...partsOf(route, request), signal })
}

function streaming(deps: ClientDeps, route: Route) {
  return (request: Flat, signal: AbortSignal) => follow(deps, route, { ...partsOf(route, request), signal })
}

function calling(deps: ClientDeps, id: string, route: Route) {
  return async (request: Flat = {}) => {
    const key = request['idempotencyKey'] ?? deps.random.id()
    const reply: unknown = await send(deps, route, {
      ...partsOf(route, request),
      ...(route.once && { headers: { 'idempotency-key': String(key) } }),
      ...timeoutOf(id, request),
    })
    return isWholeList(route, reply) ? reply.items : reply
  }
}

function partsOf({ params, query, body }: Route, request: Flat): Parts {
  return {
    params: textsOf(picked(params.shape, request)),
    query: textsOf(picked(query.shape, request)),
    ...(body !== undefined && { body: picked(body.shape, request) }),
  }
}

function picked(shape: Readonly<Record<string, unknown>>, request: Flat): Flat {
  return Object.fromEntries(Object.keys(shape).map((key) => [key, request[key]]))
}

/** As a path or a query has them; a list is separated by commas. */
function textsOf(values: Flat): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  )
}

/** Whether a reply is a list that does not come in pages. */
function isWholeList({ answer }: Route, reply: unknown): reply is { readonly items: unknown } {
  const shape = 'shape' in answer && typeof answer.shape === 'object' && answer.shape !== null ? answer.shape : {}
  return 'items' in shape && !('next' in shape) && typeof reply === 'object' && reply !== null && 'items' in reply
}

/** How long an answer may take beyond the command's own time limit. */
const ANSWER_MS = 10_000
/** Every secret is read and written. */
const ROTATION_TIMEOUT_MS = 600_000
/** As the server fills it in. */
const EXEC_MS = 60_000

/** Requests that may take longer than others. */
function timeoutOf(id: string, request: Flat): { readonly timeoutMs?: number } {
  if (id === ('rotateSecrets' satisfies RouteId)) return { timeoutMs: ROTATION_TIMEOUT_MS }
  if (id !== ('exec' satisfies RouteId)) return {}
  const { timeout_ms: timeoutMs = EXEC_MS } = request as Pick<RouteRequest<'exec'>, 'timeout_ms'> // It is a request to exec.
  return { timeoutMs: timeoutMs + ANSWER_MS }
}
