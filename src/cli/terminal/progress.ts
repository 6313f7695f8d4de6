import type { Berth } from '../../ports/berth.ts'
import type { Files } from '../../ports/files.ts'
import type { Cli } from '../cli.ts'
import { many } from '../words/words.ts'

/** Says what is being waited for, once it takes longer than a second and somebody is watching. */
export class Progress {
  readonly #cli: Pick<Cli, 'clock' | 'terminal'>
  readonly #startMs: number
  readonly #patienceMs: number
  #shown = 0

  /** What is sure to take long is said at once. */
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

  /** Leaves the line as if nothing had been there. */
  clear(): void {
    if (this.#shown > 0) this.#cli.terminal.err(`\r${' '.repeat(this.#shown)}\r`)
    this.#shown = 0
  }
}

const PATIENCE_MS = 1000

/** The same files, and where reading them takes long, which one is being read. */
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

/** Does the same to each, one after the other; where that takes long, says which one it is at. */
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

/** The same control plane; while it takes longer than a second to answer, that is said. */
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
