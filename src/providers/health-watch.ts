import { get as getPlain, type RequestOptions } from 'node:http'
import { get as getSecure } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { PortAddress } from '../core/life/call/address.ts'
import type { Clock } from '../ports/clock.ts'

/** Something whose health paths are asked, under a name that is never used twice. */
export interface HealthSubject {
  readonly name: string
  /** Empty: it has no health path, or it cannot be asked now. */
  readonly targets: readonly HealthTarget[]
}

interface HealthTarget extends PortAddress {
  readonly path: string
}

interface Seen {
  readonly healthy: boolean
  readonly atMs: number
}

/** What the health paths of workloads say. Each is checked at most once in some seconds, and only few at the same time. */
export class HealthWatch {
  readonly #clock: Clock
  readonly #lookup: LookupFunction | undefined
  readonly #seen = new Map<string, Seen>()
  readonly #asked = new Map<string, Promise<void>>()

  /** `lookup` resolves the names of hosts, and refuses addresses that must not be called. */
  constructor(clock: Clock, lookup?: LookupFunction) {
    this.#clock = clock
    this.#lookup = lookup
  }

  /** Checks where the last answer is old. When the signal is aborted, the answers so far count. */
  async refresh(subjects: readonly HealthSubject[], signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.tickMs()
    const old = subjects.filter((subject) => subject.targets.length > 0 && this.#isOld(subject, nowMs))
    const queue = old.values()
    const worker = async (): Promise<void> => {
      for (const subject of queue) {
        if (signal.aborted) return
        await this.#ask(subject)
      }
    }
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, old.length) }, worker))
  }

  /** Undefined: it has no health path, or it has not been checked yet. */
  of(name: string): boolean | undefined {
    return this.#seen.get(name)?.healthy
  }

  /** Forgets what no longer exists. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name)
  }

  /** A workload that just started is checked more often, because users wait for it. */
  #isOld({ name }: HealthSubject, nowMs: number): boolean {
    const seen = this.#seen.get(name)
    return seen === undefined || nowMs - seen.atMs >= (seen.healthy ? FRESH_MS : ILL_MS)
  }

  /** Concurrent callers share one answer. */
  #ask(subject: HealthSubject): Promise<void> {
    const { name } = subject
    const asked = this.#asked.get(name) ?? this.#answer(subject).finally(() => this.#asked.delete(name))
    this.#asked.set(name, asked)
    return asked
  }

  async #answer({ name, targets }: HealthSubject): Promise<void> {
    const answers = await Promise.all(targets.map((target) => isHealthy(target, this.#lookup)))
    this.#seen.set(name, { healthy: answers.every(Boolean), atMs: this.#clock.tickMs() })
  }
}

const FRESH_MS = 5000
const ILL_MS = 500
const AT_ONCE = 32
const ANSWER_MS = 1500

/** An answer with a success status is healthy. Redirects are not followed, and the body is not read. */
function isHealthy({ host, port, path, tls }: HealthTarget, lookup: LookupFunction | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const options: RequestOptions = {
        host,
        port,
        path,
        agent: false,
        timeout: ANSWER_MS,
        signal: AbortSignal.timeout(ANSWER_MS),
        ...(lookup !== undefined && { lookup }),
      }
      const request = (tls ? getSecure : getPlain)(options)
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
