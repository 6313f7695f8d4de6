/** A line without an end is cut here. */
export const LINE_MAX = 64 * 1024

/** Splits incoming pieces into lines. Never keeps more than one line. */
export class LineCutter {
  #open: Buffer = Buffer.alloc(0);

  /** `left`: bytes of the added piece that come after the line. */
  *add(piece: Buffer): Generator<{ readonly text: string; readonly left: number }> {
    const bytes = this.#open.length === 0 ? piece : Buffer.concat([this.#open, piece])
    this.#open = Buffer.alloc(0)
    let from = 0
    while (from < bytes.length) {
      const at = bytes.indexOf(10, from)
      const isCut = (at === -1 ? bytes.length : at) - from > LINE_MAX
      const until = isCut ? from + LINE_MAX : at
      if (until === -1) break
      const start = from
      from = isCut ? until : until + 1
      yield { text: textOf(bytes, start, until), left: bytes.length - from }
    }
    this.#open = Buffer.from(bytes.subarray(from))
  }

  /** The last line, if it has no line break. */
  *end(): Generator<{ readonly text: string; readonly left: number }> {
    const text = textOf(this.#open, 0, this.#open.length)
    this.#open = Buffer.alloc(0)
    if (text !== '') yield { text, left: 0 }
  }
}

function textOf(bytes: Buffer, from: number, until: number): string {
  const end = until > from && bytes[until - 1] === 13 ? until - 1 : until
  return bytes.toString('utf8', from, end)
}
