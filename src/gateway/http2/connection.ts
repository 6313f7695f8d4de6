import { constants, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { FIELDS_MAX, HEAD_BYTES_MAX } from '../http/head.ts'
import { clientOf, IDLE_MS, type ClientConnection, type Origin, type Reception } from '../reception.ts'
import { Http2Call } from './call.ts'
import { readHttp2Request } from './head.ts'

/** Requests of one connection at a time. */
const STREAMS_MAX = 128
/** How much of one request's body may be on its way, and of all bodies of a connection. */
const WINDOW = 128 * 1024
const WINDOW_ALL = 1024 * 1024
/** MiB that one connection may hold in all. */
const MEMORY_MAX = 24
/** The pseudo-header fields :method, :scheme, :authority and :path. */
const PSEUDO = 4
/** A client may take back so many requests at once, and so many a second after that. */
const RESETS_AT_ONCE = 500
const RESETS_A_SECOND = 50
/** Pings and settings between two looks, which are half a second apart: more of them are no conversation. */
const NOISE_MAX = 200
/** Fields as Node reads them, flags of the frame, and fields as they came. */
type StreamBegun = readonly [fields: unknown, flags: number, raw: string[]]

/** One connection of a client that speaks HTTP/2. */
export class Http2Connection implements ClientConnection {
  readonly #session: ServerHttp2Session
  readonly #reception: Reception
  readonly #origin: Origin
  readonly #calls = new Set<Http2Call>()
  #idleMs: number
  #noise = 0

  constructor(socket: Socket, scheme: Origin['scheme'], reception: Reception) {
    this.#reception = reception
    this.#origin = { client: clientOf(socket), scheme }
    this.#idleMs = reception.nowMs()
    socket.setNoDelay(true)
    const session = performServerHandshake(socket, {
      settings: {
        maxConcurrentStreams: STREAMS_MAX,
        initialWindowSize: WINDOW,
        maxHeaderListSize: HEAD_BYTES_MAX,
        enableConnectProtocol: false,
      },
      maxHeaderListPairs: FIELDS_MAX + PSEUDO,
      maxSessionMemory: MEMORY_MAX,
      streamResetBurst: RESETS_AT_ONCE,
      streamResetRate: RESETS_A_SECOND,
    })
    this.#session = session
    session.on('stream', (stream: ServerHttp2Stream, ...[, flags, raw]: StreamBegun) =>
      this.#stream(stream, raw, (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0),
    )
    session.on('connect', () => session.setLocalWindowSize(WINDOW_ALL))
    session.on('ping', () => this.#noise++)
    session.on('remoteSettings', () => this.#noise++)
    session.on('error', () => undefined)
    session.on('close', () => this.#closed())
    // A client that closes its side has left, as in HTTP/1.1. Nobody else listens: the socket may be half open.
    socket.once('end', () => session.destroy())
  }

  expire(nowMs: number): void {
    const isNoisy = this.#noise > NOISE_MAX
    this.#noise = 0
    if (isNoisy) return this.#session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM)
    for (const call of this.#calls) call.expire(nowMs)
    if (this.#calls.size === 0 && nowMs - this.#idleMs > IDLE_MS) this.#session.destroy()
  }

  /**
   * GOAWAY names the last request that is answered. One that was on its way then is refused as not begun, and clients repeat such
   * requests by themselves, on a new connection.
   */
  drain(): void {
    if (!this.#session.destroyed && !this.#session.closed) this.#session.close()
  }

  #stream(stream: ServerHttp2Stream, raw: readonly string[], isWhole: boolean): void {
    const call = new Http2Call(stream, {
      nowMs: this.#reception.nowMs,
      refused: (status) => this.#reception.refused(status),
      ended: () => {
        this.#calls.delete(call)
        this.#idleMs = this.#reception.nowMs()
      },
    })
    this.#calls.add(call)
    const head = readHttp2Request(raw, isWhole)
    if ('refused' in head) return call.refuse(head.refused, head.why)
    const exchange = this.#reception.receive(head, call, this.#origin)
    if (typeof exchange === 'string') return call.refuse(404, exchange)
    call.start(head, exchange)
  }

  #closed(): void {
    this.#reception.closed(this)
  }
}
