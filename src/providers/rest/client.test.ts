import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { Secret } from '../../ports/secret.ts'
import { RestClient, type RestApi, type RestCall } from './client.ts'

const KEY = 'key-5f3a+9/x'
const CALL = { signal: new AbortController().signal, requestId: 'r1' }
const POD = z.object({ id: z.string(), price: z.number() })
const GET: RestCall<z.infer<typeof POD>> = { method: 'GET', path: ['pods', 'a/b'], reply: POD }
const CREATE: RestCall<z.infer<typeof POD>> = {
  method: 'POST',
  path: ['pods'],
  body: { name: 'x' },
  reply: POD,
  creates: true,
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Proven: a server that listens on a port has such an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

async function clientOf(listener: RequestListener, change: Partial<RestApi> = {}): Promise<RestClient> {
  return new RestClient({
    base: await serverOf(listener),
    credential: async () => new Secret(KEY),
    authorize: (credential) => ({ authorization: `Bearer ${credential}` }),
    faults: { rows: [] },
    isInternal: true,
    ...change,
  })
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(JSON.stringify(body))
  }
}

describe('a call', () => {
  test('sends the credential, the request id and escaped parts, and returns what the schema made of the reply', async () => {
    const heard: unknown[] = []
    const client = await clientOf((request, response) => {
      heard.push([request.method, request.url, request.headers.authorization, request.headers['x-request-id']])
      json(200, { id: 'p1', price: 2, more: true })(request, response)
    })
    const answer = await client.call({ ...GET, query: { limit: 5, after: undefined } }, CALL)
    expect(answer).toEqual({ ok: true, value: { id: 'p1', price: 2 } })
    expect(heard).toEqual([['GET', '/v1/pods/a%2Fb?limit=5', `Bearer ${KEY}`, 'r1']])
  })

  test('without content in its reply is a success where none is expected', async () => {
    const client = await clientOf((_, response) => response.writeHead(204).end())
    const answer = await client.call({ method: 'DELETE', path: ['pods', 'p1'], reply: z.undefined() }, CALL)
    expect(answer).toEqual({ ok: true, value: undefined })
  })
})

describe('a reply that is no answer', () => {
  const endless: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = (): void => void (response.destroyed || response.write(' '.repeat(65_536), more))
    more()
  }
  const dripping: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"id"')
  }
  const cut: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
    response.write('{"id"', () => response.destroy())
  }

  const LATE = /no answer in time/

  test.each<[string, RequestListener, RegExp]>([
    ['never comes', () => undefined, LATE],
    ['never ends', dripping, LATE],
    ['is larger than allowed', endless, /larger than 100000 bytes/],
    ['is cut off', cut, /aborted|cut off/],
    ['is dropped', (request) => void request.socket.destroy(), /socket hang up|ECONNRESET/],
    ['is a page', (_, response) => void response.end('<html>'), /not JSON/],
    [
      'has half of its JSON',
      (_, response) => void response.setHeader('content-type', 'application/json').end('{"id": "p'),
      /not JSON/,
    ],
    ['has another form', json(200, { id: 5, price: 1 }), /could not be understood: id: /],
  ])('%s: unknown after a create, and passing after a read', async (_, listener, why) => {
    const client = await clientOf(listener, { deadlineMs: why === LATE ? 300 : 60_000, bytesMost: 100_000 })
    for (const [call, name] of [
      [CREATE, 'AMBIGUOUS'],
      [GET, 'TRANSIENT'],
    ] as const) {
      const answer = await client.call(call, CALL)
      expect(answer).toMatchObject({ ok: false, fault: { class: name, message: expect.stringMatching(why) } })
    }
  })

  test('of an address where nothing listens is passing even after a create: nothing was sent', async () => {
    const client = await clientOf(() => undefined, { base: 'http://127.0.0.1:1/v1' })
    expect(await client.call(CREATE, CALL)).toMatchObject({ ok: false, fault: { class: 'TRANSIENT' } })
  })

  test('ends when the caller gives up', async () => {
    const client = await clientOf(() => undefined)
    const answer = await client.call(GET, { ...CALL, signal: AbortSignal.timeout(50) })
    expect(answer).toMatchObject({ ok: false, fault: { class: 'TRANSIENT' } })
  })
})

