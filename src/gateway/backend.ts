import { addressIn, type ReplicaRoute } from '../core/route/route.ts'
import type { PortAddress } from '../core/life/call/address.ts'
import { afterOutcome, NO_EXPERIENCE, type Experience, type RequestOutcome } from '../core/route/outlier.ts'
import type { Keyed } from '../core/route/affinity.ts'
import type { Served } from './caller.ts'
import { Upstream, type UpstreamOwner } from './upstream.ts'

/** A connection that was idle for longer may be closed by the replica at any moment. */
const IDLE_MS = 4000
/** A request that must not be sent twice takes only a connection that was used a moment ago. */
const IDLE_SAFE_MS = 500
const IDLE_MAX = 256

/** A request as a replica has it. */
export interface InFlight {
  /** Sends it to another replica if nothing came back yet and that does no harm. */
  readonly moveOn: () => void
}

/** What asking a replica has shown: `dead`: nothing listens there; `silent`: it does not answer in time. */
export type Health = 'unknown' | 'well' | 'silent' | 'dead'

/** One replica, with its connections and with what this gateway has seen of it. */
export class Backend implements Keyed, UpstreamOwner {
  route: ReplicaRoute
  readonly address: PortAddress
  readonly nowMs: () => number
  readonly #changed: () => void
  readonly inFlight = new Set<InFlight>()
  #idle: Upstream[] = []
  #all = new Set<Upstream>()
  sinceMs: number
  health: Health = 'unknown'
  wasWell = false
  experience: Experience = NO_EXPERIENCE
  /** When something last came from it, or when it was asked after a rest. */
  heardMs = 0
  /** When its health path was last asked, and how often it failed since. */
  askedMs = 0
  failures = 0
  requests = 0
  errors = 0

  constructor(route: ReplicaRoute, deps: { readonly nowMs: () => number; readonly changed: () => void }) {
    this.route = route
    // The feed passes on only addresses that can be read.
    this.address = addressIn(route.address) ?? { host: '0.0.0.0', port: 0, tls: false }
    this.nowMs = deps.nowMs
    this.#changed = deps.changed
    this.sinceMs = deps.nowMs()
  }

  get id(): string {
    return this.route.id
  }

  get load(): number {
    return this.inFlight.size
  }

  /** Sends a request, over a connection that is there or a new one. */
  send(served: Served & InFlight, head: string, parts: SendParts): Upstream {
    const mayUpgrade = served.upgrade !== undefined
    const kept = mayUpgrade ? undefined : this.#take(parts.isRepeatable ? IDLE_MS : IDLE_SAFE_MS)
    const upstream = kept ?? this.#open(mayUpgrade)
    if (this.inFlight.size === 0) this.heardMs = this.nowMs()
    this.inFlight.add(served)
    this.requests++
    upstream.send(served, head, parts.body)
    return upstream
  }

  done(served: InFlight): void {
    this.inFlight.delete(served)
  }

  /** Counts how a request ended. */
  learn(outcome: RequestOutcome, mayEject: boolean): void {
    if (outcome !== 'answered') this.errors++
    const before = this.experience
    this.experience = afterOutcome(before, outcome, { nowMs: this.nowMs(), mayEject })
    if (this.experience.untilMs !== before.untilMs) this.#changed()
  }

  /** Notes what its health path says, or what a connection has shown. */
  found(health: Health): void {
    this.failures = health === 'well' ? 0 : this.failures + 1
    if (health === this.health) return
    const wasUnwell = this.health !== 'well'
    this.health = health
    if (health === 'well') this.wasWell = true
    if (health === 'well' && wasUnwell) {
      this.sinceMs = this.nowMs()
      this.experience = NO_EXPERIENCE
    }
    if (health !== 'well') this.closeIdle()
    this.#changed()
  }

  isEjected(): boolean {
    return this.experience.untilMs > this.nowMs()
  }

  heard(): void {
    this.heardMs = this.nowMs()
  }

  release(upstream: Upstream): void {
    if (this.#idle.length < IDLE_MAX && this.route.state !== 'leaving') this.#idle.push(upstream)
    else upstream.abandon()
  }

  closed(upstream: Upstream): void {
    this.#all.delete(upstream)
    const at = this.#idle.indexOf(upstream)
    if (at >= 0) this.#idle.splice(at, 1)
  }

  /** It is no replica any more: what it has is finished, and no connection is kept. */
  leave(): void {
    this.route = { ...this.route, state: 'leaving' }
    this.closeIdle()
  }

  closeIdle(olderThanMs = Number.POSITIVE_INFINITY): void {
    for (const upstream of this.#idle.filter(({ idleSinceMs }) => idleSinceMs < olderThanMs)) upstream.abandon()
  }

  get connections(): number {
    return this.#all.size
  }

  /** The connection that was used last, so that those that are not needed grow old. */
  #take(idleMs: number): Upstream | undefined {
    const upstream = this.#idle.at(-1)
    if (upstream === undefined) return undefined
    if (this.nowMs() - upstream.idleSinceMs > idleMs) return undefined
    this.#idle.pop()
    return upstream
  }

  #open(mayUpgrade: boolean): Upstream {
    const upstream = new Upstream(this, { mayUpgrade })
    this.#all.add(upstream)
    return upstream
  }
}

export interface SendParts {
  readonly body: readonly Buffer[]
  readonly isRepeatable: boolean
}

/** Closes what was idle for too long. */
export function closeOld(backend: Backend): void {
  backend.closeIdle(backend.nowMs() - IDLE_MS)
}
