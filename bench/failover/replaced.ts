import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askGateway } from '../../src/gateway/control.ts'
import { gatewayFolder } from '../../src/gateway/main.ts'
import type { Berth } from '../../src/ports/berth.ts'
import { freePort, RealPlane, sleep, until } from '../../testing/plane/plane.ts'
import { round } from '../bench.ts'

/** One replica of each service is killed: a second one would have to wait, as failing work does. */
const SERVICES = ['web-0', 'web-1', 'web-2', 'web-3', 'web-4']
const REPLICAS = 2
/** Of each service. */
const CLIENTS = 4
/** What has served for less long is taken for work that cannot start. */
const SERVED_MS = 20_000
/** What a client rests between two requests: all of them together leave the processors room to start programs. */
const REST_MS = 50
const PROVIDER = 'here'

/** Its ports begin somewhere else than those of control planes beside it, which look for free ones at the same time. */
const configFrom = (port: number): string => `berth: v1
kind: config
default_policy: anywhere
providers:
  ${PROVIDER}: { kind: local, settings: { runtime: process, cpu: 8, memory: 8Gi, ports: ${port}-${port + 99} }, trust: internal }
policies:
  anywhere:
    objective: cheapest
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
`

/** Says which process it is, and since when it answers. */
const SERVER = `const { createServer } = require('node:http')
let since = 0
const server = createServer((_, reply) => reply.end(process.pid + ' ' + since))
server.listen(process.env.PORT, () => (since = Date.now()))`

const service = (name: string): string => `berth: v1
kind: service
name: ${name}
image: none
command: [node, -e, ${JSON.stringify(SERVER)}]
resources: { cpu: 0.1, memory: 64Mi }
ports: [{ name: http, port: 8080, health: / }]
replicas: ${REPLICAS}
`

/** One replica that was killed and replaced. */
interface Replacement {
  /** From the kill until the replacement answers a caller. */
  readonly replacedMs: number
  /** Of these: from the order that the provider took until the replacement listens. */
  readonly startMs: number
}

interface Replaced {
  readonly requests: number
  readonly failed: number
  readonly replacements: readonly Replacement[]
}

/** Kills replicas that serve, under a real control plane with its gateway and the processes of this host. */
export async function measureReplaced(): Promise<Replaced> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-failover-'))
  const config = join(folder, 'berth.config.yaml')
  writeFileSync(config, configFrom(await freePort()))
  const listen = `127.0.0.1:${await freePort()}`
  const plane = new RealPlane({ folder, config, gateway: listen })
  try {
    if (!(await plane.start())) throw new Error(`the control plane did not start: see ${folder}`)
    const berth = plane.client({ tries: 'several', timeoutMs: 10_000 })
    const all = await Promise.all(SERVICES.map((name) => begin(name, { berth, listen })))
    await sleep(SERVED_MS)
    const replacements: Replacement[] = []
    for (const callers of all) replacements.push(await replace(callers, folder))
    await Promise.all(all.map((callers) => callers.stop()))
    await removeAll(berth)
    const requests = all.reduce((sum, callers) => sum + callers.requests, 0)
    const failed = all.reduce((sum, callers) => sum + callers.failed, 0)
    return { requests, failed, replacements }
  } finally {
    await askGateway(gatewayFolder(folder, listen), { ask: 'stop' })
    await plane.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Running {
  readonly berth: Berth
  readonly listen: string
}

/** A service, and callers for it once all its replicas answer. */
async function begin(name: string, { berth, listen }: Running): Promise<Callers> {
  await berth.apply({ project: 'default', text: service(name), file: `${name}.yaml`, idempotencyKey: name })
  const url = `http://${listen}/default/${name}/`
  await until('its address is known', { withinMs: 30_000 }, async () => {
    const reply = await fetch(url).catch(() => undefined)
    return reply?.status === 200 ? { found: true } : 'it is not'
  })
  const callers = new Callers(url)
  await callers.until('all replicas answer', (seen) => seen.size >= REPLICAS)
  return callers
}

async function removeAll(berth: Berth): Promise<void> {
  for (const name of SERVICES) await berth.remove({ project: 'default', name })
  await until('nothing runs any more', { withinMs: 30_000 }, async () =>
    (await berth.workloads({})).items.length === 0 ? { found: true } : 'something is still there',
  )
}

async function replace(callers: Callers, folder: string): Promise<Replacement> {
  const before = new Set(callers.seen.keys())
  const [victim = 0] = before
  const killedMs = Date.now()
  process.kill(victim, 'SIGKILL')
  await callers.until('the replacement answers', (seen) => seen.size > before.size)
  const replacement = [...callers.seen.values()].find(({ pid }) => !before.has(pid))
  if (replacement === undefined) throw new Error('there is no replacement')
  const startMs = replacement.sinceMs - lastOrderMs(folder)
  return { replacedMs: round(replacement.firstMs - killedMs), startMs: round(startMs) }
}

/** When the provider wrote down the last order that it took. */
function lastOrderMs(folder: string): number {
  const attempts = join(folder, 'providers', PROVIDER, 'attempts')
  return Math.max(...readdirSync(attempts).map((attempt) => statSync(join(attempts, attempt, 'order')).mtimeMs))
}

interface SeenReplica {
  readonly pid: number
  readonly sinceMs: number
  /** When it first answered a caller. */
  readonly firstMs: number
}

/** Callers that never stop, and the replicas that answered them. */
class Callers {
  readonly #url: string
  readonly #stop = new AbortController()
  readonly #calling: readonly Promise<void>[]
  readonly seen = new Map<number, SeenReplica>()
  requests = 0
  failed = 0

  constructor(url: string) {
    this.#url = url
    this.#calling = Array.from({ length: CLIENTS }, () => this.#call())
  }

  /** Answers the processes that have answered once that is so. */
  async until(what: string, isSo: (seen: ReadonlyMap<number, SeenReplica>) => boolean): Promise<readonly number[]> {
    return until(what, { withinMs: 30_000, everyMs: 5 }, async () =>
      isSo(this.seen) ? { found: [...this.seen.keys()] } : `${this.seen.size} replicas have answered so far`,
    )
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#calling)
  }

  async #call(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!this.#stop.signal.aborted) {
      this.requests++
      const text = await answerOf(this.#url, agent)
      const [pid = 0, sinceMs = 0] = (text ?? '').split(' ').map(Number)
      if (text === undefined) this.failed++
      else if (!this.seen.has(pid)) this.seen.set(pid, { pid, sinceMs, firstMs: Date.now() })
      await sleep(REST_MS)
    }
    agent.destroy()
  }
}

/** Undefined: it failed. */
function answerOf(url: string, agent: Agent): Promise<string | undefined> {
  return new Promise((resolve) => {
    const asked = get(url, { agent }, (response) => {
      let text = ''
      response.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
      response.on('close', () => resolve(response.complete && response.statusCode === 200 ? text : undefined))
    })
    asked.on('error', () => resolve(undefined))
  })
}
