import { InvalidArgumentError, Option } from 'commander'
import type { Cli, Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { milliseconds } from './stand.ts'

interface ExecFlags extends ProjectFlags {
  readonly slot?: string
  readonly timeout: number
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
      .showHelpAfterError(
        '(put -- before the command: berth exec NAME -- PROGRAM ARGUMENTS)\n(add --help for usage and examples)',
      ),
  )
    .addHelpText(
      'after',
      `
Exits with the exit code of the command. There is no terminal and no input, so interactive programs do not work.
The output is shown when the command has ended, at most 1 MiB of each stream. Providers that do not support it refuse it
(local supports it). It needs the role writer in the project and is recorded in the audit log.

Examples:
  berth exec llama-70b -- nvidia-smi
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
  const ran = await berthOf(cli, flags).exec({ ...at, slot: flags.slot, command, timeout_ms: flags.timeout })
  if (flags.output === 'text') {
    cli.terminal.out(ran.out)
    cli.terminal.err(ran.err)
  } else answer(cli, flags.output, { data: ran, text: () => '' })
  cli.exit(ran.code)
}
