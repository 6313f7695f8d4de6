import type { Socket } from 'node:net'
import { routeKey, type ServiceRoute } from '../core/route/route.ts'
import { targetOf } from '../core/route/target.ts'
import { closeOld, type Backend } from './backend.ts'
import type { ClientSide } from './caller.ts'
import { Exchange } from './exchange.ts'
import type { RequestHead } from './http/head.ts'
import { givenRequestId } from './http/rewrite.ts'
import { Http2Connection } from './http2/connection.ts'
import { Inbound } from './inbound.ts'
import { probe } from './probe.ts'
import type { ClientConnection, Identified, Origin, Reception } from './reception.ts'
import { Service } from './service.ts'
import { ALIVE_MS } from './upstream.ts'

/** What the gateway is given from outside. */
export interface EngineDeps {
  readonly nowMs: () => number
  readonly random: () => number
  /** Begins the id of every request. */
  readonly id: string
  readonly limits?: Partial<Limits>
}

/** How much is taken at most. */
export interface Limits {
  readonly connections: number
  readonly connectionsOfAddress: number
}

const LIMITS: Limits = { connections: 20_000, connectionsOfAddress: 4096 }

/** How often everything that waits is looked at. */
const LOOK_MS = 50
/** A replica that has requests and says nothing for this long is asked how it is. */
const SILENCE_MS = 250
/** How often a silent one is asked again while requests wait for it. */
const SUSPECT_MS = 500
/** How often one is asked that works, and one that does not. */
const WELL_MS = 5000
const ILL_MS = 500
/** How often one is asked that is starting: callers may be waiting for it. */
const STARTING_MS = 250

/** Routes requests to the replicas of services. Knows nothing of where routes come from or who listens. */
export class Gateway implements Reception {
  readonly #deps: EngineDeps
  readonly #limits: Limits
  readonly services = new Map<string, Service>()
  readonly #inbounds = new Set<ClientConnection>()
  readonly #addresses = new Map<string, number>()
  readonly #asking = new Set<Backend>()
  readonly #refusals = new Map<number, number>()
  #isDraining = false
  #count = 0
  #looks = 0
  readonly #timer: NodeJS.Timeout
  /** When the current turn began. The clock is read once for all that happens in a turn of the loop. */
  #turnMs: number | undefined

  constructor(deps: EngineDeps) {
    this.#deps = deps
    this.#limits = { ...LIMITS, ...deps.limits }
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
  }

