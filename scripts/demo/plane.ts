import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const BERTH = join(ROOT, 'bin', 'berth')

export interface PlaneOptions {
  /** Everything lies below it: data, connection file, log. */
  readonly folder: string
  readonly config: string
  readonly port: number
  /** Port of the gateway. */
  readonly gateway: number
  /** Where commands and what they print are shown. */
  readonly print: (text: string) => void
}

/** A command that is under way. */
interface Begun {
  readonly said: () => string
  readonly ended: Promise<number>
}

/** The real control plane in a process of its own, and the real command line beside it. */
export class Plane {
  readonly #options: PlaneOptions
  readonly #env: NodeJS.ProcessEnv
  #process: ChildProcess | undefined

  constructor(options: PlaneOptions) {
    this.#options = options
    // A folder of its own for the connection file: the demo must not touch the user's.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('BERTH_'))
    this.#env = {
      ...Object.fromEntries(own),
      XDG_CONFIG_HOME: join(options.folder, 'config'),
      // Workloads get it, too: whatever they write lies in the folder of the demo.
      TMPDIR: options.folder,
      PATH: `${process.env['PATH'] ?? ''}${delimiter}${dirname(process.execPath)}`,
      NO_COLOR: '1',
    }
  }

  /** Starts it and waits until it answers. */
  async start(): Promise<void> {
    const { folder, config, port, gateway, print } = this.#options
    const [listen, entry] = [`127.0.0.1:${port}`, `127.0.0.1:${gateway}`]
    const args = ['up', '--data', join(folder, 'data'), '--config', config, '--listen', listen, '--gateway', entry]
    print(`$ berth up --data DATA --config ${config} --listen ${listen} --gateway ${entry} &\n`)
    const log = createWriteStream(this.#log(), { flags: 'a' })
    const child = spawn(BERTH, args, { cwd: ROOT, env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    this.#process = child
    await until('the control plane answers', async () => {
      if (child.exitCode !== null) throw new Error(`berth up ended with ${child.exitCode}`)
      const answer = await fetch(`http://${listen}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(
        () => undefined,
      )
      return answer?.ok === true
    })
  }

  /** As if the machine had lost power. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** The exit code, once it has ended by itself. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  /** Without waiting: for the end of the demo itself. */
  killNow(): void {
    this.#process?.kill('SIGKILL')
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#process
    if (child === undefined) return 0
    this.#process = undefined
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const ended = once(child, 'exit')
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
    await ended
    clearTimeout(timer)
    return child.exitCode
  }

  /** Runs a command in the open: people see it as if they had typed it. */
  async show(...args: readonly string[]): Promise<void> {
    const { print } = this.#options
    print(`$ berth ${args.join(' ')}\n`)
    const { said, ended } = this.#run(args, print)
    const code = await ended
    if (code !== 0) throw new Error(`berth ${args.join(' ')} ended with ${code}:\n${said()}`)
    print('\n')
  }

  /** The answer of a command that nobody sees. */
  async ask(...args: readonly string[]): Promise<string> {
    const { said, ended } = this.#run(args, () => undefined)
    const code = await ended
    if (code !== 0) throw new Error(`berth ${args.join(' ')} ended with ${code}:\n${said()}`)
    return said()
  }

  #run(args: readonly string[], see: (text: string) => void): Begun {
    const child = spawn(BERTH, args, { cwd: ROOT, env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part
        see(part)
      })
    const ended = once(child, 'close').then(() => child.exitCode ?? 1)
    return { said: () => text, ended }
  }

  lastLines(): string {
    return existsSync(this.#log()) ? readFileSync(this.#log(), 'utf8').split('\n').slice(-20).join('\n') : ''
  }

  #log(): string {
    return join(this.#options.folder, 'up.log')
  }
}

const UNTIL_MS = 90_000

/** Looks again and again until it is so, for a while. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + UNTIL_MS
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`after ${UNTIL_MS / 1000} s it is still not so that ${what}`)
    await sleep(200)
  }
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('a server that listens has an address')
  return address.port
}
