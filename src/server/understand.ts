import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Hashing } from '../service/deps.ts'
import type { Once } from '../service/requests.ts'
import { IDEMPOTENCY_KEY } from '../api/fields.ts'
import { refuse } from '../core/base/refuse.ts'
import type { Route } from '../api/route.ts'
import { UserError, type Problem } from '../core/base/problem.ts'

/** Parses path, query and body with the route's schemas. Throws with the problems of all three. */
export function understand(route: Route, { params, query, body }: Pick<FastifyRequest, 'params' | 'query' | 'body'>) {
  const parts = [
    part('path', route.params, params),
    part('query', route.query, query),
    route.body === undefined ? noBody(body) : part('body', route.body, body),
  ] as const
  const problems = parts.flatMap((each) => each.problems)
  if (problems.length > 0) throw new UserError(problems.slice(0, PROBLEMS_MAX))
  const [inPath, inQuery, inBody] = parts
  return { params: inPath.value, query: inQuery.value, body: inBody.value }
}

/** More would not be read, and a body can have a hundred thousand. */
const PROBLEMS_MAX = 20

interface Part {
  readonly value: unknown
  readonly problems: readonly Problem[]
}

function part(where: string, schema: z.ZodObject, given: unknown): Part {
  const parsed = schema.safeParse(given ?? whatNothingMeans(schema))
  if (parsed.success) return { value: parsed.data, problems: [] }
  return {
    value: undefined,
    problems: parsed.error.issues.slice(0, PROBLEMS_MAX).map((issue) => problemOf(where, issue)),
  }
}

/** Where every key may be left out, all of it may be. */
function whatNothingMeans(schema: z.ZodObject): unknown {
  return schema.safeParse({}).success ? {} : undefined
}

/** The message does not repeat the value, which may be a secret. */
function problemOf(where: string, { path, message }: z.core.$ZodIssue): Problem {
  const at = [where, ...path.map(String)].join('.').slice(0, 200)
  const hint = '/v2/openapi.json has the schemas of all requests.'
  return { code: 'REQUEST_MALFORMED', message: `${at}: ${message.slice(0, 500)}`, hint }
}

function noBody(body: unknown): Part {
  const isEmpty = body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0)
  if (isEmpty) return { value: undefined, problems: [] }
  return { value: undefined, problems: [{ code: 'REQUEST_MALFORMED', message: 'body: This request takes no body.' }] }
}

/** The idempotency key, and the fingerprint that identifies a repetition of the same request. */
export function onceOf(
  route: Route,
  { headers, url }: Pick<FastifyRequest, 'headers' | 'url'>,
  { hashing, params, body }: { readonly hashing: Hashing; readonly params: unknown; readonly body: unknown },
): Once | undefined {
  const key = headers['idempotency-key']
  if (!route.once || key === undefined) return undefined
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    const hint = 'Use 1 to 128 letters, digits and . _ : -'
    throw refuse('REQUEST_MALFORMED', 'header.idempotency-key: This is not a valid key.', hint)
  }
  const project = typeof params === 'object' && params !== null && 'project' in params ? String(params.project) : ''
  const fingerprint = hashing.sha256(`${route.method} ${url} ${JSON.stringify(body)}`)
  return { project, key, fingerprint }
}

/** The tag in If-Match. */
export function ifTagOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['if-match']
  if (given === undefined || given === '*') return given
  const [, tag] = /^"([\x21\x23-\x7e]{1,128})"$/.exec(given) ?? []
  if (tag !== undefined) return tag
  throw refuse('REQUEST_MALFORMED', 'header.if-match: Give one ETag in quotes, as the server sent it, or *.')
}

/** The Last-Event-ID of a request, if it has one. */
export function lastIdOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['last-event-id']
  return typeof given === 'string' && given !== '' ? given : undefined
}
