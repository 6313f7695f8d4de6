import { createServer, request } from 'node:http'
import { createServer as createPlain } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { metricsText } from './metrics.ts'
import { World } from './world.suite.ts'

let world: World

beforeEach(async () => {
  world = await World.open()
})
afterEach(() => world.close())

interface Got {
  readonly status: number
  readonly text: string
}

/** One request to service `web`; a failed connection has status 0. */
function ask(method = 'GET', body?: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
  return new Promise((resolve) => {
    const sent = request({ port: world.port, host: '127.0.0.1', path: '/default/web/', method, headers, agent: false })
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
      response.on('error', () => undefined)
      response.on('close', () => resolve({ status: response.complete ? (response.statusCode ?? 0) : 0, text }))
    })
    sent.on('error', () => resolve({ status: 0, text: '' }))
    sent.end(body)
  })
}

/** A replica that resets every connection as soon as something comes. */
function resetting(): Promise<number> {
  return world.listen(createPlain((socket) => socket.once('data', () => socket.resetAndDestroy())))
}

describe('failures that callers do not notice', () => {
  test('a replica where nothing listens, one that resets and one that answers 503', async () => {
    const gone = createPlain()
    const port = await world.listen(gone)
    await new Promise((resolve) => gone.close(resolve))
    const ill = await world.listen(createServer((_, response) => response.writeHead(503).end('ill')))
    world.serve('web', [port, await resetting(), ill, await world.echo(), await world.echo()])
    for (let at = 0; at < 40; at++) expect((await ask()).status).toBe(200)
    expect(metricsText(world.gateway)).toMatch(/failed_total{project="default",service="web"} 0/)
  })

  test.each([20_000, 4_000_000])('a body of %d bytes is sent again', async (size) => {
    world.serve('web', [await resetting(), await world.echo()])
    for (let at = 0; at < 4; at++) {
      const { status, text } = await ask('PUT', Buffer.alloc(size, 'x'))
      expect([status, text.includes(`"length":${size}`)]).toEqual([200, true])
    }
  })

  test('what must not be sent twice is not, unless the caller says that it may', async () => {
    world.serve('web', [await resetting()])
    expect((await ask('POST', Buffer.from('x'))).status).toBe(502)
    world.serve('web', [await resetting(), await world.echo()])
    for (let at = 0; at < 4; at++) {
      expect((await ask('POST', Buffer.from('x'), { 'idempotency-key': `${at}` })).status).toBe(200)
    }
  })

  test('nothing is sent again once the response has begun', async () => {
    let asked = 0
    const breaking = await world.listen(
      createServer((_, response) => {
        asked++
        response.write('part', () => response.socket?.resetAndDestroy())
      }),
    )
    world.serve('web', [breaking])
    expect((await ask()).status).toBe(0)
    expect(asked).toBe(1)
  })

  test('a replica that freezes gives its requests to another', async () => {
    // It takes connections and never says a word, as a stopped process does.
    const frozen = await world.listen(createPlain(() => undefined))
    world.serve('web', [frozen, await world.echo()], { health: '/' })
    const all = await Promise.all(Array.from({ length: 10 }, () => ask()))
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  })

  test('a replica that is starting gets its first request as soon as its health path answers well', async () => {
    let isStarted = false
    let asked = 0
    const starting = createServer(({ url }, response) => {
      if (url === '/health') return void response.writeHead(isStarted ? 200 : 503).end(() => asked++)
      response.writeHead(isStarted ? 200 : 500).end('begun')
    })
    world.serve('web', [await world.listen(starting)], { health: '/health', state: 'unseen' })
    const waiting = ask('POST')
    await expect.poll(() => asked).toBeGreaterThan(2)
    isStarted = true
    expect(await waiting).toEqual({ status: 200, text: 'begun' })
  })

  test('a request waits for a replica that is not there yet', async () => {
    world.serve('web', [])
    const waiting = ask()
    world.serve('web', [await world.echo()])
    expect((await waiting).status).toBe(200)
  })
})

test('when the client leaves, its replica learns of it', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const { promise: came, resolve: come } = Promise.withResolvers<void>()
  const port = await world.listen(
    createServer((incoming) => {
      come()
      incoming.on('close', () => leave())
    }),
  )
  world.serve('web', [port])
  const sent = request({ port: world.port, host: '127.0.0.1', path: '/default/web/', agent: false })
  sent.on('error', () => undefined)
  sent.end()
  await came
  sent.destroy()
  await left
})

