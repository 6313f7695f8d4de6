import { connect, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import type { PortAddress } from '../core/life/call/address.ts'
import type { BodyForm, Breakage, Served } from './caller.ts'
import { BodyScanner } from './http/body.ts'
import { HEAD_BYTES_MAX, readResponse, type ResponseHead } from './http/head.ts'

/** After so long a silence the other side is asked whether it is still there: machines that vanish say nothing. */
export const ALIVE_MS = 60_000
/** How long a connection to a replica may take. */
const CONNECT_MS = 1000
/** Small bodies go out in one write with their heads. */
const TOGETHER_MAX = 16 * 1024
const NOTHING = Buffer.alloc(0)
/**
 * What every plain connection reads into: its bytes are passed on before the next one reads, so no read needs memory of its own. Whatever
 * is kept for longer is copied.
 */
const READ_INTO = Buffer.alloc(64 * 1024)

/** Who owns the connections to one replica. */
export interface UpstreamOwner {
  readonly address: PortAddress
  readonly nowMs: () => number
  /** Something came from the replica. */
  readonly heard: () => void
  /** The connection may serve the next request. */
  readonly release: (upstream: Upstream) => void
  readonly closed: (upstream: Upstream) => void
}

/** One connection to a replica, for one request at a time. */
export class Upstream {
  readonly #owner: UpstreamOwner
  readonly #socket: Socket
  #served: Served | undefined
  #rest: Buffer = NOTHING
  #scanner: BodyScanner | undefined
  #form: BodyForm = 'raw'
  #head: ResponseHead | undefined
  #isConnected = false
  #isWholeSent = false
  /** The response has been read to its end. */
  #isComplete = false
  #isOver = false
  idleSinceMs = 0

  /** `mayUpgrade`: the connection may become a tunnel, which reads in its own way. */
  constructor(owner: UpstreamOwner, { mayUpgrade }: { readonly mayUpgrade: boolean }) {
    this.#owner = owner
    const { host, port, tls } = owner.address
    const socket = tls
      ? connectSecure({ host, port, servername: host, ALPNProtocols: ['http/1.1'] })
      : connect({ host, port, ...(!mayUpgrade && { onread: { buffer: READ_INTO, callback: this.#read } }) })
    this.#socket = socket
    socket.setNoDelay(true)
    socket.setKeepAlive(true, ALIVE_MS)
    socket.setTimeout(CONNECT_MS)
    socket.once(tls ? 'secureConnect' : 'connect', () => this.#connected())
    socket.on('timeout', () => {
      if (!this.#isConnected) this.#break({ kind: 'never', why: `no connection within ${CONNECT_MS} ms` })
    })
    socket.on('data', (bytes: Buffer) => this.#data(bytes))
    socket.on('drain', () => this.#served?.onDrain())
    socket.on('end', () => this.#ended())
    socket.on('error', (error: NodeJS.ErrnoException) => this.#failed(error))
    socket.on('close', () =>
      this.#break({ kind: this.#isConnected ? 'broken' : 'never', why: 'the connection closed' }),
    )
  }

  /** Sends a request. `body` is what there is of its body so far. */
  send(served: Served, head: string, body: readonly Buffer[]): void {
    this.#served = served
    this.#isWholeSent = false
    this.#form = 'raw'
    const [first] = body
    if (first === undefined) this.#socket.write(head, 'latin1')
    else if (body.length === 1 && first.length < TOGETHER_MAX)
      this.#socket.write(head + first.toString('latin1'), 'latin1')
    else {
      this.#socket.cork()
      this.#socket.write(head, 'latin1')
      for (const piece of body) this.#socket.write(piece)
      this.#socket.uncork()
    }
    if (this.#isConnected) served.onConnected()
  }

  /** A further piece of the body. False: wait for `onDrain`. */
  write(bytes: Buffer): boolean {
    return this.#socket.write(bytes)
  }

  /** The body of the request is complete. */
  whole(): void {
    this.#isWholeSent = true
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Ends it without a word to whom it served. */
  abandon(): void {
    this.#served = undefined
    this.#over()
  }

  readonly #read = (count: number): boolean => {
    this.#data(READ_INTO.subarray(0, count))
    return true
  }

  #connected(): void {
    this.#isConnected = true
    this.#socket.setTimeout(0)
    this.#served?.onConnected()
  }

  #failed({ code, message }: NodeJS.ErrnoException): void {
    const kind = code === 'ECONNREFUSED' ? 'refused' : this.#isConnected ? 'broken' : 'never'
    this.#break({ kind, why: code ?? message })
  }

  /** The replica ended its side: the end of a body without a length, or of an idle connection. */
  #ended(): void {
    if (this.#head?.framing.kind === 'close' && this.#scanner !== undefined) return this.#finish(false)
    this.#break({ kind: 'broken', why: 'the replica closed the connection' })
  }

  #break(how: Breakage): void {
    if (this.#isOver) return
    const served = this.#served
    this.abandon()
    served?.onBroken(how)
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#socket.destroy()
    this.#owner.closed(this)
  }

  #data(chunk: Buffer): void {
    if (this.#isOver) return
    this.#owner.heard()
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = NOTHING
    // Nobody asked for anything: what comes now would be taken for the response to the next request.
    if (this.#served === undefined) return this.#over()
    let at = 0
    while (at < bytes.length && !this.#isComplete && !this.#isOver) {
      const next = this.#scanner === undefined ? this.#readHead(bytes, at) : this.#readBody(bytes, at)
      if (next < 0) return
      at = next
    }
    // More than the response came: whatever it is, it must not answer the next request.
    if (this.#isComplete) this.#finish(at === bytes.length)
    else this.#served?.onFlush()
  }

  /** Returns where to go on; less than 0: not now. */
  #readHead(bytes: Buffer, at: number): number {
    const served = this.#served
    if (served === undefined) return -1
    const end = bytes.indexOf('\r\n\r\n', at, 'latin1')
    if ((end < 0 ? bytes.length : end) - at > HEAD_BYTES_MAX) {
      this.#break({ kind: 'broken', why: 'the head of the response is too long' })
      return -1
    }
    if (end < 0) {
      this.#rest = Buffer.from(bytes.subarray(at))
      return -1
    }
    const head = readResponse(bytes.toString('latin1', at, end), served.method)
    if ('refused' in head) {
      this.#break({ kind: 'broken', why: head.why })
      return -1
    }
    return this.#headRead(head, bytes, end + 4)
  }

  #headRead(head: ResponseHead, bytes: Buffer, at: number): number {
    const served = this.#served
    if (served === undefined) return -1
    if (head.status === 101 && served.upgrade !== undefined) {
      this.#hand(served, head, bytes.subarray(at))
      return -1
    }
    if (head.status < 200) {
      // Which protocol to speak was not asked.
      if (head.status === 101) this.#break({ kind: 'broken', why: 'an upgrade that nobody asked for' })
      else served.onInform(head)
      return at
    }
    const form = served.onResponse(head)
    if (form === undefined) {
      this.abandon()
      return -1
    }
    this.#form = form
    this.#head = head
    this.#scanner = new BodyScanner(head.framing, form === 'content' ? (content) => this.#passed(content) : undefined)
    this.#isComplete = this.#scanner.isDone
    return at
  }

  #readBody(bytes: Buffer, at: number): number {
    const scanner = this.#scanner
    if (scanner === undefined) return -1
    const count = scanner.scan(bytes, at)
    if (scanner.hasFailed) {
      this.#break({ kind: 'broken', why: 'the body of the response is malformed' })
      return -1
    }
    if (this.#form === 'raw') this.#passed(at === 0 && count === bytes.length ? bytes : bytes.subarray(at, at + count))
    this.#isComplete = scanner.isDone
    return at + count
  }

  #passed(bytes: Buffer): void {
    if (bytes.length > 0 && this.#served?.onBody(bytes) === false) this.#socket.pause()
  }

  #finish(isClean: boolean): void {
    const [served, head, scanner] = [this.#served, this.#head, this.#scanner]
    this.#isComplete = false
    this.#served = undefined
    this.#head = undefined
    this.#scanner = undefined
    const isReusable = isClean && head?.isKeptAlive === true && this.#isWholeSent && !this.#isOver
    if (isReusable) {
      this.idleSinceMs = this.#owner.nowMs()
      this.#socket.resume()
      this.#owner.release(this)
    } else this.#over()
    served?.onEnd(scanner?.trailers ?? [])
  }

  /** The connection belongs to the client from now on. */
  #hand(served: Served, head: ResponseHead, rest: Buffer): void {
    this.#served = undefined
    this.#isOver = true
    this.#socket.removeAllListeners()
    this.#owner.closed(this)
    served.onTunnel(head, rest, this.#socket)
  }
}
