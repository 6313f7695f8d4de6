import type { z } from 'zod'
import { problemAnswer } from '../api/answers.ts'
import { problemsOf } from '../api/problem.ts'
import { doublingMs, type Backoff } from '../core/base/backoff.ts'
import { refuse } from '../core/base/refuse.ts'
import type { Route } from '../api/route.ts'
import { UserError } from '../core/base/problem.ts'
import type { Random } from '../ports/random.ts'
import type { Secret } from '../ports/secret.ts'
import type { Timers } from '../ports/timers.ts'
import type { Upgrading } from './upgrade.ts'
import { tlsProblem, type Coded } from './tls-problem.ts'

/** The address of the control plane, and what the client needs to reach it. */
export interface ClientDeps {
  /** `http://127.0.0.1:7700`, without a trailing slash. */
  readonly url: string
  readonly token: Secret | undefined
  readonly fetch: typeof fetch
  /** Opens connections that become tunnels; left out: there are none. */
  readonly upgrade?: Upgrading
  readonly timers: Timers
  readonly random: Random
  /** How long one try may take; streams have a limit on silence instead. */
  readonly timeoutMs?: number
  /** How often to try a request that may be repeated. */
  readonly tries?: number
}

/** The parts of a request. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | undefined>>
}

const TIMEOUT_MS = 60_000
export const TRIES = 4
const AGAIN: Backoff = { firstMs: 150, mostMs: 5000, surely: 0.5 }

/** Sends a request until it is answered or no tries are left. */
export async function send<R extends Route>(
  deps: ClientDeps,
  route: R,
  parts: Parts & { readonly timeoutMs?: number },
): Promise<z.output<R['answer']>> {
  const tries = route.again ? (deps.tries ?? TRIES) : 1
  for (let tried = 1; ; tried++) {
    const signal = AbortSignal.timeout(parts.timeoutMs ?? deps.timeoutMs ?? TIMEOUT_MS)
    const response = await reach(deps, route, { ...parts, signal })
    const isLast = tried >= tries
    // A full disk (507) does not pass within the retries.
    if (response instanceof Response && (response.status < 500 || response.status === 507 || isLast))
      return read(route, response, { tried, deps })
    if (!(response instanceof Response) && isLast) throw unreachable(deps.url, response.failure)
    await pause(deps, tried)
  }
}

/** Waits longer each time, with jitter, so that clients that failed together do not retry together. */
export async function pause({ timers, random }: ClientDeps, tried: number, signal?: AbortSignal): Promise<void> {
  await timers.sleep(doublingMs(AGAIN, tried, random.next()), signal)
}

/** One try. A failure on the way is returned as a value, because the next try may succeed. */
export async function reach(
  deps: ClientDeps,
  route: Route,
  { params = {}, query = {}, body, headers = {}, signal }: Parts & { readonly signal: AbortSignal },
): Promise<Response | { readonly failure: unknown }> {
  const given = {
    accept: route.kind === 'stream' ? 'text/event-stream' : 'application/json',
    authorization: deps.token === undefined ? undefined : `Bearer ${deps.token.reveal()}`,
    'content-type': body === undefined ? undefined : 'application/json',
    ...headers,
  }
  try {
    return await deps.fetch(addressOf(deps.url, route, { params, query }), {
      method: route.method,
      headers: defined(given),
      redirect: 'error',
      signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  } catch (failure) {
    return { failure }
  }
}

export function addressOf(
  url: string,
  { path }: Route,
  { params, query }: Required<Pick<Parts, 'params' | 'query'>>,
): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(defined(query)).toString()
  return `${url}${filled}${search === '' ? '' : `?${search}`}`
}

function defined(record: Readonly<Record<string, string | number | boolean | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  )
}

async function read<R extends Route>(
  route: R,
  response: Response,
  { tried, deps }: { readonly tried: number; readonly deps: ClientDeps },
): Promise<z.output<R['answer']>> {
  const value = response.status === 204 ? undefined : await jsonOf(response)
  if (response.ok) {
    const parsed = route.answer.safeParse(value)
    // The schema is the route's own, so a parsed value is the route's answer.
    if (parsed.success) return parsed.data as z.output<R['answer']>
    throw strange(deps.url, response)
  }
  const error = refusalIn(value, response, deps.url)
  // An earlier try removed the object, and its answer was lost.
  const isDone =
    tried > 1 && route.method === 'DELETE' && route.status === 204 && error.problems[0]?.code === 'NOT_FOUND'
  if (isDone) return undefined as z.output<R['answer']> // Routes with this status have no answer.
  throw error
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

/** The control plane's reasons for refusing a request. */
export async function refusalOf(response: Response, url: string): Promise<UserError> {
  return refusalIn(await jsonOf(response), response, url)
}

function refusalIn(value: unknown, response: Response, url: string): UserError {
  const parsed = problemAnswer.safeParse(value)
  if (!parsed.success) return strange(url, response)
  return new UserError(problemsOf(parsed.data).map((problem) => (problem.code === 'ROUTE_UNKNOWN' ? OLDER : problem)))
}

/** This client asks only for routes that its own version has. */
const OLDER = {
  code: 'ROUTE_UNKNOWN',
  message: 'The control plane is older than this berth and does not know this request.',
  hint: 'Update the control plane first; it also serves older clients. Its version: berth --version on its host.',
} as const

function strange(url: string, { status }: Response): UserError {
  return status >= 500
    ? refuse('CONTROL_PLANE_FAILED', `The control plane at ${url} failed (HTTP ${status}).`, 'Try again in a moment.')
    : refuse(
        'CONTROL_PLANE_UNREACHABLE',
        `The server at ${url} is not a control plane of this version (HTTP ${status}).`,
        'Check the address; `berth up` prints it.',
      )
}

export function unreachable(url: string, failure: unknown): UserError {
  const distrusted = tlsProblem(url, causeOf(failure))
  if (distrusted !== undefined) return distrusted
  const why = reasonOf(failure)
  return refuse(
    'CONTROL_PLANE_UNREACHABLE',
    `No control plane answers at ${url}${why === undefined ? '' : ` (${why})`}.`,
    'Start one with `berth up`, or check the address. Workloads keep running.',
  )
}

function causeOf(failure: unknown): Coded | undefined {
  const cause = failure instanceof Error ? failure.cause : undefined
  if (!(cause instanceof Error && 'code' in cause && typeof cause.code === 'string')) return undefined
  const cert = 'cert' in cause && typeof cause.cert === 'object' ? cause.cert : null
  const isNamed = cert !== null && 'subjectaltname' in cert && typeof cert.subjectaltname === 'string'
  return { code: cause.code, names: isNamed ? String(cert.subjectaltname) : undefined }
}

/** `ECONNREFUSED`, `ENOTFOUND`, `timeout`: the short part of such messages, which is the useful one. */
function reasonOf(failure: unknown): string | undefined {
  if (!(failure instanceof Error)) return undefined
  if (failure.name === 'TimeoutError') return 'timeout'
  return causeOf(failure)?.code
}
