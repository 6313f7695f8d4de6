import type { Duplex } from 'node:stream'
import { prefixKey, PREFIX_READ_MAX } from '../core/route/affinity.ts'
import { isRepeatable, isWorthRetry, REPLAY_BYTES_ALL, REPLAY_BYTES_MAX, TRIES_MAX } from '../core/route/retry.ts'
import type { Backend } from './backend.ts'
import type { BodyForm, Breakage, ClientSide } from './caller.ts'
import { Hedge, type Hedged } from './hedge.ts'
import type { RequestHead, ResponseHead } from './http/head.ts'
import { addPiece } from './http/pieces.ts'
import { BodyScanner } from './http/body.ts'
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
export class Exchange implements Hedged, WaitingRequest {
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
  #sentMs = 0
  /** A second copy, and when it is due. */
  #hedge: Hedge | undefined
  #hedgeTimer: NodeJS.Timeout | undefined

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
    if (affinity === 'prefix' && this.#bodyBytes > 0) return prefixKey(this.#contents())
    if (affinity === undefined) return undefined
    const { fields } = this.#asked.head
    const [, cookie] = /(?:^|;\s*)session=([^;]+)/.exec(fieldOf(fields, 'cookie') ?? '') ?? []
    return fieldOf(fields, 'x-session-id') ?? cookie ?? this.client
  }

  /** What there is of the body, without its framing: the size of a chunk says nothing about its beginning. */
  #contents(): string {
    const { framing } = this.#asked.head
    const bytes = Buffer.concat(this.#body)
    if (framing.kind !== 'chunked') return bytes.toString('utf8')
    const pieces: Buffer[] = []
    new BodyScanner(framing, (content) => void pieces.push(content)).scan(bytes)
    return Buffer.concat(pieces).toString('utf8')
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
    // A second copy is on its way already.
    if (this.#hedge !== undefined) return
    service.retries++
    this.start()
  }

  hedgeWins(hedge: Hedge): void {
    this.#upstream?.abandon()
    this.#leave()
    this.#hedge = undefined
    hedge.backend.done(hedge)
    hedge.backend.inFlight.add(this)
    this.#backend = hedge.backend
    this.#upstream = hedge.upstream
    this.#asked.service.hedgesWon++
  }

  /** The second copy came to nothing. If the first did so before it, the request goes on as one that failed. */
  hedgeFails(why: string): void {
    if (this.#hedge === undefined) return
    this.#hedge = undefined
    if (!this.#isOver && this.#upstream === undefined) this.#goOn(false, why)
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
    if (isError && this.#hedge !== undefined) {
      this.#leave()
      return undefined
    }
    if (!isError) service.answered(this.#asked.nowMs() - this.#sentMs)
    if (isError && this.#mayRepeat() && this.#tried !== undefined && service.hasOther(this.#tried) && service.spend()) {
      this.#leave()
      // The connection that brought this is given up first.
      queueMicrotask(() => this.tryAgain())
      return undefined
    }
    if (head.status >= 500) service.failed++
    this.#hasBegun = true
    this.#dropHedge()
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
    if (this.#hedge !== undefined) return
    this.#goOn(kind !== 'broken' || !this.#wasConnected, why)
  }

  /** Tries another replica, if that does no harm. What was never sent is always tried elsewhere. */
  #goOn(isUnsent: boolean, why: string): void {
    const isFree = isUnsent && this.#isKept && this.#tries < TRIES_MAX + 4
    if (isFree || (this.#mayRepeat() && this.#asked.service.spend())) return this.start()
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
    const { service } = this.#asked
    this.#tries++
    this.#wasConnected = false
    this.#tried ??= new Set()
    this.#tried.add(backend)
    this.#backend = backend
    this.#upstream = backend.send(this, this.#textFor(backend), { body: this.#body, isRepeatable: this.#isRepeatable })
    if (this.#isWhole) this.#upstream.whole()
    else this.#caller.resume()
    if (service.route.hedge !== undefined) this.#awaitAnswer()
  }

  #awaitAnswer(): void {
    const { service, nowMs } = this.#asked
    this.#sentMs = nowMs()
    const ms = this.#tries === 1 && this.#isRepeatable ? service.hedgeAfterMs : undefined
    if (ms !== undefined) this.#hedgeTimer = setTimeout(() => this.#sendSecond(), ms)
  }

  /** The first copy is slower than others: sends a second one to a replica that is free. */
  #sendSecond(): void {
    const { service } = this.#asked
    if (this.#hasBegun || !this.#isWhole || !this.#mayRepeat() || this.#upstream === undefined) return
    const backend = service.choose(this.#tried)
    if (backend === undefined || this.#tried?.has(backend) === true || !service.hedge()) return
    this.#tried?.add(backend)
    const hedge = new Hedge(this, backend, () => service.mayEject())
    this.#hedge = hedge
    hedge.upstream = backend.send(hedge, this.#textFor(backend), { body: this.#body, isRepeatable: true })
    hedge.upstream.whole()
  }

  #dropHedge(): void {
    clearTimeout(this.#hedgeTimer)
    this.#hedge?.cancel()
    this.#hedge = undefined
  }

  #textFor({ address: { host, port, tls } }: Backend): string {
    const { head, forwarded } = this.#asked
    return requestText(head, { ...forwarded, host: tls ? (port === 443 ? host : `${host}:${port}`) : undefined })
  }

  #keep(bytes: Buffer): void {
    const isTooMuch = this.#bodyBytes + bytes.length > REPLAY_BYTES_MAX || kept.bytes > REPLAY_BYTES_ALL
    if (isTooMuch && this.#upstream !== undefined) return this.#forget()
    addPiece(this.#body, bytes)
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
    this.#dropHedge()
    this.#leave()
    this.#forget()
    this.#asked.service.freed()
  }
}
