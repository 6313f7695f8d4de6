import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { connectionLimits } from './connections.ts'
import { bearer, world, type World } from './server.suite.ts'

const sockets: Socket[] = []
let one: World | undefined
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await one?.app.close()
})

/** A request that is begun and never ended. */
async function half(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  sockets.push(socket)
  await once(socket, 'connect')
  socket.write('GET /v2/info HTTP/1.1\r\nHost: localhost\r\n')
  return socket
}

test('hundreds of incomplete requests push each other out, are logged in one line, and delay no caller with a token', async () => {
  one = world()
  const headers = bearer(await one.token('admin', ['*']))
  await one.app.listen({ host: '127.0.0.1', port: 0 })
  // Proven: a server that listens on a port has an address of that kind.
  const { port } = one.app.server.address() as AddressInfo
  const get = async () => (await fetch(`http://localhost:${port}/v2/workloads`, { headers })).status
  expect(await get()).toBe(200)
  const before = sockets.length
  for (let at = 0; at < 300; at++) {
    await half(port)
    if (at % 50 === 0) expect(await get()).toBe(200)
  }
  expect(sockets.length - before).toBe(300)
  expect(await get()).toBe(200)
  const open = await new Promise((resolve) => one?.app.server.getConnections((_, count) => resolve(count)))
  expect(open).toBeLessThan(80)
  expect(one.logged.filter((line) => line.includes('to make room'))).toHaveLength(1)
})

test('what a process may open is shared between connections and everything else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-limits-'))
  const limits = (soft: number | string) => {
    const file = join(folder, 'limits')
    writeFileSync(file, `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}   4096   files\n`)
    return connectionLimits(file)
  }
  expect(limits(256)).toEqual({ all: 128, unproven: 32, token: 32 })
  expect(limits(1024)).toEqual({ all: 512, unproven: 64, token: 128 })
  expect(limits(1_048_576)).toEqual({ all: 4096, unproven: 64, token: 1024 })
  expect(limits('unlimited')).toEqual({ all: 512, unproven: 64, token: 128 })
  expect(connectionLimits('/nowhere')).toEqual({ all: 512, unproven: 64, token: 128 })
  rmSync(folder, { recursive: true })
})
