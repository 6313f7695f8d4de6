import { printSelector, type Selector } from '../../core/life/view/selector.ts'
import type { Berth, EventsQuery, EventView } from '../../ports/berth.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { everyWorkload, pickOption, type PickFlags } from './pick.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { wholeNumber } from './scale.ts'
import { milliseconds } from './stand.ts'
import { fit } from '../terminal/fit.ts'
import { printStream } from './stream.ts'
import { ago, clockTime } from '../words/keep.ts'
import { plain } from '../../core/base/words.ts'
import { EVENTS } from '../../core/event/kinds.ts'
import { eventText } from '../../core/event/text.ts'

interface EventsFlags extends ProjectFlags, PickFlags {
  readonly follow?: boolean
  readonly since?: number
  readonly tail?: number
  readonly all?: boolean
  readonly allProjects?: boolean
  readonly newest?: boolean
  readonly before?: number
}

/** How many events are shown by default. */
const TAIL = 50

/** `berth events`: what happened to workloads. */
export const events: Register = (program, cli) => {
  const command = pickOption(
    program
      .command('events')
      .description('show what happened to a workload, or to all workloads')
      .argument('[name]', 'name of the workload')
      .option('-f, --follow', 'keep printing new events until Ctrl-C')
      .option('--since <time>', 'only events newer than this, for example 2h', milliseconds)
      .option(
        '--tail <count>',
        `show only this many of the latest events (default: ${TAIL}, or all with --since)`,
        wholeNumber,
      )
      .option('--all', 'show all events')
      .option('--newest', 'the newest event first')
      .option('--before <seq>', 'only events before this one: the next page after --newest', wholeNumber)
      .option('-A, --all-projects', 'events of every project and of providers'),
  )
  remoteInProject(command)
    .addHelpText(
      'after',
      `
The newest event comes last, or first with --newest. With --follow, times are clock times (UTC), -o json prints one event per line, and Ctrl-C
exits with 130.

Examples:
  berth events llama-70b
  berth events -f --tail 3
  berth events -l team=ml --since 1d
  berth events --newest --tail 20
  berth events --newest --tail 20 --before 4711
  berth events --since 2h -o json | jq '.[] | select(.kind == "refused")'`,
    )
    .action((name: string | undefined, flags: EventsFlags) => {
      if (name !== undefined && flags.selector !== undefined)
        command.error('error: name a workload or select by labels, not both', { exitCode: EXIT.usage })
      if (flags.follow === true && (flags.newest === true || flags.before !== undefined))
        command.error('error: new events come last: leave out --follow, or --newest and --before', {
          exitCode: EXIT.usage,
        })
      return showEvents(name, flags, cli)
    })
}

async function showEvents(name: string | undefined, flags: EventsFlags, cli: Cli): Promise<void> {
  const follow = flags.follow === true
  const stop = follow ? cli.interrupt() : undefined
  const project = flags.allProjects === true ? undefined : projectOf(cli, flags)
  const berth = berthOf(cli, flags)
  // For an unknown name this request fails with a suggestion, instead of showing no events.
  if (name !== undefined && project !== undefined) await berth.workload({ project, name })
  const since = flags.since === undefined ? undefined : cli.clock.nowMs() - flags.since
  const tail =
    flags.all === true || (since !== undefined && flags.tail === undefined) ? undefined : (flags.tail ?? TAIL)
  const query: EventsQuery = {
    project,
    workload: name,
    follow,
    since_ms: since,
    ...(flags.before !== undefined && { before: flags.before }),
    ...(flags.newest === true && { order: 'newest' }),
  }
  const signal = stop ?? new AbortController().signal
  await printStream(cli, {
    items:
      flags.selector === undefined
        ? berth.events({ ...query, tail }, signal)
        : selected(berth, { query, tail, selector: flags.selector, signal }),
    output: flags.output,
    text: (event) => {
      const times = follow ? 'clock' : 'ago'
      const line = eventLine(event, { nowMs: cli.clock.nowMs(), isAlone: name !== undefined, times })
      return fit(line, { columns: cli.terminal.columns, color: false })
    },
    follow: stop,
    last: flags.newest === true ? undefined : tail,
    ...(flags.newest === true && tail !== undefined && { more: olderThan(name, flags, tail) }),
    empty: since === undefined ? 'Nothing has happened yet.' : 'Nothing happened in this time.',
  })
}

