import type { Duplex } from 'node:stream'
import { prefixKey, PREFIX_READ_MAX } from '../core/route/affinity.ts'
import { isRepeatable, isWorthRetry, REPLAY_BYTES_ALL, REPLAY_BYTES_MAX, TRIES_MAX } from '../core/route/retry.ts'
import type { Backend, InFlight } from './backend.ts'
import type { BodyForm, Breakage, ClientSide, Served } from './caller.ts'
import type { RequestHead, ResponseHead } from './http/head.ts'
import { fieldOf, requestText, type Forwarded } from './http/rewrite.ts'
import type { Service, WaitingRequest } from './service.ts'
import type { Upstream } from './upstream.ts'

/** The body of a request is held back up to this size while there is nowhere to send it. */
const HELD_MAX = 256 * 1024
/** Bodies that are kept to be sent again, of all requests of this process. */
const kept = { bytes: 0 }

/** A request that was understood, and the service it is for. */
export interface Asked {
  readonly head: RequestHead
  readonly service: Service
  readonly forwarded: Omit<Forwarded, 'host'>
  readonly nowMs: () => number
}

/** One request from its head to the end of its response, over as many replicas as it takes. */
export class Exchange implements Served, InFlight, WaitingRequest {
  readonly #asked: Asked
  readonly #caller: ClientSide
  readonly #isRepeatable: boolean
  readonly client: string
  readonly sinceMs: number
  #body: Buffer[] = []
  #bodyBytes = 0
  /** Everything of the body so far is kept, so that it can be sent again. */
  #isKept = true
  #isWhole: boolean
  #upstream: Upstream | undefined
  #backend: Backend | undefined
  #wasConnected = false
  #tried: Set<Backend> | undefined
  #tries = 0
  #hasBegun = false
  #isHeld = false
  #key: string | undefined
  #isOver = false

  constructor(asked: Asked, caller: ClientSide) {
    this.#asked = asked
    this.#caller = caller
    const { head, forwarded } = asked
    const mark = fieldOf(head.fields, 'berth-retry')
    const isMarkedSafe = mark === 'safe' || fieldOf(head.fields, 'idempotency-key') !== undefined
    this.#isRepeatable = mark !== 'never' && head.upgrade === undefined && isRepeatable({ ...head, isMarkedSafe })
    this.client = forwarded.client
    this.sinceMs = asked.nowMs()
    this.#isWhole = head.framing.kind === 'none'
    asked.service.earn()
  }

  get method(): string {
    return this.#asked.head.method
  }

  get upgrade(): string | undefined {
    return this.#asked.head.upgrade
  }

