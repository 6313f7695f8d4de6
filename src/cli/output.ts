import { Option } from 'commander'
import { stringify } from 'yaml'
import type { Cli } from './cli.ts'

/** How a command answers: for people, or for scripts. */
export type Format = 'text' | 'json' | 'yaml'

/** The `-o` flag, the same on every command. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'how to answer').choices(['text', 'json', 'yaml']).default('text')
}

/** Prints `text` for people, or `data` for scripts. */
export function answer(cli: Cli, format: Format, { data, text }: { data: unknown; text: () => string }): void {
  if (format === 'text') cli.terminal.out(`${text()}\n`)
  else if (format === 'json') cli.terminal.out(`${JSON.stringify(data, undefined, 2)}\n`)
  else cli.terminal.out(stringify(JSON.parse(JSON.stringify(data)), { aliasDuplicateObjects: false }))
}
