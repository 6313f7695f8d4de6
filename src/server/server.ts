import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { TunnelSource } from '../service/tunnels.ts'
import { makeAuthenticator, type Authenticator } from '../service/tokens.ts'
import type { Route } from '../api/route.ts'
import { problemAnswerOf } from '../api/problem.ts'
import { newerBody, olderPath, olderReply } from '../api/older.ts'
import { ROUTES } from '../api/routes.ts'
import { must } from '../core/base/assert.ts'
import type { SourcedProblem } from '../core/base/problem.ts'
import { admit, authorise, checkHost, projectOf, type Admitted } from './admit.ts'
import { Checks } from './checks.ts'
import { connectionLimits, Connections } from './connections.ts'
import type { ServerDeps } from './deps.ts'
import { PLATFORM_HANDLERS } from './handle-platform.ts'
import { WORK_HANDLERS } from './handle-work.ts'
import { Denials } from './denials.ts'
import { makeMetrics, type Metrics } from './metrics.ts'
import { jsonOf } from './json.ts'
import { logBug, noRoute, problemsIn, replyProblem } from './problem-reply.ts'
import type { AdmittedRequest, Handlers, Sent, Told } from './request.ts'
import { makeServer } from './secure.ts'
import { Seats } from './seats.ts'
import { Spells } from './spells.ts'
import { eventStream, RevokedError } from './stream.ts'
import { joinTunnel, serveUpgrades, upgradeOf } from './tunnel.ts'
import { Turnstile } from './turnstile.ts'
import { ifTagOf, lastIdOf, onceOf, understand } from './understand.ts'

/** Room for a manifest of 256 KB of which JSON escapes every character, and for the rest of the body. */
const BODY_MAX = 1024 * 1024
/** A request must have arrived completely within this time. */
const ARRIVAL_MS = 30_000
/** The headers of a request must have arrived within this time. */
const HEAD_MS = 5000

/** An idle connection is closed after this time. */
const IDLE_MS = 72_000
const TIMES = {
  requestTimeout: ARRIVAL_MS,
  headersTimeout: HEAD_MS,
  keepAliveTimeout: IDLE_MS,
  connectionsCheckingInterval: 1000,
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** The API over HTTP, not yet listening. It serves exactly the routes in ROUTES. */
export function buildServer(deps: ServerDeps): FastifyInstance {
  const { service } = deps
  const app = fastify({
    bodyLimit: BODY_MAX,
    serverFactory: (handler) => makeServer(handler, TIMES, deps.tls),
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false, caseSensitive: true },
    requestIdHeader: false,
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']) ?? service.random.id(),
    frameworkErrors: (error, request, reply) => void replyProblem(error, { request, reply, log: service.log }),
  })
  const server: Server = {
    deps,
    gate: makeAuthenticator(service),
    metrics: makeMetrics(deps.measures),
    closing: new AbortController(),
    seats: new Seats(),
    spells: new Spells(),
    denials: new Denials(service),
    checks: new Checks(service.timers),
    turnstile: new Turnstile(),
    connections: new Connections(connectionLimits(), { log: service.log, tickMs: service.clock.tickMs }),
  }
  server.connections.watch(app.server)
  serveUpgrades(app)
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('admitted', undefined)
  app.setErrorHandler((error, request, reply) => replyProblem(error, { request, reply, log: service.log }))
  app.addHook('onRequest', async (request, reply) => letIn(server, request, reply))
  app.addHook('onResponse', async (request, reply) => account(server, request, reply))
  app.addHook('preClose', async () => server.closing.abort())
  app.setNotFoundHandler((request, reply) => noRoute(request, reply))
  for (const [name, route] of Object.entries(ROUTES)) {
    addRoute(app, server, { name, route, url: route.path })
    const older = olderPath(route.path)
    if (older !== undefined) addRoute(app, server, { name, route, url: older })
  }
  return app
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted | undefined
  }
  interface FastifyContextConfig {
    /** The route from ROUTES; undefined: the path is not served. */
    readonly berth?: Route
    /** Whether this is its path in version 1 of the API. */
    readonly isOlder?: boolean
  }
}

interface Server {
  readonly deps: ServerDeps
  readonly gate: Authenticator
  readonly metrics: Metrics
  readonly closing: AbortController
  readonly seats: Seats
  readonly spells: Spells
  readonly denials: Denials
  readonly checks: Checks
  readonly turnstile: Turnstile
  readonly connections: Connections
}