  /** Whether the body of the request has been taken to its end. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  start(): void {
    const { service } = this.#asked
    // Where it goes follows from its body, which must come first.
    this.#isHeld = service.route.affinity === 'prefix' && !this.#isWhole && this.#bodyBytes < PREFIX_READ_MAX
    if (this.#isHeld) return
    this.#key ??= this.#keyOf(service.route.affinity)
    const key = this.#key
    const backend = service.choose(this.#tried, key) ?? (this.#tries > 0 ? service.choose(undefined, key) : undefined)
    if (backend === undefined) service.wait(this)
    else this.#sendTo(backend)
  }

  tryAgain(): void {
    if (!this.#isOver) this.start()
  }

  giveUp(why: string): void {
    this.#refuse(503, why)
  }

  /** A piece of the body of the request. False: wait for `resume`. */
  body(bytes: Buffer): boolean {
    if (this.#isOver) return true
    const upstream = this.#upstream
    if (this.#isKept) this.#keep(bytes)
    if (upstream !== undefined) return upstream.write(bytes)
    if (this.#isHeld && this.#bodyBytes >= PREFIX_READ_MAX) this.start()
    return this.#bodyBytes < HELD_MAX
  }

  bodyEnd(): void {
    this.#isWhole = true
    this.#upstream?.whole()
    if (this.#isHeld && !this.#isOver) this.start()
  }

  /** What decides which replica it goes to; undefined: the load alone. */
  #keyOf(affinity: Service['route']['affinity']): string | undefined {
    if (affinity === 'prefix' && this.#bodyBytes > 0) return prefixKey(Buffer.concat(this.#body).toString('utf8'))
    if (affinity === undefined) return undefined
    const { fields } = this.#asked.head
    const [, cookie] = /(?:^|;\s*)session=([^;]+)/.exec(fieldOf(fields, 'cookie') ?? '') ?? []
    return fieldOf(fields, 'x-session-id') ?? cookie ?? this.client
  }

  /** The client has left: nobody waits for the response. */
  abort(): void {
    if (this.#isOver) return
    this.#asked.service.stopWaiting(this)
    this.#upstream?.abandon()
    this.#close()
  }

  /** The client takes more. */
  continueReading(): void {
    this.#upstream?.resume()
  }

  moveOn(): void {
    const { service } = this.#asked
    if (this.#hasBegun || !this.#mayRepeat() || this.#tried === undefined || !service.hasOther(this.#tried)) return
    this.#upstream?.abandon()
    this.#leave()
    service.retries++
    this.start()
  }

  onConnected(): void {
    this.#wasConnected = true
    // Whatever must not be sent twice need not be kept once it has gone out.
    if (!this.#isRepeatable) this.#forget()
  }

  onInform(head: ResponseHead): void {
    this.#caller.inform(head)
  }

  onResponse(head: ResponseHead): BodyForm | undefined {
    const { service } = this.#asked
    const isError = isWorthRetry(head.status)
    this.#backend?.learn(isError ? 'error' : 'answered', isError && service.mayEject())
    if (isError && this.#mayRepeat() && this.#tried !== undefined && service.hasOther(this.#tried) && service.spend()) {
      this.#leave()
      // The connection that brought this is given up first.
      queueMicrotask(() => this.tryAgain())
      return undefined
    }
    if (head.status >= 500) service.failed++
    this.#hasBegun = true
    this.#forget()
    return this.#caller.begin(head)
  }

  onBody(bytes: Buffer): boolean {
    return this.#caller.write(bytes)
  }

  onFlush(): void {
    this.#caller.flush()
  }

  onEnd(trailers: readonly string[]): void {
    this.#close()
    this.#caller.finish(trailers)
  }

  onBroken({ kind, why }: Breakage): void {
    const { service } = this.#asked
    const backend = this.#backend
    if (kind === 'refused') backend?.found('dead')
    backend?.learn('broken', service.mayEject())
    this.#leave()
    if (this.#isOver) return
    if (this.#hasBegun) {
      service.failed++
      this.#close()
      return this.#caller.fail()
    }
    const isUnsent = kind !== 'broken' || !this.#wasConnected
    const isFree = isUnsent && this.#isKept && this.#tries < TRIES_MAX + 4
    if (isFree || (this.#mayRepeat() && service.spend())) return this.start()
    this.#refuse(502, `the replica did not answer (${why})`)
  }

  onDrain(): void {
    this.#caller.resume()
  }

  onTunnel(head: ResponseHead, rest: Buffer, socket: Duplex): void {
    const [backend, upgraded] = [this.#backend, { moveOn: () => undefined }]
    this.#close()
    backend?.inFlight.add(upgraded)
    socket.once('close', () => backend?.done(upgraded))
    this.#caller.tunnel(head, rest, socket)
  }

  #mayRepeat(): boolean {
    return this.#isRepeatable && this.#isKept && this.#tries < TRIES_MAX
  }

  #sendTo(backend: Backend): void {
    const { head, forwarded } = this.#asked
    const { host, port, tls } = backend.address
    this.#tries++
    this.#wasConnected = false
    this.#tried ??= new Set()
    this.#tried.add(backend)
    this.#backend = backend
    const text = requestText(head, { ...forwarded, host: tls ? (port === 443 ? host : `${host}:${port}`) : undefined })
    this.#upstream = backend.send(this, text, { body: this.#body, isRepeatable: this.#isRepeatable })
    if (this.#isWhole) this.#upstream.whole()
    else this.#caller.resume()
  }

  #keep(bytes: Buffer): void {
    const isTooMuch = this.#bodyBytes + bytes.length > REPLAY_BYTES_MAX || kept.bytes > REPLAY_BYTES_ALL
    if (isTooMuch && this.#upstream !== undefined) return this.#forget()
    this.#body.push(bytes)
    this.#bodyBytes += bytes.length
    kept.bytes += bytes.length
  }

  #forget(): void {
    this.#isKept = this.#bodyBytes === 0 && this.#isWhole
    kept.bytes -= this.#bodyBytes
    this.#bodyBytes = 0
    this.#body = []
  }

  #leave(): void {
    this.#backend?.done(this)
    this.#backend = undefined
    this.#upstream = undefined
  }

  #refuse(status: number, why: string): void {
    if (this.#isOver) return
    this.#asked.service.failed++
    this.#close()
    this.#caller.refuse(status, why)
  }

  #close(): void {
    this.#isOver = true
    this.#leave()
    this.#forget()
    this.#asked.service.freed()
  }
}
