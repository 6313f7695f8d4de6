import { createServer } from 'node:http'
import { connect, createServer as createPlain, Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { World } from './world.suite.ts'

// How requests, connections and services come to their end.

let world: World

beforeEach(async () => {
  world = await World.open()
})
afterEach(() => {
  vi.restoreAllMocks()
  return world.close()
})

const HEAD = 'GET /default/web/ HTTP/1.1\r\nhost: h\r\n\r\n'

/** How many requests the replicas of `web` have now. */
function load(): number {
  return world.gateway.services.get('default/web')?.backends.reduce((sum, backend) => sum + backend.load, 0) ?? 0
}

function waiting(): number {
  return world.gateway.services.get('default/web')?.waiting ?? 0
}

/** A replica that sends this much of an answer, and resets the connection when it is told to. */
async function breaking(bytes: string): Promise<() => void> {
  let socket: Socket | undefined
  const port = await world.listen(
    createPlain((given) => {
      socket = given.on('error', () => undefined)
      given.once('data', () => given.write(bytes, 'latin1'))
    }),
  )
  world.serve('web', [port])
  return () => socket?.resetAndDestroy()
}

describe('a response without a length that breaks off', () => {
  test.each([
    ['it ends with its connection', 'HTTP/1.1 200 OK\r\n\r\npart', '1.1'],
    ['the client knows no chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\npart\r\n', '1.0'],
  ])('is never taken for a whole one: %s', async (_, bytes, version) => {
    const breakOff = await breaking(bytes)
    const socket = connect({ port: world.port, host: '127.0.0.1' })
    let text = ''
    socket.on('data', (piece) => (text += piece.toString('latin1')))
    const ended = new Promise<string>((resolve) => {
      socket.on('end', () => resolve('the end'))
      socket.on('error', ({ message }) => resolve(message))
    })
    socket.write(HEAD.replace('1.1', version))
    await expect.poll(() => text).toMatch(/part$/)
    breakOff()
    expect(await ended).toMatch(/ECONNRESET/)
  })
})

test('a body that turns out to be malformed puts nothing into a response that has begun', async () => {
  await breaking('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\npart')
  const socket = connect({ port: world.port, host: '127.0.0.1' })
  let text = ''
  socket.on('data', (piece) => (text += piece.toString('latin1')))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write('POST /default/web/ HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n')
  await expect.poll(() => text).toMatch(/part$/)
  socket.write('zz\r\n')
  await closed
  expect(text).toMatch(/part$/)
  expect(load()).toBe(0)
})

test('a request behind one that the gateway answered late is answered, too', async () => {
  world.serve('web', [])
  const talked = world.talk(`${HEAD}${HEAD.replace('web', 'nobody')}`, { until: / 404 / })
  await expect.poll(waiting).toBe(1)
  world.aheadMs += 16_000
  expect(await talked).toMatch(/^HTTP\/1.1 503 [\s\S]*}\nHTTP\/1.1 404 /)
})

describe('a service that is removed', () => {
  test('tells those who wait for a replica of it', async () => {
    world.serve('web', [])
    const talked = world.talk(HEAD, { until: /}\n$/ })
    await expect.poll(waiting).toBe(1)
    world.gateway.drop('default/web')
    expect(await talked).toMatch(/^HTTP\/1.1 503 [\s\S]*removed/)
  })

  test('tells those whose last replica breaks, too', async () => {
    const breakOff = await breaking('')
    const talked = world.talk(HEAD, { until: /}\n$/ })
    await expect.poll(load).toBe(1)
    world.gateway.drop('default/web')
    breakOff()
    expect(await talked).toMatch(/^HTTP\/1.1 503 [\s\S]*removed/)
  })
})

test('a replica that was removed finishes what it has, and no connection to it is kept', async () => {
  const { promise: came, resolve: come } = Promise.withResolvers<() => void>()
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    request.socket.on('close', () => leave())
    come(() => response.end('late'))
  })
  server.keepAliveTimeout = 0
  world.serve('web', [await world.listen(server)])
  const talked = world.talk(HEAD, { until: /late/ })
  const finish = await came
  world.serve('web', [])
  finish()
  expect(await talked).toMatch(/ 200 [\s\S]*late/)
  await left
})

test('a request that is on its way when the gateway begins to leave is answered', async () => {
  world.serve('web', [await world.echo()])
  const socket = connect({ port: world.port, host: '127.0.0.1' })
  let text = ''
  socket.on('data', (piece) => (text += piece.toString('latin1')))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.write(HEAD)
  await expect.poll(() => text).toContain('"method":"GET"')
  const drained = world.gateway.drain(new AbortController().signal)
  socket.write(HEAD.replace('GET', 'DELETE'))
  await closed
  expect(text).toMatch(/connection: close\r\n[\s\S]*"method":"DELETE"/)
  await drained
})

test('a connection without requests is ended when the gateway leaves', async () => {
  const closed = world.talk('')
  await expect.poll(() => world.gateway.connections).toBe(1)
  const drained = world.gateway.drain(new AbortController().signal)
  world.aheadMs += 1500
  expect(await closed).toBe('')
  await drained
})

test('both sides of a request are asked whether they are still there when nothing is said', async () => {
  const asking = vi.spyOn(Socket.prototype, 'setKeepAlive')
  world.serve('web', [await world.echo()])
  await world.talk(HEAD, { until: /"method"/ })
  expect(asking.mock.calls).toEqual([
    [true, 60_000],
    [true, 60_000],
  ])
})

test('the last response of a connection is not cut off while a slow client takes it', async () => {
  world.serve('web', [await world.echo()])
  const held: (() => void)[] = []
  const port = await world.listen(
    createPlain({ allowHalfOpen: true }, (socket) => {
      // As if the client had no room for anything yet.
      // oxlint-disable no-underscore-dangle -- so Node calls what writes to a socket
      const write = socket._write.bind(socket)
      socket._write = (...given) => void held.push(() => write(...given))
      // oxlint-enable no-underscore-dangle
      world.gateway.accept(socket, 'http')
    }),
  )
  const talked = world.talk(HEAD.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'), { port })
  await expect.poll(() => held.length).toBe(1)
  await expect.poll(load).toBe(0)
  const before = world.gateway.connections
  world.aheadMs += 2000
  // Another one that waits too long for its head shows that the gateway has looked.
  const late = world.talk('GET ')
  await expect.poll(() => world.gateway.connections).toBe(before + 1)
  world.aheadMs += 11_000
  expect(await late).toContain('408')
  for (const write of held) write()
  expect(await talked).toMatch(/ 200 [\s\S]*"method":"GET"[^\n]*}$/)
})
