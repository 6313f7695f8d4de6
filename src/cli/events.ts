import type { EventEntry } from '../core/keep/event.ts'
import type { Cli, Register } from './cli.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from './remote.ts'
import { wholeNumber } from './scale.ts'
import { milliseconds } from './stand.ts'
import { printStream } from './stream.ts'
import { ago, clockTime, plain } from './words-keep.ts'
import { eventText } from './words-events.ts'

interface EventsFlags extends ProjectFlags {
  readonly follow?: boolean
  readonly since?: number
  readonly tail: number
  readonly all?: boolean
  readonly allProjects?: boolean
}

/** `berth events`: what happened. */
export const events: Register = (program, cli) => {
  remoteInProject(
    program
      .command('events')
      .description('show what happened to a workload, or to all of them')
      .argument('[name]', 'name of the workload')
      .option('-f, --follow', 'go on as things happen, until Ctrl-C')
      .option('--since <time>', 'only what happened in this time, for example 2h', milliseconds)
      .option('--tail <count>', 'the last so many', wholeNumber, 50)
      .option('--all', 'all there are')
      .option('-A, --all-projects', 'those of every project, and of providers'),
  )
    .addHelpText(
      'after',
      `
With --follow, times are those of the clock (UTC), -o json prints one event a line, and Ctrl-C ends with 130.

Examples:
  berth events llama-70b
  berth events -f
  berth events --since 2h -o json | jq '.[] | select(.kind == "refused")'`,
    )
    .action((name: string | undefined, flags: EventsFlags) => showEvents(name, flags, cli))
}

async function showEvents(name: string | undefined, flags: EventsFlags, cli: Cli): Promise<void> {
  const follow = flags.follow === true
  const stop = follow ? cli.interrupt() : undefined
  const project = flags.allProjects === true ? undefined : projectOf(cli, flags)
  const berth = berthOf(cli, flags)
  // A name that does not exist has no events either; asking for it says so, and what was meant.
  if (name !== undefined && project !== undefined) await berth.workload({ project, name })
  const items = berth.events({ project, workload: name, after: 0, follow }, stop ?? new AbortController().signal)
  const fromMs = flags.since === undefined ? undefined : cli.clock.nowMs() - flags.since
  await printStream(cli, {
    items: fromMs === undefined ? items : since(items, fromMs),
    output: flags.output,
    text: (event) =>
      eventLine(event, {
        nowMs: cli.clock.nowMs(),
        isAlone: name !== undefined,
        times: follow ? 'clock' : 'ago',
      }),
    follow: stop,
    last: flags.all === true || fromMs !== undefined ? undefined : flags.tail,
    empty: fromMs === undefined ? 'Nothing has happened yet.' : 'Nothing happened in this time.',
  })
}

async function* since(items: AsyncIterable<EventEntry>, fromMs: number): AsyncIterable<EventEntry> {
  for await (const event of items) if (event.atMs >= fromMs) yield event
}

interface EventScreen {
  readonly nowMs: number
  /** One subject only: it need not be said. */
  readonly isAlone: boolean
  /** A line that stays on the screen for hours says when it was; a list says how long ago. */
  readonly times: 'ago' | 'clock'
}

/** `3 h ago   placed     0 on nebius/eu-north1, 4 GPUs, $9.40/h (cheapest of 63)`. */
export function eventLine(event: EventEntry, { nowMs, isAlone, times }: EventScreen): string {
  const subject = isAlone ? '' : `${plain(event.subject.slice(event.subject.indexOf('/') + 1)).padEnd(16)}  `
  const when = times === 'clock' ? clockTime(event.atMs, nowMs) : ago(event.atMs, nowMs)
  return `${when.padEnd(WHEN_WIDTH)}  ${event.kind.padEnd(KIND_WIDTH)}  ${subject}${eventText(event)}`.trimEnd()
}

const KIND_WIDTH = 'provider-down'.length

const WHEN_WIDTH = '2026-11-13 10:05'.length
