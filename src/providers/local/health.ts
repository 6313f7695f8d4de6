import { get } from 'node:http'
import type { Clock } from '../../ports/clock.ts'
import type { Run } from './runtime.ts'

interface Seen {
  readonly healthy: boolean
  readonly atMs: number
}

/** What the health paths of workloads say. Each is checked at most once in some seconds, and only few at the same time. */
export class HealthWatch {
  readonly #clock: Clock
  readonly #seen = new Map<string, Seen>()
  readonly #asked = new Map<string, Promise<void>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Checks where the last answer is old. When the signal is aborted, the answers so far count. */
  async refresh(runs: readonly Run[], signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.tickMs()
    const old = runs.filter((run) => pathsOf(run).length > 0 && this.#isOld(run, nowMs))
    const queue = old.values()
    const worker = async (): Promise<void> => {
      for (const run of queue) {
        if (signal.aborted) return
        await this.#ask(run)
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, old.length) }, worker))
  }

  /** Undefined: it has no health path, or it has not been checked yet. */
  of(run: Run): boolean | undefined {
    return run.state === 'up' ? this.#seen.get(run.note.tag.attempt)?.healthy : undefined
  }

  /** Forgets attempts that no longer exist. */
  keepOnly(attempts: ReadonlySet<string>): void {
    for (const attempt of this.#seen.keys()) if (!attempts.has(attempt)) this.#seen.delete(attempt)
  }

  /** A workload that just started is checked more often, because users wait for it. */
  #isOld({ note }: Run, nowMs: number): boolean {
    const seen = this.#seen.get(note.tag.attempt)
    return seen === undefined || nowMs - seen.atMs >= (seen.healthy ? FRESH_MS : ILL_MS)
  }

  /** Concurrent callers share one answer. */
  #ask(run: Run): Promise<void> {
    const { attempt } = run.note.tag
    const asked = this.#asked.get(attempt) ?? this.#answer(run).finally(() => this.#asked.delete(attempt))
    this.#asked.set(attempt, asked)
    return asked
  }

  async #answer(run: Run): Promise<void> {
    const answers = await Promise.all(pathsOf(run).map(isHealthy))
    this.#seen.set(run.note.tag.attempt, { healthy: answers.every(Boolean), atMs: this.#clock.tickMs() })
  }
}

const FRESH_MS = 5000
const ILL_MS = 500
const AT_ONCE = 32
const ANSWER_MS = 1500

interface Target {
  readonly host: string
  readonly port: number
  readonly path: string
}

function pathsOf({ state, note, ports }: Run): readonly Target[] {
  if (state !== 'up') return []
  return note.ports.flatMap(({ name, health }) => {
    const address = ports[name]
    return health === undefined || address === undefined ? [] : [{ ...address, path: health }]
  })
}

/** An answer with a success status is healthy. Redirects are not followed, and the body is not read. */
function isHealthy({ host, port, path }: Target): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const request = get({
        host,
        port,
        path,
        agent: false,
        timeout: ANSWER_MS,
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      request.once('response', (response) => {
        const { statusCode = 0 } = response
        response.destroy()
        resolve(statusCode >= 200 && statusCode < 400)
      })
      request.once('error', () => resolve(false))
      request.once('timeout', () => request.destroy())
    } catch {
      // A path that cannot be requested counts as one that never answers.
      resolve(false)
    }
  })
}
