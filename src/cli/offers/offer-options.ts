import { InvalidArgumentError, Option } from 'commander'
import type { Cli } from '../cli.ts'

/** The flag that says where offers come from, the same on every command. */
export function offersOption(): Option {
  return new Option('--offers <path...>', 'inventory, fleet file, snapshot, or folder of catalogues')
}

export function configOption(): Option {
  return new Option(
    '--config <file>',
    'infrastructure file (default: berth.config.yaml in the current folder, if it exists)',
  )
}

/** A manifest whose need is meant. */
export function needFileOption(): Option {
  return new Option('--need <manifest>', 'a manifest: what would meet its need')
}

/** The maximum number of entries a list shows. */
export function limitOption(): Option {
  return new Option('--limit <n>', 'show at most this many').argParser(parseLimit).default(LIMIT)
}

const LIMIT = 20

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give a whole number of at least 1.')
  return Number(text)
}

/** Says what takes a while, on a terminal only; scripts and logs are spared. */
export function announce(cli: Cli, what: string): void {
  if (cli.terminal.errColumns !== undefined) cli.terminal.err(`${what} …\n`)
}
