import { constants, type ServerHttp2Stream } from 'node:http2'
import type { BodyForm, ClientSide } from '../caller.ts'
import type { Exchange } from '../exchange.ts'
import { problemOf } from '../http/answer.ts'
import type { RequestHead, ResponseHead } from '../http/head.ts'
import { responseFields } from '../http/rewrite.ts'
import { BODY_MS, WRITE_MS } from '../reception.ts'
import { http2Fields, http2Trailers, lastChunk } from './head.ts'

/** What a call needs of its connection. */
interface CallDeps {
  readonly nowMs: () => number
  readonly refused: (status: number) => void
  readonly ended: () => void
}

/** HTTP/2 has no status beyond this one. */
const STATUS_MAX = 599
const CRLF = Buffer.from('\r\n', 'latin1')

/** One request of a connection that speaks HTTP/2: one stream of it. */
export class Http2Call implements ClientSide {
  readonly #stream: ServerHttp2Stream
  readonly #deps: CallDeps
  #exchange: Exchange | undefined
  #head: RequestHead | undefined
  #trailers: readonly string[] = []
  #answerTrailers: readonly string[] = []
  /** Since when it waits for the client: for more of the body, or to be read. */
  #bodyMs: number | undefined
  #writeMs: number | undefined
  /** The id of the request; the gateway sets it. */
  requestId = ''

  constructor(stream: ServerHttp2Stream, deps: CallDeps) {
    this.#stream = stream
    this.#deps = deps
    stream.on('error', () => undefined)
    stream.on('close', () => this.#closed())
  }

  start(head: RequestHead, exchange: Exchange): void {
    const stream = this.#stream
    this.#head = head
    this.#exchange = exchange
    if (head.framing.kind !== 'none') {
      this.#bodyMs = this.#deps.nowMs()
      stream.on('data', (bytes: Buffer) => this.#body(bytes))
      stream.on('trailers', (_: unknown, __: unknown, raw: string[]) => (this.#trailers = raw))
      stream.on('end', () => this.#bodyEnd())
      if (head.expectsContinue) stream.additionalHeaders({ ':status': 100 })
    }
    stream.on('drain', () => {
      this.#writeMs = undefined
      this.#exchange?.continueReading()
    })
    exchange.start()
  }

  expire(nowMs: number): void {
    if (this.#writeMs !== undefined && nowMs - this.#writeMs > WRITE_MS) return this.fail()
    if (this.#bodyMs === undefined || nowMs - this.#bodyMs <= BODY_MS || this.#exchange === undefined) return
    if (this.#stream.isPaused()) return
    this.#exchange.abort()
    this.refuse(408, 'the body of the request took too long')
  }

  /** Replicas get it as HTTP/1.1 has it: with its length, or in chunks. */
  #body(bytes: Buffer): void {
    if (this.#exchange === undefined || bytes.length === 0) return
    this.#bodyMs = this.#deps.nowMs()
    const isChunked = this.#head?.framing.kind === 'chunked'
    const size = isChunked ? Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1') : undefined
    const framed = size === undefined ? bytes : Buffer.concat([size, bytes, CRLF])
    if (!this.#exchange.body(framed)) this.#stream.pause()
  }

  #bodyEnd(): void {
    this.#bodyMs = undefined
    const exchange = this.#exchange
    if (this.#head?.framing.kind === 'chunked') exchange?.body(Buffer.from(lastChunk(this.#trailers), 'latin1'))
    exchange?.bodyEnd()
  }

  inform(head: ResponseHead): void {
    const stream = this.#stream
    if (head.status === 100 || stream.headersSent || stream.destroyed) return
    stream.additionalHeaders({ ...http2Fields(responseFields(head)), ':status': head.status })
  }

  begin(head: ResponseHead): BodyForm {
    const stream = this.#stream
    if (stream.destroyed || stream.headersSent) return 'content'
    const fields = http2Fields(responseFields(head))
    fields['x-request-id'] = this.requestId
    const waitForTrailers = head.framing.kind === 'chunked'
    if (waitForTrailers) stream.on('wantTrailers', () => stream.sendTrailers(http2Trailers(this.#answerTrailers)))
    const endStream = head.framing.kind === 'none'
    const status = head.status > STATUS_MAX ? 502 : head.status
    stream.respond({ ...fields, ':status': status }, { endStream, waitForTrailers })
    return 'content'
  }

  write(bytes: Buffer): boolean {
    if (this.#stream.destroyed || this.#stream.writableEnded) return true
    const isFree = this.#stream.write(Buffer.from(bytes))
    if (!isFree) this.#writeMs ??= this.#deps.nowMs()
    return isFree
  }

  /** Everything written in one turn goes out together anyway. */
  flush(): void {}

  finish(trailers: readonly string[]): void {
    this.#answerTrailers = trailers
    this.#exchange = undefined
    this.#end()
  }

  refuse(status: number, why: string): void {
    const stream = this.#stream
    this.#deps.refused(status)
    this.#exchange = undefined
    if (stream.destroyed) return
    if (stream.headersSent) return this.fail()
    const { fields, body } = problemOf({ status, why, requestId: this.requestId })
    const isHead = this.#head?.method === 'HEAD'
    stream.respond({ ...fields, ':status': status }, { endStream: isHead })
    if (!isHead) stream.write(body)
    this.#end()
  }

  fail(): void {
    this.#exchange?.abort()
    this.#exchange = undefined
    if (!this.#stream.destroyed) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR)
  }

  resume(): void {
    if (!this.#stream.destroyed) this.#stream.resume()
  }

  /** An upgrade is a thing of HTTP/1.1, and is never asked for here. */
  tunnel(): void {
    this.fail()
  }

  /** Ends the response. What is left of a request that nobody reads any more is not wanted. */
  #end(): void {
    const stream = this.#stream
    if (stream.destroyed) return
    if (this.#bodyMs !== undefined || !stream.readableEnded) {
      stream.once('finish', () => {
        if (this.#bodyMs !== undefined) stream.close(constants.NGHTTP2_NO_ERROR)
      })
    }
    // From here on nothing tells when the client takes more, and all that is left is little.
    this.#writeMs ??= this.#deps.nowMs()
    stream.end()
    stream.resume()
  }

  /** The stream is over: if its request is not, the client has left. */
  #closed(): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    exchange?.abort()
    this.#deps.ended()
  }
}
