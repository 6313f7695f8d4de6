import { slotOfSeat } from '../../core/life/slots.ts'
import { InvalidArgumentError, type Command } from 'commander'
import type { WorkloadView } from '../../core/life/view/view.ts'
import type { SlotLine } from '../../ports/berth.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { picked, pickOption, type PickFlags } from './pick.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { wholeNumber } from './scale.ts'
import { milliseconds } from './stand.ts'
import { printStream } from './stream.ts'
import { waitingText } from '../words/keep.ts'

interface LogsFlags extends ProjectFlags, PickFlags {
  readonly follow?: boolean
  readonly tail?: number
  readonly slot?: string
  readonly previous?: boolean
  readonly attempt?: string
  readonly since?: number
  readonly timestamps?: boolean
}

/** `berth logs`: the output of a workload. */
export const logs: Register = (program, cli) => {
  const command = program.command('logs')
  remoteInProject(
    pickOption(command)
      .description('show the output of a workload or of an earlier attempt')
      .argument('[name]', 'name of the workload')
      .option('-f, --follow', 'keep printing new lines until Ctrl-C')
      .option('--tail <count>', 'show only this many of the last lines of each slot', wholeNumber)
      .option(
        '--slot <slot>',
        'only this slot: 0 is what is in charge there, 0.b another attempt as `berth get` shows it',
      )
      .option('-p, --previous', 'the attempt before the latest one')
      .option('--attempt <number or id>', 'this attempt, as `berth get` shows it', attemptRef)
      .option('--since <time>', 'only lines newer than this, for example 10m', milliseconds)
      .option('-t, --timestamps', 'show when each line was printed (UTC), if the provider knows'),
  )
    .addHelpText(
      'after',
      `
Logs of past attempts are available as long as the provider keeps them: local keeps them for a day, or an hour after a
stop. With --follow, a line marks where the next attempt begins, -o json prints one object per line, and Ctrl-C exits
with 130.

Examples:
  berth logs llama-70b -f
  berth logs train --slot 0.3 --tail 100
  berth logs train --previous --timestamps
  berth logs train --attempt 2 --since 10m
  berth logs -l sweep=7 --tail 5`,
    )
    .action((name: string | undefined, flags: LogsFlags) => {
      if (flags.previous === true && flags.attempt !== undefined)
        program.error('error: --previous and --attempt cannot be combined', { exitCode: EXIT.usage })
      if (flags.selector === undefined && name !== undefined) return showLogs(name, flags, cli)
      return showSeveral({ name, command }, flags, cli)
    })
}

/** The logs of each workload with the labels, one after the other. */
async function showSeveral(
  { name, command }: { readonly name: string | undefined; readonly command: Command },
  flags: LogsFlags,
  cli: Cli,
): Promise<void> {
  const { selector } = flags
  const project = projectOf(cli, flags)
  const names = name === undefined ? [] : [name]
  const views = await picked({ berth: berthOf(cli, flags), project, names, selector, command })
  const [first] = views
  if (first === undefined) return cli.terminal.err('No workload has these labels.\n')
  if (views.length === 1) return showLogs(first.name, flags, cli)
  const shown = views.map((view) => view.name).join(', ')
  if (flags.follow === true || flags.output !== 'text')
    command.error(`error: -f and -o take a single workload, and several have the labels: ${shown}`, {
      exitCode: EXIT.usage,
    })
  for (const view of views) {
    cli.terminal.out(`${view === first ? '' : '\n'}==> ${view.name} <==\n`)
    await showLogs(view.name, flags, cli)
  }
}

/** A number, or an id as `berth get -o json` has it. */
function attemptRef(text: string): string {
  if (/^[a-z0-9]{1,32}$/.test(text)) return text
  throw new InvalidArgumentError('Write the number of an attempt, for example 2, or its id.')
}

async function showLogs(name: string, flags: LogsFlags, cli: Cli): Promise<void> {
  const follow = flags.follow === true
  const stop = follow ? cli.interrupt() : undefined
  const berth = berthOf(cli, flags)
  const at = { project: projectOf(cli, flags), name }
  const view = await berth.workload(at)
  const attempt = flags.previous === true ? 'previous' : flags.attempt
  const since = flags.since === undefined ? undefined : cli.clock.nowMs() - flags.since
  const query = { slot: flags.slot, follow, tail: flags.tail, attempt, since_ms: since }
  const isWaiting = follow && attempt === undefined && view.slots.every(({ phase }) => phase === 'gone')
  if (isWaiting && flags.output === 'text') cli.terminal.err(`${silence(view)}\n`)
  const isAlone = flags.slot !== undefined || Math.max(view.total, view.slots.length) <= 1
  await printStream(cli, {
    items: withNote(berth.logs({ ...at, ...query }, stop ?? new AbortController().signal), {
      cli,
      isAsked: since !== undefined,
    }),
    output: flags.output,
    text: textsOf({ isAlone, isTerminal: cli.terminal.columns !== undefined, timestamps: flags.timestamps === true }),
    follow: stop,
    last: undefined,
    empty: since === undefined ? silence(view) : `${name} has printed nothing in that time.`,
  })
}

/** Says once when the provider has no timestamps, because `--since` then leaves nothing out. */
async function* withNote(
  lines: AsyncIterable<SlotLine>,
  { cli, isAsked }: { readonly cli: Cli; readonly isAsked: boolean },
): AsyncIterable<SlotLine> {
  let isSaid = !isAsked
  for await (const line of lines) {
    if (!isSaid && line.at_ms === undefined)
      cli.terminal.err('The provider does not record when lines are printed, so --since has no effect on these.\n')
    isSaid ||= line.at_ms === undefined
    yield line
  }
}

/** Says that there is no output, and why if that is known. */
function silence(view: WorkloadView): string {
  const why = waitingText(view)
  return why === '' ? `${view.name} has printed nothing yet.` : `${view.name} has printed nothing yet: ${why}.`
}

interface LogScreen {
  readonly isAlone: boolean
  readonly isTerminal: boolean
  readonly timestamps: boolean
}

/** Formats lines, and marks where the next attempt of a slot begins. */
function textsOf({ isAlone, isTerminal, timestamps }: LogScreen): (line: SlotLine) => string {
  const lastOf = new Map<string, number>()
  return ({ slot, attempt, text: printed, at_ms: atMs }) => {
    // Without names, a replica and its successor are told apart only by this mark, which is made once.
    const whose = isAlone ? slotOfSeat(slot) : slot
    const before = lastOf.get(whose)
    if (attempt !== undefined) lastOf.set(whose, Math.max(before ?? 0, attempt))
    const who = isAlone ? '' : `${slot} | `
    const isNext = before !== undefined && attempt !== undefined && before < attempt
    const mark = isNext ? `${who}--- attempt ${attempt} begins ---\n` : ''
    const when = timestamps ? `${atMs === undefined ? UNKNOWN_TIME : new Date(atMs).toISOString()} ` : ''
    return `${mark}${who}${when}${isTerminal ? harmless(printed) : printed}`
  }
}

const UNKNOWN_TIME = '?'.padEnd('2026-11-15T10:05:00.000Z'.length)

/** Keeps colours and replaces all other control characters with spaces. */
function harmless(text: string): string {
  return text
    .split(COLOUR)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[^\P{Cc}\t]/gu, ' ')))
    .join('')
}

// oxlint-disable-next-line no-control-regex -- the escape character is what it looks for
const COLOUR = /(\u001b\[[\d;]*m)/
