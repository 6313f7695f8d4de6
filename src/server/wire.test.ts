import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { problemAnswer } from '../api/answers.ts'
import type { Route } from '../api/route.ts'
import { ROUTES } from '../api/routes.ts'
import { bearer, manifestNamed, world } from './server.suite.ts'

const CAMEL = /[a-z0-9][A-Z]/
/** Keys that users choose: names of secrets, labels, settings of kinds of providers. */
const OF_USERS = new Set(['settings', 'labels', 'set'])

/** The paths of all keys in a value, at any depth. */
function keysOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((inside) => keysOf(inside, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inside]) => [
    `${path}${key}`,
    ...(OF_USERS.has(key) ? [] : keysOf(inside, `${path}${key}.`)),
  ])
}

/** The names of all properties that a JSON schema describes. */
function propertiesOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, inside]) => [
    ...(key === 'properties' ? Object.keys(Object(inside)) : []),
    ...propertiesOf(inside),
  ])
}

function lastOf(path: string): string {
  return path.split('.').at(-1) ?? ''
}

const TABLE: readonly (readonly [string, Route])[] = Object.entries(ROUTES)

describe('the wire says everything in snake case', () => {
  test.each(TABLE)('%s: in its path, query, body and reply', (_, { path, params, query, body, answer }) => {
    const json = (schema: z.ZodType, io: 'input' | 'output') =>
      propertiesOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
    const names = [
      ...path.split(/[/:]/),
      ...json(params, 'input'),
      ...json(query, 'input'),
      ...(body === undefined ? [] : json(body, 'input')),
      ...json(answer, 'output'),
    ]
    expect(names.filter((name) => CAMEL.test(name))).toEqual([])
  })

  test('in problems, too', () => {
    expect(propertiesOf(z.toJSONSchema(problemAnswer)).filter((name) => CAMEL.test(name))).toEqual([])
  })

  test('in what a server with work answers, streams included', async () => {
    const { get } = await furnished()
    const seen: string[] = []
    for (const [, route] of TABLE) {
      if (route.method !== 'GET' || route.kind === 'text' || route.path.endsWith('openapi.json')) continue
      const { status, entries } = await get(route, route.path)
      expect({ path: route.path, status }).toEqual({ path: route.path, status: 200 })
      seen.push(...entries.flatMap((entry) => keysOf(entry, `${route.path} `)))
    }
    expect(seen.length).toBeGreaterThan(200)
    expect(seen.filter((path) => CAMEL.test(lastOf(path).split(' ').at(-1) ?? ''))).toEqual([])
  })
})

describe('a client of 0.2', () => {
  test('finds under /v1 every key that it reads', async () => {
    const { get, ask } = await furnished()
    const events = await get(ROUTES.events, '/v1/events')
    expect(events.entries[0]).toMatchObject({ atMs: expect.any(Number), at_ms: expect.any(Number) })
    const audit = await get(ROUTES.audit, '/v1/audit')
    expect(keysOf(audit.entries)).toContain('items.atMs')
    const projects = await get(ROUTES.projects, '/v1/projects')
    expect(projects.entries[0]).toMatchObject({ items: [{ name: 'default', gpusMax: 3, workloadsMax: 9 }] })
    const wrong = await ask('POST', '/v1/projects/default/plan', { text: 'berth: v1\nknd: job\n' })
    expect(keysOf(wrong.json())).toContain('problems.sourceLine')
  })

  test('is understood in its own words', async () => {
    const { ask } = await furnished()
    const made = await ask('POST', '/v1/projects/other/workloads', { text: manifestNamed('b'), createProject: true })
    expect(made.json()).toMatchObject({ outcome: 'created' })
    const limits = { gpusMax: 1, usdPerHourMax: 2, workloadsMax: 4 }
    expect((await ask('PUT', '/v1/projects/other', limits)).statusCode).toBe(204)
    const now = (await ask('GET', '/v2/projects')).json()
    const other = now.items.find(({ name }: { readonly name: string }) => name === 'other')
    expect(other).toMatchObject({ gpus_max: 1, usd_per_hour_max: 2, workloads_max: 4 })
    const pinned = [{ slot: '0', offer: 'none', usdPerHour: 1 }]
    const stale = await ask('POST', '/v1/projects/other/workloads', { text: manifestNamed('c'), pinned })
    expect(stale.json()).toMatchObject({ code: 'PLAN_STALE' })
  })

  test('keeps the names that a user gave to settings', async () => {
    const { ask, store } = await furnished()
    const settings = { usdPerHour: 1, at_ms: 2 }
    await ask('PUT', '/v1/providers/odd', { kind: 'sim', settings })
    expect((await store.get('provider', 'odd'))?.body.settings).toEqual(settings)
  })
})

/** A server with one of everything, and how to ask it. */
async function furnished() {
  const { app, token, deps } = world()
  const headers = bearer(await token('admin', ['*']))
  const ask = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
    app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
  await ask('POST', '/v2/projects/default/workloads', { text: manifestNamed('thing') })
  await ask('POST', '/v2/projects/default/workloads', { text: manifestNamed('thing').replace('cpu: 1', 'cpu: 2') })
  await ask('PUT', '/v2/projects/default', { gpus_max: 3, usd_per_hour_max: 4, workloads_max: 9 })
  await ask('PUT', '/v2/projects/default/secrets/THING', { value: 'some-value' })
  await ask('POST', '/v2/projects/default/templates/thing', { text: manifestNamed('thing') })
  await ask('PUT', '/v2/providers/thing', { kind: 'sim' })
  const uid = (await ask('GET', '/v2/projects/default/workloads/thing')).json().uid
  const waiting = { sinceMs: 1, code: 'SOLD_OUT', text: 'none', nextLookMs: 2 }
  const status = { ...STATUS, uid, generation: 2, waiting }
  await deps.service.store.commit({ writes: [{ kind: 'status', key: 'default/thing', body: status }] })
  const get = async ({ kind }: Pick<Route, 'kind'>, path: string) => {
    const response = await ask('GET', path.replace(':project', 'default').replace(':name', 'thing'))
    const lines = response.body.split('\n').flatMap((line) => /^data: (.*)$/.exec(line)?.[1] ?? [])
    const entries: readonly unknown[] =
      kind === 'stream' ? lines.map((line): unknown => JSON.parse(line)) : [response.json()]
    return { status: response.statusCode, entries }
  }
  return { ask, get, store: deps.service.store }
}

const STATUS = {
  end: undefined,
  failures: 0,
  backoffUntilMs: 0,
  completed: [],
  startedMs: undefined,
  restarts: 0,
  lostSeconds: 0,
  resumePoints: {},
  setAside: undefined,
}