function requestIdOf(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : undefined
}

/** Admits a caller before a byte of the body is read, even for paths that are not served: only admitted callers learn which paths exist. */
async function letIn(
  { deps, gate, connections, turnstile, denials }: Server,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.headers(HEADERS).header('x-request-id', request.id)
  checkHost(request, deps)
  const route = request.routeOptions.config.berth
  if (!isLong(route)) reply.raw.once('close', deps.pressure.enter())
  if (route !== undefined && route.access === undefined) return
  const denied = { action: route?.access ?? 'none', requestId: request.id }
  try {
    request.admitted = await admit(request, gate, deps.mode)
  } catch (error) {
    denials.note(error, { ...denied, actor: undefined, project: undefined })
    throw error
  }
  connections.prove(request.socket, request.admitted.actor.name)
  await turnstile.pass({ actor: request.admitted.actor, isRead: route !== undefined && isRead(route) })
  if (route?.access === undefined) return
  try {
    authorise(request.admitted.actor, route.access, request)
  } catch (error) {
    denials.note(error, { ...denied, actor: request.admitted.actor.name, project: projectOf(request) })
    throw error
  }
}

/** Logs and counts each request, with nothing of its contents. */
function account({ deps, metrics }: Server, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.config.berth
  const named = route === undefined ? 'unknown' : `${route.method} ${route.path}`
  const { statusCode: status, elapsedTime: ms } = reply
  if (!isLong(route)) metrics.count({ route: named, status, seconds: ms / 1000 })
  if (route !== undefined && route.access === undefined && status < 500) return
  // Successful reads are not logged; the metrics count them.
  if (route !== undefined && isRead(route) && status < 400) return
  const actor = request.admitted?.actor.name
  deps.service.log.info('request', { request_id: request.id, route: named, status, ms: Math.round(ms), actor })
}

/** It takes as long as somebody looks at it. */
function isLong(route: Route | undefined): boolean {
  return route?.kind === 'stream' || route?.kind === 'tunnel'
}

function isRead({ method, access }: Route): boolean {
  return method === 'GET' || access?.endsWith('.read') === true
}

interface Served {
  readonly name: string
  readonly route: Route
  readonly url: string
}

function addRoute(app: FastifyInstance, server: Server, { name, route, url }: Served): void {
  const { method } = route
  const isOlder = url !== route.path
  const handlers = { ...WORK_HANDLERS, ...PLATFORM_HANDLERS, metrics: metricsHandler(server) } satisfies Handlers
  // Each handler is typed for its own route; here they are all called the same way.
  const alike = handlers as unknown as Readonly<Record<string, AnyHandler>>
  const handler = must(alike[name], `route ${name} has a handler`)
  app.route({
    method,
    url,
    config: { berth: route, isOlder },
    handler: async (request, reply) => {
      if (route.kind === 'tunnel') return tunnel(handler, { server, route, request, reply })
      const asked = askedOf(server, route, { request, reply })
      const told = await handler(server.deps, asked)
      if ('source' in told) throw new Error('only tunnels have a source')
      return 'body' in told
        ? answer(route, told, { server, request, reply })
        : stream(told, { server, asked, request, reply })
    },
  })
}

type AnyHandler = (
  deps: ServerDeps,
  asked: AdmittedRequest<Route>,
) => Promise<Told<unknown> | AsyncIterable<Sent<unknown>> | { readonly source: TunnelSource }>

