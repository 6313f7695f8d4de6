import { rmSync, statSync } from 'node:fs'
import type { ProviderDeps } from '../../../ports/provider.ts'
import { KEPT_ENDED_MS, KEPT_NAME_MS, KEPT_STOPPED_MS, type Run } from '../runtime.ts'
import type { AttemptFolders } from './attempt-folder.ts'
import { removeGroup } from './control-group.ts'
import { WorkFolders } from './work-folders.ts'

export interface EndedRoom {
  readonly folders: AttemptFolders
  readonly clock: ProviderDeps['clock']
  /** The most that all logs of ended attempts may take together. */
  readonly logBytesMax: number
}

interface Known {
  readonly run: Run
  /** When this process learned of it, on the monotonic clock. */
  readonly sinceMs: number
  bytes: number | undefined
}

/** Attempts that have ended: they stay ended and are not checked again, until they are forgotten. */
export class Ended {
  readonly #room: EndedRoom
  readonly #runs = new Map<string, Known>()
  readonly #work: WorkFolders
  #tidiedMs = -Infinity

  constructor(room: EndedRoom) {
    this.#room = room
    this.#work = new WorkFolders(room.folders)
  }

  get(attempt: string): Run | undefined {
    return this.#runs.get(attempt)?.run
  }

  add(attempt: string, run: Run): void {
    this.#runs.set(attempt, { run, sinceMs: this.#room.clock.tickMs(), bytes: undefined })
    this.#work.ended(attempt)
  }

  /** Nothing of it runs any more, and it is to be removed. */
  stopped(attempt: string): void {
    this.#work.ended(attempt)
  }

  /** Runs once in a while, on the monotonic clock. Returns what was forgotten. */
  tidy(): readonly string[] {
    const { clock, folders } = this.#room
    const tickMs = clock.tickMs()
    this.#work.look()
    if (tickMs - this.#tidiedMs < TIDY_MS) return []
    this.#tidiedMs = tickMs
    const seen = [...this.#runs].filter(([, { sinceMs }]) => tickMs - sinceMs >= SEEN_MS).map(([attempt]) => attempt)
    const dead = seen.filter((attempt) => this.#isPast(attempt)).slice(0, BATCH)
    for (const attempt of dead) {
      const group = folders.read(attempt, 'cgroup')?.trim()
      if (group !== undefined && group !== '') removeGroup(group)
      folders.forget(attempt)
      this.#runs.delete(attempt)
      this.#work.forget(attempt)
    }
    this.#work.tidy(clock.nowMs())
    folders.forgetNames(clock.nowMs() - KEPT_NAME_MS)
    this.#dropLogs()
    return dead
  }

  #isPast(attempt: string): boolean {
    const { clock, folders } = this.#room
    const nowMs = clock.nowMs()
    const stoppedMs = folders.changedMs(attempt, 'stopping') ?? Infinity
    const endedMs = folders.changedMs(attempt, 'exit') ?? folders.changedMs(attempt, 'started') ?? Infinity
    return nowMs - stoppedMs > KEPT_STOPPED_MS || nowMs - endedMs > KEPT_ENDED_MS
  }

  /** The oldest go first. Only the log is dropped; how it ended is kept. */
  #dropLogs(): void {
    const { folders, logBytesMax } = this.#room
    let measured = 0
    let sum = 0
    for (const [attempt, ended] of this.#runs) {
      if (ended.bytes === undefined && measured++ < BATCH) ended.bytes = this.#bytesOf(attempt)
      sum += ended.bytes ?? 0
    }
    if (sum <= logBytesMax) return
    const oldest = [...this.#runs].map(([attempt, ended]) => ({ attempt, ended, ms: this.#endedMs(attempt) }))
    for (const { attempt, ended } of oldest.toSorted((one, two) => one.ms - two.ms)) {
      if (sum <= logBytesMax) return
      for (const file of LOGS) rmSync(folders.pathOf(attempt, file), { force: true })
      sum -= ended.bytes ?? 0
      ended.bytes = 0
    }
  }

  #endedMs(attempt: string): number {
    const { folders } = this.#room
    return folders.changedMs(attempt, 'exit') ?? folders.changedMs(attempt, 'started') ?? 0
  }

  #bytesOf(attempt: string): number {
    const paths = LOGS.map((file) => this.#room.folders.pathOf(attempt, file))
    return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
  }
}

const TIDY_MS = 60_000
/** How it ended can be read for at least this long, whatever the wall clock says. */
const SEEN_MS = 600_000
const BATCH = 200
const LOGS = ['log.old', 'log']
