import { createServer } from 'node:http'
import { connect, createServer as createPlain, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { World } from './world.suite.ts'

// Clients and replicas that take their time, over raw sockets. The gateway's clock is moved instead of waiting.

let world: World
const clients: Client[] = []

beforeEach(async () => {
  world = await World.open()
})
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy()
  await world.close()
})

/** A client that sends what it is told, and reads only if it is told. */
class Client {
  readonly socket: Socket
  text = ''
  isClosed = false

  constructor({ reads = true }: { readonly reads?: boolean } = {}) {
    this.socket = connect({ port: world.port, host: '127.0.0.1' })
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => (this.isClosed = true))
    if (reads) this.socket.on('data', (piece) => (this.text += piece.toString('latin1')))
    clients.push(this)
  }

  send(text: string): void {
    this.socket.write(text, 'latin1')
  }
}

async function arrived(): Promise<void> {
  await expect.poll(() => world.gateway.connections).toBeGreaterThan(0)
}

const HEAD = 'GET /default/web/ HTTP/1.1\r\nhost: h\r\n'
const POST = 'POST /default/web/ HTTP/1.1\r\nhost: h\r\n'

/** How many requests replicas have now. */
function load(): number {
  return world.gateway.services.get('default/web')?.backends.reduce((sum, backend) => sum + backend.load, 0) ?? 0
}

describe('a slow writer', () => {
  test('has ten seconds for its head, however many pieces it sends it in', async () => {
    world.serve('web', [await world.echo()])
    const client = new Client()
    client.send('GET /default/web/ HTTP/1.1\r\n')
    await arrived()
    for (const ms of [6000, 6000]) {
      world.aheadMs += ms
      client.send('x-a: b\r\n')
    }
    await expect.poll(() => client.text).toMatch(/^HTTP\/1.1 408 [\s\S]*connection: close/)
    world.aheadMs += 2000
    await expect.poll(() => client.isClosed).toBe(true)
  })

  test('may be silent within a body for less than a minute, again and again', async () => {
    let length = 0
    const counting = createServer((incoming, response) => {
      incoming.on('data', (piece: Buffer) => (length += piece.length))
      incoming.on('end', () => response.end(`${length} bytes`))
    })
    world.serve('web', [await world.listen(counting)])
    const bytesPassed = (): number => length
    const client = new Client()
    client.send(`${POST}content-length: 4\r\n\r\n`)
    await expect.poll(load).toBe(1)
    for (const piece of 'abcd') {
      await pass(50_000)
      client.send(piece)
      if (piece !== 'd') await expect.poll(bytesPassed).toBe('abcd'.indexOf(piece) + 1)
    }
    await expect.poll(() => client.text).toMatch(/^HTTP\/1.1 200 [\s\S]*4 bytes/)
  })

  test('that is silent within a body for longer gets 408, and its replica is free again', async () => {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    world.serve('web', [await world.listen(createServer((incoming) => incoming.on('close', () => leave()).resume()))])
    const client = new Client()
    client.send(`${POST}content-length: 100\r\n\r\nabc`)
    await expect.poll(load).toBe(1)
    world.aheadMs += 61_000
    await expect.poll(() => client.text).toMatch(/^HTTP\/1.1 408 /)
    await left
    expect(load()).toBe(0)
  })

  test('that is silent after its response has begun is cut off, and nothing is put into the response', async () => {
    const early = createServer((_, response) => void response.write('begun'))
    world.serve('web', [await world.listen(early)])
    const client = new Client()
    client.send(`${POST}content-length: 100\r\n\r\nabc`)
    await expect.poll(() => client.text).toContain('begun')
    world.aheadMs += 61_000
    await expect.poll(() => client.isClosed).toBe(true)
    expect(client.text).not.toContain('408')
    expect(load()).toBe(0)
  })

  test('that is held up by its replica is not blamed for it', async () => {
    const { promise: came, resolve: come } = Promise.withResolvers<() => void>()
    let length = 0
    const slow = createServer((incoming, response) => {
      incoming.on('end', () => response.end(`${length} bytes`))
      come(() => incoming.on('data', (piece: Buffer) => (length += piece.length)))
    })
    world.serve('web', [await world.listen(slow)])
    const client = new Client()
    client.send(`${POST}content-length: 20000000\r\n\r\n`)
    client.send('a'.repeat(20_000_000))
    const read = await came
    await pass(61_000)
    read()
    await expect.poll(() => client.text, { timeout: 20_000 }).toMatch(/^HTTP\/1.1 200 [\s\S]*20000000 bytes/)
  })

  test('that left unseen, because its replica takes nothing of its body, is let go after five minutes', async () => {
    world.serve('web', [await world.listen(createPlain({ pauseOnConnect: true }))])
    const client = new Client()
    client.send(`${POST}content-length: 20000000\r\n\r\n`)
    client.send('a'.repeat(20_000_000))
    await expect.poll(load).toBe(1)
    await pass(290_000)
    expect(load()).toBe(1)
    client.socket.destroy()
    world.aheadMs += 11_000
    await expect.poll(load).toBe(0)
    world.aheadMs += 2000
    await expect.poll(() => world.gateway.connections).toBe(0)
  })

  test.each([
    ['that says nothing at all', ''],
    ['that says nothing after its first request', `${HEAD}\r\n`],
  ])('%s is let go after 75 s', async (_, first) => {
    world.serve('web', [await world.echo()])
    const client = new Client()
    client.send(first)
    await arrived()
    await expect.poll(() => client.text).toMatch(first === '' ? /^$/ : /"method":"GET"/)
    await pass(70_000)
    expect(client.isClosed).toBe(false)
    world.aheadMs += 6000
    await expect.poll(() => client.isClosed).toBe(true)
  })
})

