import type { Format } from './format.ts'
import { Option } from 'commander'
import { stringify } from 'yaml'
import type { SourcedProblem } from '../core/base/problem.ts'
import type { Cli } from './cli.ts'
import { printWarnings } from './print/error.ts'
import { fit, fitProblems } from './terminal/fit.ts'

/** The `-o` flag, the same on every command. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'output format').choices(['text', 'json', 'yaml']).default('text')
}

/** A command's answer, for scripts and for people. */
export interface CommandAnswer {
  readonly data: unknown
  readonly text: () => string
  /** `as-is`: the text is a file or a script and must not be wrapped or coloured. */
  readonly lines?: 'as-is'
}

/** Prints `text` for people, or `data` for scripts. */
export function answer(cli: Cli, format: Format, { data, text, lines }: CommandAnswer): void {
  if (format === 'text' && lines === 'as-is') cli.terminal.out(`${fit(text(), PLAIN)}\n`)
  else if (format === 'text') say(cli, text())
  else if (format === 'json') cli.terminal.out(`${JSON.stringify(data, undefined, 2)}\n`)
  else cli.terminal.out(stringify(JSON.parse(JSON.stringify(data)), { aliasDuplicateObjects: false }))
}

/** Prints problems on standard error, fitted to its terminal. */
export function sayWrong({ terminal }: Pick<Cli, 'terminal'>, problems: string): void {
  const { err, errColumns, errColor } = terminal
  err(`${fitProblems(problems, { columns: errColumns, color: errColor ?? false })}\n`)
}

/** Prints warnings on standard error for people; scripts find them in the data. */
export function sayWarnings(cli: Pick<Cli, 'terminal'>, format: Format, warnings: readonly SourcedProblem[]): void {
  if (format === 'text' && warnings.length > 0) sayWrong(cli, printWarnings(warnings))
}

const PLAIN = { columns: undefined, color: false }

/** Prints text for people: fitted to the terminal, plain in a pipe. */
export function say({ terminal }: Pick<Cli, 'terminal'>, page: string): void {
  terminal.out(`${fit(page, terminal)}\n`)
}
