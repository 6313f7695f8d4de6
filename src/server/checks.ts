import type { Timers } from '../ports/timers.ts'

/** How often each stream is checked, and so how soon a revoked token ends it. */
const CHECK_MS = 2000
/** Streams are checked in groups, one after the other, so that many of them do not take the thread at once. */
const GROUPS = 20

/** One timer for the checks of all open streams. It runs only while there are streams. */
export class Checks {
  readonly #timers: Timers
  readonly #groups: Set<() => void>[] = Array.from({ length: GROUPS }, () => new Set())
  #next = 0
  #open = 0

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** Calls `check` again and again until the signal aborts. */
  readonly every = (check: () => void, signal: AbortSignal): void => {
    if (signal.aborted) return
    const group = this.#groups[this.#next++ % GROUPS]
    group?.add(check)
    signal.addEventListener('abort', () => this.#open--, { once: true })
    signal.addEventListener('abort', () => group?.delete(check), { once: true })
    this.#open++
    if (this.#open === 1) void this.#run()
  }

  async #run(): Promise<void> {
    for (let at = 0; this.#open > 0; at++) {
      await this.#timers.sleep(CHECK_MS / GROUPS)
      this.#groups[at % GROUPS]?.forEach((check) => check())
    }
  }
}