  readonly nowMs = (): number => {
    if (this.#turnMs !== undefined) return this.#turnMs
    this.#turnMs = this.#deps.nowMs()
    setImmediate(this.#endTurn)
    return this.#turnMs
  }

  readonly #endTurn = (): void => {
    this.#turnMs = undefined
  }

  /** Takes a new or changed route. */
  take(route: ServiceRoute): void {
    const service = this.services.get(routeKey(route))
    if (service === undefined)
      this.services.set(routeKey(route), new Service(route, { nowMs: this.nowMs, random: this.#deps.random }))
    else service.take(route)
  }

  /** A service is gone: what is under way is finished, and nobody waits for a replica any more. */
  drop(key: string): void {
    const service = this.services.get(key)
    if (service === undefined) return
    this.services.delete(key)
    service.close()
  }

  /** A connection of a client. */
  accept(socket: Socket, scheme: Origin['scheme']): void {
    const address = socket.remoteAddress ?? ''
    const of = this.#addresses.get(address) ?? 0
    if (this.#inbounds.size >= this.#limits.connections || of >= this.#limits.connectionsOfAddress) {
      this.refused(429)
      socket.destroy()
      return
    }
    this.#addresses.set(address, of + 1)
    socket.once('close', () => this.#left(address))
    socket.setKeepAlive(true, ALIVE_MS)
    const isHttp2 = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2'
    this.#add(isHttp2 ? new Http2Connection(socket, scheme, this) : new Inbound(socket, scheme, this))
  }

  /** One that was on its way when the gateway began to leave is told so, too. */
  #add(connection: ClientConnection): void {
    this.#inbounds.add(connection)
    if (this.#isDraining) connection.drain()
  }

  speaksHttp2(from: ClientConnection, socket: Socket, first: Buffer): void {
    this.#inbounds.delete(from)
    socket.pause()
    socket.unshift(first)
    this.#add(new Http2Connection(socket, 'http', this))
  }

  #left(address: string): void {
    const of = (this.#addresses.get(address) ?? 1) - 1
    if (of <= 0) this.#addresses.delete(address)
    else this.#addresses.set(address, of)
  }

  receive(head: RequestHead, caller: ClientSide & Identified, from: Origin): Exchange | string {
    const requestId = givenRequestId(head.fields) ?? `${this.#deps.id}-${(++this.#count).toString(36)}`
    caller.requestId = requestId
    const host = head.authority.replace(/:\d+$/, '')
    const target = targetOf(host, head.path, (key) => this.services.has(key))
    const service = target && this.services.get(target.key)
    if (target === undefined || service === undefined) {
      return 'no service has this address: use the host NAME.PROJECT.anything or the path /PROJECT/NAME/'
    }
    const { path, prefix } = target
    const forwarded = { path, prefix, client: from.client, scheme: from.scheme, requestId }
    return new Exchange({ head, service, forwarded, nowMs: this.nowMs }, caller)
  }

  isDraining(): boolean {
    return this.#isDraining
  }

  closed(inbound: ClientConnection): void {
    this.#inbounds.delete(inbound)
  }

  refused(status: number): void {
    this.#refusals.set(status, (this.#refusals.get(status) ?? 0) + 1)
  }

  get refusals(): ReadonlyMap<number, number> {
    return this.#refusals
  }

  get connections(): number {
    return this.#inbounds.size
  }

  /** Resolves when all that is under way is finished, or when the signal aborts. Nothing new is taken. */
  async drain(signal: AbortSignal): Promise<void> {
    this.#isDraining = true
    for (const inbound of this.#inbounds) inbound.drain()
    while (this.#inbounds.size > 0 && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }

  close(): void {
    clearInterval(this.#timer)
    for (const { backends } of this.services.values()) for (const backend of backends) backend.closeIdle()
  }

  #look(): void {
    this.#looks++
    const nowMs = this.nowMs()
    for (const service of this.services.values()) {
      for (const backend of service.backends) this.#lookAt(backend, nowMs)
      if (service.waiting > 0) service.expire()
      // Who was ejected comes back, and nobody tells.
      if (this.#looks % 4 === 0) service.look()
    }
    if (this.#looks % 10 === 0) for (const inbound of this.#inbounds) inbound.expire(nowMs)
  }

  #lookAt(backend: Backend, nowMs: number): void {
    if (this.#looks % 20 === 0) closeOld(backend)
    const { route, health, askedMs, heardMs, load } = backend
    if (route.health === undefined && health === 'dead' && nowMs - askedMs > ILL_MS) {
      // Without a health path only a request can show that it is back.
      backend.askedMs = nowMs
      return backend.found('unknown')
    }
    if (route.health === undefined || route.state === 'leaving' || this.#asking.has(backend)) return
    const isSuspect = load > 0 && nowMs - heardMs > SILENCE_MS && nowMs - askedMs > SUSPECT_MS
    const isDue = nowMs - askedMs > askedAgainMs(backend)
    if (isSuspect || (isDue && nowMs - heardMs > SILENCE_MS)) void this.#ask(backend, isSuspect || health !== 'unknown')
  }

  async #ask(backend: Backend, isUrgent: boolean): Promise<void> {
    this.#asking.add(backend)
    backend.askedMs = this.nowMs()
    const found = await probe(backend, isUrgent)
    this.#asking.delete(backend)
    if (found === undefined) return
    backend.found(found)
    if (found !== 'well') for (const one of backend.inFlight) one.moveOn()
  }
}

function askedAgainMs({ health, route, wasWell }: Backend): number {
  if (health === 'well') return WELL_MS
  if (health === 'unknown') return LOOK_MS
  return route.state === 'unseen' && !wasWell ? STARTING_MS : ILL_MS
}
