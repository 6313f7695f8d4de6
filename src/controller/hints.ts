import { doublingMs, type Backoff } from '../core/base/backoff.ts'
import { LATE, unless } from '../ports/deadline.ts'
import type { Hint, Provider } from '../ports/provider.ts'
import { ENOUGH } from '../ports/timers.ts'
import type { Leadership } from './leadership.ts'

/** How soon a stream that has ended is opened again. */
const AGAIN: Backoff = { firstMs: 5000, mostMs: 60_000, surely: 0.5 }

interface Following {
  readonly provider: Provider
  readonly stop: AbortController
}

/** Follows the hints of every provider that sends some, until the leadership is over. */
export class HintReader {
  readonly #leadership: Leadership
  readonly #tell: (provider: string, hint: Hint) => void
  readonly #following = new Map<string, Following>()

  constructor(leadership: Leadership, tell: (provider: string, hint: Hint) => void) {
    this.#leadership = leadership
    this.#tell = tell
  }

  /** Exactly these providers from now on. */
  follow(providers: Iterable<Provider>): void {
    const wanted = new Map([...providers].filter(isWatched).map((provider) => [provider.name, provider]))
    for (const [name, { provider, stop }] of this.#following) {
      if (wanted.get(name) === provider) continue
      stop.abort(ENOUGH)
      this.#following.delete(name)
    }
    for (const [name, provider] of wanted) {
      if (this.#following.has(name)) continue
      const stop = new AbortController()
      this.#following.set(name, { provider, stop })
      void this.#read(provider, AbortSignal.any([stop.signal, this.#leadership.over]))
    }
  }

  /** A stream that breaks or ends is opened again. Hints may have been missed meanwhile, so that is a hint by itself. */
  async #read(provider: Provider, signal: AbortSignal): Promise<void> {
    const { timers, random, log } = this.#leadership.deps
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        if (await this.#stream(provider, signal)) failures = 0
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        log.info('the hints of a provider broke off', { provider: provider.name, why })
      }
      if (signal.aborted) return
      await timers.sleep(doublingMs(AGAIN, failures, random.next()), signal)
      if (!signal.aborted) this.#tell(provider.name, { what: 'instances' })
    }
  }

  /** Returns whether any hint came. */
  async #stream(provider: Provider, signal: AbortSignal): Promise<boolean> {
    const { owner, random } = this.#leadership.deps
    const hints = provider.watch?.(owner, { signal, requestId: random.id() })[Symbol.asyncIterator]()
    if (hints === undefined) return false
    for (let isAny = false; ; isAny = true) {
      const next = await unless(signal, hints.next())
      if (next === LATE || next.done === true) return isAny
      this.#tell(provider.name, { what: next.value.what === 'offers' ? 'offers' : 'instances' })
    }
  }
}

function isWatched({ can, watch }: Provider): boolean {
  return can.watch && watch !== undefined
}
