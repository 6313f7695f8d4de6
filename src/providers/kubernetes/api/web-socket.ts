import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { written } from '../../../ports/room.ts'

const MESSAGE_MOST = 16 * 1024 * 1024
const CLOSE = 8
const PING = 9
const PONG = 10

/**
 * Messages over a connection that was upgraded (RFC 6455). Only what an API server needs: binary messages out, whole messages in,
 * pings answered.
 */
export class WebSocketStream {
  readonly #socket: Duplex
  #rest: Buffer
  #parts: Buffer[] = []

  constructor(socket: Duplex, head: Buffer) {
    this.#socket = socket
    this.#rest = head
  }

  /** Resolves when there is room for more. */
  send(message: Uint8Array): Promise<void> {
    return written(this.#socket, frame(2, message))
  }

  close(): void {
    if (this.#socket.writable) this.#socket.write(frame(CLOSE, Buffer.from([0x03, 0xe8])))
    this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Messages as they come, until the other side closes. */
  async *messages(): AsyncGenerator<Buffer> {
    yield* this.#taken()
    for await (const part of this.#socket) {
      // Proven: a socket without an encoding gives buffers.
      this.#rest = Buffer.concat([this.#rest, part as Buffer])
      const isOver = yield* this.#taken()
      if (isOver) return
    }
  }

  /** Every whole frame that has arrived. True: the other side has closed. */
  *#taken(): Generator<Buffer, boolean> {
    for (;;) {
      const next = unframed(this.#rest)
      if (next === undefined) return false
      this.#rest = this.#rest.subarray(next.size)
      if (next.kind === CLOSE) return true
      if (next.kind === PING && this.#socket.writable) this.#socket.write(frame(PONG, next.data))
      if (next.kind > 2) continue
      this.#parts.push(next.data)
      if (!next.isLast) continue
      yield Buffer.concat(this.#parts)
      this.#parts = []
    }
  }
}

/** What a client sends is masked. */
function frame(kind: number, data: Uint8Array): Buffer {
  const mask = randomBytes(4)
  const size = data.length
  const head =
    size < 126
      ? Buffer.from([0x80 | kind, 0x80 | size])
      : size < 65_536
        ? Buffer.from([0x80 | kind, 0x80 | 126, size >> 8, size & 255])
        : Buffer.concat([Buffer.from([0x80 | kind, 0x80 | 127]), longSize(size)])
  const body = Buffer.from(data).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
  return Buffer.concat([head, mask, body])
}

function longSize(size: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(size))
  return bytes
}

interface Frame {
  readonly kind: number
  readonly isLast: boolean
  readonly data: Buffer
  /** Bytes of the frame with its head. */
  readonly size: number
}

/** Undefined: it is not all here yet. */
function unframed(bytes: Buffer): Frame | undefined {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return undefined
  const short = second & 127
  const from = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < from) return undefined
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (length > MESSAGE_MOST) throw new Error('a message of the API server is too large')
  if (bytes.length < from + length) return undefined
  const data = bytes.subarray(from, from + length)
  return { kind: first & 15, isLast: (first & 128) !== 0, data, size: from + length }
}
