import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { BodyForm, ClientSide } from './caller.ts'
import type { Exchange } from './exchange.ts'
import { answerText, problemText } from './http/answer.ts'
import { BodyScanner } from './http/body.ts'
import { HEAD_BYTES_MAX, readRequest, type RequestHead, type ResponseHead } from './http/head.ts'
import { fieldOf } from './http/rewrite.ts'
import {
  BODY_MS,
  clientOf,
  IDLE_MS,
  WRITE_MS,
  type ClientConnection,
  type Origin,
  type Reception,
} from './reception.ts'
import { joinTunnel } from './tunnel.ts'

/** Small bodies go out in one write with their heads. */
const TOGETHER_MAX = 16 * 1024
/** Requests that came early are held up to this size. */
const EARLY_MAX = 64 * 1024
const HEAD_MS = 10_000
/** After an answer that left the request unread, the client has this long to read the answer, once all of it has gone out. */
const LINGER_MS = 1000
/** A replica may take nothing of a body for so long. Nobody hears of a client that leaves meanwhile, because it is not read. */
const STALLED_MS = 300_000
/** A connection without a request stays open this long when the gateway leaves: the next request may be on its way already. */
const LEAVE_MS = 1000
const NOTHING = Buffer.alloc(0)
/** What the first line of a client of HTTP/2 looks like to a reader of HTTP/1.1. */
const HTTP2_BEGINS = 'PRI * HTTP/2.0'

type Waits = 'idle' | 'head' | 'body' | 'response' | 'write' | 'linger'

/** One connection of a client that speaks HTTP/1.1. */
export class Inbound implements ClientSide, ClientConnection {
  readonly #socket: Socket
  readonly #reception: Reception
  readonly #scheme: Origin['scheme']
  readonly client: string
  #rest: Buffer = NOTHING
  #head: RequestHead | undefined
  #scanner: BodyScanner | undefined
  #exchange: Exchange | undefined
  #requestId = ''
  #early = ''
  #isLast = false
  /** The head of the current response is there. */
  #hasBegun = false
  /** Only the end of the connection tells where the response ends. */
  #isUntilClose = false
  #isOver = false
  #isTunnel = false
  #isEnded = false
  #isRunning = false
  /** Nothing has been asked yet. */
  #isFresh = true
  /** What it waits for now, and since when. */
  #waits: Waits = 'idle'
  #sinceMs: number

