import type { IncomingHttpHeaders } from 'node:http'
import { CloudEngine } from './engine.ts'
import type { Referee } from './referee/referee.ts'
import type { Sockets } from './sockets.ts'

/** A request to a pretended cloud. */
export interface FakeRequest {
  readonly method: string
  /** `/v2/pods/p1` as `['v2', 'pods', 'p1']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

export interface FakeReply {
  readonly status: number
  /** Undefined: no content. */
  readonly body?: unknown
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The connection stays open, as that of a stream. */
  readonly isOpen?: boolean
}

export type FakeCall = 'offers' | 'create' | 'describe' | 'list' | 'stop' | 'logs'

/** What goes wrong with one call. */
export type Mishap =
  /** Too many requests, with and without a word about how long to wait. */
  | 'throttled'
  | 'throttled-silently'
  | 'broken-before'
  /** Done, and answered with a 500. */
  | 'broken-after'
  /** Done, and the connection is cut. */
  | 'lost'
  | 'expired'
  /** The machine is there and the reply says that it failed. */
  | 'partial'
  /** This very reply, and nothing is done. */
  | RawReply

export interface RawReply {
  readonly status: number
  readonly type?: string
  readonly bytes: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** `cut`: less comes than was announced. `hung`: nothing comes. `slow`: byte by byte, and no end in sight. */
  readonly end?: 'cut' | 'hung' | 'slow'
}

/** One cloud in its own words: all that differs from the others. */
export interface FakeVendor {
  readonly key: string
  readonly isAuthorised: (headers: IncomingHttpHeaders, key: string) => boolean
  /** Undefined: there is no such call. */
  readonly callOf: (request: FakeRequest) => FakeCall | undefined
  readonly act: (engine: CloudEngine, request: FakeRequest) => Promise<FakeReply>
  readonly say: (what: 'throttled' | 'broken' | 'expired' | 'unknown-path') => FakeReply
  /** What was stopped is listed as ending before it is gone. */
  readonly isSlowToStop?: boolean
  /** For `partial`: the reply to an order that was carried out. */
  readonly partial?: (reply: FakeReply) => FakeReply
}

/** A request as it comes over the wire. */
export interface WireRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A reply as it goes over the wire. */
export interface WireReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly isOpen?: boolean
}

/** A pretended cloud without its server: requests in, replies out. */
export class FakeApi {
  readonly engine: CloudEngine
  readonly referee: Referee | undefined
  /** How often each call came. */
  readonly counts = new Map<FakeCall, number>()
  /** The key that is accepted. */
  key: string
  readonly #vendor: FakeVendor
  readonly #mishaps = new Map<FakeCall, Mishap[]>()

  constructor(
    vendor: FakeVendor,
    {
      nowMs,
      sockets,
      referee,
    }: { readonly nowMs: () => number; readonly sockets: Sockets; readonly referee?: Referee },
  ) {
    this.#vendor = vendor
    this.key = vendor.key
    this.engine = new CloudEngine(nowMs, sockets)
    this.referee = referee
  }

  /** The next such calls go wrong, one after the other. */
  next(call: FakeCall, ...mishaps: readonly Mishap[]): void {
    this.#mishaps.set(call, [...(this.#mishaps.get(call) ?? []), ...mishaps])
  }

  /** Nothing more goes wrong. */
  forget(): void {
    this.#mishaps.clear()
  }

  /** Undefined: there is no such call. */
  callOf(request: WireRequest): FakeCall | undefined {
    return this.#vendor.callOf(requestIn(request))
  }

  /** `cut`: the connection is cut. */
  async answer(wire: WireRequest): Promise<WireReply | RawReply | 'cut'> {
    const request = requestIn(wire)
    const call = this.#vendor.callOf(request)
    if (call !== undefined) this.counts.set(call, (this.counts.get(call) ?? 0) + 1)
    const mishap = call === undefined ? undefined : this.#mishaps.get(call)?.shift()
    if (typeof mishap === 'object') return mishap
    const reply = await this.#replyTo(request, call, mishap)
    if (reply === undefined) return 'cut'
    const { status, body } = reply
    const type = body === undefined ? undefined : (reply.type ?? 'application/json')
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const { method, url, headers } = wire
    this.referee?.see({
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      body: wire.text,
      reply: { status, type, text },
    })
    const { isOpen = false } = reply
    return { status, headers: { ...reply.headers, ...(type !== undefined && { 'content-type': type }) }, text, isOpen }
  }

  /** Undefined: the connection is cut. */
  async #replyTo(
    request: FakeRequest,
    call: FakeCall | undefined,
    mishap: Mishap | undefined,
  ): Promise<FakeReply | undefined> {
    const vendor = this.#vendor
    if (call === undefined) return vendor.say('unknown-path')
    if (mishap === 'expired' || !vendor.isAuthorised(request.headers, this.key)) return vendor.say('expired')
    if (mishap === 'throttled') return { ...vendor.say('throttled'), headers: { 'retry-after': '3' } }
    if (mishap === 'throttled-silently') return vendor.say('throttled')
    if (mishap === 'broken-before') return vendor.say('broken')
    const reply = await vendor.act(this.engine, request)
    if (mishap === 'lost') return undefined
    if (mishap === 'broken-after') return vendor.say('broken')
    return mishap === 'partial' ? (vendor.partial?.(reply) ?? reply) : reply
  }
}

function requestIn({ method, url, headers, text }: WireRequest): FakeRequest {
  const path = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent)
  return { method, path, query: url.searchParams, headers, body: objectOf(text) }
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {}
  const value: unknown = JSON.parse(text)
  // Proven: an object that is no list has keys.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