/** How to go on after a full page, newest first. */
function olderThan(name: string | undefined, flags: EventsFlags, tail: number) {
  const { selector } = flags
  const same = [
    ...(name === undefined ? [] : [name]),
    ...(selector === undefined ? [] : [`-l ${printSelector(selector)}`]),
    ...(flags.allProjects === true ? ['-A'] : []),
    '--newest',
    ...(flags.since === undefined ? [] : [`--since ${Math.ceil(flags.since / 1000)}s`]),
    ...(flags.tail === undefined ? [] : [`--tail ${tail}`]),
  ].join(' ')
  const project = flags.allProjects === true ? '' : projectFlag(flags)
  return (events: readonly EventView[]): string =>
    events.length < tail || tail === 0
      ? ''
      : `\nOlder:  berth events ${same} --before ${events.at(-1)?.seq}${project}\n`
}

interface Selecting {
  readonly query: EventsQuery
  readonly tail: number | undefined
  readonly selector: Selector
  readonly signal: AbortSignal
}

/** Events of workloads that have these labels now: the last ones so far, then new ones. */
async function* selected(berth: Berth, { query, tail, selector, signal }: Selecting): AsyncIterable<EventView> {
  const views = await everyWorkload(berth, query.project, { label: printSelector(selector) })
  const subjects = new Set(views.map((view) => `${view.project}/workload/${view.name}`))
  const isSelected = ({ project, subject }: EventView): boolean => subjects.has(`${project}/${subject}`)
  if (query.order === 'newest') {
    let left = tail ?? Number.POSITIVE_INFINITY
    for await (const event of left === 0 ? [] : berth.events(query, signal)) {
      if (!isSelected(event)) continue
      yield event
      left--
      if (left === 0) return
    }
    return
  }
  let { after } = query
  let last: EventView[] = []
  for await (const event of berth.events({ ...query, follow: false }, signal)) {
    after = event.seq
    if (isSelected(event)) last.push(event)
    if (tail !== undefined && last.length >= 2 * tail + 2) last = last.slice(last.length - tail)
  }
  yield* tail === undefined ? last : last.slice(last.length - Math.min(tail, last.length))
  if (!query.follow) return
  for await (const event of berth.events({ ...query, after }, signal)) if (isSelected(event)) yield event
}

interface EventScreen {
  readonly nowMs: number
  /** All events are of one subject, so its name is left out. */
  readonly isAlone: boolean
  /** A line that stays on the screen for hours shows the clock time; a list shows how long ago. */
  readonly times: 'ago' | 'clock'
}

/** `3 h ago   placed     0 on nebius/eu-north1, 4 GPUs, $9.40/h (cheapest of 63)`. */
export function eventLine(event: EventView, { nowMs, isAlone, times }: EventScreen): string {
  const subject = isAlone ? '' : `${plain(event.subject.slice(event.subject.indexOf('/') + 1)).padEnd(16)}  `
  const when = times === 'clock' ? clockTime(event.at_ms, nowMs) : ago(event.at_ms, nowMs)
  const kind = plain(event.kind).padEnd(isAlone ? KIND_WIDTH : WIDEST)
  return `${when.padEnd(WHEN_WIDTH)}  ${kind}  ${subject}${eventText({ ...event, atMs: event.at_ms })}`.trimEnd()
}

const KINDS = Object.entries(EVENTS)

/** Of kinds about workloads, and of all kinds. */
const KIND_WIDTH = Math.max(...KINDS.filter(([, { about }]) => about === 'workload').map(([kind]) => kind.length))
const WIDEST = Math.max(...KINDS.map(([kind]) => kind.length))

const WHEN_WIDTH = '2026-11-13 10:05'.length
