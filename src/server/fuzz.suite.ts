import type { InjectOptions } from 'fastify'
import type { Route } from '../api/route.ts'
import { ROUTES } from '../api/routes.ts'
import { mulberry32 } from '../core/base/dice.ts'
import { bearer, manifestNamed, world } from './server.suite.ts'

export interface Fuzzed {
  readonly requests: number
  readonly byStatus: Readonly<Record<string, number>>
  /** What must not be: a failure of the server, an answer that is no problem, or none in time. */
  readonly wrong: readonly string[]
  readonly slowestMs: number
}

/** Sends this many malformed requests to the real server. One seed gives one sequence of requests. */
export async function fuzz(count: number, seed: number): Promise<Fuzzed> {
  const { app, token } = world()
  const dice = diceOf(seed)
  const tokens = [await token('admin', ['*']), await token('writer', ['default']), await token('reader', ['other'])]
  const byStatus: Record<string, number> = {}
  const wrong: string[] = []
  let slowestMs = 0
  for (let at = 0; at < count; at++) {
    const request = brokenRequest(dice, tokens)
    const beganMs = performance.now()
    const told = await app.inject(request).then(
      ({ statusCode, headers, body }) => ({ status: statusCode, type: String(headers['content-type']), body }),
      (error: unknown) => ({ status: 0, type: '', body: String(error) }),
    )
    slowestMs = Math.max(slowestMs, performance.now() - beganMs)
    byStatus[told.status] = (byStatus[told.status] ?? 0) + 1
    const isTold = told.status < 400 || told.type.startsWith('application/problem+json')
    if (told.status === 0 || told.status >= 500 || !isTold) {
      wrong.push(
        `request ${at} of seed ${seed}: ${told.status} ${JSON.stringify(request).slice(0, 500)} ${told.body.slice(0, 300)}`,
      )
    }
  }
  await app.close()
  return { requests: count, byStatus, wrong, slowestMs }
}

interface Dice {
  readonly below: (limit: number) => number
  readonly pick: <T>(from: readonly T[]) => T
  readonly chance: (share: number) => boolean
}

function diceOf(seed: number): Dice {
  const next = mulberry32(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  // The index is below the length, and no list here is empty.
  return { below, pick: <T>(from: readonly T[]) => from[below(from.length)] as T, chance: (share) => next() < share }
}

const ALL: readonly Route[] = Object.values(ROUTES)
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const
const NAMES = ['default', 'other', 'thing', 'a', 'THING', '*', '..', '.', '%2e%2e', '%00', '%', '%zz', 'a%2Fb', 'é', '☃', ' ', "'--", '${x}', '__proto__', 'constructor', 'x'.repeat(64), 'x'.repeat(300), '-', '0', '%F0%9F%92%A9', 'null', ''] // prettier-ignore
const TEXTS = ['', ' ', 'a', '\u0000', '\ud800', '𝄞', '__proto__', 'berth: v1', '{', '---\n---', '&a *a', '!!js/function x', manifestNamed('thing'), manifestNamed('x'.repeat(64)), 'x'.repeat(70_000), '- '.repeat(5000), '${{}}', '%s%n', '1e999', '\r\n\r\n', "'; drop table workload; --"] // prettier-ignore
const NUMBERS = [0, -1, 1, 0.5, 1e9, 1e21, -0, Number.MAX_SAFE_INTEGER, 1e308, 2 ** 31, 10_001]
const KEYS = ['text', 'file', 'pinned', 'role', 'replicas', 'kind', 'settings', 'credential', 'state', 'gpusMax', 'usdPerHourMax', 'workloadsMax', 'name', 'projects', 'ttl_ms', 'value', 'version', 'set', 'constructor', 'toString', ''] // prettier-ignore
const QUERIES = ['after', 'limit', 'follow', 'tail', 'slot', 'project', 'workload', 'version', '__proto__', 'x', '']
const VALUES = ['', '0', '1', '-1', '501', '1e3', '999999999999999999', 'abc', 'ZGVmYXVsdC9h', '____', '%00', '%', '[]', 'TRUE', 'false', 'a&a', 'default', '☃', 'x'.repeat(2000)] // prettier-ignore

function brokenRequest(dice: Dice, tokens: readonly string[]): InjectOptions {
  const route = dice.pick(ALL)
  const method = dice.chance(0.9) ? route.method : dice.pick(METHODS)
  const url = dice.chance(0.95) ? `${pathOf(route, dice)}${queryOf(dice)}` : dice.pick(['/', '//', '/v1', '/v2/%', '/%ff', '/v2/projects//plan', '*', '/..%2f..', `/${'a/'.repeat(500)}`]) // prettier-ignore
  const hasBody = method !== 'GET' && method !== 'HEAD' && dice.chance(0.9)
  return {
    method,
    url,
    headers: { ...headersOf(dice, tokens), ...(hasBody && { 'content-type': dice.chance(0.93) ? 'application/json' : dice.pick(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '', 'json', 'application/json; charset=utf-16']) }) }, // prettier-ignore
    ...(hasBody && { payload: payloadOf(route, dice) }),
  }
}

