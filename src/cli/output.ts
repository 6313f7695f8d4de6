import type { Format } from './format.ts'
import { Option } from 'commander'
import { stringify } from 'yaml'
import type { SourcedProblem } from '../core/base/problem.ts'
import type { Cli } from './cli.ts'
import { printWarnings } from './print/error.ts'
import { fit, fitProblems } from './terminal/fit.ts'

/** The `-o` flag, the same on every command. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'how to answer').choices(['text', 'json', 'yaml']).default('text')
}

/** What a command has to say, for both. */
export interface CommandAnswer {
  readonly data: unknown
  readonly text: () => string
  /** `as-is`: the text is a file or a script, which no terminal may wrap or colour. */
  readonly lines?: 'as-is'
}

/** Prints `text` for people, or `data` for scripts. */
export function answer(cli: Cli, format: Format, { data, text, lines }: CommandAnswer): void {
  if (format === 'text' && lines === 'as-is') cli.terminal.out(`${fit(text(), PLAIN)}\n`)
  else if (format === 'text') say(cli, text())
  else if (format === 'json') cli.terminal.out(`${JSON.stringify(data, undefined, 2)}\n`)
  else cli.terminal.out(stringify(JSON.parse(JSON.stringify(data)), { aliasDuplicateObjects: false }))
}

/** What is wrong, on the terminal that errors go to. */
export function sayWrong({ terminal }: Pick<Cli, 'terminal'>, problems: string): void {
  const { err, errColumns, errColor } = terminal
  err(`${fitProblems(problems, { columns: errColumns, color: errColor ?? false })}\n`)
}

/** What has no effect, for people, beside the answer; scripts find it in the data. */
export function sayWarnings(cli: Pick<Cli, 'terminal'>, format: Format, warnings: readonly SourcedProblem[]): void {
  if (format === 'text' && warnings.length > 0) sayWrong(cli, printWarnings(warnings))
}

const PLAIN = { columns: undefined, color: false }

/** A page for people: fitted to the terminal, plain in a pipe. */
export function say({ terminal }: Pick<Cli, 'terminal'>, page: string): void {
  terminal.out(`${fit(page, terminal)}\n`)
}
