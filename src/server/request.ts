import type { z } from 'zod'
import type { Principal } from '../service/deps.ts'
import type { Once } from '../service/requests.ts'
import type { Route } from '../api/route.ts'
import type { Routes } from '../api/routes.ts'
import type { Wire } from '../api/wire.ts'
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

type AnswerOf<R extends Route> = z.output<R['answer']> extends undefined ? void : Wire<z.output<R['answer']>>

/** Handles the requests of a route. */
type Handler<R extends Route> = R['kind'] extends 'stream'
  ? (deps: ServerDeps, asked: AdmittedRequest<R>) => Promise<AsyncIterable<Sent<AnswerOf<R>>>>
  : (deps: ServerDeps, asked: AdmittedRequest<R>) => Promise<Told<AnswerOf<R>>>

/** A handler for each route: a route without one does not compile. */
export type Handlers = { readonly [K in keyof Routes]: Handler<Routes[K]> }

/** Handlers of some routes. */
export type SomeHandlers<K extends keyof Routes> = Pick<Handlers, K>
