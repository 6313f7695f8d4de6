import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { askGateway } from '../../src/gateway/control.ts'
import { gatewayFolder, gatewaysOf } from '../../src/gateway/main.ts'
import { freePort, RealPlane, until } from '../plane/plane.ts'

/** Its ports begin somewhere else than those of tests beside it, which look for free ones at the same time. */
const configFrom = (port: number): string => `berth: v1
kind: config
default_policy: anywhere
providers:
  here: { kind: local, settings: { runtime: process, cpu: 8, memory: 8Gi, ports: ${port}-${port + 99} }, trust: internal }
policies:
  anywhere:
    objective: cheapest
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
`
const SERVER = `require('node:http').createServer((_, reply) => reply.end(String(process.pid))).listen(process.env.PORT)`
const SERVICE = `berth: v1
kind: service
name: web
image: none
command: [node, -e, ${JSON.stringify(SERVER)}]
resources: { cpu: 0.1, memory: 64Mi }
ports: [{ name: http, port: 8080, health: / }]
replicas: 2
`

let folder = ''
let data = ''
let listen = ''
let plane: RealPlane

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'berth-gateway-'))
  data = join(folder, 'data')
  const config = join(folder, 'berth.config.yaml')
  writeFileSync(config, configFrom(await freePort()))
  listen = `127.0.0.1:${await freePort()}`
  plane = new RealPlane({ folder: data, config, gateway: listen })
  expect(await plane.start()).toBe(true)
})
afterEach(async () => {
  const berth = plane.client({ tries: 'several', timeoutMs: 10_000 })
  await berth.remove({ project: 'default', name: 'web' }).catch(() => undefined)
  await until('nothing of it runs', { withinMs: 20_000 }, async () =>
    (await berth.workloads({})).items.length === 0 ? { found: true } : 'it is still there',
  )
  await askGateway(gatewayFolder(data, listen), { ask: 'stop' })
  await plane.kill()
  rmSync(folder, { recursive: true, force: true })
})

test('a service keeps its address while a replica dies, the control plane is killed and the next one starts', async () => {
  const berth = plane.client({ tries: 'several', timeoutMs: 10_000 })
  await berth.apply({ project: 'default', text: SERVICE, file: 'web.yaml', idempotencyKey: 'once' })
  const endpoint = `http://${listen}/default/web/`
  const replicas = await until('two replicas answer', { withinMs: 20_000 }, async () => {
    const seen = new Set(await answers(endpoint, 20))
    return seen.size === 2 && !seen.has('') ? { found: [...seen] } : `${[...seen].join(', ')} answered`
  })
  expect((await berth.workload({ project: 'default', name: 'web' })).endpoint).toBe(endpoint)

  // How requests are routed is for the gateway alone: nothing that runs is replaced.
  const hedged = `${SERVICE}routing: { hedge: 95% }\n`
  await berth.apply({ project: 'default', text: hedged, file: 'web.yaml', idempotencyKey: 'twice' })
  await until('the gateway knows of the hedge', { withinMs: 10_000 }, async () =>
    readFileSync(join(gatewayFolder(data, listen), 'routes.json'), 'utf8').includes('"hedge":0.95')
      ? { found: true }
      : 'its routes have none',
  )
  expect(new Set(await answers(endpoint, 20))).toEqual(new Set(replicas))

  process.kill(Number(replicas[0]), 'SIGKILL')
  expect(await answers(endpoint, 50)).not.toContain('')

  const [before] = await gatewaysOf(data)
  await plane.kill()
  expect(await answers(endpoint, 50)).not.toContain('')
  await until('the gateway says that the control plane is away', { withinMs: 5000 }, async () =>
    (await gatewaysOf(data))[0]?.connected === false ? { found: true } : 'it says that its routes are up to date',
  )

  expect(await plane.start()).toBe(true)
  expect(await answers(endpoint, 50)).not.toContain('')
  const [after] = await gatewaysOf(data)
  expect(after?.pid).toBe(before?.pid)
})

/** What so many requests were answered with, one after the other; empty: not with 200. */
async function answers(endpoint: string, count: number): Promise<readonly string[]> {
  const found: string[] = []
  for (let at = 0; at < count; at++) {
    const reply = await fetch(endpoint).catch(() => undefined)
    found.push(reply?.status === 200 ? await reply.text() : '')
  }
  return found
}

test('an address that another program has is refused before anything is started', async () => {
  const port = await freePort()
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const config = join(folder, 'berth.config.yaml')
  const other = new RealPlane({ folder: join(folder, 'other'), config, gateway: `127.0.0.1:${port}` })
  expect(await other.start()).toBe(false)
  expect(existsSync(join(folder, 'other', 'berth.db'))).toBe(false)
  server.close()
})
