import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Answer } from '../../../ports/provider.ts'
import { refuse } from '../runtime.ts'
import type { AttemptFolders } from './attempt-folder.ts'

export interface ProcessLaunch {
  readonly attempt: string
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Names in `env` whose values are secret. */
  readonly secrets: ReadonlySet<string>
  readonly cwd: string
}

export interface LauncherDeps {
  readonly folders: AttemptFolders
  readonly shim: string
  /** Of each of the two files. */
  readonly logBytes: number
  readonly groupOf: (attempt: string) => string | undefined
  readonly tickMs: () => number
}

/**
 * Starts what has a note, and makes sure that nothing stays noted but not started: if the shim has not started it within some
 * seconds, it is claimed, so that it never starts. The time is monotonic, because the wall clock may jump. A launch of this
 * very process gets much more time.
 */
export class Launcher {
  readonly #ground: LauncherDeps
  /** By attempt: since when it is known to be noted but not started, and how long that may last. */
  readonly #waits = new Map<string, { readonly sinceMs: number; readonly boundMs: number }>()

  constructor(ground: LauncherDeps) {
    this.#ground = ground
  }

  /** Whether a launch of this process has no outcome yet. */
  isUnderWay(attempt: string): boolean {
    return this.#waits.get(attempt)?.boundMs === OURS_MS
  }

  begin(launch: ProcessLaunch): Promise<Answer<undefined>> {
    const { attempt, argv, env, cwd } = launch
    const { folders, shim, logBytes, groupOf } = this.#ground
    this.#wait(attempt, OURS_MS)
    return new Promise((resolve) => {
      const fail = (error: NodeJS.ErrnoException): void => {
        const fault = faultOf(error, launch)
        this.#never(attempt, fault.fault.message)
        resolve(fault)
      }
      try {
        const args = ['run', folders.pathOf(attempt), String(logBytes), groupOf(attempt) ?? '', ...argv]
        const child = spawn('/bin/sh', [shim, ...args], { detached: true, stdio: 'ignore', env, cwd })
        child.once('spawn', () => resolve({ ok: true, value: undefined }))
        child.once('error', fail)
        // It ended without starting the attempt: then the attempt never starts.
        child.once('exit', (code) => this.#never(attempt, `its shim ended early, with exit code ${code ?? 'none'}`))
        child.unref()
      } catch (error) {
        // Some failures are thrown, others are reported as events.
        fail(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }

  /** Call it with every attempt that is noted but not started. True: it was claimed, and never starts. */
  claimLate(attempt: string): boolean {
    const wait = this.#waits.get(attempt) ?? this.#wait(attempt, OTHERS_MS)
    if (this.#ground.tickMs() - wait.sinceMs < wait.boundMs) return false
    return this.#never(attempt, 'it was recorded, but not started in time')
  }

  /** It was started, or is gone. */
  settle(attempt: string): void {
    this.#waits.delete(attempt)
  }

  #wait(attempt: string, boundMs: number): { readonly sinceMs: number; readonly boundMs: number } {
    const wait = { sinceMs: this.#ground.tickMs(), boundMs }
    this.#waits.set(attempt, wait)
    return wait
  }

  /** If the mark cannot be written now, the next look tries again. */
  #never(attempt: string, why: string): boolean {
    const { folders } = this.#ground
    try {
      if (folders.has(attempt, 'order') && !folders.has(attempt, 'started')) folders.never(attempt, why)
      this.settle(attempt)
      return true
    } catch {
      this.#waits.set(attempt, { sinceMs: -Infinity, boundMs: 0 })
      return false
    }
  }
}

/** A shim of another process needs milliseconds; this is for hosts that are very busy. */
const OTHERS_MS = 5000
const OURS_MS = 30_000

function faultOf(error: NodeJS.ErrnoException, { argv, env, secrets, cwd }: ProcessLaunch) {
  if (error.code === 'E2BIG') return refuse('BAD_REQUEST', tooBig(argv, env, secrets))
  if (error.code === 'ENOENT' && !existsSync(cwd))
    return refuse('BAD_REQUEST', `There is no folder ${cwd} on this host.`)
  return refuse('TRANSIENT', `It could not be started: ${error.message}`)
}

/** Names, never values: values may be secret. */
function tooBig(argv: readonly string[], env: ProcessLaunch['env'], secrets: ProcessLaunch['secrets']): string {
  const sizes = Object.entries(env).map(([name, value]) => ({
    name,
    bytes: name.length + Buffer.byteLength(value) + 2,
  }))
  const sum = (of: readonly { readonly bytes: number }[]): string => kib(of.reduce((all, { bytes }) => all + bytes, 0))
  const [largest] = sizes.toSorted((one, two) => two.bytes - one.bytes)
  const words = argv.map((word) => ({ bytes: Buffer.byteLength(word) + 1 }))
  const parts = [
    `command and args are ${sum(words)}`,
    `env is ${sum(sizes.filter(({ name }) => !secrets.has(name)))}`,
    `secrets are ${sum(sizes.filter(({ name }) => secrets.has(name)))}`,
    ...(largest === undefined ? [] : [`the largest variable is ${largest.name} with ${kib(largest.bytes)}`]),
  ]
  return `Command line and environment are too large for this host: ${parts.join(', ')}. A single word or variable may have 128 KiB, and all of them together about 2 MiB. Put large values into a file.`
}

function kib(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`
}
