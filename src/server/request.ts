import type { z } from 'zod'
import type { Principal } from '../service/deps.ts'
import type { Once } from '../service/requests.ts'
import type { TunnelSource } from '../service/tunnels.ts'
import type { RouteReply, ReplyOf, RouteId } from '../api/call.ts'
import type { Route } from '../api/route.ts'
import type { Routes } from '../api/routes.ts'
import type { Extra } from '../api/wire.ts'
import type { ServerDeps } from './deps.ts'

/** A request that was admitted and parsed. */
export interface AdmittedRequest<R extends Route> {
  readonly actor: Principal
  readonly params: z.output<R['params']>
  readonly query: z.output<R['query']>
  readonly body: R['body'] extends z.ZodType ? z.output<R['body']> : undefined
  readonly once: Once | undefined
  /** From If-Match. */
  readonly ifTag: string | undefined
  readonly requestId: string
  /** When the token expires; undefined: development mode, without one. */
  readonly expiresMs: number | undefined
  /** From Last-Event-ID. */
  readonly lastId: string | undefined
  /** Aborted when the client disconnects, its token is revoked or the server closes. */
  readonly signal: AbortSignal
}

export interface Told<T> {
  readonly body: T
  /** Becomes the ETag. */
  readonly tag?: string
  /** Replaces the route's own status. */
  readonly status?: number
}

/** One entry of a stream. */
export interface Sent<T> {
  /** Sent back as Last-Event-ID to continue after this entry. Undefined: the next entry with an id stands for both. */
  readonly id: string | undefined
  readonly data: T
  /** The next entry is already available, so both may go into one write. */
  readonly more?: boolean
}

/** Handles the requests of a route. */
type Handler<R extends Route> = R['kind'] extends 'tunnel'
  ? (deps: ServerDeps, asked: AdmittedRequest<R>) => Promise<{ readonly source: TunnelSource }>
  : R['kind'] extends 'stream'
    ? (deps: ServerDeps, asked: AdmittedRequest<R>) => Promise<AsyncIterable<Sent<ReplyOf<R>>>>
    : (deps: ServerDeps, asked: AdmittedRequest<R>) => Promise<Told<ReplyOf<R>>>

/** A handler for each route: a route without one does not compile. */
export type Handlers = { readonly [K in keyof Routes]: Handler<Routes[K]> }

/** Handlers of some routes. */
export type SomeHandlers<K extends keyof Routes> = Pick<Handlers, K>

/**
 * The handlers themselves, if `Unsaid` of them is nothing: a client would drop a field that is not in the schema of its
 * route. Otherwise the compiler names the fields.
 */
export function exact<H, _Nothing extends never>(handlers: H): H {
  return handlers
}

/** The fields that handlers reply with and the schemas of their routes do not have. */
export type Unsaid<H> = { [K in keyof H & RouteId]: Extra<RepliedBy<H[K]>, RouteReply<K>, `${K}: `> }[keyof H & RouteId]

type RepliedBy<F> = F extends (...given: never) => Promise<infer T>
  ? T extends { readonly body: infer B }
    ? B
    : T extends AsyncIterable<{ readonly data: infer D }>
      ? D
      : never
  : never
