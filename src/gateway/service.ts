import { byKey } from '../core/route/affinity.ts'
import { leastLoaded } from '../core/route/balance.ts'
import { mayEjectOneMore } from '../core/route/outlier.ts'
import { HEDGES, Latencies } from '../core/route/hedge.ts'
import { earned, RETRIES, spent, type RetryBudget } from '../core/route/retry.ts'
import { routeKey, type ServiceRoute } from '../core/route/route.ts'
import { FairQueue } from '../core/route/fair-queue.ts'
import { usableOf } from '../core/route/usable.ts'
import { Backend } from './backend.ts'

/** A request that waits for a replica. */
export interface WaitingRequest {
  readonly client: string
  readonly sinceMs: number
  /** A replica may be free now. */
  readonly tryAgain: () => void
  readonly giveUp: (why: string) => void
}

/** How long a request waits for a replica, and how many may wait. */
const WAIT_MS = 15_000
const WAITING_MAX = 2000
/** How many requests one replica has at a time. */
const LOAD_MAX = 1024
const GONE = 'this service was removed'

/** One service: its replicas, who waits for them, and how much may be tried again. */
export class Service {
  readonly key: string
  readonly #nowMs: () => number
  readonly #random: () => number
  route: ServiceRoute
  backends: readonly Backend[] = []
  #usable: readonly Backend[] = []
  #isGone = false
  #budget: RetryBudget = { tokens: RETRIES.most }
  #hedges: RetryBudget = { tokens: HEDGES.most }
  readonly #latencies = new Latencies()
  readonly #waiting = new FairQueue<WaitingRequest>()
  requests = 0
  failed = 0
  retries = 0
  refused = 0
  /** Requests of which a second copy was sent, and those that it answered. */
  hedged = 0
  hedgesWon = 0

  constructor(route: ServiceRoute, deps: { readonly nowMs: () => number; readonly random: () => number }) {
    this.key = routeKey(route)
    this.route = route
    this.#nowMs = deps.nowMs
    this.#random = deps.random
    this.take(route)
  }

  /** Takes a new route: replicas that stay keep their connections and what was learnt of them. */
  take(route: ServiceRoute): void {
    this.route = route
    const known = new Map(this.backends.map((backend) => [`${backend.route.id} ${backend.route.address}`, backend]))
    this.backends = route.replicas.map((replica) => {
      const backend = known.get(`${replica.id} ${replica.address}`)
      if (backend === undefined) return new Backend(replica, { nowMs: this.#nowMs, changed: () => this.look() })
      known.delete(`${replica.id} ${replica.address}`)
      backend.route = replica
      if (replica.state === 'leaving') backend.closeIdle()
      return backend
    })
    for (const gone of known.values()) gone.leave()
    this.look()
  }

  /** There is no such service any more. */
  close(): void {
    this.#isGone = true
    this.take({ ...this.route, replicas: [] })
    for (const waiting of this.#waiting.takeAll()) waiting.giveUp(GONE)
  }

  /** Works out which replicas get requests now, and lets those who wait try again. */
  look(): void {
    this.#usable = usableOf(this.backends)
    if (this.#usable.length > 0) this.#waiting.takeAll().forEach((waiting) => waiting.tryAgain())
  }

  get usable(): readonly Backend[] {
    return this.#usable
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** The replica for a request; undefined: none is free. */
  choose(tried: ReadonlySet<Backend> | undefined, key?: string): Backend | undefined {
    const chance = { nowMs: this.#nowMs(), dice: this.#random() }
    const isFree = ({ load }: Backend): boolean => load < LOAD_MAX
    const isNew = tried === undefined ? isFree : (backend: Backend) => isFree(backend) && !tried.has(backend)
    if (key !== undefined) return byKey(this.#usable, key, { ...chance, isAllowed: isNew })
    return leastLoaded(this.#usable, chance, isNew)
  }

  /** Whether there is a replica that has not been tried. */
  hasOther(tried: ReadonlySet<Backend>): boolean {
    return this.#usable.some((backend) => !tried.has(backend))
  }

  wait(waiting: WaitingRequest): void {
    if (this.#isGone) return waiting.giveUp(GONE)
    if (this.#waiting.size < WAITING_MAX) return this.#waiting.add(waiting.client, waiting)
    this.refused++
    waiting.giveUp('too many requests wait for this service')
  }

  stopWaiting(waiting: WaitingRequest): void {
    this.#waiting.remove(waiting.client, waiting)
  }

  /** One request ended: the next may have its place. */
  freed(): void {
    if (this.#waiting.size > 0 && this.#usable.some(({ load }) => load < LOAD_MAX)) this.#waiting.take()?.tryAgain()
  }

  /** Gives up on those who waited too long. */
  expire(): void {
    const nowMs = this.#nowMs()
    for (const waiting of this.#waiting.all().filter(({ sinceMs }) => nowMs - sinceMs > WAIT_MS)) {
      this.stopWaiting(waiting)
      waiting.giveUp(this.backends.length === 0 ? 'no replica of this service is up' : 'no replica was free in time')
    }
  }

  earn(): void {
    this.requests++
    this.#budget = earned(this.#budget, RETRIES)
    if (this.route.hedge !== undefined) this.#hedges = earned(this.#hedges, HEDGES)
  }

  /** Whether a retry is left; takes it. */
  spend(): boolean {
    const left = spent(this.#budget)
    if (left === undefined) return false
    this.#budget = left
    this.retries++
    return true
  }

  /** Notes how long an answer took to begin. */
  answered(ms: number): void {
    if (this.route.hedge !== undefined) this.#latencies.add(ms)
  }

  /** After which time a request is slow; undefined: nothing is done about it. */
  get hedgeAfterMs(): number | undefined {
    return this.route.hedge === undefined ? undefined : this.#latencies.delayMs(this.route.hedge)
  }

  /** Whether a second copy may be sent; counts it. */
  hedge(): boolean {
    const left = spent(this.#hedges)
    if (left === undefined) return false
    this.#hedges = left
    this.hedged++
    return true
  }

  mayEject(): boolean {
    return mayEjectOneMore(this.backends.length, this.backends.filter((backend) => backend.isEjected()).length)
  }
}
