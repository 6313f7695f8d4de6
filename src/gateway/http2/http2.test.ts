import { execFile, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import {
  connect,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { connect as connectPlain, createServer as createPlain } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { World } from '../world.suite.ts'

// Clients that speak HTTP/2 in clear text, with prior knowledge. What is unlawful is sent over raw sockets, frame by frame.

let world: World
let session: ClientHttp2Session

beforeEach(async () => {
  world = await World.open()
  world.serve('web', [await world.echo()])
  session = open()
})
afterEach(async () => {
  session.destroy()
  await world.close()
})

function open(): ClientHttp2Session {
  const opened = connect(`http://127.0.0.1:${world.port}`)
  opened.on('error', () => undefined)
  return opened
}

interface Got {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly trailers: Readonly<Record<string, unknown>>
}

/** The answer to a request; status 0: the stream was reset or the connection broke. */
function read(stream: ClientHttp2Stream): Promise<Got> {
  return new Promise((resolve) => {
    let text = ''
    let headers: Record<string, unknown> = {}
    let trailers: Record<string, unknown> = {}
    let isWhole = false
    stream.on('response', (given) => (headers = given))
    stream.on('trailers', (given) => (trailers = given))
    stream.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
    stream.on('end', () => (isWhole = stream.rstCode === constants.NGHTTP2_NO_ERROR))
    stream.on('error', () => undefined)
    stream.on('close', () => {
      const isWell = isWhole && stream.rstCode === constants.NGHTTP2_NO_ERROR
      resolve({ status: isWell ? Number(headers[':status']) : 0, text, headers, trailers })
    })
  })
}

function ask(headers: OutgoingHttpHeaders = {}, body?: Buffer | string): Promise<Got> {
  const all = { ':path': '/default/web/x', ':method': body === undefined ? 'GET' : 'POST', ...headers }
  const stream = session.request(all, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  return read(stream)
}

/** What the replica of `echo` says that it got. */
const echoed = (text: string): Readonly<Record<string, unknown>> => JSON.parse(text)

describe('requests', () => {
  test('many at once over one connection, each with its answer and its id', async () => {
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, at) => ask({ ':path': `/default/web/${at}`, 'x-request-id': `id-${at}` })),
    )
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
    expect(all.map(({ text }) => echoed(text)['url'])).toEqual(all.map((_, at) => `/${at}`))
    expect(all.map(({ headers }) => headers['x-request-id'])).toEqual(all.map((_, at) => `id-${at}`))
  })

  test('a service is found by its host', async () => {
    const { text } = await ask({ ':authority': 'web.default.example.com', ':path': '/deep?a=b' })
    expect(echoed(text)['url']).toBe('/deep?a=b')
    expect(echoed(text)['headers']).toMatchObject({
      host: 'web.default.example.com',
      'x-forwarded-proto': 'http',
    })
  })

  test('a body of any length goes through, and one with a length keeps it', async () => {
    const body = Buffer.alloc(4_000_000, 'a')
    expect(echoed((await ask({}, body)).text)).toMatchObject({
      length: body.length,
      headers: { 'transfer-encoding': 'chunked' },
    })
    const { text } = await ask({ 'content-length': 5 }, 'hello')
    expect(echoed(text)).toMatchObject({ length: 5, headers: { 'content-length': '5' } })
  })

  test('cookies that came one by one are one field, and trace context is passed on', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const { text } = await ask({ cookie: ['a=1', 'b=2'], traceparent, tracestate: 'x=1' })
    expect(echoed(text)['headers']).toMatchObject({ cookie: 'a=1; b=2', traceparent, tracestate: 'x=1' })
  })

  test('an address that is no path is refused by the protocol', async () => {
    expect((await ask({ ':path': 'x' })).status).toBe(0)
    expect((await ask()).status).toBe(200)
  })

  test.each([
    ['a service that nobody knows', { ':path': '/default/nobody/' }, 404],
    ['TRACE', { ':method': 'TRACE' }, 405],
    ['an expectation', { expect: 'miracles' }, 417],
    ['two hosts', { ':authority': 'a', host: 'b' }, 400],
    ['an address that is too long', { ':path': `/${'a'.repeat(20_000)}` }, 414],
  ])('%s is answered by the gateway', async (_, headers, status) => {
    const got = await ask(headers)
    expect(got.status).toBe(status)
    expect(JSON.parse(got.text)).toMatchObject({ status, from: 'berth gateway' })
  })
})

