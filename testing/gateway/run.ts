import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { askGateway, type GatewayStatus } from '../../src/gateway/control.ts'
import { gatewayFolder } from '../../src/gateway/main.ts'
import { freePort, until } from '../plane/plane.ts'
import { NODE, programOf } from '../plane/program.ts'
import { makeCertificate } from '../up/tls.suite.ts'
import { clients, type Tally } from './clients.ts'
import { Replicas } from './replicas.ts'
import { RouteSource } from './routes.ts'

export interface ChurnOptions {
  readonly folder: string
  readonly minutes: number
  readonly progress: (report: ChurnReport) => void
}

/** What a run has shown so far. */
export interface ChurnReport extends Tally {
  readonly minutes: number
  /** Of the gateway that is never replaced. */
  readonly rssMib: readonly number[]
  readonly sockets: readonly number[]
  readonly exchanged: number
  readonly killed: number
  readonly replaced: number
  /** Seconds for which nothing answered where routes come from. */
  readonly awaySeconds: number
  /** What is wrong in the end; empty: nothing. */
  readonly wrong: readonly string[]
}

const REPLICAS = 5
const SAMPLE_MS = 5000
/** The share of the run for which the control plane is gone: ten minutes of an hour. */
const AWAY_SHARE = 1 / 6
const AWAY_FROM = 0.5
/** Memory is judged after the first third of a run, in which caches fill, and only if there is enough to compare. */
const JUDGED_MINUTES = 5
const GROWTH_SHARE_MAX = 0.15
const GROWTH_MIB_MAX = 16
/** What a gateway without clients may have more than one that was just started. */
const SOCKETS_MORE_MAX = 4

/** Two gateways before replicas that come and go: one that stays, and one that is replaced again and again. */
export async function runChurn({ folder, minutes, progress }: ChurnOptions): Promise<ChurnReport> {
  const endMs = performance.now() + minutes * 60_000
  const source = new RouteSource()
  await source.start()
  const replicas = new Replicas('churn', source)
  await replicas.begin(REPLICAS)
  certificate(folder)
  const stays = await GatewayProcess.start(folder, { source, isSecure: false })
  const moves = await GatewayProcess.start(folder, { source, isSecure: true })
  const tally: Tally = { asked: {}, failed: 0, failures: [], repeated: 0 }
  const seen = { rssMib: [] as number[], sockets: [] as number[], exchanged: 0, killed: 0, replaced: 0, awaySeconds: 0 }
  const report = (wrong: readonly string[]): ChurnReport => ({ minutes, ...tally, ...seen, wrong })
  const before = stays.sockets()
  const stop = new AbortController()
  const going = [stays, moves].map(({ port, isSecure }) => clients({ port, isSecure, tally, signal: stop.signal }))
  const beganMs = performance.now()
  let replacing: Promise<void> | undefined
  const restMs = Math.min(SAMPLE_MS, minutes * 5000)
  for (let turn = 1; performance.now() < endMs; turn++) {
    await new Promise((resolve) => setTimeout(resolve, restMs))
    const share = (performance.now() - beganMs) / (minutes * 60_000)
    const isAway = share >= AWAY_FROM && share < AWAY_FROM + AWAY_SHARE
    if (isAway && seen.awaySeconds === 0) {
      await source.stop()
      await replicas.kill({ isKnown: false })
    }
    if (isAway) seen.awaySeconds += restMs / 1000
    else await source.start()
    if (!isAway && turn % 5 === 0) {
      await replicas.kill({ isKnown: true })
      seen.killed++
    } else if (!isAway) {
      await replicas.exchange()
      seen.exchanged++
    }
    if (turn % 6 === 3) {
      await replacing
      certificate(folder)
      replacing = moves.replace().then(() => void seen.replaced++)
    }
    seen.rssMib.push(stays.rssMib())
    seen.sockets.push(stays.sockets())
    progress(report([]))
  }
  await replacing
  stop.abort()
  await Promise.all(going)
  const wrong = [...wrongIn(report([])), ...(await leftOver(stays, before))]
  await Promise.all([stays.stop(), moves.stop()])
  replicas.end()
  await source.stop()
  return report(wrong)
}

function wrongIn({ failed, rssMib, minutes }: ChurnReport): readonly string[] {
  const growth = growthOf(rssMib)
  const isGrowing = minutes >= JUDGED_MINUTES && growth.mib > GROWTH_MIB_MAX && growth.share > GROWTH_SHARE_MAX
  return [
    ...(failed > 0 ? [`${failed} requests failed`] : []),
    ...(isGrowing ? [`memory grew by ${Math.round(growth.mib)} MiB`] : []),
  ]
}

/** Between the second third and the end: medians of a sixth of the samples each. */
function growthOf(samples: readonly number[]): { readonly mib: number; readonly share: number } {
  const sixth = Math.max(1, Math.floor(samples.length / 6))
  const early = median(samples.slice(2 * sixth, 3 * sixth))
  const late = median(samples.slice(-sixth))
  return { mib: late - early, share: late / early - 1 }
}

