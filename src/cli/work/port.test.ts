import { connect, createServer, type AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Here } from '../../ports/here.ts'
import { EXIT } from '../cli.ts'
import { tunnels } from './tunnels.suite.ts'

const { made, people, REAL, run, served } = tunnels()

describe('berth port', () => {
  /** A server that turns texts to capitals and says goodbye when the caller has finished. */
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => socket.write(bytes.toString().toUpperCase()))
    socket.on('end', () => socket.end('bye'))
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    served.port = (server.address() as AddressInfo).port // It listens on a port.
  })
  afterAll(() => void server.close())

  /** Runs it, and returns the port on this machine once it listens. */
  async function listening(line: string, stop: AbortController) {
    const { promise: local, resolve, reject } = Promise.withResolvers<number>()
    const here: Here = {
      ...REAL,
      listen: async (...given) => {
        const at = await REAL.listen(...given)
        if (typeof at === 'string') reject(new Error(at))
        else resolve(at.port)
        return at
      },
    }
    const ended = run(line, { here, interrupt: stop.signal })
    void ended.then(({ err }) => reject(new Error(err)))
    return { local: await local, ended }
  }

  async function talk(port: number, said: string): Promise<string> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end(said)
    return textOf(socket)
  }

  test('carries connections side by side, both directions and their ends, until Ctrl-C', async () => {
    const stop = new AbortController()
    const { local, ended } = await listening('port web 8000:0', stop)
    const long = 'abc'.repeat(500_000)
    const [one, two] = await Promise.all([talk(local, 'hello'), talk(local, long)])
    expect(one).toBe('HELLObye')
    expect(two === `${long.toUpperCase()}bye`).toBe(true)
    stop.abort()
    expect(await ended).toMatchObject({ code: EXIT.interrupted })
    expect((await ended).out).toBe(`127.0.0.1:${local} leads to port 8000 of web until Ctrl-C.\n`)
    const { store } = made.deps.service
    const told = (await store.audit({ after: 0, limit: 100 })).filter(({ action }) => action === 'port')
    expect(told).toHaveLength(1)
  })

  test('says what it cannot reach', async () => {
    const other = await run('port web 8001')
    expect(other.err).toContain('The manifest has no port 8001.')
    expect(other.err).toContain('Ports in the manifest: http 8000.')
    expect((await run('port web 8000', { who: 'reader' })).code).toBe(EXIT.forbidden)
    expect((await run('port web 99999')).code).toBe(EXIT.usage)
    const taken = await run(`port web 8000:${served.port}`)
    expect(taken.err).toContain(`Port ${served.port} of this machine cannot be used (EADDRINUSE).`)
    const { port } = served
    served.port = 1
    expect((await run('port web 8000:0')).err).toContain('Nothing answers at 127.0.0.1:1 (ECONNREFUSED).')
    served.port = port
  })

  test('a token that is revoked ends what it opened', async () => {
    const stop = new AbortController()
    const { local, ended } = await listening('port web 8000:0', stop)
    const socket = connect({ port: local, host: '127.0.0.1' })
    socket.write('x')
    await new Promise((resolve) => socket.once('data', resolve))
    made.pass(2 * 3_600_000)
    await new Promise((resolve) => socket.once('close', resolve))
    made.pass(-2 * 3_600_000)
    stop.abort()
    expect((await ended).err).toContain('The token is no longer valid.')
  })
})

test('a request that does not ask for a tunnel is told to', async () => {
  const headers = { authorization: `Bearer ${people['writer']}` }
  const reply = await made.app.inject({ method: 'POST', url: '/v2/projects/default/workloads/web/ports/8000', headers })
  expect(reply.statusCode).toBe(426)
  expect(reply.json()).toMatchObject({ code: 'TUNNEL_REQUIRED' })
})