describe('a slow reader', () => {
  test('stops its replica, and is cut off after a minute in which it read nothing', async () => {
    let sent = 0
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    const piece = Buffer.alloc(64 * 1024, 'x')
    const endless = createServer((_, response) => {
      const write = (): void => {
        while (response.write(piece)) sent += piece.length
        sent += piece.length
      }
      response.on('drain', write)
      response.on('close', () => leave())
      write()
    })
    world.serve('web', [await world.listen(endless)])
    const client = new Client({ reads: false })
    client.send(`${HEAD}\r\n`)
    await expect.poll(load).toBe(1)
    let before = -1
    // What the sockets on the way hold is limited; after that, nothing more is taken from the replica.
    await expect.poll(() => before === (before = sent), { interval: 300 }).toBe(true)
    expect(sent).toBeLessThan(32 * 1024 * 1024)
    await pass(50_000)
    expect(load()).toBe(1)
    world.aheadMs += 11_000
    await left
    await expect.poll(load).toBe(0)
  })

  test('is cut off as well if the rest of its request came after it had stopped reading', async () => {
    let before = -1
    const sent = { bytes: 0 }
    const { promise: left, resolve: leave } = Promise.withResolvers<void>()
    const piece = Buffer.alloc(64 * 1024, 'x')
    const endless = createServer((incoming, response) => {
      const write = (): void => {
        do sent.bytes += piece.length
        while (response.write(piece))
      }
      incoming.resume()
      response.on('drain', write)
      response.on('close', () => leave())
      write()
    })
    world.serve('web', [await world.listen(endless)])
    const client = new Client({ reads: false })
    client.send(`${POST}content-length: 2\r\n\r\na`)
    await expect.poll(load).toBe(1)
    await expect.poll(() => before === (before = sent.bytes), { interval: 300 }).toBe(true)
    client.send('b')
    await pass(61_000)
    await left
    await expect.poll(load).toBe(0)
  })
})

/**
 * So much time passes, at least eleven seconds, and the gateway looks at every connection: one that was opened last has by then
 * taken too long for its head, and is told so when its turn comes.
 */
async function pass(ms: number): Promise<void> {
  const last = new Client()
  const before = world.gateway.connections
  last.send('GET ')
  await expect.poll(() => world.gateway.connections).toBeGreaterThan(before)
  world.aheadMs += ms
  await expect.poll(() => last.text).toContain('408')
}
