import { stringify } from 'yaml'
import { EXIT, type Cli } from '../cli.ts'
import type { Format } from '../format.ts'

/** A stream of items, and how to print each. */
export interface PrintedStream<T> {
  readonly items: AsyncIterable<T>
  readonly output: Format
  readonly text: (item: T) => string
  /** The stream continues until this is aborted; undefined: it ends with the items so far. */
  readonly follow: AbortSignal | undefined
  /** Without `follow`, only this many of the last items; undefined: all of them. */
  readonly last: number | undefined
  /** Printed when there are no items. */
  readonly empty: string
  /** Printed for people below a list that ended. */
  readonly more?: (items: readonly T[]) => string
}

/**
 * Prints a stream. With `follow`, each item as it arrives: JSON as one line, YAML as one document. Otherwise the last
 * items together, as one list.
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

/** Holds at most twice as many items as requested, however long the stream is. */
async function lastOf<T>({ items, last }: PrintedStream<T>): Promise<readonly T[]> {
  let kept: T[] = []
  for await (const item of items) {
    kept.push(item)
    if (last !== undefined && kept.length >= 2 * last) kept = kept.slice(-last)
  }
  return last === undefined ? kept : kept.slice(kept.length - Math.min(last, kept.length))
}

function printTogether<T>(cli: Cli, { output, text, empty, more }: PrintedStream<T>, items: readonly T[]): void {
  if (output === 'json') cli.terminal.out(`${JSON.stringify(items, undefined, 2)}\n`)
  else if (output === 'yaml') cli.terminal.out(stringify(JSON.parse(JSON.stringify(items))))
  else if (items.length === 0) cli.terminal.out(`${empty}\n`)
  else cli.terminal.out(items.map((item) => `${text(item)}\n`).join('') + (more?.(items) ?? ''))
}
