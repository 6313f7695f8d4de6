import { open, stat, type FileHandle } from 'node:fs/promises'
import type { LogLine, LogWant } from '../../../ports/provider.ts'
import type { Timers } from '../../../ports/timers.ts'
import { nextTurn } from '../../../ports/turn.ts'
import { absentOr } from '../unreadable.ts'
import { LineCutter, LINE_MAX } from './log-lines.ts'

export interface LogFileSource {
  /** Oldest first: the full file, and the one being written. Only the last one grows; when full, it replaces the first. */
  readonly old: string
  readonly current: string
  /** At most this much of the existing log is read. */
  readonly bytesMax: number
  readonly hasEnded: () => boolean
  readonly timers: Timers
}

/**
 * Lines of a log in two files, from the requested position. The cost depends on what is returned, not on what exists: the log
 * is read in pieces, backwards for the last lines, and other tasks run in between.
 */
export async function* readLog(source: LogFileSource, want: LogWant, signal: AbortSignal): AsyncGenerator<LogLine> {
  const files = new LogFiles(source)
  try {
    await files.open()
    const lines = new LineCutter()
    let skip = 0
    if (want.after === undefined || !files.resume(want.after)) {
      files.at = await startOf(files, source.bytesMax, want.tail)
      if (await files.isOlder(want.sinceMs)) files.at = files.end
      // The position may give a few more lines than requested.
      if (want.tail !== undefined) skip = Math.max(0, (await countLines(files, want.follow)) - want.tail)
    }
    for await (const line of follow(files, lines, { ...source, follow: want.follow, signal })) {
      if (skip > 0) skip--
      else yield line
    }
  } finally {
    await files.close()
  }
}

const POLL_MS = 200
const PIECE = 64 * 1024
const TURN_LINES = 500

interface Following extends LogFileSource {
  readonly follow: boolean
  readonly signal: AbortSignal
}

async function* follow(files: LogFiles, lines: LineCutter, following: Following): AsyncGenerator<LogLine> {
  let told = 0
  const asLine = ({ text, left }: { readonly text: string; readonly left: number }): LogLine => {
    return { atMs: undefined, stream: 'out', text, mark: files.markBefore(left) }
  }
  while (!following.signal.aborted) {
    // Checked before reading, so that what is written in between is not lost.
    const hasEnded = !following.follow || following.hasEnded()
    for (let piece = await files.next(); piece !== undefined; piece = await files.next()) {
      for (const line of lines.add(piece)) {
        yield asLine(line)
        // Promises alone would starve other tasks.
        if (++told % TURN_LINES === 0) await nextTurn()
      }
      if (following.signal.aborted) return
    }
    if (hasEnded) break
    await following.timers.sleep(POLL_MS, following.signal)
    await files.grow()
  }
  for (const line of lines.end()) yield asLine(line)
}

/** Where to start so that the last `tail` lines are returned, within a limit of bytes. */
async function startOf(files: LogFiles, bytesMax: number, tail: number | undefined): Promise<number> {
  const lowest = Math.max(0, files.end - bytesMax)
  if (tail === 0) return files.end
  const floor = tail === undefined ? lowest : Math.max(lowest, files.end - tail * LINE_MAX)
  let wanted = tail === undefined ? Infinity : tail
  // A line break at the very end starts no line.
  for (let until = files.end - 1; wanted < Infinity && until > floor;) {
    const from = Math.max(floor, until - PIECE, files.startBefore(until))
    const piece = await files.read(from, until - from)
    if (piece.length === 0) break
    for (let at = piece.lastIndexOf(10); at !== -1; at = at === 0 ? -1 : piece.lastIndexOf(10, at - 1)) {
      wanted--
      if (wanted === 0) return from + at + 1
    }
    until = from
  }
  return floor === 0 || floor > lowest ? floor : afterLineEnd(files, floor)
}

/** The start of the next line, if there is one nearby. */
async function afterLineEnd(files: LogFiles, from: number): Promise<number> {
  const piece = await files.read(from - 1, LINE_MAX)
  const start = from + piece.indexOf(10)
  return start < from || start >= files.end ? from : start
}

async function countLines(files: LogFiles, isFollowed: boolean): Promise<number> {
  const { at } = files
  const lines = new LineCutter()
  let count = 0
  for (let piece = await files.next(); piece !== undefined; piece = await files.next())
    for (const _ of lines.add(piece)) count++
  files.at = at
  return isFollowed ? count : count + [...lines.end()].length
}

