import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../store/memory.ts'
import { bearer, manifestNamed, world, type World } from './server.suite.ts'

const WORKLOADS = '/v2/projects/default/workloads'

async function admin({ app, token }: World) {
  const headers = bearer(await token('admin', ['*']))
  return (options: InjectOptions) => app.inject({ ...options, headers: { ...headers, ...options.headers } })
}

type Ask = Awaited<ReturnType<typeof admin>>

function apply(ask: Ask, text: string, headers: Record<string, string> = {}) {
  return ask({ method: 'POST', url: WORKLOADS, payload: { text }, headers })
}

describe('who is let in without a token', () => {
  const at = (host: string, remoteAddress: string): InjectOptions => ({
    url: '/v2/info',
    headers: { host },
    remoteAddress,
  })

  test('no caller without a token, unless the flag allows it', async () => {
    const { app } = world()
    expect((await app.inject(at('localhost', '127.0.0.1'))).statusCode).toBe(401)
  })

  test.each([
    ['localhost:7700', '127.0.0.1', 200],
    ['127.0.0.1', '127.9.9.9', 200],
    ['[::1]:7700', '::1', 200],
    ['localhost', '::ffff:127.0.0.1', 200],
    ['localhost', '10.0.0.5', 401],
    ['localhost', '::ffff:10.0.0.5', 401],
    ['berth.internal', '127.0.0.1', 401],
    ['evil.example', '127.0.0.1', 421],
    ['localhost.evil.example', '127.0.0.1', 421],
    ['127.0.0.1@evil.example', '127.0.0.1', 421],
  ])('in development mode, %s asked from %s is answered %i', async (host, peer, status) => {
    const { app } = world({}, { open: true, hosts: ['berth.internal'] })
    expect((await app.inject(at(host, peer))).statusCode).toBe(status)
  })

  test('not a web page of another site, whose browser runs on this machine', async () => {
    const { app } = world({}, { open: true })
    const from = (origin: string) =>
      app.inject({ method: 'POST', url: `${WORKLOADS}/a/stop`, headers: { host: 'localhost:7700', origin } })
    expect((await from('http://evil.example')).statusCode).toBe(421)
    expect((await from('null')).statusCode).toBe(421)
    expect((await from('http://localhost:7700')).statusCode).toBe(404)
  })

  test('not a caller with an invalid token', async () => {
    const { app } = world({}, { open: true })
    const response = await app.inject({ url: '/v2/info', headers: bearer('nonsense') })
    expect(response.statusCode).toBe(401)
  })
})

describe('every answer', () => {
  test('forbids to be kept, framed or guessed at, and carries the id of its request', async () => {
    const ask = await admin(world())
    for (const url of ['/v2/info', '/v2/nothing', `${WORKLOADS}/nothing`]) {
      const { headers } = await ask({ url, headers: { 'x-request-id': 'my-own.id:1' } })
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-request-id': 'my-own.id:1',
      })
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  test('has an id of its own where the one that came is not fit for a log', async () => {
    const ask = await admin(world())
    const { headers } = await ask({ url: '/v2/info', headers: { 'x-request-id': 'a b"\t' } })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/)
  })
})

