import { z } from 'zod'
import { cursor, limit, name } from './fields.ts'

/** What a caller wants to do: one word for the object and one for the action. Access is decided by these. */
export type Action =
  | 'info.read'
  | 'metrics.read'
  | 'workload.read'
  | 'workload.change'
  | 'workload.exec'
  | 'event.read'
  | 'audit.read'
  | 'provider.read'
  | 'provider.change'
  | 'offer.read'
  | 'policy.read'
  | 'policy.change'
  | 'project.read'
  | 'project.change'
  | 'token.read'
  | 'token.change'
  | 'secret.read'
  | 'secret.change'
  | 'credential.read'
  | 'credential.change'
  | 'template.read'
  | 'template.change'

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
  /** `stream`: answers are sent one by one as server-sent events. `text`: plain text for other programs. */
  readonly kind: 'json' | 'stream' | 'text'
  readonly status: 200 | 201 | 204
  /** Whether it takes an idempotency key. */
  readonly once: boolean
}

/** Checks the type of a route and keeps its exact type. */
export function route<const R extends Route>(given: R): R {
  return given
}

const NO_PARAMS = z.strictObject({})
const NO_QUERY = z.strictObject({})
export const IN_PROJECT = z.strictObject({ project: name })
export const NAMED = z.strictObject({ name })
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
} as const
export const POST = { ...READ, method: 'POST' } as const
export const PUT = { ...READ, method: 'PUT' } as const
export const DELETE = { ...READ, method: 'DELETE' } as const
