import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { LogLine, LogWant } from '../../../ports/provider.ts'

/**
 * The arguments that make an engine print the requested lines. The engine's own `--tail` is for logs that are read from their
 * start.
 */
export function logsArgs(name: string, { follow, tail, after, sinceMs }: LogWant): readonly string[] {
  const [fromS] = after?.split(':') ?? []
  const since = (fromS && justBefore(fromS)) ?? (sinceMs === undefined ? undefined : String(sinceMs / 1000))
  return [
    'logs',
    '--timestamps',
    ...(follow ? ['--follow'] : []),
    ...(tail === undefined || after !== undefined ? [] : ['--tail', String(tail)]),
    ...(since === undefined ? [] : ['--since', since]),
    name,
  ]
}

/**
 * A little earlier: engines read the time as a fraction, which may round it up past the very line. Those before it are skipped.
 */
function justBefore(seconds: string): string {
  const [, whole = '', fraction] = /^(\d{1,12})\.(\d{9})$/.exec(seconds) ?? []
  if (fraction === undefined) return seconds
  const nanoseconds = String(BigInt(whole + fraction) - ROUNDED).padStart(10, '0')
  return `${nanoseconds.slice(0, -9)}.${nanoseconds.slice(-9)}`
}

const ROUNDED = 1_000_000n

/**
 * Gives each line its mark: the time to the nanosecond, its text, and how often that text came at that very time until then.
 * Engines give the same time to all lines that they read at once. Lines up to `after` are skipped, because an engine starts
 * with all lines of the given time.
 */
export async function* markLines(lines: AsyncIterable<TimedLine>, after?: string): AsyncGenerator<LogLine> {
  const [sought = ''] = after?.split(':') ?? []
  let isFound = after === undefined
  let time = ''
  let said = new Map<string, number>()
  for await (const { at, ...line } of lines) {
    if (at === undefined) {
      yield line
      continue
    }
    if (at !== time) said = new Map()
    time = at
    const words = shortOf(line.text)
    const count = (said.get(words) ?? 0) + 1
    if (said.size < SAID_MAX) said.set(words, count)
    const mark = `${at}:${words}.${count}`
    if (!isFound && at < sought) continue
    if (isFound || at !== sought) yield { ...line, mark }
    isFound ||= mark === after || at !== sought
  }
}

/** How many texts of one nanosecond are told apart. */
const SAID_MAX = 10_000

/** A short hash; two texts almost never share one. */
function shortOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** `at`: seconds since 1970 with nanoseconds, in the form that engines accept. */
export type TimedLine = LogLine & { readonly at: string | undefined }

/** Lines of a program that prints a log with a time before each line; ends with the program. */
export async function* linesOf(argv: readonly string[], signal: AbortSignal): AsyncGenerator<TimedLine> {
  if (signal.aborted) return
  const [program = '', ...args] = argv
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const queue = new Queue()
  const giveUp = (): void => {
    child.kill('SIGKILL')
    queue.end()
  }
  signal.addEventListener('abort', giveUp, { once: true })
  child.once('error', () => queue.end())
  const ends = [feed(child.stdout, 'out', queue), feed(child.stderr, 'err', queue)]
  void Promise.all(ends).then(() => queue.end())
  try {
    yield* queue.lines()
  } finally {
    signal.removeEventListener('abort', giveUp)
    child.kill('SIGKILL')
  }
}

async function feed(stream: Readable, name: LogLine['stream'], queue: Queue): Promise<void> {
  for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) await queue.put(lineOf(text, name))
}

/** `2026-08-01T12:00:00.123456789Z text`, with any offset from UTC. */
function lineOf(text: string, stream: LogLine['stream']): TimedLine {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) ?(.*)$/s.exec(text)
  if (match === null) return { atMs: undefined, at: undefined, stream, text }
  const [, seconds = '', fraction = '', zone = '', rest = ''] = match
  const wholeMs = Date.parse(`${seconds}${zone}`)
  const nanoseconds = fraction.padEnd(9, '0')
  const at = `${wholeMs / 1000}.${nanoseconds}`
  return { atMs: wholeMs + Number(nanoseconds.slice(0, 3)), at, stream, text: rest }
}

/** Merges two streams for one reader, with back-pressure. */
class Queue {
  readonly #waiting: TimedLine[] = []
  #isOver = false
  #wakeReader = (): void => undefined
  #wakeWriters: (() => void)[] = []

  async put(line: TimedLine): Promise<void> {
    this.#waiting.push(line)
    this.#wakeReader()
    if (this.#waiting.length >= WAITING_MAX && !this.#isOver)
      await new Promise<void>((resolve) => this.#wakeWriters.push(resolve))
  }

  end(): void {
    this.#isOver = true
    this.#wakeReader()
    this.#wake()
  }

  async *lines(): AsyncGenerator<TimedLine> {
    while (true) {
      const line = this.#waiting.shift()
      if (line !== undefined) {
        this.#wake()
        yield line
      } else if (this.#isOver) return
      else
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve
        })
    }
  }

  #wake(): void {
    for (const wake of this.#wakeWriters.splice(0)) wake()
  }
}

const WAITING_MAX = 1000
