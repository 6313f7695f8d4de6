import { stringify } from 'yaml'
import { EXIT, type Cli } from '../cli.ts'
import type { Format } from '../format.ts'

/** Things that come one after the other, and how each is said. */
export interface PrintedStream<T> {
  readonly items: AsyncIterable<T>
  readonly output: Format
  readonly text: (item: T) => string
  /** It goes on until this is aborted; undefined: it ends with what there is. */
  readonly follow: AbortSignal | undefined
  /** The last so many, where it does not go on; undefined: all of them. */
  readonly last: number | undefined
  /** What is said when there are none. */
  readonly empty: string
}

/**
 * Prints what comes. Followed, each as it comes: JSON as one line each, YAML as one document each. Otherwise the last of
 * them at once, as one list.
 */
export async function printStream<T>(cli: Cli, stream: PrintedStream<T>): Promise<void> {
  if (stream.follow === undefined) return printTogether(cli, stream, await lastOf(stream))
  await printAsTheyCome(cli, stream)
  if (stream.follow.aborted) cli.exit(EXIT.interrupted)
}

async function printAsTheyCome<T>(cli: Cli, { items, output, text }: PrintedStream<T>): Promise<void> {
  for await (const item of items) {
    if (output === 'text') cli.terminal.out(`${text(item)}\n`)
    else if (output === 'json') cli.terminal.out(`${JSON.stringify(item)}\n`)
    else cli.terminal.out(`---\n${stringify(JSON.parse(JSON.stringify(item)))}`)
  }
}

/** Keeps no more than is asked for, however many there are. */
async function lastOf<T>({ items, last }: PrintedStream<T>): Promise<readonly T[]> {
  let kept: T[] = []
  for await (const item of items) {
    kept.push(item)
    if (last !== undefined && kept.length >= 2 * last) kept = kept.slice(-last)
  }
  return last === undefined ? kept : kept.slice(kept.length - Math.min(last, kept.length))
}

function printTogether<T>(cli: Cli, { output, text, empty }: PrintedStream<T>, items: readonly T[]): void {
  if (output === 'json') cli.terminal.out(`${JSON.stringify(items, undefined, 2)}\n`)
  else if (output === 'yaml') cli.terminal.out(stringify(JSON.parse(JSON.stringify(items))))
  else if (items.length === 0) cli.terminal.out(`${empty}\n`)
  else cli.terminal.out(items.map((item) => `${text(item)}\n`).join(''))
}
