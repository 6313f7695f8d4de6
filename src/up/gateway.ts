import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { CONNECTION_FILE, encodeConnection } from '../cli/platform/connection.ts'
import type { GatewayFlags, UpFlags } from '../cli/cli.ts'
import { UserError } from '../core/base/problem.ts'
import { askGateway } from '../gateway/control.ts'
import { gatewayFolder, gatewaysOf } from '../gateway/main.ts'
import { addressIn, settingsOf, taken } from '../gateway/run.ts'
import type { Log } from '../ports/log.ts'
import { readTls } from '../server/tls.ts'
import type { ServiceDeps } from '../service/deps.ts'
import { createToken, makeAuthenticator } from '../service/tokens.ts'

/** A gateway may take this long to start, and one that ended at once is started again after this time. */
const START_MS = 20_000
const AGAIN_MS = 2000
const TOKEN_TTL_MS = 3650 * 86_400_000

/** The gateway's address as callers use it; undefined: there is none. */
export function gatewayUrl({ gateway, gatewayUrl: url, gatewayTlsCert }: UpFlags): string | undefined {
  const scheme = gatewayTlsCert === undefined ? 'http' : 'https'
  return url ?? (gateway === undefined ? undefined : `${scheme}://${gateway}`)
}

interface Keeping {
  /** Where the control plane listens. */
  readonly url: string
  readonly certificate: string | undefined
  readonly folder: string
  readonly flags: UpFlags
  readonly program: string
}

/**
 * Refuses, before anything is started, an address that another program listens on and a certificate that cannot be used. A gateway of
 * ours that runs there is adopted later.
 */
export async function checkGateway(folder: string, flags: UpFlags): Promise<void> {
  const { gateway } = flags
  gatewayTls(flags)
  if (gateway === undefined) {
    const given = flags.gatewayTlsCert === undefined ? flags.gatewayMetrics && 'metrics' : 'tls-cert'
    if (given !== undefined) throw alone(`--gateway-${given}`)
    return
  }
  const isOurs = (await gatewaysOf(folder)).some(({ settings }) => listenIn(settings) === gateway)
  const why = isOurs ? undefined : await whyTaken(gateway)
  if (why !== undefined) throw taken(gateway, why)
}

/** The certificate of the gateway; undefined: it has none. */
function gatewayTls({ gatewayTlsCert, gatewayTlsKey }: UpFlags) {
  const files = {
    ...(gatewayTlsCert !== undefined && { tlsCert: gatewayTlsCert }),
    ...(gatewayTlsKey !== undefined && { tlsKey: gatewayTlsKey }),
  }
  return readTls(files, { nowMs: () => Date.now(), flags: '--gateway-tls' })
}

function alone(flag: string): UserError {
  const message = `${flag} is given without --gateway.`
  const hint = 'Say where the gateway listens, for example: --gateway 127.0.0.1:7800'
  return new UserError([{ code: 'GATEWAY_MISSING', message, found: flag, hint }])
}

/** Why nothing can listen there; undefined: something can. */
async function whyTaken(gateway: string): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen(addressIn(gateway))
    await once(server, 'listening')
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  server.close()
  await once(server, 'close')
  return undefined
}

/** Starts the gateway of `--gateway`, or takes over the one that runs; undefined: none is wanted. */
export async function watchGateway(keeping: Keeping, service: ServiceDeps): Promise<GatewayWatch | undefined> {
  const { gateway } = keeping.flags
  const others = (await gatewaysOf(keeping.folder)).filter(({ settings }) => listenIn(settings) !== gateway)
  for (const { listen, pid } of others) {
    service.log.warn('a gateway of an earlier berth up still serves; berth gateway stop ends it', { listen, pid })
  }
  if (gateway === undefined) return undefined
  const gatewayWatch = new GatewayWatch({ ...keeping, gateway }, service.log)
  await gatewayWatch.prepare(service)
  await gatewayWatch.ensure()
  return gatewayWatch
}

function listenIn(settings: string): unknown {
  const read: unknown = JSON.parse(settings)
  return typeof read === 'object' && read !== null && 'listen' in read ? read.listen : undefined
}

/**
 * Keeps the gateway running, in a process of its own that outlives this one: a control plane that stops or is killed
 * takes no service with it. A gateway of the same version and flags is adopted; any other is told to start its
 * successor, which takes over its socket.
 */