describe('a redirect', () => {
  test('is followed for reads on the same host, and not for ever', async () => {
    const client = await clientOf((request, response) => {
      if (request.url === '/v1/there') return json(200, { id: 'p1', price: 2 })(request, response)
      response
        .writeHead(307, { location: request.url?.startsWith('/v1/loop') === true ? '/v1/loop' : '/v1/there' })
        .end()
    })
    expect(await client.call(GET, CALL)).toMatchObject({ ok: true })
    expect(await client.call({ ...GET, path: ['loop'] }, CALL)).toMatchObject({
      ok: false,
      fault: { message: expect.stringContaining('more than 3 redirects') },
    })
  })

  test('to another host is refused, and the credential does not go there', async () => {
    const stolen: unknown[] = []
    const other = await serverOf((request, response) => {
      stolen.push(request.headers.authorization)
      response.end()
    })
    const client = await clientOf((_, response) => void response.writeHead(302, { location: other }).end())
    expect(await client.call(GET, CALL)).toMatchObject({
      ok: false,
      fault: { class: 'TRANSIENT', message: expect.stringContaining('which is not followed') },
    })
    expect(await client.call(CREATE, CALL)).toMatchObject({ ok: false, fault: { class: 'AMBIGUOUS' } })
    expect(stolen).toEqual([])
  })
})

describe('addresses of private networks', () => {
  test.each([
    'https://127.0.0.1',
    'https://localhost',
    'https://169.254.169.254/latest',
    'https://[::1]',
    'https://[::ffff:10.0.0.1]',
    'https://10.1.2.3',
  ])('%s is not called', async (base) => {
    const client = await clientOf(() => undefined, { base, isInternal: false })
    const answer = await client.call(CREATE, CALL)
    expect(answer).toMatchObject({ ok: false, fault: { class: 'TRANSIENT' } })
    if (!answer.ok) expect(answer.fault.message).toContain('is not an address on the public internet')
  })

  test('are called without TLS only where the provider is on premises', async () => {
    const client = await clientOf(json(200, {}), { isInternal: false })
    const answer = await client.call(GET, CALL)
    expect(answer).toMatchObject({ ok: false, fault: { message: expect.stringContaining('https://') } })
  })
})

test('a credential that the other side repeats is hidden, in every form', async () => {
  const forms = [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64')]
  const client = await clientOf(json(400, { message: `not valid: ${forms.join(' ')}` }))
  const answer = await client.call(GET, CALL)
  expect(answer).toMatchObject({ ok: false, fault: { message: 'not valid: *** *** *** (status 400)' } })
})

test('a success status may be a refusal, which proves that nothing exists only if its words are known', async () => {
  const faults = {
    faults: {
      isRefusal: (body: unknown) => typeof body === 'object' && body !== null && 'code' in body && body.code !== 10_000,
      rows: [{ code: '13000', class: 'SOLD_OUT', seen: 'here' }],
    },
  } as const
  const known = await clientOf(json(200, { code: 13_000, message: 'sold' }), faults)
  expect(await known.call(CREATE, CALL)).toEqual({
    ok: false,
    fault: { class: 'SOLD_OUT', message: '13000: sold (status 200)' },
  })
  const unknown = await clientOf(json(200, { code: 13_001, message: 'moonquake' }), faults)
  expect(await unknown.call(CREATE, CALL)).toMatchObject({ ok: false, fault: { class: 'AMBIGUOUS' } })
})

test('what is not there is an answer where the call says how that is told', async () => {
  const client = await clientOf(json(404, { code: 'no_such_pod', message: 'no' }))
  const call = {
    ...GET,
    reply: POD.optional(),
    isAbsent: ({ code }: { code: string | undefined }) => code === 'no_such_pod',
  }
  expect(await client.call(call, CALL)).toEqual({ ok: true, value: undefined })
  const front = await clientOf(
    (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<html>'),
  )
  expect(await front.call(call, CALL)).toMatchObject({ ok: false, fault: { class: 'TRANSIENT' } })
})

test('requests keep apart, and those that create something keep further apart, counted from when they are sent', async () => {
  let nowMs = 0
  const sent: { readonly method: string; readonly atMs: number }[] = []
  const timers = {
    sleep: async (ms: number): Promise<void> => {
      nowMs += ms
    },
  }
  const client = await clientOf(json(200, {}), {
    pace: { eachMs: 1000, createEachMs: 12_000, clock: { tickMs: () => nowMs }, timers },
    network: {
      send: async ({ method }) => {
        sent.push({ method, atMs: nowMs })
        // Some answers take their time.
        nowMs += method === 'GET' ? 4000 : 10
        return { status: 200, headers: { 'content-type': 'application/json' }, text: '{"id":"a","price":1}' }
      },
    },
  })
  for (const call of [GET, CREATE, CREATE, GET, GET, CREATE, GET, CREATE]) await client.call(call, CALL)
  const gapsOf = (times: readonly number[]): readonly number[] =>
    times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0))
  expect(Math.min(...gapsOf(sent.map(({ atMs }) => atMs)))).toBeGreaterThanOrEqual(1000)
  const creates = sent.filter(({ method }) => method === 'POST').map(({ atMs }) => atMs)
  expect(gapsOf(creates)).toEqual([12_000, 12_000, 12_000])
})
