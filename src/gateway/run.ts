import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { createServer as createSecure, type Server as SecureServer } from 'node:tls'
import type { GatewayFlags } from '../cli/cli.ts'
import { VERSION } from '../api/version.ts'
import { UserError } from '../core/base/problem.ts'
import type { RouteEntry } from '../core/route/route.ts'
import type { Log } from '../ports/log.ts'
import type { Timers } from '../ports/timers.ts'
import { readTls, renewing, type TlsFiles } from '../server/tls.ts'
import { answerControl, type ControlRequest, type GatewayStatus } from './control.ts'
import { Feed } from './feed.ts'
import { Gateway } from './gateway.ts'
import { serveMetrics } from './metrics.ts'

/** What a gateway process is given. */
export interface GatewayProcess {
  readonly open: (signal: AbortSignal) => AsyncIterable<RouteEntry>
  readonly log: Log
  readonly timers: Timers
  readonly id: () => string
  readonly out: (text: string) => void
  /** The flags in one text, to see whether a running gateway has the same. */
  readonly settings: string
}

const BACKLOG = 4096
/** What is under way when it is told to stop may take this long; a stream of tokens is slow. */
const DRAIN_MS = 600_000
/** As long as the head of a request. */
const HANDSHAKE_MS = 10_000
/** The file descriptor of the socket that a predecessor leaves. */
const INHERITED_FD = 3

/** Says which gateways may be adopted as they are. */
export function settingsOf(flags: GatewayFlags): string {
  const { listen, tlsCert, tlsKey, metrics, sharePort } = flags
  return JSON.stringify({ version: VERSION, listen, tlsCert, tlsKey, metrics, sharePort })
}

/** Runs a gateway until it is told to stop. Returns the exit code. */
export async function runGateway(
  flags: GatewayFlags & { readonly data: string },
  deps: GatewayProcess,
): Promise<number> {
  const { log, timers } = deps
  mkdirSync(flags.data, { recursive: true, mode: 0o700 })
  const gateway = new Gateway({ nowMs: () => performance.now(), random: Math.random, id: deps.id().slice(-10) })
  const stop = new AbortController()
  const feed = new Feed(gateway, { open: deps.open, file: join(flags.data, 'routes.json'), log, timers })
  const tls = readTls(flags, { nowMs: () => Date.now() })
  const server = await listenOn(flags, gateway, tls)
  const renewed = renewing(tls, { timers, stop: stop.signal, log })
  const metrics = await serveMetrics(flags.metrics, gateway, { isSuccessor: flags.predecessor !== undefined })
  const status = (): GatewayStatus => ({
    pid: process.pid,
    listen: addressOf(server) ?? flags.listen,
    settings: deps.settings,
    services: feed.size,
    connections: gateway.connections,
    connected: feed.isConnected,
  })
  const control = await answerControl(flags.data, (request) => {
    obey(request, { server, stop, flags, log })
    return status()
  })
  for (const name of ['SIGTERM', 'SIGINT', 'SIGUSR2'] as const) {
    process.on(name, () => (stop.signal.aborted ? process.exit(130) : stop.abort()))
  }
  if (flags.predecessor !== undefined && process.ppid === Number(flags.predecessor))
    process.kill(process.ppid, 'SIGUSR2')
  deps.out(
    `gateway at ${flags.tlsCert === undefined ? 'http' : 'https'}://${status().listen}, ${feed.size} services known\n`,
  )
  const feeding = feed.run(stop.signal)
  await new Promise((resolve) => stop.signal.addEventListener('abort', resolve, { once: true }))
  log.info('stopping: no new connections, and what is under way is finished', { connections: gateway.connections })
  server.close()
  control?.close()
  metrics?.close()
  await gateway.drain(AbortSignal.timeout(DRAIN_MS))
  gateway.close()
  await Promise.all([feeding, renewed])
  return 0
}

interface Obeying {
  readonly server: Server
  readonly stop: AbortController
  readonly flags: GatewayFlags & { readonly data: string }
  readonly log: Log
}

function obey(request: ControlRequest, { server, stop, log }: Obeying): void {
  if (request.ask === 'stop') setImmediate(() => stop.abort())
  if (request.ask !== 'replace') return
  const [program, ...args] = request.command
  const fd = fdOf(server)
  if (program === undefined || fd === undefined) return
  log.info('a successor is started, on the same socket')
  // The socket is shared, not opened again: connections that wait in it are lost by nobody.
  const stdio = ['ignore', 'inherit', 'inherit', fd] as const
  const child = spawn(program, [...args, '--predecessor', String(process.pid)], { stdio: [...stdio], detached: true })
  child.on('error', (error) => log.error('the successor could not be started', { why: error.message }))
  child.unref()
}

/** The descriptor of a listening socket, which Node keeps in its handle. */
function fdOf(server: Server): number | undefined {
  const handle: unknown = Reflect.get(server, '_handle')
  const fd: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined
  return typeof fd === 'number' && fd >= 0 ? fd : undefined
}

async function listenOn(flags: GatewayFlags, gateway: Gateway, tls: TlsFiles | undefined): Promise<Server> {
  const secure = tls && secureServer(gateway, tls)
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    if (secure === undefined) gateway.accept(socket, 'http')
    else secure.emit('connection', socket)
  })
  const at =
    flags.predecessor === undefined
      ? { ...addressIn(flags.listen), reusePort: flags.sharePort === true }
      : { fd: INHERITED_FD }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(taken(flags.listen, error.message)))
    server.listen({ ...at, backlog: BACKLOG }, resolve)
  })
  return server
}

/** Speaks TLS on connections that it is given; it never listens itself. A new certificate counts for new connections. */
function secureServer(gateway: Gateway, tls: TlsFiles): SecureServer {
  const options = { minVersion: 'TLSv1.2', ALPNProtocols: ['h2', 'http/1.1'], allowHalfOpen: true } as const
  const secure = createSecure({ ...options, ...tls.pair(), handshakeTimeout: HANDSHAKE_MS }, (socket) =>
    gateway.accept(socket, 'https'),
  )
  secure.on('tlsClientError', (_, socket) => socket.destroy())
  tls.attach({ setSecureContext: (pair) => secure.setSecureContext({ ...pair, minVersion: options.minVersion }) })
  return secure
}

export function addressIn(listen: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(.*):(\d{1,5})$/.exec(listen) ?? []
  if (host === undefined || Number(port) > 65_535) {
    const message = `${listen} is not an address to listen on.`
    throw new UserError([
      { code: 'LISTEN_INVALID', message, found: listen, hint: 'For example: --listen 127.0.0.1:7800' },
    ])
  }
  return { host: host.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(port) }
}

export function taken(listen: string, why: string): UserError {
  const message = `The address ${listen} cannot be used: ${why}`
  const hint = 'Stop the other program or choose another port. Several gateways may share one with --share-port.'
  return new UserError([{ code: 'LISTEN_TAKEN', message, found: listen, hint }])
}

function addressOf(server: Server): string | undefined {
  const at = server.address()
  if (typeof at !== 'object' || at === null) return undefined
  return `${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`
}