  constructor(socket: Socket, scheme: Origin['scheme'], reception: Reception) {
    this.#socket = socket
    this.#reception = reception
    this.#scheme = scheme
    this.client = clientOf(socket)
    this.#sinceMs = reception.nowMs()
    socket.setNoDelay(true)
    socket.on('data', (bytes: Buffer) => this.take(bytes))
    socket.on('drain', () => this.#drained())
    socket.on('end', () => this.#ended())
    socket.on('error', () => this.#gone())
    socket.on('close', () => this.#gone())
  }

  /** Bytes from the client. */
  take(bytes: Buffer): void {
    if (this.#isOver || this.#waits === 'linger') return
    if (this.#waits === 'body') this.#sinceMs = this.#reception.nowMs()
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    this.#run()
  }

  expire(nowMs: number): void {
    const ms = nowMs - this.#sinceMs
    if (this.#isTunnel) return
    if (this.#waits === 'head' && ms > HEAD_MS) this.#answer(408, 'the head of the request took too long')
    else if (this.#waits === 'body' && ms > BODY_MS && this.#exchange !== undefined) this.#bodyLate(this.#exchange, ms)
    else if (this.#waits === 'idle' && ms > LEAVE_MS && this.#reception.isDraining()) this.#end()
    else if (
      (this.#waits === 'idle' && ms > IDLE_MS) ||
      (this.#waits === 'write' && ms > WRITE_MS) ||
      (this.#waits === 'linger' && ms > (this.#socket.writableFinished ? LINGER_MS : WRITE_MS))
    ) {
      this.#socket.destroy()
    }
  }

  #bodyLate(exchange: Exchange, ms: number): void {
    // Its replica takes no more for now: that is not the client's silence.
    const isStalled = this.#socket.isPaused()
    if (isStalled && ms <= STALLED_MS) return
    exchange.abort()
    // An answer of our own would come in the middle of the response.
    if (this.#hasBegun) this.#socket.destroy()
    else if (isStalled) this.#answer(504, 'the replica takes no more of the body')
    else this.#answer(408, 'the body of the request took too long')
  }

  drain(): void {
    if (this.#waits === 'idle') this.#wait('idle')
  }

  #run(): void {
    // A response that is complete at once leads back here.
    if (this.#isRunning) return
    this.#isRunning = true
    while (this.#rest.length > 0 && !this.#isOver && this.#waits !== 'linger') {
      if (this.#scanner !== undefined) this.#readBody(this.#scanner)
      else if (this.#exchange !== undefined || !this.#readHead()) break
    }
    this.#isRunning = false
    if (this.#rest.length > EARLY_MAX && this.#exchange !== undefined) this.#socket.pause()
  }

  /** False: the head is not complete, or nothing more is read. */
  #readHead(): boolean {
    // Empty lines before a request are skipped.
    while (this.#rest[0] === 13 && this.#rest[1] === 10) this.#rest = this.#rest.subarray(2)
    if (this.#rest.length === 0) return false
    const end = this.#rest.indexOf('\r\n\r\n', 0, 'latin1')
    if (end > HEAD_BYTES_MAX || (end < 0 && this.#rest.length > HEAD_BYTES_MAX)) {
      this.#answer(431, 'the head of the request is too long')
      return false
    }
    if (end < 0) {
      if (this.#waits === 'idle') this.#wait('head')
      return false
    }
    const text = this.#rest.toString('latin1', 0, end)
    if (text === HTTP2_BEGINS && this.#isFresh && this.#scheme === 'http') {
      this.#handOver()
      return false
    }
    this.#isFresh = false
    const head = readRequest(text)
    this.#rest = this.#rest.subarray(end + 4)
    if ('refused' in head) {
      this.#answer(head.refused, head.why)
      return false
    }
    this.#begin(head)
    return true
  }

  /** The client speaks HTTP/2, which another reader understands. */
  #handOver(): void {
    const [socket, first] = [this.#socket, this.#rest]
    this.#isOver = true
    this.#rest = NOTHING
    socket.removeAllListeners('data').removeAllListeners('drain').removeAllListeners('end')
    this.#reception.speaksHttp2(this, socket, first)
  }

  #begin(head: RequestHead): void {
    this.#head = head
    this.#hasBegun = false
    this.#requestId = ''
    this.#isLast = !head.isKeptAlive || this.#reception.isDraining()
    const origin = { client: this.client, scheme: this.#scheme }
    const exchange = this.#reception.receive(head, this, origin)
    if (typeof exchange === 'string') return this.#answer(404, exchange)
    this.#exchange = exchange
    if (head.framing.kind !== 'none') {
      this.#scanner = new BodyScanner(head.framing)
      if (head.expectsContinue) this.#socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')
    }
    this.#wait(this.#scanner === undefined ? 'response' : 'body')
    exchange.start()
  }

  #readBody(scanner: BodyScanner): void {
    const count = scanner.scan(this.#rest)
    if (scanner.hasFailed) {
      this.#exchange?.abort()
      this.#scanner = undefined
      // An answer of our own would come in the middle of the response.
      if (this.#hasBegun) return void this.#socket.destroy()
      return this.#answer(400, 'the body of the request is malformed')
    }
    const bytes = this.#rest.subarray(0, count)
    this.#rest = this.#rest.subarray(count)
    if (scanner.isDone) {
      this.#scanner = undefined
      // A client that does not read its response is not waited for longer because its request is complete.
      if (this.#waits !== 'write') this.#wait('response')
    }
    if (this.#exchange?.body(bytes) === false) this.#socket.pause()
    if (scanner.isDone) this.#exchange?.bodyEnd()
  }

  inform(head: ResponseHead): void {
    if (this.#head?.isOld === false && head.status !== 100) this.#socket.write(answerText(head, { last: '' }), 'latin1')
  }

  begin(head: ResponseHead): BodyForm {
    this.#hasBegun = true
    const isOld = this.#head?.isOld === true
    const isContent = isOld && head.framing.kind === 'chunked'
    this.#isUntilClose = head.framing.kind === 'close' || isContent
    // A response before the request was read: what is left of the request cannot be told from the next one.
    if (this.#scanner !== undefined || this.#isUntilClose) this.#isLast = true
    if (this.#reception.isDraining()) this.#isLast = true
    const last = this.#isLast ? 'connection: close\r\n' : isOld ? 'connection: keep-alive\r\n' : ''
    const coding = head.framing.kind === 'chunked' && !isContent ? 'transfer-encoding: chunked\r\n' : ''
    this.#early = answerText(head, { last: coding + last, requestId: this.requestId })
    return isContent ? 'content' : 'raw'
  }

  /** The id of the current request; the gateway sets it. */
  get requestId(): string {
    return this.#requestId
  }

  set requestId(id: string) {
    this.#requestId = id
  }

  write(bytes: Buffer): boolean {
    const early = this.#early
    this.#early = ''
    // As text, what is small is copied on its way without memory of its own.
    if (bytes.length < TOGETHER_MAX)
      return this.#written(this.#socket.write(early + bytes.toString('latin1'), 'latin1'))
    if (early === '') return this.#written(this.#socket.write(Buffer.from(bytes)))
    this.#socket.cork()
    this.#socket.write(early, 'latin1')
    const isFree = this.#socket.write(Buffer.from(bytes))
    this.#socket.uncork()
    return this.#written(isFree)
  }

  flush(): void {
    const early = this.#early
    this.#early = ''
    if (early !== '') this.#socket.write(early, 'latin1')
  }

  finish(): void {
    this.flush()
    this.#exchange = undefined
    this.#head = undefined
    if (this.#isOver) return
    if (this.#scanner !== undefined) return this.#linger()
    if (this.#isLast || this.#isEnded) return this.#end()
    this.#next()
  }

  /** Another request may follow, or be there already. */
  #next(): void {
    this.#wait('idle')
    this.#socket.resume()
    if (this.#rest.length > 0) this.#run()
  }

  refuse(status: number, why: string): void {
    this.#exchange = undefined
    this.#answer(status, why)
  }

  fail(): void {
    this.#exchange = undefined
    // What was sent so far must not look complete. TLS has an end of its own, which is left out.
    if (this.#isUntilClose && this.#scheme === 'http') this.#socket.resetAndDestroy()
    else this.#socket.destroy()
  }

  resume(): void {
    if (this.#isOver) return
    if (this.#waits === 'body' && this.#socket.isPaused()) this.#sinceMs = this.#reception.nowMs()
    this.#socket.resume()
  }

  tunnel(head: ResponseHead, rest: Buffer, to: Duplex): void {
    this.#isTunnel = true
    this.#exchange = undefined
    const protocol = fieldOf(head.fields, 'upgrade') ?? this.#head?.upgrade ?? ''
    const upgrade = `connection: upgrade\r\nupgrade: ${protocol}\r\n`
    this.#socket.write(answerText(head, { last: upgrade, requestId: this.requestId }), 'latin1')
    const [early, isEnded] = [this.#rest, this.#isEnded]
    this.#rest = NOTHING
    this.#socket.removeAllListeners('data').removeAllListeners('drain').removeAllListeners('end')
    joinTunnel({ socket: this.#socket, early, isEnded }, { socket: to, early: rest })
  }

  #written(isFree: boolean): boolean {
    if (!isFree) this.#wait('write')
    return isFree
  }

  #drained(): void {
    if (this.#waits === 'write') this.#wait(this.#scanner === undefined ? 'response' : 'body')
    this.#exchange?.continueReading()
  }

  #wait(what: Waits): void {
    this.#waits = what
    this.#sinceMs = this.#reception.nowMs()
  }

  /** The gateway's own answer, after which the connection ends: where the next request would begin is not certain. */
  #answer(status: number, why: string): void {
    if (this.#isOver || this.#isTunnel) return
    this.#reception.refused(status)
    const isClean = this.#head !== undefined && this.#scanner === undefined && this.#head.framing.kind === 'none'
    const isKept = isClean && !this.#isLast && !this.#isEnded && status !== 400 && status !== 408
    const text = problemText({
      status,
      why,
      requestId: this.requestId,
      isLast: !isKept,
      isHead: this.#head?.method === 'HEAD',
    })
    this.#early = ''
    this.#socket.write(text, 'latin1')
    this.#exchange = undefined
    this.#head = undefined
    this.#scanner = undefined
    if (isKept) this.#next()
    else this.#linger()
  }

  /** Ends its own side and lets the client read what it was sent, before the connection is cut. */
  #linger(): void {
    this.#scanner = undefined
    this.#exchange = undefined
    this.#rest = NOTHING
    this.#wait('linger')
    this.#socket.resume()
    this.#end()
  }

  #end(): void {
    this.#socket.end()
    if (this.#waits !== 'linger') this.#wait('linger')
    if (this.#isEnded) this.#isOver = true
  }

  /** The client has ended its side. One of HTTP/1.0 may still wait for the response; any other has left. */
  #ended(): void {
    this.#isEnded = true
    const isAnnounced = this.#head?.isOld === true && this.#scanner === undefined
    if (this.#exchange !== undefined && isAnnounced) return
    this.#gone()
    this.#end()
  }

  #gone(): void {
    if (this.#isOver && this.#exchange === undefined && this.#socket.destroyed) return this.#reception.closed(this)
    const exchange = this.#exchange
    this.#isOver = true
    this.#exchange = undefined
    exchange?.abort()
    if (this.#socket.destroyed) this.#reception.closed(this)
  }
}
