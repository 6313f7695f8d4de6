import { rmdirSync, statfsSync } from 'node:fs'
import { runProgram } from '../command.ts'
import type { AttemptFolders } from './attempt-folder.ts'

/**
 * What workloads wrote into their own folders. Of one that was told to end nothing is kept: whoever removes what filled
 * the disk has the room at once. What ended by itself keeps it for a while, as long as all together are not too large
 * and the disk is not full. Logs and how it ended are not touched.
 */
export class WorkFolders {
  readonly #folders: AttemptFolders
  readonly #kibMax: number
  /** By attempt that ended by itself and left something: how large that is, once it is known. The oldest first. */
  readonly #kept = new Map<string, { kib: number | undefined }>()
  #isMeasuring = false

  constructor(folders: AttemptFolders, kibMax = KEPT_KIB) {
    this.#folders = folders
    this.#kibMax = kibMax
  }

  /** To be called when it has ended, as often as that is seen. */
  ended(attempt: string): void {
    if (this.#isEmpty(attempt)) return
    if (this.#wasTold(attempt)) this.#drop(attempt)
    else if (!this.#kept.has(attempt)) this.#kept.set(attempt, { kib: undefined })
  }

  /** To be called now and then; cheap. */
  look(): void {
    if (this.#kept.size > 0 && this.#isFull()) for (const attempt of this.#kept.keys()) this.#drop(attempt)
  }

  /** The oldest go first. `nowMs`: on the clock that files have their times from. */
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

  /** In another process: a tree may be huge. What cannot be measured in time is too large. */
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

  /** What was told to end before it had. */
  #wasTold(attempt: string): boolean {
    const toldMs = this.#folders.changedMs(attempt, 'stopping')
    return toldMs !== undefined && toldMs <= (this.#folders.changedMs(attempt, 'exit') ?? Infinity)
  }

  /** Takes it away where that is all there is to do. */
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
/** The part of a disk that is to be free. */
const FULL = 0.05