describe('trailers', () => {
  test('go both ways, as gRPC has them', async () => {
    const port = await world.listen(
      createServer((request, response) => {
        request.resume().on('end', () => {
          response.writeHead(200, { 'content-type': 'application/grpc', trailer: 'grpc-status' })
          response.write('message')
          response.addTrailers({ 'grpc-status': '0', 'x-got': String(request.trailers['x-sum']) })
          response.end()
        })
      }),
    )
    world.serve('web', [port])
    const head = { ':path': '/default/web/x', ':method': 'POST', te: 'trailers', 'content-type': 'application/grpc' }
    const stream = session.request(head, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '9' }))
    stream.end('message')
    expect(await read(stream)).toMatchObject({
      status: 200,
      text: 'message',
      trailers: { 'grpc-status': '0', 'x-got': '9' },
    })
  })
})

describe('streams', () => {
  test('every piece comes at once, and when the client leaves, its replica learns of it', async () => {
    const { promise: ready, resolve: take } = Promise.withResolvers<(text: string) => void>()
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    const port = await world.listen(
      createServer((request, response) => {
        request.socket.on('close', () => leave())
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        take((text) => response.write(text))
      }),
    )
    world.serve('web', [port])
    const stream = session.request({ ':path': '/default/web/x' })
    const pieces = (async function* () {
      for await (const piece of stream) yield String(piece)
    })()
    const write = await ready
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      write(text)
      expect((await pieces.next()).value).toBe(text)
    }
    stream.on('error', () => undefined)
    stream.close(constants.NGHTTP2_CANCEL)
    await left
  })

  test('a client that does not read stops its replica, and no other stream', async () => {
    const sent = { bytes: 0 }
    const port = await world.listen(
      createServer((request, response) => {
        if (request.url === '/small') return void response.end('ok')
        const piece = Buffer.alloc(64 * 1024)
        const pour = (): void => {
          do sent.bytes += piece.length
          while (sent.bytes < 64e6 && response.write(piece))
        }
        response.on('drain', pour)
        pour()
      }),
    )
    world.serve('web', [port])
    const slow = session.request({ ':path': '/default/web/big' })
    slow.on('error', () => undefined)
    await new Promise((resolve) => slow.on('response', resolve))
    let before = -1
    while (sent.bytes !== before) {
      before = sent.bytes
      expect((await ask({ ':path': '/default/web/small' })).text).toBe('ok')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(sent.bytes).toBeLessThan(32e6)
    slow.destroy()
  })

  test('a response that breaks off is never taken for a whole one', async () => {
    const port = await world.listen(
      createServer((_, response) => response.write('part', () => response.socket?.resetAndDestroy())),
    )
    world.serve('web', [port])
    expect((await ask()).status).toBe(0)
  })
})

test('retries are those of HTTP/1.1', async () => {
  const resets = await world.listen(createPlain((socket) => socket.once('data', () => socket.resetAndDestroy())))
  world.serve('web', [resets, await world.echo()])
  for (let at = 0; at < 6; at++) expect((await ask()).status).toBe(200)
  const body = Buffer.alloc(4_000_000, 'b')
  const all = await Promise.all(Array.from({ length: 6 }, (_, at) => ask({ 'idempotency-key': `${at}` }, body)))
  expect(all.map(({ text }) => echoed(text)['length'])).toEqual(all.map(() => body.length))
})

test('a drain says so, finishes what it has, and refuses what comes late as not begun', async () => {
  const { promise: came, resolve: come } = Promise.withResolvers<() => void>()
  world.serve('late', [await world.listen(createServer((_, response) => come(() => response.end('late'))))])
  const asked = ask({ ':path': '/default/late/' })
  const finish = await came
  const goaway = new Promise((resolve) => session.once('goaway', (code) => resolve(code)))
  const drained = world.gateway.drain(new AbortController().signal)
  const late = session.request({ ':path': '/default/web/x' })
  await read(late)
  expect(late.rstCode).toBe(constants.NGHTTP2_REFUSED_STREAM)
  expect(world.gateway.services.get('default/web')?.requests).toBe(0)
  expect(await goaway).toBe(constants.NGHTTP2_NO_ERROR)
  finish()
  expect((await asked).text).toBe('late')
  await drained
  expect(world.gateway.connections).toBe(0)
})

test.skipIf(spawnSync('curl', ['--version']).status !== 0)('curl with prior knowledge', async () => {
  const url = `http://127.0.0.1:${world.port}/default/web/curl`
  const { stdout } = await promisify(execFile)('curl', [
    '-s',
    '--http2-prior-knowledge',
    '-d',
    'abc',
    url,
    '-w',
    '\n%{http_version}',
  ])
  expect(stdout).toMatch(/"url":"\/curl"[\s\S]*"length":3}\n2$/)
})