export class GatewayWatch {
  readonly #keeping: Keeping & { readonly gateway: string }
  readonly #log: Log
  readonly #folder: string
  readonly #own: Pick<GatewayFlags, 'tlsCert' | 'tlsKey' | 'metrics'>
  #pid: number | undefined
  /** Until when something that was begun may take. */
  #patientMs = 0

  constructor(keeping: Keeping & { readonly gateway: string }, log: Log) {
    this.#keeping = keeping
    this.#log = log
    this.#folder = gatewayFolder(keeping.folder, keeping.gateway)
    const tls = gatewayTls(keeping.flags)
    const { gatewayMetrics: metrics } = keeping.flags
    // Its folder is not this one, so paths are whole.
    this.#own = {
      ...(tls !== undefined && { tlsCert: tls.certFile, tlsKey: tls.keyFile }),
      ...(metrics !== undefined && { metrics }),
    }
  }

  /** In words, for the user. */
  about(): string {
    return `${gatewayUrl(this.#keeping.flags)} (process ${this.#pid ?? '?'}, log ${join(this.#folder, 'gateway.log')})`
  }

  /** Writes down where the control plane is, with a token that may read routes. */
  async prepare(service: ServiceDeps): Promise<void> {
    const { url, certificate } = this.#keeping
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const file = join(this.#folder, CONNECTION_FILE)
    const kept = existsSync(file) ? tokenIn(readFileSync(file, 'utf8')) : undefined
    const isValid = kept !== undefined && (await makeAuthenticator(service).open(kept)) !== undefined
    const token = isValid ? kept : await newToken(service)
    const bytes = encodeConnection({ url, token, ...(certificate !== undefined && { certificate }) })
    writeFileSync(`${file}.new`, bytes, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  /** Sees to it that a gateway with these flags runs. */
  async ensure(): Promise<void> {
    const status = await askGateway(this.#folder, { ask: 'status' })
    const isPatient = performance.now() < this.#patientMs
    if (status === undefined) return isPatient ? undefined : this.#start()
    if (this.#pid === undefined) this.#log.info('the gateway goes on as it is', { pid: status.pid })
    this.#pid = status.pid
    if (status.settings === settingsOf(this.#flags()) || isPatient) return
    this.#patientMs = performance.now() + START_MS
    await askGateway(this.#folder, { ask: 'replace', command: this.#command() })
    this.#log.info('the gateway is replaced by its successor, on the same socket', { pid: status.pid })
  }

  #flags() {
    return { ...this.#own, listen: this.#keeping.gateway, log: 'json' as const }
  }

  #command(): readonly string[] {
    const { program, folder, gateway } = this.#keeping
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', '--max-semi-space-size=16', program]
    const from = ['--token-file', join(this.#folder, CONNECTION_FILE), '--data', folder]
    const { tlsCert, tlsKey, metrics } = this.#own
    const tls = tlsCert === undefined || tlsKey === undefined ? [] : ['--tls-cert', tlsCert, '--tls-key', tlsKey]
    const figures = metrics === undefined ? [] : ['--metrics', metrics]
    return [...node, 'gateway', '--listen', gateway, '--log', 'json', ...tls, ...figures, ...from]
  }

  #start(): void {
    const [node = '', ...args] = this.#command()
    const log = openSync(join(this.#folder, 'gateway.log'), 'a', 0o600)
    const child = spawn(node, args, { stdio: ['ignore', log, log], detached: true, cwd: this.#folder })
    child.on('error', (error) => this.#log.error('the gateway could not be started', { why: error.message }))
    child.on('exit', (code) => {
      this.#log.error('the gateway ended; its log says why', { code: code ?? -1 })
      this.#patientMs = performance.now() + AGAIN_MS
    })
    this.#patientMs = performance.now() + START_MS
    child.unref()
    closeSync(log)
    this.#pid = child.pid
    this.#log.info('the gateway was started', { pid: child.pid, listen: this.#keeping.gateway })
  }
}

function tokenIn(text: string): string | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && 'token' in read ? String(read.token) : undefined
  } catch {
    return undefined
  }
}

async function newToken(service: ServiceDeps): Promise<string> {
  const actor = { name: 'system', role: 'admin', projects: ['*'] } as const
  const name = `gateway-${service.random.id().slice(-12).toLowerCase()}`
  const made = await createToken(service, actor, { name, role: 'reader', projects: ['*'], ttl_ms: TOKEN_TTL_MS })
  return made.token
}
