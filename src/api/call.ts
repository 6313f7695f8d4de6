import type { z } from 'zod'
import type { Route } from './route.ts'
import type { Routes } from './routes.ts'
import type { Tunnel } from './tunnel.ts'
import type { Wire } from './wire.ts'

/** The id of a route. */
export type RouteId = keyof Routes

/** What a route answers with; in a stream, one entry. */
export type RouteReply<K extends RouteId> = ReplyOf<Routes[K]>

export type ReplyOf<R extends Route> = z.output<R['answer']> extends undefined ? void : Wire<z.output<R['answer']>>

/** What a caller says to a route: the parts of its path, its query and the keys of its body, side by side. */
export type RouteRequest<K extends RouteId> = Plain<
  Fields<z.output<Routes[K]['params']>> &
    Fields<z.output<Routes[K]['query']>> &
    (Routes[K]['body'] extends z.ZodType ? Wire<z.input<Routes[K]['body']>> : unknown) &
    (Routes[K]['once'] extends true ? Repeatable : unknown)
>

/** The same as the server understands it: texts are parsed, and defaults are filled in. */
export type Parsed<K extends RouteId> = Plain<
  Fields<z.output<Routes[K]['params']>> &
    Fields<z.output<Routes[K]['query']>> &
    (Routes[K]['body'] extends z.ZodType ? Wire<z.output<Routes[K]['body']>> : unknown)
>

/** The type of an object schema without keys would forbid every key. */
type Fields<T> = string extends keyof T ? unknown : Wire<T>

interface Repeatable {
  /** Requests with the same key are carried out once, however often they arrive. Left out: one is made. */
  readonly idempotencyKey?: string | undefined
}

/** The same type, with its keys in one object, so that editors show them. */
type Plain<T> = { readonly [K in keyof T]: T[K] }

type StreamId = { [K in RouteId]: Routes[K]['kind'] extends 'stream' ? K : never }[RouteId]
type TunnelId = { [K in RouteId]: Routes[K]['kind'] extends 'tunnel' ? K : never }[RouteId]
type CallId = { [K in RouteId]: Routes[K]['kind'] extends 'json' ? K : never }[RouteId]

/** What a call returns: the reply; of a list that does not come in pages, its items. */
type Returned<R> = 'next' extends keyof R ? R : R extends { readonly items: infer Items } ? Items : R

/** Calls a route. The request may be left out where nothing has to be said. */
type Call<K extends RouteId> =
  Partial<RouteRequest<K>> extends RouteRequest<K>
    ? (request?: RouteRequest<K>) => Promise<Returned<RouteReply<K>>>
    : (request: RouteRequest<K>) => Promise<Returned<RouteReply<K>>>

type Stream<K extends RouteId> = (request: RouteRequest<K>, signal: AbortSignal) => AsyncIterable<RouteReply<K>>

type Open<K extends RouteId> = (request: RouteRequest<K>, signal: AbortSignal) => Promise<Tunnel>

/** One method for every route that speaks JSON, streams or opens a tunnel. */
export type Calls = { readonly [K in CallId]: Call<K> } & { readonly [K in StreamId]: Stream<K> } & {
  readonly [K in TunnelId]: Open<K>
}
