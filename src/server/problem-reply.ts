import type { FastifyReply, FastifyRequest } from 'fastify'
import { problemAnswerOf } from '../api/problem.ts'
import { OLDER_PREFIX, olderPath, olderReply } from '../api/older.ts'
import { ROUTES } from '../api/routes.ts'
import type { Route } from '../api/route.ts'
import { UserError, type SourcedProblem } from '../core/base/problem.ts'
import type { Log } from '../ports/log.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** Replies with what went wrong: the caller's mistakes in full, our own failures only with the request id to find in the log. */
export function replyProblem(
  error: unknown,
  { request, reply, log }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly log: Log },
): FastifyReply {
  const problems = problemsIn(error)
  if (problems === undefined) logBug(error, request, log)
  const answer = problemAnswerOf(problems ?? [BUG], request.id)
  const isOlder = request.url.startsWith(OLDER_PREFIX)
  if (answer.status === 401) reply.header('www-authenticate', 'Bearer realm="berth"')
  return reply
    .code(answer.status)
    .header('content-type', PROBLEM_TYPE)
    .send(JSON.stringify(isOlder ? olderReply(answer) : answer))
}

const BUG: SourcedProblem = {
  code: 'CONTROL_PLANE_FAILED',
  message: 'The control plane failed.',
  hint: 'Try again; if it keeps failing, look for the request id in the log of the control plane.',
}

/** The problems that the caller can fix; undefined: the failure is ours. */
export function problemsIn(error: unknown): readonly SourcedProblem[] | undefined {
  if (error instanceof UserError) return error.problems
  const { code, statusCode } = detailsOf(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return [{ code: 'REQUEST_TOO_LARGE', message: 'The body is larger than the API accepts.' }]
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return [{ code: 'MEDIA_TYPE_WRONG', message: 'The body is not of type application/json.' }]
  }
  // The parser's own message is not used, because it may quote a secret from the body.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return [{ code: 'REQUEST_MALFORMED', message: 'body: This is not JSON, or the request itself is malformed.' }]
  }
  return undefined
}

function detailsOf(error: unknown): { readonly code: string | undefined; readonly statusCode: number | undefined } {
  const given: object = typeof error === 'object' && error !== null ? error : {}
  const code = 'code' in given && typeof given.code === 'string' ? given.code : undefined
  return {
    code,
    statusCode: 'statusCode' in given && typeof given.statusCode === 'number' ? given.statusCode : undefined,
  }
}

export function logBug(
  error: unknown,
  request: Pick<FastifyRequest, 'id' | 'method' | 'routeOptions'>,
  log: Log,
): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { id, method, routeOptions } = request
  log.error('request failed', { request_id: id, method, route: routeOptions.url, error: stack.slice(0, 4000) })
}

/** Refuses a path that is not served, or names the methods that it supports. */
export function noRoute(request: FastifyRequest, reply: FastifyReply): never {
  const path = request.url.split('?')[0] ?? ''
  const routes: readonly Route[] = Object.values(ROUTES)
  const isServed = (at: string | undefined): boolean => at !== undefined && patternOf(at).test(path)
  const methods = routes
    .filter((route) => isServed(route.path) || isServed(olderPath(route.path)))
    .map(({ method }) => method)
  if (methods.length === 0) {
    throw new UserError([
      { code: 'ROUTE_UNKNOWN', message: 'The API has no such route.', hint: 'See /v2/openapi.json.' },
    ])
  }
  reply.header('allow', methods.join(', '))
  throw new UserError([{ code: 'METHOD_WRONG', message: `This route supports ${methods.join(', ')}.` }])
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '[^/]+')}$`)
}
