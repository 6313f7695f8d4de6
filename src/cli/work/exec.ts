import { InvalidArgumentError, Option } from 'commander'
import type { Tunnel } from '../../api/tunnel.ts'
import { refuse } from '../../core/base/refuse.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { milliseconds } from './stand.ts'

interface ExecFlags extends ProjectFlags {
  readonly slot?: string
  readonly timeout: number
  readonly tty?: boolean
  readonly stdin?: boolean
}

/** `berth exec`: runs a command next to a workload. */
export const exec: Register = (program, cli) => {
  remoteInProject(
    program
      .command('exec')
      .description('run a command next to a workload, with its variables and in its folder, and show the output')
      .argument('<name>', 'name of the workload')
      .argument('<command...>', 'program and arguments, after --')
      .option('--slot <slot>', 'slot to run in, as `berth get` shows it; required if several run')
      .addOption(
        new Option('--timeout <time>', 'how long it may take, at most 10m').argParser(execTime).default(60_000, '60s'),
      )
      .option('-t, --tty', 'on a terminal, for shells and other interactive programs')
      .option('-i, --stdin', 'the same as -t, so that -it works')
      .showHelpAfterError(
        '(put -- before the command: berth exec NAME -- PROGRAM ARGUMENTS)\n(add --help for usage and examples)',
      ),
  )
    .addHelpText(
      'after',
      `
Exits with the exit code of the command. Without -t there is no input, and the output is shown when the command has ended,
at most 1 MiB of each stream. With -t the program has this terminal until it ends (kubernetes supports it). Providers that
do not support it refuse it. It needs the role writer in the project and is recorded in the audit log.

Examples:
  berth exec llama-70b -- nvidia-smi
  berth exec -it llama-70b -- bash
  berth exec train --slot 0.1 --timeout 5m -- du -sh /ckpt`,
    )
    .action((name: string, command: readonly string[], flags: ExecFlags) => execIt({ name, command }, flags, cli))
}

const LONGEST_MS = 600_000

function execTime(text: string): number {
  const ms = milliseconds(text)
  if (ms >= 1000 && ms <= LONGEST_MS) return ms
  throw new InvalidArgumentError('A command may take from 1s to 10m.')
}

interface Asked {
  readonly name: string
  readonly command: readonly string[]
}

async function execIt({ name, command }: Asked, flags: ExecFlags, cli: Cli): Promise<void> {
  const at = { project: projectOf(cli, flags), name }
  if (flags.tty === true || flags.stdin === true) return terminal({ ...at, slot: flags.slot, command }, flags, cli)
  const ran = await berthOf(cli, flags).exec({ ...at, slot: flags.slot, command, timeout_ms: flags.timeout })
  if (flags.output === 'text') {
    cli.terminal.out(ran.out)
    cli.terminal.err(ran.err)
  } else answer(cli, flags.output, { data: ran, text: () => '' })
  cli.exit(ran.code)
}

interface TerminalAsked extends Asked {
  readonly project: string
  readonly slot: string | undefined
}

/** Hands this terminal over to a program, until it ends. */
async function terminal({ command, ...at }: TerminalAsked, flags: ExecFlags, cli: Cli): Promise<void> {
  const take = cli.here.keyboard
  if (take === undefined || flags.output !== 'text')
    throw refuse('EXEC_IMPOSSIBLE', 'There is no terminal here to hand over.', 'Leave out -t and -i.')
  const ask = { ...at, command: JSON.stringify(command), rows: 24, columns: cli.terminal.columns ?? 80 }
  const tunnel = await berthOf(cli, flags).terminal(ask, new AbortController().signal)
  const keyboard = take()
  try {
    tunnel.resize(keyboard.size())
    keyboard.onResize(() => tunnel.resize(keyboard.size()))
    void typed(keyboard.keys, tunnel)
    for await (const bytes of tunnel.output) keyboard.show(bytes)
    const { code } = await tunnel.ended
    if (code === undefined)
      cli.terminal.err('\nThe connection ended before the program did: its replica may be gone.\n')
    cli.exit(code ?? EXIT.notDone)
  } finally {
    keyboard.close()
  }
}

async function typed(keys: AsyncIterable<Uint8Array>, tunnel: Pick<Tunnel, 'write' | 'end'>): Promise<void> {
  try {
    for await (const bytes of keys) await tunnel.write(bytes)
    tunnel.end()
  } catch {
    // The terminal was given back.
  }
}