function pathOf({ path }: Route, dice: Dice): string {
  return path.replaceAll(/:\w+/g, () => (dice.chance(0.6) ? dice.pick(['default', 'thing']) : dice.pick(NAMES)))
}

/** Never `follow=true`: such a stream is meant to stay open. */
function queryOf(dice: Dice): string {
  if (dice.chance(0.6)) return ''
  const parts = Array.from({ length: 1 + dice.below(4) }, () => `${dice.pick(QUERIES)}=${dice.pick(VALUES)}`)
  return `?${parts.join('&')}`
}

function headersOf(dice: Dice, tokens: readonly string[]): Record<string, string> {
  const given: Record<string, string> = dice.chance(0.95) ? { ...bearer(dice.pick(tokens)) } : { authorization: dice.pick(['', 'Bearer', 'Basic x', 'Bearer berth.a.b', `Bearer ${'x'.repeat(3000)}`]) } // prettier-ignore
  const odd = ['', 'a', '"', '"a"', 'W/"a"', '*', 'x'.repeat(500), '-1', '1,2', 'a=1,b=2', '☃'.replace('☃', '\u00ff')]
  for (const name of ['if-match', 'idempotency-key', 'last-event-id', 'x-request-id', 'origin', 'expect', 'range']) {
    if (dice.chance(0.1)) given[name] = dice.pick(odd)
  }
  if (dice.chance(0.03))
    given['host'] = dice.pick(['', 'evil.example', 'localhost:99999', '[::1', '127.0.0.1.evil.example', 'localhost'])
  return given
}

function payloadOf(route: Route, dice: Dice): string | Buffer {
  if (dice.chance(0.08)) return dice.pick(['', '{', '[]', 'null', '1', '"x"', '{"a":}', '{"__proto__":{"x":1}}', '{"constructor":{"prototype":{}}}', '\ufeff{}', '[['.repeat(5000), `{"settings":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`]) // prettier-ignore
  if (dice.chance(0.02)) return Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])
  const sound: Readonly<Record<string, unknown>> | undefined = SOUND[route.path]
  const body =
    dice.chance(0.6) && sound !== undefined
      ? spoilt(sound, dice)
      : Object.fromEntries(Array.from({ length: 1 + dice.below(4) }, () => [dice.pick(KEYS), valueOf(dice, 0)]))
  const text = JSON.stringify(body)
  return dice.chance(0.03) ? text.slice(0, dice.below(text.length)) : text
}

/** Bodies that are fine, to be spoilt a little: what is wrong all over gets no further than the first check. */
const SOUND: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  [ROUTES.plan.path]: { text: manifestNamed('thing') },
  [ROUTES.apply.path]: { text: manifestNamed('thing'), pinned: [{ slot: '0', offer: 'a', usdPerHour: 1 }] },
  [ROUTES.scale.path]: { role: 'a', replicas: 1 },
  [ROUTES.addProvider.path]: { kind: 'sim', settings: { a: { b: [1] } } },
  [ROUTES.setProvider.path]: { state: 'open' },
  [ROUTES.setPolicy.path]: { settings: { objective: 'cheapest', spot: 'never' } },
  [ROUTES.setProject.path]: { gpusMax: 1, usdPerHourMax: 1.5, workloadsMax: 3 },
  [ROUTES.createToken.path]: { name: 'a', role: 'reader', projects: ['a'], ttl_ms: 5000 },
  [ROUTES.setSecret.path]: { value: 'something' },
  [ROUTES.pushTemplate.path]: { text: manifestNamed('thing') },
  [ROUTES.launch.path]: { version: 1, name: 'a', set: { a: 'b' } },
}

/** With one value replaced, one left out, or as it was. */
function spoilt(sound: Readonly<Record<string, unknown>>, dice: Dice): Readonly<Record<string, unknown>> {
  const key = dice.pick(Object.keys(sound))
  if (dice.chance(0.5)) return { ...sound, [key]: valueOf(dice, 0) }
  return dice.chance(0.5) ? sound : { ...sound, [key]: undefined }
}

function valueOf(dice: Dice, depth: number): unknown {
  const kind = dice.below(depth > 3 ? 5 : 7)
  if (kind < 2) return dice.pick(TEXTS)
  if (kind === 2) return dice.pick(NUMBERS)
  if (kind === 3) return dice.pick([true, false, null])
  if (kind === 4) return dice.pick(['reader', 'admin', 'open', 'sim', 'local', '*', 'default', ['*'], ['default'], {}])
  const inside = Array.from({ length: dice.below(4) }, () => valueOf(dice, depth + 1))
  return kind === 5 ? inside : Object.fromEntries(inside.map((value) => [dice.pick(KEYS), value]))
}
