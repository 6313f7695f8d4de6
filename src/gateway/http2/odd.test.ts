import { createServer } from 'node:http'
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { connect as connectPlain } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { World, type RawAnswer } from '../world.suite.ts'

// Replicas that answer what HTTP/2 cannot say, and clients that leave or do not read.

let world: World
const sessions: ClientHttp2Session[] = []

beforeEach(async () => {
  world = await World.open()
})
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy()
  await world.close()
})

function open(settings: { readonly initialWindowSize?: number } = {}): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${world.port}`, { settings })
  session.on('error', () => undefined)
  sessions.push(session)
  return session
}

interface Got {
  readonly status: unknown
  readonly text: string
  readonly code: number | undefined
}

function read(stream: ClientHttp2Stream): Promise<Got> {
  return new Promise((resolve) => {
    let status: unknown
    let text = ''
    stream.on('response', (headers) => (status = headers[':status']))
    stream.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
    stream.on('error', () => undefined)
    stream.on('close', () => resolve({ status, text, code: stream.rstCode }))
  })
}

/** How many requests the replicas of `web` have now. */
function load(): number {
  return world.gateway.services.get('default/web')?.backends.reduce((sum, backend) => sum + backend.load, 0) ?? 0
}

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKS = `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n`

describe('an answer of HTTP/1.1 with what HTTP/2 does not have', () => {
  test.each<readonly [string, RawAnswer, number, string]>([
    ['http2-settings', { bytes: `${OK}HTTP2-Settings: a\r\nContent-Length: 2\r\n\r\nok` }, 200, 'ok'],
    [
      'http2-settings in hints',
      { bytes: `HTTP/1.1 103 Early\r\nHTTP2-Settings: a\r\n\r\n${OK}Content-Length: 2\r\n\r\nok` },
      200,
      'ok',
    ],
    ['te behind a body', { bytes: `${CHUNKS}TE: gzip\r\n\r\n` }, 200, 'ok'],
    ['http2-settings behind a body', { bytes: `${CHUNKS}HTTP2-Settings: a\r\n\r\n` }, 200, 'ok'],
    ['a status of no class', { bytes: 'HTTP/1.1 999 Denied\r\nContent-Length: 2\r\n\r\nno' }, 502, 'no'],
    ['a length of nothing', { bytes: 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n' }, 204, ''],
  ])('%s', async (_, answer, status, text) => {
    world.serve('web', [await world.raw({ '/x': answer })])
    const got = await read(open().request({ ':path': '/default/web/x' }))
    expect(got).toEqual({ status, text, code: constants.NGHTTP2_NO_ERROR })
  })
})

test('a client that closes its connection, or only its side of it, ends its requests', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const silent = createServer((request) => void request.socket.on('close', () => leave()))
  world.serve('web', [await world.listen(silent)])
  const socket = connectPlain({ port: world.port, host: '127.0.0.1', allowHalfOpen: true })
  const session = connect(`http://127.0.0.1:${world.port}`, { createConnection: () => socket })
  sessions.push(session.on('error', () => undefined))
  session.request({ ':path': '/default/web/' }).on('error', () => undefined)
  await expect.poll(load).toBe(1)
  socket.end()
  await left
  expect(load()).toBe(0)
  await expect.poll(() => world.gateway.connections).toBe(0)
})

test.each([
  ['an answer of a replica', '/default/web/'],
  ['an answer of the gateway', '/default/nobody/'],
])('a client that takes nothing of %s is not waited for longer than a minute', async (_, path) => {
  world.serve('web', [await world.echo()])
  const stream = open({ initialWindowSize: 0 }).request({ ':path': path })
  const got = read(stream)
  await new Promise((resolve) => stream.once('response', resolve))
  await expect.poll(load).toBe(0)
  world.aheadMs += 61_000
  expect((await got).code).toBe(constants.NGHTTP2_INTERNAL_ERROR)
})
