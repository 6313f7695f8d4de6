import { InvalidArgumentError, Option } from 'commander'
import type { Cli } from '../cli.ts'

/** The flags that say where offers come from, the same on every command. */
export function offersOption(): Option {
  return new Option('--offers <path...>', 'inventory, fleet file, snapshot, or folder of catalogues')
}

export function configOption(): Option {
  return new Option('--config <file>', 'infrastructure file (default: berth.config.yaml, if there is one here)')
}

/** How many entries a list shows. */
export function limitOption(): Option {
  return new Option('--limit <n>', 'show at most so many').argParser(parseLimit).default(LIMIT)
}

const LIMIT = 20

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 on.')
  return Number(text)
}

/** Says what takes a while, where somebody is watching; scripts and logs are not told. */
export function announce(cli: Cli, what: string): void {
  if (cli.terminal.errColumns !== undefined) cli.terminal.err(`${what} …\n`)
}