describe('a problem is reported', () => {
  test('with code, place, hint and source line of every problem of a manifest', async () => {
    const ask = await admin(world())
    const response = await ask({
      method: 'POST',
      url: WORKLOADS,
      payload: {
        text: 'berth: v1\nkind: service\nname: a\nimage: b\nresources: { cpu: 1 }\ncolour: red\nreplica: 2\n',
        file: 'a.yaml',
      },
    })
    expect(response.statusCode).toBe(422)
    expect(response.headers['content-type']).toContain('application/problem+json')
    expect(response.json()).toMatchObject({
      type: 'urn:berth:error:KEY_UNKNOWN',
      status: 422,
      code: 'KEY_UNKNOWN',
      problems: expect.arrayContaining([
        expect.objectContaining({ code: 'KEY_UNKNOWN', place: { file: 'a.yaml', line: 7, column: 1, length: 7 } }),
      ]),
    })
    expect(response.json().problems.length).toBeGreaterThan(1)
  })

  test('with the field of a malformed request, and without its value', async () => {
    const ask = await admin(world())
    const response = await ask({ method: 'POST', url: `${WORKLOADS}/a/scale`, payload: { replicas: 'canary-value' } })
    expect(response.json()).toMatchObject({ status: 400, code: 'REQUEST_MALFORMED' })
    expect(response.json().detail).toContain('body.replicas')
    expect(response.body).not.toContain('canary-value')
  })

  test('for broken JSON without quoting it', async () => {
    const ask = await admin(world())
    const headers = { 'content-type': 'application/json' }
    const response = await ask({ method: 'POST', url: WORKLOADS, payload: '{"text": canary-value}', headers })
    expect(response.json()).toMatchObject({ status: 400, code: 'REQUEST_MALFORMED' })
    expect(response.body).not.toContain('canary')
  })

  test('for bodies that are too large or not JSON, and for methods that are not known', async () => {
    const ask = await admin(world())
    const large = await ask({ method: 'POST', url: WORKLOADS, payload: { text: 'x'.repeat(2 ** 21) } })
    expect(large.json()).toMatchObject({ status: 413, code: 'REQUEST_TOO_LARGE' })
    const manifest = await apply(ask, `${manifestNamed('a')}#${'ä'.repeat(140_000)}`)
    expect(manifest.json()).toMatchObject({ status: 422, code: 'YAML_TOO_LARGE' })
    const plain = await ask({ method: 'POST', url: WORKLOADS, payload: 'x', headers: { 'content-type': 'text/plain' } })
    expect(plain.json()).toMatchObject({ status: 415, code: 'MEDIA_TYPE_WRONG' })
    const method = await ask({ method: 'PUT', url: WORKLOADS, payload: {} })
    expect(method.json()).toMatchObject({ status: 405, code: 'METHOD_WRONG' })
    expect(method.headers['allow']).toBe('POST, GET')
  })

  test('as a failure of its own, with nothing but the way to the log, when the store breaks', async () => {
    const store = memoryStore({ nowMs: Date.now })
    const broken = { ...store, list: () => Promise.reject(new Error('canary-of-the-database')) }
    const one = world({ store: broken })
    const response = await (await admin(one))({ url: '/v2/workloads' })
    expect(response.json()).toMatchObject({ status: 500, code: 'CONTROL_PLANE_FAILED' })
    expect(response.body).not.toContain('canary')
    const id = response.headers['x-request-id']
    expect(one.logged.some((line) => line.includes('canary-of-the-database') && line.includes(String(id)))).toBe(true)
  })
})

describe('ETags', () => {
  test('let a change through only if no other was made meanwhile', async () => {
    const ask = await admin(world())
    await apply(ask, manifestNamed('a'))
    const tag = String((await ask({ url: `${WORKLOADS}/a` })).headers['etag'])
    const scale = (replicas: number, ifMatch: string) =>
      ask({ method: 'POST', url: `${WORKLOADS}/a/scale`, payload: { replicas }, headers: { 'if-match': ifMatch } })
    expect((await scale(3, tag)).json()).toMatchObject({ total: 3, generation: 2 })
    expect((await scale(4, tag)).json()).toMatchObject({ status: 412, code: 'VERSION_STALE' })
    expect((await scale(4, '*')).json()).toMatchObject({ total: 4 })
    expect((await apply(ask, manifestNamed('new'), { 'if-match': '*' })).json()).toMatchObject({
      code: 'VERSION_STALE',
    })
  })
})

