import { z } from 'zod'
import type { Action } from './action.ts'
import { cursor, limit, name } from './fields.ts'

/** One route of the API. The server, the client and the OpenAPI document follow from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Parts that begin with `:` are parameters, checked before any handler runs. */
  readonly path: string
  readonly about: string
  /** Undefined: no token is needed. The project is the one in the path, if it has one. */
  readonly access: Action | undefined
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  readonly body: z.ZodObject | undefined
  readonly answer: z.ZodType
  /**
   * `stream`: answers are sent one by one as server-sent events. `text`: plain text for other programs. `tunnel`: the connection
   * becomes one that both sides write frames to (tunnel.ts); the answer is its last frame.
   */
  readonly kind: 'json' | 'stream' | 'text' | 'tunnel'
  readonly status: 101 | 200 | 201 | 204
  /** Whether it takes an idempotency key. */
  readonly once: boolean
  /** Whether a client may send it again when no answer came. */
  readonly again: boolean
  /** Whether a stream that breaks is left to its reader, who begins anew. Left out: the client resumes it without a word. */
  readonly anew?: boolean
  /** Whether what it does ends when its caller is gone. Left out: only a stream does. */
  readonly untilGone?: boolean
}

/** Checks the type of a route and keeps its exact type. */
export function route<const R extends Route>(given: R): R {
  return given
}

const NO_PARAMS = z.strictObject({})
const NO_QUERY = z.strictObject({})
export const IN_PROJECT = z.strictObject({ project: name })
export const NAMED = z.strictObject({ name })
export const OF_TEMPLATE = z.strictObject({ project: name, template: name })
export const AT = z.strictObject({ project: name, name })
export const PAGE = z.strictObject({ after: cursor.optional(), limit: limit.optional() })
export const NOTHING = z.undefined()

export const READ = {
  method: 'GET',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: undefined,
  kind: 'json',
  status: 200,
  once: false,
  again: true,
} as const
export const POST = { ...READ, method: 'POST' } as const
export const PUT = { ...READ, method: 'PUT' } as const
export const DELETE = { ...READ, method: 'DELETE' } as const
