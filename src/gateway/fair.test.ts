import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { World } from './world.suite.ts'

// One service, or one caller, that wants more than there is, over real sockets.

/** What one replica has at a time, and what more there is. */
const AT_A_TIME = 1024
const MORE = 300
/** The machine of the flood, and that of somebody else. */
const FLOOD = '127.0.0.2'
const OTHER = '127.0.0.3'

let world: World
const sockets: Socket[] = []
/** The replica holds every request; these are answered by hand. */
let held: { readonly from: string; readonly response: ServerResponse }[] = []

beforeEach(async () => {
  held = []
  world = await World.open()
  const holding = createServer((incoming, response) => {
    held.push({ from: String(incoming.headers['x-forwarded-for']), response })
  })
  world.serve('busy', [await world.listen(holding)])
  world.serve('idle', [await world.echo()])
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await world.close()
})

/** Sends one request from an address, and resolves with the answer to it. */
function ask(service: string, from: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port: world.port, host: '127.0.0.1', localAddress: from })
    sockets.push(socket)
    socket.on('error', () => resolve('broken'))
    socket.on('close', () => resolve('closed'))
    socket.on('data', (piece) => resolve(piece.toString('latin1')))
    socket.write(`GET /default/${service}/ HTTP/1.1\r\nhost: h\r\n\r\n`)
  })
}

async function flood(): Promise<void> {
  for (let at = 0; at < AT_A_TIME + MORE; at++) void ask('busy', FLOOD)
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(AT_A_TIME)
  await expect.poll(() => world.gateway.services.get('default/busy')?.waiting).toBe(MORE)
}

test('what floods one service keeps no request of another one waiting', async () => {
  await flood()
  for (let at = 0; at < 20; at++) expect(await ask('idle', OTHER)).toMatch(/^HTTP\/1.1 200 /)
  // Not one of them had to be finished for that.
  expect(held).toHaveLength(AT_A_TIME)
})

test('within a service callers take turns: who asks once does not come after all that another one has asked', async () => {
  await flood()
  const answer = ask('busy', OTHER)
  await expect.poll(() => world.gateway.services.get('default/busy')?.waiting).toBe(MORE + 1)
  for (const { response } of held.slice(0, 2)) response.end('done')
  await expect.poll(() => held.length).toBe(AT_A_TIME + 2)
  const [mine] = held.filter(({ from }) => from === OTHER)
  expect(mine).toBeDefined()
  mine?.response.end('done')
  expect(await answer).toMatch(/^HTTP\/1.1 200 /)
})
