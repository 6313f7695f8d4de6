import { Command, CommanderError } from 'commander'
import { EXIT, type Cli, type Outside, type Register } from './cli.ts'
import { OFFLINE } from './offline.ts'
import { printError } from './print-error.ts'
import * as commands from './registry.ts'

/** What a process opens; the doors to a control plane may stay closed. */
export type Doors = Omit<Cli, 'exit' | keyof Outside> & Partial<Outside>

/** Runs one command line and answers the exit code. Whatever happens, the user gets a message and the code fits it. */
export async function run(argv: readonly string[], cli: Doors): Promise<number> {
  let exitCode: number = EXIT.ok
  const doors: Cli = { ...OFFLINE, ...cli, exit: (code) => (exitCode = code) }
  try {
    await program(doors).parseAsync([...argv], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    const printed = printError(error)
    cli.terminal.err(`${printed.text}\n`)
    return printed.exitCode
  }
  return exitCode
}

/** The whole command tree, also for completion and documentation. */
export function program(cli: Cli): Command {
  const root = new Command('berth')
    .description('Finds GPU workloads a place to run on any provider, and explains every choice.')
    .version(VERSION)
    .showHelpAfterError('(add --help for usage and examples)')
    .configureOutput({ writeOut: cli.terminal.out, writeErr: cli.terminal.err })
    .exitOverride()
    .addHelpText('after', EXIT_HELP)
  for (const register of Object.values<Register>(commands)) register(root, cli)
  return root
}

const VERSION = '0.1.0'

const EXIT_HELP = `
Exit codes: 0 fits or done, 1 differs (diff, replay), 2 does not fit, 3 invalid input, 4 not done (failed, out of time,
declined), 64 wrong command line, 69 control plane unreachable, 70 bug, 130 interrupted.

Examples:
  berth demo
  berth plan llama-70b.yaml --offers catalog/
  berth validate *.yaml
  berth apply llama-70b.yaml
  berth ps
  berth explain VRAM_TOO_SMALL`