function metricsHandler({ metrics }: Server): Handlers['metrics'] {
  return async () => ({ body: await metrics.print() })
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Hands the connection over to what the handler has opened. */
async function tunnel(
  handler: AnyHandler,
  { server, route, request, reply }: Exchange & { readonly server: Server; readonly route: Route },
): Promise<FastifyReply> {
  const { gate, metrics, deps, checks } = server
  const asked = askedOf(server, route, { request, reply })
  const upgraded = upgradeOf(request.raw)
  const leave = server.seats.take({ actor: asked.actor, address: request.ip })
  const stop = new AbortController()
  const signal = AbortSignal.any([asked.signal, stop.signal])
  upgraded.socket.once('close', () => stop.abort(GONE))
  metrics.streams(1)
  try {
    const told = await handler(deps, { ...asked, signal })
    if (!('source' in told)) throw new Error('a tunnel has a source')
    reply.hijack()
    reply.raw.detachSocket(request.raw.socket)
    const token = request.admitted?.token
    await joinTunnel(upgraded, told.source, {
      stop: () => stop.abort(GONE),
      signal: server.closing.signal,
      every: checks.every,
      mayStay: async () => token === undefined || gate.isStillOpen(token),
      tell: (error) => problemAnswerOf(problemsIn(error) ?? [cutOff(error)], request.id),
    })
  } finally {
    stop.abort(GONE)
    leave()
    metrics.streams(-1)
  }
  return reply
}

/** A provider says why a connection ended. */
function cutOff(error: unknown): SourcedProblem {
  const message = error instanceof Error ? error.message : 'The connection was cut off.'
  return { code: 'PORT_CLOSED', message: message.slice(0, 500) }
}

/** Made once, because an error for each stream would cost more than the stream. */
const GONE = new DOMException('the client disconnected', 'AbortError')

const NOBODY = { name: 'nobody', role: 'reader', projects: [] } as const

function askedOf({ deps, closing }: Server, route: Route, { request, reply }: Exchange): AdmittedRequest<Route> {
  const { isOlder } = request.routeOptions.config
  const given = isOlder === true ? { ...requestParts(request), body: newerBody(request.body) } : request
  const { params, query, body } = understand(route, given)
  const gone = new AbortController()
  const endsWithCaller = route.kind === 'stream' || route.untilGone === true
  if (endsWithCaller) reply.raw.once('close', () => gone.abort(GONE))
  return {
    // A caller of an open route has shown no token. It gets a name for the log and access to no project.
    actor: request.admitted?.actor ?? NOBODY,
    ...({ params, query, body } as Pick<AdmittedRequest<Route>, 'params' | 'query' | 'body'>), // The route's schemas parsed them.
    once: onceOf(route, request, { hashing: deps.service.hashing, params, body }),
    ifTag: ifTagOf(request),
    requestId: request.id,
    expiresMs: request.admitted?.expiresMs,
    lastId: lastIdOf(request),
    signal: endsWithCaller ? AbortSignal.any([gone.signal, closing.signal]) : closing.signal,
  }
}

function answer(
  route: Route,
  told: Told<unknown>,
  { server, request, reply }: Exchange & { readonly server: Server },
): FastifyReply {
  reply.code(told.status ?? route.status)
  if (told.tag !== undefined) reply.header('etag', `"${told.tag}"`)
  if (route.status === 204) return reply.send()
  if (route.kind === 'text') return reply.header('content-type', server.metrics.contentType).send(told.body)
  return reply.header('content-type', 'application/json; charset=utf-8').send(jsonOf(inVersion(request, told.body)))
}

/** Only these parts, because the rest of a request are getters that a copy would lose. */
function requestParts({ params, query }: FastifyRequest) {
  return { params, query }
}

/** A reply as the version of the API that the request speaks tells it. */
function inVersion({ routeOptions }: FastifyRequest, reply: unknown): unknown {
  return routeOptions.config.isOlder === true ? olderReply(reply) : reply
}

function stream(
  source: AsyncIterable<Sent<unknown>>,
  { server, asked, request, reply }: Exchange & { readonly server: Server; readonly asked: AdmittedRequest<Route> },
): FastifyReply {
  const { gate, metrics, deps } = server
  const leave = server.seats.take({ actor: asked.actor, address: request.ip })
  metrics.streams(1)
  reply.raw.once('close', () => {
    leave()
    metrics.streams(-1)
  })
  const token = request.admitted?.token
  const events = eventStream(source, {
    every: server.checks.every,
    signal: asked.signal,
    requestId: request.id,
    shown: (entry) => inVersion(request, entry),
    rest: server.spells.rest,
    mayStay: async () => token === undefined || gate.isStillOpen(token),
    tell: (error) => {
      if (error instanceof RevokedError) return [{ code: 'UNAUTHENTICATED', message: 'The token is no longer valid.' }]
      const problems = problemsIn(error)
      if (problems === undefined) logBug(error, request, deps.service.log)
      return problems ?? []
    },
  })
  return reply.header('content-type', 'text/event-stream; charset=utf-8').send(Readable.from(events))
}
