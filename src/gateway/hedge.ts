import { isWorthRetry } from '../core/route/retry.ts'
import type { Backend, InFlight } from './backend.ts'
import type { BodyForm, Breakage, Served } from './caller.ts'
import type { ResponseHead } from './http/head.ts'
import type { Upstream } from './upstream.ts'

/** The request of which this is a copy. */
export interface Hedged extends Served, InFlight {
  /** This copy answers first: it serves the request from now on. */
  readonly hedgeWins: (hedge: Hedge) => void
  readonly hedgeFails: (why: string) => void
}

/** A second copy of a request, at another replica. Until it answers first, nothing of it reaches the request; then everything does. */
export class Hedge implements Served, InFlight {
  readonly #of: Hedged
  readonly backend: Backend
  readonly #mayEject: () => boolean
  #hasWon = false
  /** Set by the request as soon as the copy is sent. */
  upstream: Upstream | undefined

  constructor(of: Hedged, backend: Backend, mayEject: () => boolean) {
    this.#of = of
    this.backend = backend
    this.#mayEject = mayEject
  }

  get method(): string {
    return this.#of.method
  }

  get upgrade(): undefined {
    return undefined
  }

  /** Ends a copy that is no longer needed. */
  cancel(): void {
    this.upstream?.abandon()
    this.backend.done(this)
  }

  moveOn(): void {
    if (this.#hasWon) return this.#of.moveOn()
    this.cancel()
    this.#of.hedgeFails('the replica says nothing')
  }

  onConnected(): void {}

  onInform(): void {}

  onResponse(head: ResponseHead): BodyForm | undefined {
    if (isWorthRetry(head.status)) {
      this.backend.learn('error', this.#mayEject())
      this.backend.done(this)
      // The connection that brought this is given up first.
      queueMicrotask(() => this.#of.hedgeFails(`status ${head.status}`))
      return undefined
    }
    this.#hasWon = true
    this.#of.hedgeWins(this)
    return this.#of.onResponse(head)
  }

  onBody(bytes: Buffer): boolean {
    return this.#of.onBody(bytes)
  }

  onFlush(): void {
    if (this.#hasWon) this.#of.onFlush()
  }

  onEnd(trailers: readonly string[]): void {
    this.#of.onEnd(trailers)
  }

  onBroken(how: Breakage): void {
    if (this.#hasWon) return this.#of.onBroken(how)
    if (how.kind === 'refused') this.backend.found('dead')
    this.backend.learn('broken', this.#mayEject())
    this.backend.done(this)
    this.#of.hedgeFails(how.why)
  }

  onDrain(): void {}

  /** Only requests for an upgrade become tunnels, and those have no copies. */
  onTunnel(): void {}
}
