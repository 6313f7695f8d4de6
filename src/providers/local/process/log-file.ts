import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { LogLine, LogWant } from '../../../ports/provider.ts'
import type { Timers } from '../../../ports/timers.ts'

export interface LogSource {
  /** Oldest first: what was cut off, and what is being written. Only the last one grows. */
  readonly old: string
  readonly current: string
  readonly hasEnded: () => boolean
  readonly timers: Timers
}

/** Lines of a log that is trimmed from time to time. */
export async function* readLog(source: LogSource, want: LogWant, signal: AbortSignal): AsyncGenerator<LogLine> {
  const lines = new Lines()
  const grown = new GrowingFile(source.current)
  try {
    const past = [...lines.add(readWhole(source.old)), ...lines.add(grown.rest())]
    if (!want.follow) past.push(...lines.end())
    yield* past.slice(want.tail === undefined ? 0 : Math.max(0, past.length - want.tail)).map(asLine)
    while (want.follow && !signal.aborted) {
      // Asked before reading: what is written between the two is not lost.
      const hasEnded = source.hasEnded()
      yield* lines.add(grown.rest()).map(asLine)
      if (hasEnded) break
      await source.timers.sleep(POLL_MS, signal)
    }
    yield* lines.end().map(asLine)
  } finally {
    grown.close()
  }
}

const POLL_MS = 200

/** The streams are one file, in the order in which things were written. */
function asLine(text: string): LogLine {
  return { atMs: undefined, stream: 'out', text }
}

/** Cuts what comes in pieces into lines; a line that never ends is cut, too. */
class Lines {
  #open: Buffer = Buffer.alloc(0)

  add(chunk: Buffer): readonly string[] {
    const text = Buffer.concat([this.#open, chunk])
    const lines: string[] = []
    let from = 0
    while (from < text.length) {
      const at = text.indexOf(10, from)
      const isCut = (at === -1 ? text.length : at) - from > LINE_MAX
      const until = isCut ? from + LINE_MAX : at
      if (until === -1) break
      lines.push(text.toString('utf8', from, until).replace(/\r$/, ''))
      from = isCut ? until : until + 1
    }
    this.#open = text.subarray(from)
    return lines
  }

  /** The last line, when nothing ended it. */
  end(): readonly string[] {
    const text = this.#open.toString('utf8')
    this.#open = Buffer.alloc(0)
    return text === '' ? [] : [text]
  }
}

const LINE_MAX = 64 * 1024

class GrowingFile {
  readonly #path: string
  #file: number | undefined
  #offset = 0

  constructor(path: string) {
    this.#path = path
  }

  /** What was added since the last time; after a trim, what there is since then. */
  rest(): Buffer {
    this.#file ??= openOrNothing(this.#path)
    if (this.#file === undefined) return Buffer.alloc(0)
    const { size } = fstatSync(this.#file)
    if (size < this.#offset) this.#offset = 0
    const bytes = Buffer.alloc(size - this.#offset)
    const read = readSync(this.#file, bytes, 0, bytes.length, this.#offset)
    this.#offset += read
    return bytes.subarray(0, read)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}

function readWhole(path: string): Buffer {
  const file = new GrowingFile(path)
  try {
    return file.rest()
  } finally {
    file.close()
  }
}

function openOrNothing(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
