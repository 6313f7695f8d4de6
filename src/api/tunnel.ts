/** How a connection is asked to become a tunnel. */
export const TUNNEL_PROTOCOL = 'berth-tunnel/1'

/** What a frame has: bytes, the end of one direction, the size of a terminal, or how it ended, which is the last one. */
export const FRAMES = ['data', 'end', 'size', 'over'] as const
export type FrameKind = (typeof FRAMES)[number]

export interface TunnelFrame {
  readonly kind: FrameKind
  readonly data: Uint8Array
}

/** A tunnel as the one who opened it has it. */
export interface Tunnel {
  /** What comes, until the other side ends it. */
  readonly output: AsyncIterable<Uint8Array>
  /** Resolves when there is room for more; also when the tunnel is gone, which `ended` tells. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** Nothing more will be written. */
  readonly end: () => void
  readonly resize: (screen: { readonly rows: number; readonly columns: number }) => void
  readonly close: () => void
  /** How it ended, after the end of its output. Rejects with the problems that ended it. */
  readonly ended: Promise<{ readonly code?: number | undefined }>
}

/** No frame is longer; longer data goes into several. */
const FRAME_MOST = 1024 * 1024
const HEAD = 5

/** A frame as it is sent: its kind, the length of its data in four bytes, its data. */
export function frameOf(kind: FrameKind, data: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = new Uint8Array(HEAD + data.length)
  bytes[0] = FRAMES.indexOf(kind)
  new DataView(bytes.buffer).setUint32(1, data.length)
  bytes.set(data, HEAD)
  return bytes
}

export function jsonFrame(kind: FrameKind, value: unknown): Uint8Array {
  return frameOf(kind, new TextEncoder().encode(JSON.stringify(value)))
}

/** The value in a frame that has one; undefined: it has none. */
export function jsonIn({ data }: TunnelFrame): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(data))
  } catch {
    return undefined
  }
}

/** Data as frames that are short enough. */
export function* dataFrames(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += FRAME_MOST)
    yield frameOf('data', bytes.subarray(from, from + FRAME_MOST))
}

/** Puts frames together from the pieces that a connection delivers. */
export class FrameReader {
  #pieces: Uint8Array[] = []
  #length = 0

  #joined(): Uint8Array {
    const [first] = this.#pieces
    if (this.#pieces.length === 1 && first !== undefined) return first
    const whole = new Uint8Array(this.#length)
    let at = 0
    for (const piece of this.#pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    this.#pieces = [whole]
    return whole
  }

  /** Every frame that is whole now. Throws if the other side does not speak this protocol. */
  *read(piece: Uint8Array): Generator<TunnelFrame> {
    this.#pieces.push(piece)
    this.#length += piece.length
    for (;;) {
      if (this.#length < HEAD) return
      const head = this.#joined()
      const kind = FRAMES[head[0] ?? FRAMES.length]
      const size = new DataView(head.buffer, head.byteOffset).getUint32(1)
      if (kind === undefined || size > FRAME_MOST) throw new Error('the other side does not speak the tunnel protocol')
      if (this.#length < HEAD + size) return
      const data = head.slice(HEAD, HEAD + size)
      const rest = head.subarray(HEAD + size)
      this.#pieces = [rest]
      this.#length = rest.length
      yield { kind, data }
    }
  }
}