interface Part {
  readonly file: FileHandle
  readonly id: string
  readonly size: number
}

/**
 * Both files as one sequence of bytes. A position in it is also a mark: a file, by inode number and birth time, and a byte in
 * it.
 */
class LogFiles {
  readonly #source: LogFileSource
  #parts: readonly Part[] = []
  /** The position of the next read. */
  at = 0

  constructor(source: LogFileSource) {
    this.#source = source
  }

  get end(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0)
  }

  /** If the files are rotated in between, the same one would be opened twice. */
  async open(): Promise<void> {
    for (let tries = 0; tries < 3; tries++) {
      const current = await partOf(this.#source.current)
      const old = await partOf(this.#source.old)
      const parts = [old, current].filter((part) => part !== undefined)
      await this.close()
      this.#parts = parts
      if (old === undefined || old.id !== current?.id) return
    }
    this.#parts = this.#parts.slice(-1)
  }

  async close(): Promise<void> {
    for (const { file } of this.#parts) await file.close().catch(() => undefined)
    this.#parts = []
  }

  /** Where the file begins that contains the byte before this one. */
  startBefore(at: number): number {
    const [first] = this.#parts
    return first !== undefined && at > first.size ? first.size : 0
  }

  /** False: what came after the mark no longer exists. */
  resume(mark: string): boolean {
    const [id = '', byte = ''] = mark.split(':')
    const index = this.#parts.findIndex((part) => part.id === id)
    const offset = Number.parseInt(byte, 36)
    const size = this.#parts[index]?.size
    if (size === undefined || !Number.isSafeInteger(offset)) return false
    const before = this.#parts.slice(0, index).reduce((sum, part) => sum + part.size, 0)
    this.at = before + Math.min(Math.max(0, offset), size)
    return true
  }

  /** The mark `left` bytes before the current position. */
  markBefore(left: number): string {
    let at = this.at - left
    const part = this.#parts.find(({ size }, index) => {
      if (at <= size || index === this.#parts.length - 1) return true
      at -= size
      return false
    })
    return `${part?.id ?? ''}:${at.toString(36)}`
  }

  /** Whether nothing was written at this time or later. */
  async isOlder(sinceMs: number | undefined): Promise<boolean> {
    if (sinceMs === undefined) return false
    const found = await stat(this.#source.current).catch(() => undefined)
    return found === undefined || found.mtimeMs < sinceMs
  }

  async next(): Promise<Buffer | undefined> {
    const piece = await this.read(this.at, PIECE)
    this.at += piece.length
    return piece.length === 0 ? undefined : piece
  }

  /** From one file only, so it may be shorter. */
  async read(from: number, length: number): Promise<Buffer> {
    let at = from
    for (const { file, size } of this.#parts) {
      if (at < size) {
        const bytes = Buffer.allocUnsafe(Math.min(length, size - at, PIECE))
        const { bytesRead } = await file.read(bytes, 0, bytes.length, at)
        return bytes.subarray(0, bytesRead)
      }
      at -= size
    }
    return Buffer.alloc(0)
  }

  /** Looks for added bytes once everything was read. */
  async grow(): Promise<void> {
    const last = this.#parts.at(-1)
    const found = await last?.file.stat()
    if (last !== undefined && found !== undefined && found.size !== last.size) {
      const offset = this.at - (this.end - last.size)
      // A file that was emptied in place starts again.
      return this.#keep({ ...last, size: found.size }, found.size < offset ? 0 : offset)
    }
    const current = await partOf(this.#source.current)
    if (current !== undefined && current.id !== last?.id) return this.#keep(current, 0)
    await current?.file.close()
  }

  async #keep(part: Part, at: number): Promise<void> {
    const done = this.#parts.filter(({ file }) => file !== part.file)
    this.#parts = [part]
    this.at = at
    for (const { file } of done) await file.close().catch(() => undefined)
  }
}

async function partOf(path: string): Promise<Part | undefined> {
  const file = await open(path, 'r').catch((error: unknown) => absentOr(path, error))
  if (file === undefined) return undefined
  const { ino, birthtimeMs, size } = await file.stat()
  return { file, size, id: `${ino.toString(36)}-${Math.trunc(birthtimeMs).toString(36)}` }
}
