import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CloudEngine } from './engine.ts'
import type { Referee } from './referee/referee.ts'

/** A request to a pretended cloud. */
export interface FakeRequest {
  readonly method: string
  /** `/v2/pods/p1` as `['v2', 'pods', 'p1']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

export interface FakeReply {
  readonly status: number
  /** Undefined: no content. */
  readonly body?: unknown
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type FakeCall = 'offers' | 'create' | 'describe' | 'list' | 'stop'

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

interface RawReply {
  readonly status: number
  readonly type?: string
  readonly bytes: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** `cut`: less comes than was announced. `hung`: nothing comes. */
  readonly end?: 'cut' | 'hung'
}

/** One cloud in its own words: all that differs from the others. */
export interface FakeVendor {
  readonly key: string
  readonly isAuthorised: (headers: IncomingMessage['headers'], key: string) => boolean
  /** Undefined: there is no such call. */
  readonly callOf: (request: FakeRequest) => FakeCall | undefined
  readonly act: (engine: CloudEngine, request: FakeRequest) => Promise<FakeReply>
  readonly say: (what: 'throttled' | 'broken' | 'expired' | 'unknown-path') => FakeReply
  /** For `partial`: the reply to an order that was carried out. */
  readonly partial?: (reply: FakeReply) => FakeReply
}

/** A pretended cloud that listens on the loopback address. */
export class FakeCloud {
  readonly engine: CloudEngine
  readonly referee: Referee | undefined
  /** How often each call came. */
  readonly counts = new Map<FakeCall, number>()
  latencyMs = 0
  readonly #vendor: FakeVendor
  readonly #mishaps = new Map<FakeCall, Mishap[]>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  #url = ''
  /** The key that is accepted. */
  key: string

  private constructor(vendor: FakeVendor, nowMs: () => number, referee: Referee | undefined) {
    this.#vendor = vendor
    this.key = vendor.key
    this.engine = new CloudEngine(nowMs)
    this.referee = referee
  }

  static async open(vendor: FakeVendor, nowMs: () => number, referee?: Referee): Promise<FakeCloud> {
    const cloud = new FakeCloud(vendor, nowMs, referee)
    await new Promise<void>((resolve) => cloud.#server.listen(0, '127.0.0.1', resolve))
    // Proven: a server that listens on a port has such an address.
    const { port } = cloud.#server.address() as AddressInfo
    cloud.#url = `http://127.0.0.1:${port}`
    cloud.engine.mark = port
    return cloud
  }

  get url(): string {
    return this.#url
  }

  /** The next such calls go wrong, one after the other. */
  next(call: FakeCall, ...mishaps: readonly Mishap[]): void {
    this.#mishaps.set(call, [...(this.#mishaps.get(call) ?? []), ...mishaps])
  }

  /** Nothing more goes wrong. */
  forget(): void {
    this.#mishaps.clear()
  }

  async close(): Promise<void> {
    await this.engine.close()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', this.#url)
    const text = await bodyOf(incoming)
    const request = {
      method: incoming.method ?? 'GET',
      path: url.pathname
        .split('/')
        .filter((part) => part !== '')
        .map(decodeURIComponent),
      query: url.searchParams,
      headers: incoming.headers,
      body: objectOf(text),
    }
    const call = this.#vendor.callOf(request)
    if (call !== undefined) this.counts.set(call, (this.counts.get(call) ?? 0) + 1)
    const mishap = call === undefined ? undefined : this.#mishaps.get(call)?.shift()
    if (typeof mishap === 'object') return sendRaw(mishap, response)
    const reply = await this.#replyTo(request, call, mishap)
    if (reply === undefined) return void incoming.socket.destroy()
    const type = reply.body === undefined ? undefined : (reply.type ?? 'application/json')
    const sent =
      reply.body === undefined ? '' : typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
    this.referee?.see({
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: text,
      reply: { status: reply.status, type, text: sent },
    })
    response
      .writeHead(reply.status, { ...reply.headers, ...(type !== undefined && { 'content-type': type }) })
      .end(sent)
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

function sendRaw({ status, type, bytes, headers, end }: RawReply, response: ServerResponse): void {
  if (end === 'hung') return
  const length = end === 'cut' ? { 'content-length': String(bytes.length + 100) } : {}
  response.writeHead(status, { ...headers, ...length, ...(type !== undefined && { 'content-type': type }) })
  if (end === 'cut') response.write(bytes, () => response.destroy())
  else response.end(bytes)
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  // Proven: without an encoding, a request comes in buffers.
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {}
  const value: unknown = JSON.parse(text)
  // Proven: an object that is no list has keys.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
