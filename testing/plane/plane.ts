import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { httpBerth } from '../../src/client/client.ts'
import { patience } from '../../src/core/base/cpu.suite.ts'
import type { Berth } from '../../src/ports/berth.ts'
import { Secret } from '../../src/ports/secret.ts'
import { COMPILED } from '../suite/compiled.ts'
import { NODE, programOf } from './program.ts'

const ROOT = join(import.meta.dirname, '../..')

/** As bin/berth gives them. */
const FLAGS = ['--max-semi-space-size=32', '--heap-growing-percent=60', '--v8-pool-size=1']

/** Compiled code is kept: a process that is killed does not leave any, so one that ends by itself does it first. */
let warmed: Promise<unknown> | undefined

function warm(): Promise<unknown> {
  const env = { ...process.env, ...COMPILED }
  return (warmed ??= promisify(execFile)(NODE, [...FLAGS, ...programOf('up'), '--version'], { env, cwd: ROOT }))
}

/** The folder and the settings of a control plane. */
export interface PlaneSetup {
  /** Its data; several on one database may share it. */
  readonly folder: string
  readonly config: string
  /** Address of a PostgreSQL; left out: SQLite in the folder. */
  readonly database?: string
  /** Name of its log in the folder; left out: `up`. */
  readonly name?: string
  /** Options of Node itself. */
  readonly node?: readonly string[]
  /** In its own session, like a service: the kernel shares processors between sessions. */
  readonly isService?: boolean
  /** Where its gateway listens; left out: it has none. */
  readonly gateway?: string
  /** Further flags. */
  readonly flags?: readonly string[]
  /** What Node runs instead of this program, such as an earlier version of it. */
  readonly program?: readonly string[]
}

/** How a client behaves. */
export interface Manners {
  /** `once`: a request that fails is not sent again, and its outcome is unknown. */
  readonly tries: 'once' | 'several'
  readonly timeoutMs: number
  /** Left out: that of the first administrator. */
  readonly token?: string
  /** Called when a request is on its way. */
  readonly sent?: () => void
}

/** Everything that is still alive when this process ends goes with it. */
const alive = new Set<ChildProcess>()
process.on('exit', () => alive.forEach((child) => child.kill('SIGKILL')))
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => process.exit(130))

/** The real control plane in its own process, which can be killed, frozen and started again in the same folder. */
export class RealPlane {
  readonly #setup: PlaneSetup
  #port: number | undefined
  #process: ChildProcess | undefined

  constructor(setup: PlaneSetup) {
    this.#setup = setup
  }

  /** Starts it and waits until it listens. False: it ended before, by itself or because it was killed. */
  async start(): Promise<boolean> {
    const { folder, config, database, gateway, name = 'up', node = [], isService = false } = this.#setup
    const { program = programOf('up'), flags: further = [] } = this.#setup
    mkdirSync(folder, { recursive: true })
    await warm()
    this.#port ??= await freePort()
    const listen = `127.0.0.1:${this.#port}`
    const flags = ['up', '--data', folder, '--config', config, '--listen', listen, '--log', 'json']
    const where = [
      ...(database === undefined ? [] : ['--database', database]),
      ...(gateway === undefined ? [] : ['--gateway', gateway]),
    ]
    const argv = [...FLAGS, ...node, ...program, ...flags, ...where, ...further]
    const log = openSync(this.#log(name), 'a')
    const env = { ...process.env, ...COMPILED, XDG_CONFIG_HOME: join(folder, 'config') }
    const child = spawn(NODE, argv, { stdio: ['ignore', 'pipe', log], env, cwd: ROOT, detached: isService })
    closeSync(log)
    alive.add(child)
    child.once('exit', () => alive.delete(child))
    this.#process = child
    const { stdout } = child
    if (stdout === null) throw new Error('what it prints comes through a pipe')
    for await (const line of createInterface({ input: stdout })) {
      if (!line.startsWith('berth is up at ')) continue
      // Nobody reads on, and a pipe that is full would hold it up.
      stdout.resume()
      return true
    }
    return false
  }

  get pid(): number {
    const { pid } = this.#process ?? {}
    if (pid === undefined) throw new Error('the control plane was not started')
    return pid
  }

  get isAlive(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port ?? 0}`
  }

  get token(): string {
    return readFileSync(join(this.#setup.folder, 'admin.token'), 'utf8').trim()
  }

  /** As if the machine had lost its power. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Asks it to end, and answers its exit code. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  freeze(): void {
    this.#process?.kill('SIGSTOP')
  }

  wake(): void {
    this.#process?.kill('SIGCONT')
  }

  /** What it has logged, of all its lives. */
  lines(): readonly Readonly<Record<string, unknown>>[] {
    const file = this.#log(this.#setup.name ?? 'up')
    if (!existsSync(file)) return []
    return readFileSync(file, 'utf8').split('\n').flatMap(readLine)
  }

  client({ tries, timeoutMs, sent, token = this.token }: Manners): Berth {
    const giveUp = () => Promise.reject(new GaveUp())
    return httpBerth({
      url: this.url,
      token: new Secret(token),
      timers: { sleep: tries === 'once' ? giveUp : sleep },
      random: { next: Math.random, id: () => randomBytes(12).toString('hex') },
      timeoutMs: Math.ceil(timeoutMs * patience()),
      fetch: (url, init) => {
        const answer = fetch(url, init)
        sent?.()
        return answer
      },
    })
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
    return child.exitCode
  }

  #log(name: string): string {
    return join(this.#setup.folder, `${name}.log`)
  }
}

/** A client that does not try again says so. */
class GaveUp extends Error {}

/** Polls until there is an answer; after the time limit, which a busy machine extends, it fails with the last reason. */
export async function until<T>(
  what: string,
  { withinMs, everyMs = 100 }: { readonly withinMs: number; readonly everyMs?: number },
  look: () => Promise<{ readonly found: T } | string>,
): Promise<T> {
  const startMs = Date.now()
  for (;;) {
    const looked = await look()
    if (typeof looked !== 'string') return looked.found
    const tookMs = Date.now() - startMs
    if (tookMs > withinMs * patience())
      throw new Error(`after ${Math.round(tookMs / 1000)} s it is still not so that ${what}: ${looked}`)
    await sleep(everyMs)
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** A kill -9 may have cut the last line off. */
function readLine(line: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    return line.startsWith('{') ? [JSON.parse(line)] : []
  } catch {
    return []
  }
}

/** Below those that the system gives to outgoing connections: one of these would be taken again before it is listened on. */
const PORTS = { first: 20_000, count: 12_000 }

/** One that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + randomInt(PORTS.count)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
