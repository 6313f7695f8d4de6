import { Command, CommanderError } from 'commander'
import { VERSION } from '../api/version.ts'
import { EXIT, type Cli, type Outside, type Register } from './cli.ts'
import { fit } from './terminal/fit.ts'
import { withMeaning } from './meant.ts'
import { OFFLINE } from './offline.ts'
import { sayWrong } from './output.ts'
import { printError } from './print/error.ts'
import * as commands from './registry.ts'

/** What the process supplies; what only a control plane needs may be left out. */
export type Deps = Omit<Cli, 'exit' | keyof Outside> & Partial<Outside>

/** Runs one command line and returns the exit code. Every failure gives the user a message and a matching code. */
export async function run(argv: readonly string[], cli: Deps): Promise<number> {
  let exitCode: number = EXIT.ok
  const deps: Cli = { ...OFFLINE, ...cli, exit: (code) => (exitCode = code) }
  const isData = asksForJson(argv)
  const writeErr = isData ? () => {} : cli.terminal.err
  try {
    await program(deps, writeErr).parseAsync(inFull(argv), { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok
    if (error instanceof CommanderError && !isData) return EXIT.usage
    const printed = printError(meaning(error))
    const { exitCode: code, problems } = printed
    if (isData) cli.terminal.err(`${JSON.stringify({ error: { exit_code: code, problems } }, undefined, 2)}\n`)
    else sayWrong(cli, printed.text)
    return printed.exitCode
  }
  return exitCode
}

/** `berth offers --need FILE` is short for `berth offers search --need FILE`. */
function inFull(argv: readonly string[]): string[] {
  const [family, flag = '', ...rest] = argv
  return family === 'offers' && /^--need(=|$)/.test(flag) ? [family, 'search', flag, ...rest] : [...argv]
}

/** A usage error, with a suggestion of what the user may have meant. */
function meaning(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error
  return new CommanderError(error.exitCode, error.code, withMeaning(error.message, NAMES))
}

/** Read without the parser, because a command line that does not parse must be reported as JSON, too. */
function asksForJson(argv: readonly string[]): boolean {
  const flags = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
  return flags.some((word, at) => {
    const isPair = (word === '-o' || word === '--output') && flags[at + 1] === 'json'
    return isPair || word === '-ojson' || word === '--output=json'
  })
}

/** The whole command tree, also for completion and documentation. `writeErr` receives usage errors. */
export function program(cli: Cli, writeErr = cli.terminal.err): Command {
  const root = new Command('berth')
    .description('Finds GPU workloads a place to run on any provider, and explains every choice.')
    .version(VERSION)
    .showHelpAfterError('(add --help for usage and examples)')
    .configureOutput({
      writeOut: (text) => cli.terminal.out(fit(text, { ...cli.terminal, color: false })),
      writeErr,
      outputError: (text, write) => write(withMeaning(text, NAMES)),
    })
    .exitOverride()
    .addHelpText('after', EXIT_HELP)
  for (const register of Object.values<Register>(commands)) register(root, cli)
  return root
}

const NAMES = Object.keys(commands)

const EXIT_HELP = `
Exit codes: 0 fits or done, 1 differs (diff, replay), 2 does not fit, 3 invalid input, 4 not done (failed, timed out,
declined), 5 not found, 6 not allowed, 7 no valid token, 8 --yes is missing, 64 wrong command line, 69 control plane
unreachable, 70 bug, 124 out of time (wait), 130 interrupted. wait and exec also end with the code of the job or command.

Examples:
  berth demo
  berth plan llama-70b.yaml --offers catalog/
  berth validate *.yaml
  berth apply llama-70b.yaml
  berth ps
  berth explain VRAM_TOO_SMALL`
