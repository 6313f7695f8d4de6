import type { Framing } from './head.ts'

/** The longest line of a size with its extensions. */
const SIZE_LINE_MAX = 256
const TRAILERS_MAX = 8 * 1024
const SIZE_LINE = /^([0-9a-fA-F]{1,12})(?:;[\t\x20-\x7e\x80-\xff]*)?$/
const TRAILER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/

/** Sizes with more digits are left to the thorough reader. */
const PLAIN_DIGITS_MAX = 7
/** The value of a byte as a hexadecimal digit; less than 0: it is none. */
const HEX = new Int8Array(256).fill(-1).map((none, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(digit) ? none : digit
})

type State = 'size' | 'data' | 'data-end' | 'trailers' | 'done' | 'failed'

/**
 * Follows the body of a message through the bytes of a connection, so that it is known where the next message begins.
 * Strict: what is not exactly a body as announced has failed.
 */
export class BodyScanner {
  readonly #framing: Framing
  /** Gets the contents without their framing; left out: nobody wants them. */
  readonly #onContent: ((content: Buffer) => void) | undefined
  #state: State
  #left = 0
  #line = ''
  #trailers = ''

  constructor(framing: Framing, onContent?: (content: Buffer) => void) {
    this.#framing = framing
    this.#onContent = onContent
    this.#left = framing.kind === 'length' ? framing.length : 0
    this.#state = framing.kind === 'none' ? 'done' : framing.kind === 'chunked' ? 'size' : 'data'
  }

  get isDone(): boolean {
    return this.#state === 'done'
  }

  get hasFailed(): boolean {
    return this.#state === 'failed'
  }

  /** The trailers, as lines of `name: value`. */
  get trailers(): readonly string[] {
    return this.#trailers === '' ? [] : this.#trailers.trimEnd().split('\r\n')
  }

  /** Takes bytes from this position; returns how many belong to the body. */
  scan(bytes: Buffer, from = 0): number {
    if (this.#framing.kind === 'close') {
      this.#onContent?.(from === 0 ? bytes : bytes.subarray(from))
      return bytes.length - from
    }
    let at = from
    while (at < bytes.length && this.#state !== 'done' && this.#state !== 'failed') {
      at = this.#state === 'data' ? this.#data(bytes, at) : this.#lineEnd(bytes, at)
    }
    return at - from
  }

  #data(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left)
    this.#left -= end - at
    this.#onContent?.(bytes.subarray(at, end))
    if (this.#left === 0) this.#state = this.#framing.kind === 'chunked' ? 'data-end' : 'done'
    return end
  }

  /** A size alone or the end of a chunk, all of it there: nearly every line of a stream. Less than 0: it is something else. */
  #plainLine(bytes: Buffer, at: number): number {
    if (this.#line !== '' || this.#state === 'trailers') return -1
    let size = 0
    let end = at
    for (; end < bytes.length && end - at <= PLAIN_DIGITS_MAX; end++) {
      const digit = HEX[bytes[end] ?? 0] ?? -1
      if (digit < 0) break
      size = size * 16 + digit
    }
    const isEnd = this.#state === 'data-end'
    if (bytes[end] !== 13 || bytes[end + 1] !== 10 || isEnd !== (end === at) || end - at > PLAIN_DIGITS_MAX) return -1
    this.#left = size
    this.#state = isEnd ? 'size' : size === 0 ? 'trailers' : 'data'
    return end + 2
  }

  /** Collects a line, which may come in pieces. */
  #lineEnd(bytes: Buffer, at: number): number {
    const plain = this.#plainLine(bytes, at)
    if (plain >= 0) return plain
    const end = bytes.indexOf(10, at)
    const piece = bytes.toString('latin1', at, end < 0 ? bytes.length : end + 1)
    this.#line += piece
    const most = this.#state === 'trailers' ? TRAILERS_MAX : SIZE_LINE_MAX
    if (this.#line.length > most) this.#state = 'failed'
    if (end < 0) return bytes.length
    const line = this.#line
    this.#line = ''
    if (!line.endsWith('\r\n')) this.#state = 'failed'
    if (this.#state !== 'failed') this.#wholeLine(line.slice(0, -2))
    return end + 1
  }

  #wholeLine(line: string): void {
    if (this.#state === 'data-end') this.#state = line === '' ? 'size' : 'failed'
    else if (this.#state === 'trailers') this.#trailer(line)
    else {
      const [, digits] = SIZE_LINE.exec(line) ?? []
      this.#left = digits === undefined ? 0 : Number.parseInt(digits, 16)
      this.#state = digits === undefined ? 'failed' : this.#left === 0 ? 'trailers' : 'data'
    }
  }

  #trailer(line: string): void {
    if (line === '') this.#state = 'done'
    else if (!TRAILER.test(line) || this.#trailers.length + line.length > TRAILERS_MAX) this.#state = 'failed'
    else this.#trailers += `${line}\r\n`
  }
}
