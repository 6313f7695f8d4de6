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
  /** Of each of two files. */
  readonly logBytes: number
  readonly groupOf: (attempt: string) => string | undefined
  readonly tickMs: () => number
}

/**
 * Begins what is noted, and sees to it that nothing stays noted and not begun: what its shim did not begin within some
 * seconds is claimed, so that it never will. That is counted in time that passes, not by the clock on the wall, which
 * may jump; and a launch of this very process is waited for much longer.
 */
export class Launcher {
  readonly #ground: LauncherDeps
  /** By attempt: since when it is known to be noted and not begun, and how long that may last. */
  readonly #waits = new Map<string, { readonly sinceMs: number; readonly boundMs: number }>()

  constructor(ground: LauncherDeps) {
    this.#ground = ground
  }

  /** A launch of this process that has not come to anything yet. */
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
        // Without having begun it: then it never will.
        child.once('exit', (code) => this.#never(attempt, `its shim ended early, with code ${code ?? 'none'}`))
        child.unref()
      } catch (error) {
        // Some ways to fail are thrown, others are told.
        fail(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }

  /** To be called with everything that is seen to be noted and not begun. True: it was claimed, and never will be. */
  claimLate(attempt: string): boolean {
    const wait = this.#waits.get(attempt) ?? this.#wait(attempt, OTHERS_MS)
    if (this.#ground.tickMs() - wait.sinceMs < wait.boundMs) return false
    return this.#never(attempt, 'it was noted, and not begun in time')
  }

  /** It was begun, or is gone. */
  settle(attempt: string): void {
    this.#waits.delete(attempt)
  }

  #wait(attempt: string, boundMs: number): { readonly sinceMs: number; readonly boundMs: number } {
    const wait = { sinceMs: this.#ground.tickMs(), boundMs }
    this.#waits.set(attempt, wait)
    return wait
  }

  /** What cannot be written now is tried again when it is looked at next. */
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

/** A shim that another process started needs milliseconds; this is for hosts that are very busy. */
const OTHERS_MS = 5000
const OURS_MS = 30_000

function faultOf(error: NodeJS.ErrnoException, { argv, env, secrets, cwd }: ProcessLaunch) {
  if (error.code === 'E2BIG') return refuse('BAD_REQUEST', tooBig(argv, env, secrets))
  if (error.code === 'ENOENT' && !existsSync(cwd))
    return refuse('BAD_REQUEST', `There is no folder ${cwd} on this host.`)
  return refuse('TRANSIENT', `It could not be started: ${error.message}`)
}

/** Names, never values: they may be secret. */
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
  return `Command line and environment are too large for this host: ${parts.join(', ')}. A single word or variable may have 128 KiB, all together about 2 MiB: write large values into a file.`
}

function kib(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`
}
