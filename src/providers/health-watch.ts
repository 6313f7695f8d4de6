import { isIP } from 'node:net'
import type { PortAddress } from '../core/life/call/address.ts'
import type { Clock } from '../ports/clock.ts'
import type { Bounds, Network } from '../ports/network.ts'
import { nodeNetwork } from './rest/network.ts'

/** Something whose health paths are asked, under a name that is never used twice. */
export interface HealthSubject {
  readonly name: string
  /** Empty: it has no health path, or it cannot be asked now. */
  readonly targets: readonly HealthTarget[]
}

interface HealthTarget extends PortAddress {
  readonly path: string
}

/** How health paths are reached. */
interface Way extends Pick<Bounds, 'reach'> {
  readonly network?: Network | undefined
}

interface Seen {
  readonly healthy: boolean
  readonly atMs: number
}

/** What the health paths of workloads say. Each is checked at most once in some seconds, and only few at the same time. */
export class HealthWatch {
  readonly #clock: Clock
  readonly #way: Way
  readonly #seen = new Map<string, Seen>()
  readonly #asked = new Map<string, Promise<void>>()

  constructor(clock: Clock, { network = nodeNetwork, reach }: Way) {
    this.#clock = clock
    this.#way = { network, reach }
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
    const answers = await Promise.all(targets.map((target) => isHealthy(target, this.#way)))
    this.#seen.set(name, { healthy: answers.every(Boolean), atMs: this.#clock.tickMs() })
  }
}

const FRESH_MS = 5000
const ILL_MS = 500
const AT_ONCE = 32
const ANSWER_MS = 1500

/** Only an answer of 2xx is healthy. A redirect is not followed: a page to log in at says nothing of the service. The body is not read. */
async function isHealthy(
  { host, port, path, tls }: HealthTarget,
  { network = nodeNetwork, reach }: Way,
): Promise<boolean> {
  const url = URL.parse(`${tls ? 'https' : 'http'}://${isIP(host) === 6 ? `[${host}]` : host}:${port}${path}`)
  // A path that cannot be requested counts as one that never answers.
  if (url === null) return false
  const outgoing = { method: 'GET', url, headers: {}, body: undefined } as const
  return network.send(outgoing, { deadlineMs: ANSWER_MS, bytesMost: 0, reach }).then(
    ({ status }) => status >= 200 && status < 300,
    () => false,
  )
}
