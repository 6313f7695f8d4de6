import { untold } from '../../api/problem.ts'
import { Option, InvalidArgumentError, type Command } from 'commander'
import { parseSeconds } from '../../core/base/units.ts'
import type { WorkloadView } from '../../core/life/view/view.ts'
import type { Applied, Berth } from '../../ports/berth.ts'
import { EXIT, type Cli } from '../cli.ts'
import { answer, say } from '../output.ts'
import { warned } from '../print/error.ts'
import type { Format } from '../format.ts'
import { groupOf, slotOfSeat } from '../../core/life/slots.ts'
import { many, lasting } from '../../core/base/words.ts'
import { named, stalledText, stateText } from '../words/keep.ts'
import { standingOf, watch, type WaitOutcome } from './watch.ts'

/** Flags of commands that wait until workloads are up. */
export interface StandFlags {
  readonly output: Format
  readonly detach?: boolean
  readonly timeout: number
  readonly project?: string
}

/** Adds these flags to a command. */
export function standOptions(command: Command): Command {
  return command
    .option('-d, --detach', 'do not wait for it to be up')
    .addOption(
      new Option('--timeout <time>', 'how long to wait for it to be up; Berth keeps trying after that')
        .argParser(milliseconds)
        .default(600_000, '10m'),
    )
}

/** Reads a time such as `10m` from an argument, in milliseconds. */
export function milliseconds(text: string): number {
  const amount = parseSeconds(text)
  if (amount.kind === 'amount') return amount.value * 1000
  throw new InvalidArgumentError('Write a time such as 90s, 10m, 1h30m or 30d.')
}

export interface StandOptions {
  readonly berth: Berth
  readonly applied: readonly Applied[]
  readonly flags: StandFlags
  /** Names of workloads that had ended and start again unchanged. */
  readonly again?: readonly string[]
  /** They were asked to restart, unchanged. */
  readonly restarted?: boolean
}

/** Follows accepted workloads until they are up, prints the result and sets the exit code. */
export async function stand(cli: Cli, { berth, applied, flags, again = [], restarted }: StandOptions): Promise<void> {
  const { output } = flags
  const isText = output === 'text'
  if (isText) for (const one of applied) say(cli, restarted === true ? restartedText(one) : acceptedText(one, again))
  if (flags.detach === true) {
    if (isText) say(cli, nextSteps(applied.map(({ workload }) => workload)))
    else answer(cli, output, { data: { applied: applied.map(appliedData), ended: 'detached' }, text: () => '' })
    return
  }
  if (isText && cli.terminal.columns !== undefined) cli.terminal.out('Ctrl-C now leaves everything running.\n')
  const names = applied.map(({ workload: { project, name } }) => ({ project, name }))
  const views = applied.map(({ workload }) => workload)
  const watched = await watch(cli, { berth, names, views, timeoutMs: flags.timeout, output })
  const ending = watched.ended === 'settled' ? settledAs(watched.views) : watched.ended
  const stood = applied.map((one, at) => ({ ...appliedData(one), workload: watched.views[at] }))
  const data = { applied: stood, ended: ending }
  answer(cli, output, { data, text: () => endText(watched, flags, cli.clock.nowMs()) })
  cli.exit(exitOf(watched))
}

function appliedData({ warnings = [], ...applied }: Applied) {
  return { ...applied, ...warned(warnings.map(untold)) }
}

function restartedText({ workload: { name, generation } }: Applied): string {
  return `${name} restarts (generation ${generation}).`
}

function acceptedText({ outcome, workload }: Applied, again: readonly string[]): string {
  if (again.includes(workload.name)) return `${workload.name} starts again (generation ${workload.generation}).`
  switch (outcome) {
    case 'created':
      return `${workload.name} is accepted.`
    case 'changed':
      return `${workload.name} is changed (generation ${workload.generation}).`
    case 'unchanged':
      return workload.state === 'done'
        ? `${workload.name} is unchanged and done. To run it again: berth rerun ${named(workload)}`
        : `${workload.name} is unchanged.`
  }
}

function settledAs(views: readonly WorkloadView[]): string {
  const standings = new Set(views.map(standingOf))
  if (standings.has('failed')) return 'failed'
  if (standings.has('stalled')) return 'stalled'
  if (standings.has('held-up')) return 'held-up'
  return standings.has('cannot-be-placed') ? 'cannot-be-placed' : 'up'
}

function exitOf({ views, ended }: WaitOutcome): number {
  if (ended === 'interrupted') return EXIT.interrupted
  const codes = views.map((view) => {
    switch (standingOf(view)) {
      case 'up':
        return EXIT.ok
      case 'cannot-be-placed':
        return EXIT.doesNotFit
      case 'failed':
      case 'held-up':
      case 'stalled':
      case 'on-its-way':
        return EXIT.notDone
    }
  })
  return Math.max(...codes)
}

function endText({ views, ended, tookMs }: WaitOutcome, { timeout }: StandFlags, nowMs: number): string {
  const lines = views.map((view) => {
    const standing = standingOf(view)
    if (standing === 'up') return upText(view, tookMs)
    if (standing === 'stalled') return stalledText(view)
    const state = stateText(view, nowMs).replace(/; next (?:look|try).*$/, '')
    if (view.state === 'failed') return `${view.name} has ${state}`
    if (standing === 'cannot-be-placed' || standing === 'held-up')
      return `${view.name} is not up: ${state.replace(/\.$/, '')}. It stays wanted, but waiting alone does not help.`
    if (standing !== 'on-its-way') return `${view.name} is not up: ${state}`
    if (ended === 'interrupted') return `${view.name} continues in the background (${view.ready} of ${view.total} up).`
    return `${view.name} is not up after ${lasting(timeout)}: ${state.replace(/\.$/, '')}. Berth keeps trying.`
  })
  return [...lines, nextSteps(views)].join('\n')
}

function upText(view: WorkloadView, tookMs: number): string {
  if (view.state === 'done') return `${view.name} is done.`
  const own = [...new Set(view.slots.flatMap(({ ports }) => Object.values(ports)))]
  const addresses = view.endpoint === undefined ? own : [view.endpoint]
  const [first] = addresses
  const more = addresses.length > 1 ? ` +${addresses.length - 1}` : ''
  const where = first === undefined ? '' : ` at ${first.includes('://') ? first : `http://${first}`}${more}`
  const took = tookMs < 1000 ? '' : `, ${lasting(tookMs)}`
  const times = view.restarts_since_change ?? view.restarts
  const restarts = times === 0 ? '' : `, ${many(times, 'restart')} so far`
  const does = view.state === 'running' ? 'is running' : 'is up'
  // In a gang, a slot is one machine of a replica.
  const isGang = view.slots.some(({ slot }) => groupOf(slotOfSeat(slot)) !== slotOfSeat(slot))
  const unit = isGang ? 'machine' : 'replica'
  return `${view.name} ${does}${where} (${view.ready} of ${many(view.total, unit)}${took}${restarts})`
}

function nextSteps(views: readonly WorkloadView[]): string {
  const [first] = views
  const name = first === undefined ? '' : named(first)
  const project = first === undefined || first.project === 'default' ? '' : ` --project ${first.project}`
  const isUp = views.every((view) => standingOf(view) === 'up')
  const steps = isUp
    ? [`berth logs ${name} -f`, `berth ps${project}`]
    : [`berth explain ${name}`, `berth events ${name} -f`]
  return `Next:  ${steps.join('      ')}`
}
