import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { LogLine } from '../../../ports/provider.ts'

/** Lines of a program that prints a log with a time before each line; ends with it. */
export async function* linesOf(argv: readonly string[], signal: AbortSignal): AsyncGenerator<LogLine> {
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
function lineOf(text: string, stream: LogLine['stream']): LogLine {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d) ?(.*)$/s.exec(text)
  if (match === null) return { atMs: undefined, stream, text }
  const [, seconds = '', fraction = '', zone = '', rest = ''] = match
  return { atMs: Date.parse(`${seconds}${fraction.slice(0, 4)}${zone}`), stream, text: rest }
}

/** From two streams to one reader, who is waited for. */
class Queue {
  readonly #waiting: LogLine[] = []
  #isOver = false
  #wakeReader = (): void => undefined
  #wakeWriters: (() => void)[] = []

  async put(line: LogLine): Promise<void> {
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

  async *lines(): AsyncGenerator<LogLine> {
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