describe('an upgrade', () => {
  async function upgraded(upgrade: string): Promise<{ readonly asked: string; readonly told: string }> {
    let asked = ''
    const port = await world.listen(
      createPlain((socket) => {
        socket.on('error', () => undefined)
        socket.on('data', (bytes) => {
          asked += bytes.toString('latin1')
          const isAsked = /upgrade: a, b/.test(asked)
          const status = isAsked ? '101 Switching\r\nConnection: upgrade\r\nUpgrade: b' : '200 OK\r\nContent-Length: 0'
          if (asked.endsWith('\r\n\r\n')) socket.write(`HTTP/1.1 ${status}\r\n\r\n`)
        })
      }),
    )
    world.serve('web', [port])
    const lines = ['GET /default/web/ HTTP/1.1', 'host: h', 'connection: upgrade', `upgrade: ${upgrade}`]
    return { told: await world.talk(`${lines.join('\r\n')}\r\n\r\n`, { until: /\r\n\r\n/ }), asked }
  }

  test('says which of several protocols the replica has chosen', async () => {
    expect((await upgraded('a, b')).told).toMatch(/^HTTP\/1.1 101 [\s\S]*upgrade: b\r\n/)
  })

  test('never offers HTTP/2 to a replica, as one of several protocols neither', async () => {
    const { asked, told } = await upgraded('websocket, h2c')
    expect(asked).not.toContain('h2c')
    expect(told).toMatch(/^HTTP\/1.1 200 /)
  })
})

test('prompts that begin alike go to one replica, also if they come in chunks', async () => {
  const asked = [0, 0, 0, 0]
  const ports = await Promise.all(
    asked.map((_, at) =>
      world.listen(
        createServer((request, response) => {
          asked[at] = (asked[at] ?? 0) + 1
          request.resume().on('end', () => response.end('ok'))
        }),
      ),
    ),
  )
  world.serve('web', ports, { affinity: 'prefix' })
  for (let turn = 0; turn < 12; turn++) {
    const turns = Array.from({ length: turn }, (_, at) => ({ role: 'user', content: `turn ${at}` }))
    const messages = [{ role: 'system', content: 'be brief' }, { role: 'user', content: 'hello' }, ...turns]
    const body = Buffer.from(JSON.stringify({ messages }))
    expect((await ask('POST', body, { 'transfer-encoding': 'chunked' })).status).toBe(200)
  }
  expect(asked.filter((count) => count > 0)).toEqual([12])
})

test('a health path may have any characters', async () => {
  const asked: (string | undefined)[] = []
  const port = await world.listen(createServer((request, response) => void response.end(`${asked.push(request.url)}`)))
  world.serve('web', [port], { health: '/zdrowie/\u017c?a=%20\u0001', state: 'unseen' })
  expect((await ask()).status).toBe(200)
  expect(asked[0]).toBe('/zdrowie/%C5%BC?a=%20%01')
})

test('a drain waits for what is under way and takes nothing new', async () => {
  const { promise: came, resolve: come } = Promise.withResolvers<() => void>()
  const port = await world.listen(createServer((_, response) => come(() => response.end('late'))))
  world.serve('web', [port])
  const asked = ask()
  const finish = await came
  const drained = world.gateway.drain(new AbortController().signal)
  finish()
  expect(await asked).toEqual({ status: 200, text: 'late' })
  await drained
  expect(world.gateway.connections).toBe(0)
})

test('every piece of a stream comes at once', async () => {
  const { promise: ready, resolve: take } = Promise.withResolvers<(text: string) => void>()
  const port = await world.listen(
    createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      take((text) => response.write(text))
    }),
  )
  world.serve('web', [port])
  const sent = request({ port: world.port, host: '127.0.0.1', path: '/default/web/', agent: false })
  sent.on('error', () => undefined)
  const pieces = (async function* () {
    const response = await new Promise<NodeJS.ReadableStream>((resolve) => sent.on('response', resolve))
    for await (const piece of response) yield String(piece)
  })()
  sent.end()
  const write = await ready
  for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
    write(text)
    expect((await pieces.next()).value).toBe(text)
  }
  sent.destroy()
})

