import type { Cli, Register } from './cli.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from './remote.ts'
import { wholeNumber } from './scale.ts'
import { printStream } from './stream.ts'

interface LogsFlags extends ProjectFlags {
  readonly follow?: boolean
  readonly tail?: number
  readonly slot?: string
}

/** `berth logs`: what a workload prints. */
export const logs: Register = (program, cli) => {
  remoteInProject(
    program
      .command('logs')
      .description('show what a workload prints')
      .argument('<name>', 'name of the workload')
      .option('-f, --follow', 'go on as it prints, until Ctrl-C')
      .option('--tail <count>', 'the last so many lines of each slot', wholeNumber)
      .option('--slot <slot>', 'of this slot only, as `berth get` names it'),
  )
    .addHelpText(
      'after',
      `
With --follow, -o json prints one line of the log a line, and Ctrl-C ends with 130.

Examples:
  berth logs llama-70b -f
  berth logs train --slot 0.3 --tail 100`,
    )
    .action((name: string, flags: LogsFlags) => showLogs(name, flags, cli))
}

async function showLogs(name: string, flags: LogsFlags, cli: Cli): Promise<void> {
  const follow = flags.follow === true
  const stop = follow ? cli.interrupt() : undefined
  const berth = berthOf(cli, flags)
  const at = { project: projectOf(cli, flags), name }
  const { total, slots } = await berth.workload(at)
  const isAlone = flags.slot !== undefined || Math.max(total, slots.length) <= 1
  const isTerminal = cli.terminal.columns !== undefined
  await printStream(cli, {
    items: berth.logs(at, { slot: flags.slot, follow, tail: flags.tail }, stop ?? new AbortController().signal),
    output: flags.output,
    text: (line) => {
      const text = isTerminal ? harmless(line.text) : line.text
      return isAlone ? text : `${line.slot} | ${text}`
    },
    follow: stop,
    last: undefined,
    empty: `${name} has printed nothing yet.`,
  })
}

/** Colours may stay; everything else that steers a terminal is shown as a space. */
function harmless(text: string): string {
  return text
    .split(COLOUR)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[^\P{Cc}\t]/gu, ' ')))
    .join('')
}

// oxlint-disable-next-line no-control-regex -- the escape character is what it looks for
const COLOUR = /(\u001b\[[\d;]*m)/
