import { rmdirSync, statfsSync } from 'node:fs'
import { runProgram } from '../command.ts'
import type { AttemptFolders } from './attempt-folder.ts'

/**
 * What workloads wrote into their own folders. For a workload that was told to stop, nothing is kept: a user who removes what
 * filled the disk gets the space at once. What ended by itself is kept for a while, as long as all of it together is not too
 * large and the disk is not full. Logs and exit codes are not touched.
 */
export class WorkFolders {
  readonly #folders: AttemptFolders
  readonly #kibMax: number
  /** By attempt that ended by itself and left files: their size, once known. Oldest first. */
  readonly #kept = new Map<string, { kib: number | undefined }>()
  #isMeasuring = false

  constructor(folders: AttemptFolders, kibMax = KEPT_KIB) {
    this.#folders = folders
    this.#kibMax = kibMax
  }

  /** Call it when it has ended; repeated calls do no harm. */
  ended(attempt: string): void {
    if (this.#isEmpty(attempt)) return
    if (this.#wasTold(attempt)) this.#drop(attempt)
    else if (!this.#kept.has(attempt)) this.#kept.set(attempt, { kib: undefined })
  }

  /** Call it now and then; cheap. */
  look(): void {
    if (this.#kept.size > 0 && this.#isFull()) for (const attempt of this.#kept.keys()) this.#drop(attempt)
  }

  /** The oldest go first. `nowMs`: on the clock of the file times. */
  tidy(nowMs: number): void {
    let kib = [...this.#kept.values()].reduce((sum, kept) => sum + (kept.kib ?? 0), 0)
    for (const [attempt, kept] of this.#kept) {
      const isOld = nowMs - (this.#folders.changedMs(attempt, 'exit') ?? nowMs) > KEPT_MS
      if (!isOld && kib <= this.#kibMax) continue
      kib -= kept.kib ?? 0
      this.#drop(attempt)
    }
    void this.#measure()
  }

  forget(attempt: string): void {
    this.#kept.delete(attempt)
  }

  /** In another process, because a tree may be huge. A tree that cannot be measured in time counts as too large. */
  async #measure(): Promise<void> {
    const fresh = [...this.#kept].filter(([, { kib }]) => kib === undefined).slice(0, BATCH)
    if (this.#isMeasuring || fresh.length === 0) return
    this.#isMeasuring = true
    const paths = fresh.map(([attempt]) => this.#pathOf(attempt))
    const signal = AbortSignal.timeout(MEASURE_MS)
    const out = await runProgram(['du', '-sk', '--', ...paths], { signal }).then(
      (ran) => ran?.out ?? '',
      () => '',
    )
    const sizes = new Map(
      out.split('\n').map((line) => [line.slice(line.indexOf('\t') + 1), Number.parseInt(line, 10)]),
    )
    for (const [attempt, kept] of fresh) kept.kib = sizes.get(this.#pathOf(attempt)) ?? this.#kibMax + 1
    this.#isMeasuring = false
  }

  /** Whether it was told to stop before it ended. */
  #wasTold(attempt: string): boolean {
    const toldMs = this.#folders.changedMs(attempt, 'stopping')
    return toldMs !== undefined && toldMs <= (this.#folders.changedMs(attempt, 'exit') ?? Infinity)
  }

  /** Removes the folder if it is empty. */
  #isEmpty(attempt: string): boolean {
    try {
      rmdirSync(this.#pathOf(attempt))
      return true
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'ENOENT'
    }
  }

  #drop(attempt: string): void {
    this.#kept.delete(attempt)
    this.#folders.remover.remove(this.#pathOf(attempt))
  }

  #isFull(): boolean {
    try {
      const { bavail, blocks } = statfsSync(this.#folders.pathOf(''))
      return bavail < blocks * FULL
    } catch {
      return false
    }
  }

  #pathOf(attempt: string): string {
    return this.#folders.pathOf(attempt, 'work')
  }
}

const KEPT_MS = 3_600_000
const KEPT_KIB = 1024 * 1024
const BATCH = 200
const MEASURE_MS = 60_000
/** The share of a disk that should stay free. */
const FULL = 0.05