test('prefixes and sessions go to the same replica', async () => {
  const slots = await Promise.all(
    Array.from({ length: 4 }, (_, slot) =>
      world.listen(createServer((incoming, response) => incoming.resume().on('end', () => response.end(`${slot}`)))),
    ),
  )
  world.serve('web', slots, { affinity: 'prefix' })
  const turn = (who: string, turns: number): Promise<Got> => {
    const messages = Array.from({ length: turns }, (_, at) => ({ content: at < 2 ? who : `${at}` }))
    return ask('POST', Buffer.from(JSON.stringify({ messages })))
  }
  const homes = await Promise.all(['ada', 'grace', 'alan'].map(async (who) => (await turn(who, 2)).text))
  expect(await Promise.all(['ada', 'grace', 'alan'].map(async (who) => (await turn(who, 9)).text))).toEqual(homes)
  world.serve('web', slots, { affinity: 'session' })
  const [{ text: first }, { text: second }] = [await ask('GET', undefined, ADA), await ask('GET', undefined, ADA)]
  expect(second).toBe(first)
})

const ADA = { 'x-session-id': 'ada' }

describe('hedging', () => {
  const HEALTHY = 30

  /** Answers with its name, after a moment or never; tells how many requests gave up on it. */
  async function replica(name: string, isStuck: () => boolean): Promise<{ port: number; left: () => number }> {
    let left = 0
    const port = await world.listen(
      createServer((request, response) => {
        request.resume().on('end', () => {
          if (isStuck()) response.on('close', () => left++)
          else setTimeout(() => response.end(name), 2)
        })
      }),
    )
    return { port, left: () => left }
  }

  test('a request that is slower than others is sent a second time, and the copy that lost is ended', async () => {
    let isStuck = false
    const [slow, quick] = [await replica('slow', () => isStuck), await replica('quick', () => false)]
    world.serve('web', [slow.port, quick.port], { hedge: 0.95 })
    for (let at = 0; at < HEALTHY; at++) expect((await ask()).status).toBe(200)
    const web = world.gateway.services.get('default/web')
    const before = web?.hedgesWon ?? 0
    isStuck = true
    const body = Buffer.alloc(20_000, 'a')
    for (let at = 0; at < 10; at++) expect(await ask('PUT', body)).toEqual({ status: 200, text: 'quick' })
    expect(web?.hedgesWon).toBeGreaterThan(before)
    await expect.poll(slow.left).toBe((web?.hedgesWon ?? 0) - before)
    expect(web?.backends.map(({ load }) => load)).toEqual([0, 0])
    expect(metricsText(world.gateway)).toContain(`hedges_total{project="default",service="web"} ${web?.hedged}`)
  })

  test('what may not be repeated has no second copy, and neither has anything unless the service says so', async () => {
    const [one, two] = [await world.echo(), await world.echo()]
    for (const hedge of [undefined, 0.95]) {
      world.serve('web', [one, two], hedge === undefined ? {} : { hedge })
      for (let at = 0; at < HEALTHY; at++) expect((await ask('POST', Buffer.from('x'))).status).toBe(200)
    }
    const stuck = await world.listen(createPlain(() => undefined))
    world.serve('web', [stuck, one], { hedge: 0.95 })
    const sent = request({ port: world.port, host: '127.0.0.1', path: '/default/web/', method: 'POST', agent: false })
    sent.on('error', () => undefined)
    sent.end('x')
    await ask()
    expect(world.gateway.services.get('default/web')?.hedged).toBeLessThanOrEqual(1)
    sent.destroy()
  })

  test('a second copy that fails takes nothing with it', async () => {
    const late = await world.listen(createServer((_, response) => void setTimeout(() => response.end('late'), 300)))
    const good = await world.echo()
    world.serve('web', [good, late], { hedge: 0.5 })
    for (let at = 0; at < HEALTHY; at++) await ask('OPTIONS')
    const resets = await world.listen(createPlain((socket) => socket.once('data', () => socket.resetAndDestroy())))
    world.serve('web', [late, resets], { hedge: 0.5 })
    for (let at = 0; at < 4; at++) expect(await ask()).toEqual({ status: 200, text: 'late' })
  })
})