describe('pages', () => {
  test('hold what was asked for and lead to the next, over projects and dashes alike', async () => {
    const one = world()
    const ask = await admin(one)
    const names = ['a', 'a-b', 'a0', 'b', 'c']
    for (const name of names) await apply(ask, manifestNamed(name))
    await ask({
      method: 'POST',
      url: '/v2/projects/zoo/workloads',
      payload: { text: manifestNamed('z'), create_project: true },
    })
    const seen: string[] = []
    for (let next: string | undefined = ''; next !== undefined;) {
      const page: { items: { name: string }[]; next?: string } = (
        await ask({ url: `/v2/workloads?limit=2${next === '' ? '' : `&after=${next}`}` })
      ).json()
      expect(page.items.length).toBeLessThanOrEqual(2)
      seen.push(...page.items.map(({ name }) => name))
      next = page.next
    }
    expect(seen).toEqual([...names, 'z'].toSorted((x, y) => (x < y ? -1 : 1)))
    const some = bearer(await one.token('reader', ['zoo', 'default']))
    const both = await one.app.inject({ url: '/v2/workloads?limit=500', headers: some })
    expect(both.json().items).toHaveLength(6)
    expect((await ask({ url: `${WORKLOADS}?after=Zm9v&limit=1` })).statusCode).toBe(200)
    expect((await ask({ url: `${WORKLOADS}?limit=501` })).statusCode).toBe(400)
    expect((await ask({ url: `${WORKLOADS}?after=____` })).statusCode).toBe(400)
  })
})

describe('for operators', () => {
  test('the process is healthy, and ready only while its store answers and there is a leader', async () => {
    const { app } = world()
    expect((await app.inject({ url: '/healthz' })).json()).toEqual({ ok: true })
    expect((await app.inject({ url: '/readyz' })).json()).toEqual({ ok: true, text: 'ready' })
    const store = memoryStore({ nowMs: Date.now })
    const dead = world({ store: { ...store, head: () => Promise.reject(new Error('no')) } })
    expect((await dead.app.inject({ url: '/readyz' })).statusCode).toBe(503)
    const info = () => ({ version: '0', owner: 'o', leader: false, term: 0, store: 'memory' as const })
    const early = await world({ info }).app.inject({ url: '/readyz' })
    expect([early.statusCode, early.json().text]).toEqual([503, 'starting: there is no leader yet'])
  })

  test('figures of the server and of the control plane are there for Prometheus', async () => {
    const ask = await admin(world())
    await apply(ask, manifestNamed('a'))
    const { body, headers } = await ask({ url: '/metrics' })
    expect(headers['content-type']).toContain('text/plain')
    for (const line of [
      'berth_http_requests_total{route="POST /v2/projects/:project/workloads",status="200"} 1',
      'berth_workloads{state="serving"} 2',
      'berth_placements{phase="running"} 3',
      'berth_provider_calls_total{provider="somewhere",call="list"} 7',
      'berth_provider_faults_total{provider="somewhere",call="list"} 1',
      'berth_commits_total 5',
      'berth_decisions_total 6',
      'berth_deciding_seconds_total 0.5',
      'berth_leader 1',
      'berth_term 4',
    ])
      expect(body).toContain(line)
    expect(body).toContain('berth_http_request_seconds_bucket')
  })
})

test('the log has changes and refusals; reads are counted, not logged', async () => {
  const place = world()
  const ask = await admin(place)
  const requests = () => place.logged.filter((line) => line.startsWith('request '))
  await ask({ url: '/v2/workloads' })
  await ask({ method: 'POST', url: '/v2/projects/default/plan', payload: { text: manifestNamed('a') } })
  expect(requests()).toEqual([])
  await apply(ask, manifestNamed('a'))
  await ask({ url: `${WORKLOADS}/nothing` })
  expect(requests()).toEqual([
    expect.stringContaining('POST /v2/projects/:project/workloads"'),
    expect.stringContaining('"status":404'),
  ])
  expect((await ask({ url: '/metrics' })).body).toContain('GET /v2/workloads')
})