function median(samples: readonly number[]): number {
  return samples.toSorted((one, two) => one - two)[Math.floor(samples.length / 2)] ?? 0
}

/** What a gateway still has when all clients have left. */
async function leftOver(gateway: GatewayProcess, before: number): Promise<readonly string[]> {
  const found = await until('nothing is left of the clients', { withinMs: 30_000 }, async () => {
    const [status, text] = [await gateway.status(), await gateway.metrics()]
    const load = [...text.matchAll(/berth_gateway_(?:waiting|replica_load)\{[^}]*\} (\d+)/g)]
    const busy = load.filter(([, count]) => count !== '0').length
    const more = gateway.sockets() - before
    const isClean = status?.connections === 0 && busy === 0 && more <= SOCKETS_MORE_MAX
    return isClean
      ? { found: '' }
      : `${status?.connections} connections, ${busy} busy, ${more} more sockets than before`
  }).catch((error: unknown) => String(error))
  return found === '' ? [] : [found]
}

/** As programs that renew certificates do. */
function certificate(folder: string): void {
  const made = makeCertificate()
  for (const [name, text] of [
    ['key.pem', made.key],
    ['cert.pem', made.cert],
  ] as const) {
    writeFileSync(join(folder, `${name}.new`), text, { mode: 0o600 })
    renameSync(join(folder, `${name}.new`), join(folder, name))
  }
}

interface GatewaySetup {
  /** Where its routes come from. */
  readonly source: Pick<RouteSource, 'url'>
  readonly isSecure: boolean
  /** Left out: its source asks for none. */
  readonly token?: string
}

/** `berth gateway` in a process of its own. */
export class GatewayProcess {
  readonly port: number
  readonly isSecure: boolean
  readonly #folder: string
  readonly #argv: readonly string[]
  readonly #metrics: number
  #child: ChildProcess | undefined
  #pid = 0

  private constructor(parts: {
    folder: string
    argv: readonly string[]
    port: number
    metrics: number
    isSecure: boolean
  }) {
    this.#folder = parts.folder
    this.#argv = parts.argv
    this.port = parts.port
    this.#metrics = parts.metrics
    this.isSecure = parts.isSecure
  }

  static async start(
    folder: string,
    { source, isSecure, token: secret = 'anything' }: GatewaySetup,
  ): Promise<GatewayProcess> {
    const [port, metrics] = [await freePort(), await freePort()]
    mkdirSync(folder, { recursive: true })
    const token = join(folder, 'token')
    writeFileSync(token, `${secret}\n`, { mode: 0o600 })
    const listen = `127.0.0.1:${port}`
    const tls = isSecure ? ['--tls-cert', join(folder, 'cert.pem'), '--tls-key', join(folder, 'key.pem')] : []
    const from = ['--url', source.url, '--token-file', token, '--data', folder, '--metrics', `127.0.0.1:${metrics}`]
    const node = ['--max-semi-space-size=16', ...programOf('gateway')]
    const argv = [...node, 'gateway', '--listen', listen, '--log', 'json', ...tls, ...from]
    const gateway = new GatewayProcess({ folder: gatewayFolder(folder, listen), argv, port, metrics, isSecure })
    const log = openSync(join(folder, `gateway-${port}.log`), 'a')
    const child = spawn(NODE, argv, { stdio: ['ignore', log, log] })
    closeSync(log)
    gateway.#child = child
    process.once('exit', () => child.kill('SIGKILL'))
    await gateway.#until((status) => status.connected && status.services > 0)
    return gateway
  }

  status(): Promise<GatewayStatus | undefined> {
    return askGateway(this.#folder, { ask: 'status' })
  }

  async metrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${this.#metrics}/metrics`)).text()
  }

  /** Its successor takes over the socket and answers for it, with or without a control plane. */
  async replace(): Promise<void> {
    const before = this.#pid
    await askGateway(this.#folder, { ask: 'replace', command: [NODE, ...this.#argv] })
    await this.#until((status) => status.pid !== before && status.services > 0)
  }

  rssMib(): number {
    const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.#pid}/status`, 'latin1')) ?? []
    return Math.round(Number(kib) / 1024)
  }

  sockets(): number {
    return readdirSync(`/proc/${this.#pid}/fd`).length
  }

  async stop(): Promise<void> {
    await askGateway(this.#folder, { ask: 'stop' })
    const child = this.#child
    if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  async #until(isSo: (status: GatewayStatus) => boolean): Promise<void> {
    this.#pid = await until('the gateway answers', { withinMs: 30_000 }, async () => {
      const status = await this.status()
      return status !== undefined && isSo(status) ? { found: status.pid } : 'not yet'
    })
  }
}
