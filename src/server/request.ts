import type { z } from 'zod'
import type { Principal } from '../service/deps.ts'
import type { Once } from '../service/requests.ts'
import type { Route } from '../api/route.ts'
import type { Routes } from '../api/routes.ts'
import type { Wire } from '../api/wire.ts'
import type { ServerDeps } from './deps.ts'

/** A request that was let in and understood. */
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
  /** Aborted when the other side is gone, its token is revoked, or the server closes. */
  readonly signal: AbortSignal
}

export interface Told<T> {
  readonly body: T
  /** Becomes the ETag. */
  readonly tag?: string
  /** Other than the route's own. */
  readonly status?: number
}

/** One entry of a stream. */
export interface Sent<T> {
  /** Give it back as Last-Event-ID to go on after this one. Undefined: the next one that has it counts for both. */
  readonly id: string | undefined
  readonly data: T
  /** The next one is there already: both may go in one write. */
  readonly more?: boolean
}

type AnswerOf<R extends Route> = z.output<R['answer']> extends undefined ? void : Wire<z.output<R['answer']>>

/** Does what a route promises. */
type Handler<R extends Route> = R['kind'] extends 'stream'
  ? (deps: ServerDeps, asked: AdmittedRequest<R>) => Promise<AsyncIterable<Sent<AnswerOf<R>>>>
  : (deps: ServerDeps, asked: AdmittedRequest<R>) => Promise<Told<AnswerOf<R>>>

/** One for each route: a route without a handler does not compile. */
export type Handlers = { readonly [K in keyof Routes]: Handler<Routes[K]> }

/** Handlers of some routes. */
export type SomeHandlers<K extends keyof Routes> = Pick<Handlers, K>