describe('abuse ends the connection, and only that', () => {
  const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

  function frame(type: number, flags: number, parts: { stream?: number; payload?: Buffer } = {}): Buffer {
    const { stream = 0, payload = Buffer.alloc(0) } = parts
    const head = Buffer.alloc(9)
    head.writeUIntBE(payload.length, 0, 3)
    head[3] = type
    head[4] = flags
    head.writeUInt32BE(stream, 5)
    return Buffer.concat([head, payload])
  }
  const SETTINGS = frame(4, 0)
  // GET http / with the host h, each field as a reference to the table or a literal.
  const GET = Buffer.from([0x82, 0x86, 0x44, 14, ...Buffer.from('/default/web/x'), 0x41, 1, 104])

  /** Sends frames one after the other until the connection ends; answers how many went out. Answers from the gateway are read, or not. */
  function flood(more: (at: number) => Buffer, { isReading = true } = {}): Promise<number> {
    return new Promise((resolve) => {
      const socket = connectPlain({ port: world.port, host: '127.0.0.1' })
      let at = 0
      let isOver = false
      socket.on('error', () => undefined)
      socket.on('close', () => {
        isOver = true
        resolve(at)
      })
      if (isReading) socket.on('data', () => undefined)
      const next = (): void => {
        if (isOver) return
        for (let batch = 0; batch < 100; batch++) socket.write(more(at++))
        setImmediate(next)
      }
      socket.on('connect', () => {
        socket.write(Buffer.concat([PREFACE, SETTINGS]))
        next()
      })
    })
  }

  async function othersAreServed(): Promise<void> {
    expect((await ask()).status).toBe(200)
  }

  test('rapid reset', async () => {
    const sent = await flood((at) =>
      Buffer.concat([
        frame(1, 5, { stream: 2 * at + 1, payload: GET }),
        frame(3, 0, { stream: 2 * at + 1, payload: Buffer.from([0, 0, 0, 8]) }),
      ]),
    )
    expect(sent).toBeGreaterThan(0)
    expect(world.gateway.services.get('default/web')?.requests).toBeLessThan(2000)
    await othersAreServed()
  })

  test.each([
    ['pings', frame(6, 0, { payload: Buffer.alloc(8) })],
    ['settings', SETTINGS],
  ])('a flood of %s, read or not', async (_, one) => {
    await flood(() => one)
    await flood(() => one, { isReading: false })
    await othersAreServed()
  })

  test('continuations without end', async () => {
    const sent = await flood((at) =>
      at === 0 ? frame(1, 1, { stream: 1, payload: GET }) : frame(9, 0, { stream: 1, payload: Buffer.from([0x82]) }),
    )
    expect(sent).toBeLessThan(20_000)
    await othersAreServed()
  })

  test('a header bomb: a long field in the table of the connection, named again and again', async () => {
    const value = Buffer.alloc(3000, 'a')
    const long = Buffer.from([0x40, 1, 120, 0x7f, 0xb9, 0x16, ...value])
    const again = Buffer.alloc(2000, 0xbe)
    const reads = await new Promise<string>((resolve) => {
      const socket = connectPlain({ port: world.port, host: '127.0.0.1' })
      let text = ''
      socket.on('error', () => undefined)
      socket.on('data', (bytes) => {
        text += bytes.toString('hex')
        // RST_STREAM with ENHANCE_YOUR_CALM.
        if (text.includes('000004030000000001')) socket.destroy()
      })
      socket.on('close', () => resolve(text))
      socket.write(
        Buffer.concat([PREFACE, SETTINGS, frame(1, 5, { stream: 1, payload: Buffer.concat([GET, long, again]) })]),
      )
    })
    expect(reads).toMatch(/0000040300000000010000000b/)
    expect(world.gateway.services.get('default/web')?.requests).toBe(0)
    await othersAreServed()
  })

  test('more requests at a time than announced', async () => {
    world.serve('hangs', [await world.listen(createPlain(() => undefined))])
    const path = Buffer.from('/default/hangs/')
    const get = Buffer.from([0x82, 0x86, 0x44, path.length, ...path, 0x41, 1, 104])
    const socket = connectPlain({ port: world.port, host: '127.0.0.1' })
    const text = await new Promise<string>((resolve) => {
      let hex = ''
      socket.on('data', (bytes) => {
        hex += bytes.toString('hex')
        // RST_STREAM with REFUSED_STREAM for the last of them.
        if (hex.includes('00000403000000018f00000007')) resolve(hex)
      })
      const frames = Array.from({ length: 200 }, (_, at) => frame(1, 5, { stream: 2 * at + 1, payload: get }))
      socket.write(Buffer.concat([PREFACE, SETTINGS, ...frames]))
    })
    expect(text).not.toContain('0000040300000000ff')
    expect(world.gateway.services.get('default/hangs')?.requests).toBe(128)
    socket.destroy()
    await othersAreServed()
  })
})
