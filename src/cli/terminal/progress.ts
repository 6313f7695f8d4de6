import type { Berth } from '../../ports/berth.ts'
import type { Files } from '../../ports/files.ts'
import type { Cli } from '../cli.ts'
import { many } from '../../core/base/words.ts'

/** Says what the command is waiting for, on a terminal, once it takes longer than a second. */
export class Progress {
  readonly #cli: Pick<Cli, 'clock' | 'terminal'>
  readonly #startMs: number
  readonly #patienceMs: number
  #shown = 0

  /** With `patienceMs` 0 the first text shows at once, for work that is sure to take long. */
  constructor(
    cli: Pick<Cli, 'clock' | 'terminal'>,
    { patienceMs = PATIENCE_MS }: { readonly patienceMs?: number } = {},
  ) {
    this.#cli = cli
    this.#patienceMs = patienceMs
    this.#startMs = cli.clock.tickMs()
  }

  show(text: string): void {
    const { errColumns: columns, err } = this.#cli.terminal
    if (columns === undefined || this.#cli.clock.tickMs() - this.#startMs < this.#patienceMs) return
    const line = text.slice(0, Math.max(0, columns - 1))
    err(`\r${line.padEnd(this.#shown)}`)
    this.#shown = line.length
  }

  /** Erases the line. */
  clear(): void {
    if (this.#shown > 0) this.#cli.terminal.err(`\r${' '.repeat(this.#shown)}\r`)
    this.#shown = 0
  }
}

const PATIENCE_MS = 1000

/** The same files; when reading takes long, shows which file is being read. */
export function watchedFiles(cli: Pick<Cli, 'clock' | 'terminal' | 'files'>): { files: Files; done: () => void } {
  const progress = new Progress(cli)
  let count = 0
  const read = (path: string): Uint8Array | undefined => {
    count++
    progress.show(`reading ${path} (${many(count, 'file')} so far)`)
    return cli.files.read(path)
  }
  return { files: { ...cli.files, read }, done: () => progress.clear() }
}

interface Doing<T> {
  /** `removing`, as in `removing web, 3 of 40`. */
  readonly doing: string
  readonly act: (name: string) => Promise<T>
}

/** Does the same to each in turn; when that takes long, shows which one is in progress. */
export async function oneByOne<T>(
  cli: Pick<Cli, 'clock' | 'terminal'>,
  chosen: readonly { readonly name: string }[],
  { doing, act }: Doing<T>,
): Promise<readonly T[]> {
  const progress = new Progress(cli)
  const done: T[] = []
  try {
    for (const { name } of chosen) {
      progress.show(`${doing} ${name}, ${done.length + 1} of ${chosen.length}`)
      done.push(await act(name))
    }
  } finally {
    progress.clear()
  }
  return done
}

type Called = (...args: readonly unknown[]) => unknown

/** The same client; shows a progress line while the control plane takes longer than a second to answer. */
export function patient(berth: Berth, cli: Pick<Cli, 'clock' | 'terminal' | 'every'>, url: string): Berth {
  if (cli.terminal.errColumns === undefined) return berth
  return new Proxy(berth, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      return isCalled(value)
        ? (...args: readonly unknown[]) => watched(value.apply(target, [...args]), cli, url)
        : value
    },
  })
}

function isCalled(value: unknown): value is Called {
  return typeof value === 'function'
}

function watched(answer: unknown, cli: Pick<Cli, 'clock' | 'terminal' | 'every'>, url: string): unknown {
  if (!(answer instanceof Promise)) return answer
  const progress = new Progress(cli)
  let seconds = 0
  const stop = cli.every(PATIENCE_MS, () => progress.show(`waiting for ${url} to answer, ${++seconds} s`))
  return answer.finally(() => {
    stop()
    progress.clear()
  })
}
