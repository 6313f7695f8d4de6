import { routeKey, type RouteEntry, type ServiceRoute } from '../core/route/route.ts'
import { UserError } from '../core/base/problem.ts'
import type { Log } from '../ports/log.ts'
import type { Timers } from '../ports/timers.ts'
import { readable, readRoutes, writeRoutes } from './routes-file.ts'

/** Whoever sends requests along the routes. */
export interface RouteTaker {
  readonly take: (route: ServiceRoute) => void
  readonly drop: (key: string) => void
}

/** Where routes come from, and where the last known ones are kept. */
export interface FeedDeps {
  /** Opens the stream of a control plane; called again whenever it broke. May throw: its address may not be known yet. */
  readonly open: (signal: AbortSignal) => AsyncIterable<RouteEntry>
  /** The file with the last known routes. */
  readonly file: string
  readonly log: Log
  readonly timers: Timers
}

const AGAIN_MS = 500
/** Changes that come together are written together. */
const WRITE_MS = 100

/**
 * Keeps the routes of a gateway, or of a HAProxy. While no control plane answers, everything stays as it was last known: a control plane
 * that is gone takes no service with it. A stream is believed as a whole, so one that breaks off removes nothing.
 */
export class Feed {
  readonly #taker: RouteTaker
  readonly #deps: FeedDeps
  readonly #routes = new Map<string, ServiceRoute>()
  #fresh: Set<string> | undefined
  #isWriting = false
  isConnected = false

  constructor(taker: RouteTaker, deps: FeedDeps) {
    this.#taker = taker
    this.#deps = deps
    for (const route of readRoutes(deps.file)) this.#take(route)
  }

  get size(): number {
    return this.#routes.size
  }

  async run(signal: AbortSignal): Promise<void> {
    const { open, log, timers } = this.#deps
    while (!signal.aborted) {
      try {
        for await (const entry of open(signal)) this.#entry(entry)
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        if (this.isConnected || this.#fresh === undefined) {
          log.warn('the control plane does not answer; routing goes on with what is known', {
            routes: this.#routes.size,
            why: error.problems[0]?.message,
          })
        }
      }
      this.isConnected = false
      this.#fresh = new Set()
      await timers.sleep(AGAIN_MS, signal)
    }
  }

  #entry(entry: RouteEntry): void {
    switch (entry.kind) {
      case 'start':
        this.#fresh = new Set()
        return
      case 'route':
        this.#fresh?.add(routeKey(entry.route))
        this.#take(entry.route)
        return this.#write()
      case 'gone':
        this.#drop(routeKey(entry))
        return this.#write()
      case 'whole':
        return this.#whole()
    }
  }

  #whole(): void {
    if (!this.isConnected) this.#deps.log.info('routes are up to date', { services: this.#routes.size })
    this.isConnected = true
    for (const key of this.#routes.keys()) if (this.#fresh?.has(key) === false) this.#drop(key)
    this.#write()
  }

  #take(given: ServiceRoute): void {
    const route = readable(given)
    this.#routes.set(routeKey(route), route)
    this.#taker.take(route)
  }

  #drop(key: string): void {
    this.#routes.delete(key)
    this.#taker.drop(key)
  }

  #write(): void {
    if (this.#isWriting) return
    this.#isWriting = true
    setTimeout(() => {
      this.#isWriting = false
      if (!writeRoutes(this.#deps.file, [...this.#routes.values()])) {
        this.#deps.log.error('the routes could not be written; a restart would begin with older ones', {
          file: this.#deps.file,
        })
      }
    }, WRITE_MS)
  }
}
