import { writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { freePort, RealPlane, sleep, until } from '../plane/plane.ts'
import { GatewayProcess } from './run.ts'

export interface AwayOptions {
  readonly folder: string
  /** For how long there is no control plane. */
  readonly minutes: number
  readonly requestsPerSecond: number
  readonly progress: (report: AwayReport) => void
}

/** What callers saw while the control plane was dead, and before and after. */
export interface AwayReport {
  readonly awaySeconds: number
  requests: number
  failed: number
  /** The first of them in words. */
  readonly failures: string[]
  longestMs: number
  /** Requests that were sent while there was no control plane. */
  requestsAway: number
  /** A kept connection turned out to be closed, and the request was sent once more. */
  repeated: number
  /** Processes that answered: before, while it was dead, and after the next one has repaired what broke meanwhile. */
  readonly replicas: { before: number; away: number; after: number }
}

const REPLICAS = 3
const CLIENTS = 20
const FAILURES_TOLD = 20
/** Its ports begin somewhere else than those of control planes beside it, which look for free ones at the same time. */
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
replicas: ${REPLICAS}
`

/**
 * A real control plane is killed under load while a gateway that is not its child goes on. Half-way, a replica is killed, which
 * nobody is there to replace. Then the next control plane starts in the same folder.
 */
export async function runAway(options: AwayOptions): Promise<AwayReport> {
  const { folder, minutes, progress } = options
  const config = join(folder, 'berth.config.yaml')
  writeFileSync(config, configFrom(await freePort()))
  const plane = new RealPlane({ folder: join(folder, 'data'), config })
  if (!(await plane.start())) throw new Error(`the control plane did not start: see ${folder}`)
  const berth = plane.client({ tries: 'several', timeoutMs: 10_000 })
  await berth.apply({ project: 'default', text: SERVICE, file: 'web.yaml', idempotencyKey: 'once' })
  const { url, token } = plane
  const gateway = await GatewayProcess.start(join(folder, 'gateway'), { source: { url }, isSecure: false, token })
  const callers = new Callers(gateway.port, options)
  await callers.until('all replicas answer', () => callers.lately().length >= REPLICAS)
  callers.begin()
  const beganMs = performance.now()
  await plane.kill()
  callers.isAway = true
  const awayMs = minutes * 60_000
  let isKilled = false
  for (let atMs = 0; atMs < awayMs; atMs = performance.now() - beganMs) {
    await sleep(Math.min(1000, awayMs / 10))
    progress(callers.report)
    const [victim] = callers.lately()
    if (isKilled || atMs < awayMs / 2 || victim === undefined) continue
    process.kill(victim, 'SIGKILL')
    isKilled = true
  }
  callers.forget()
  await callers.until('the others answer', () => callers.lately().length >= REPLICAS - 1)
  callers.report.replicas.away = callers.lately().length
  callers.isAway = false
  if (!(await plane.start())) throw new Error(`the next control plane did not start: see ${folder}`)
  await callers.until('what broke is repaired', () => callers.lately().length >= REPLICAS)
  callers.report.replicas.after = callers.lately().length
  await callers.stop()
  await berth.remove({ project: 'default', name: 'web' })
  await until('nothing of it runs', { withinMs: 30_000 }, async () =>
    (await berth.workloads({})).items.length === 0 ? { found: true } : 'it is still there',
  )
  await gateway.stop()
  await plane.stop()
  return callers.report
}

/** Callers at a steady pace. Those before `begin` only find out who is there. */
class Callers {
  report: AwayReport
  isAway = false
  readonly #stop = new AbortController()
  readonly #calling: readonly Promise<void>[]
  #seen = new Set<number>()

  constructor(port: number, { minutes, requestsPerSecond }: AwayOptions) {
    this.report = this.#fresh(minutes * 60)
    const restMs = (1000 * CLIENTS) / requestsPerSecond
    this.#calling = Array.from({ length: CLIENTS }, () => this.#call(port, restMs))
  }

  /** What was seen so far does not count. */
  begin(): void {
    this.report = this.#fresh(this.report.awaySeconds)
    this.report.replicas.before = this.#seen.size
  }

  /** The processes that have answered since this was last forgotten. */
  lately(): readonly number[] {
    return [...this.#seen]
  }

  forget(): void {
    this.#seen = new Set()
  }

  until(what: string, isSo: () => boolean): Promise<boolean> {
    return until(what, { withinMs: 60_000 }, async () =>
      isSo() ? { found: true } : `${this.#seen.size} replicas have answered, failures: ${this.report.failures.join()}`,
    )
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#calling)
  }

  #fresh(awaySeconds: number): AwayReport {
    const counts = { requests: 0, failed: 0, longestMs: 0, requestsAway: 0, repeated: 0 }
    return { awaySeconds, ...counts, failures: [], replicas: { before: 0, away: 0, after: 0 } }
  }

  async #call(port: number, restMs: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!this.#stop.signal.aborted) {
      const { report } = this
      report.requests++
      if (this.isAway) report.requestsAway++
      const beganMs = performance.now()
      let found = await answerOf(port, agent)
      if (found === 'closed') {
        report.repeated++
        found = await answerOf(port, undefined)
      }
      report.longestMs = Math.max(report.longestMs, Math.round(performance.now() - beganMs))
      if (typeof found === 'number') this.#seen.add(found)
      else {
        report.failed++
        if (report.failures.length < FAILURES_TOLD) report.failures.push(`${new Date().toISOString()} ${found}`)
      }
      await sleep(restMs * (0.5 + Math.random()))
    }
    agent.destroy()
  }
}

/** The process that answered, or what went wrong; `closed`: the connection was kept and had been closed. */
function answerOf(port: number, agent: Agent | undefined): Promise<number | string> {
  return new Promise((resolve) => {
    const asked = get(
      { port, host: '127.0.0.1', path: '/default/web/', agent: agent ?? false, timeout: 30_000 },
      (response) => {
        let text = ''
        response.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
        response.on('close', () => {
          const isWell = response.complete && response.statusCode === 200
          resolve(isWell ? Number(text) : `${response.statusCode} ${text.slice(0, 200)}`)
        })
      },
    )
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')))
    asked.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE'
      resolve(asked.reusedSocket && isClosed ? 'closed' : (error.code ?? error.message))
    })
  })
}
