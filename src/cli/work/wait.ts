import { Option, type Command } from 'commander'
import type { WorkloadView } from '../../core/life/view/view.ts'
import { UserError } from '../../core/base/problem.ts'
import type { At, Berth } from '../../ports/berth.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { LiveView, liveLines } from '../terminal/live-view.ts'
import { answer } from '../output.ts'
import { picked, pickOption, type PickFlags } from './pick.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { milliseconds } from './stand.ts'
import { isConnectionLost, standingOf } from './watch.ts'
import { stalledText, stateText } from '../words/keep.ts'
import { lasting } from '../../core/base/words.ts'

interface WaitFlags extends ProjectFlags, PickFlags {
  readonly for?: Goal
  readonly timeout?: number
}

type Goal = 'up' | 'done' | 'gone'

/** `berth wait`: waits until workloads are up, done or gone. */
export const wait: Register = (program, cli) => {
  const command = program
    .command('wait')
    .description('wait until workloads are done, up or gone; exits with the exit code of a failed job')
    .argument('[name...]', 'names of the workloads')
    .addOption(
      new Option('--for <what>', 'what to wait for (default: done for a job, up for a service)').choices([
        'up',
        'done',
        'gone',
      ]),
    )
    .option('--timeout <time>', 'how long to wait (default: without limit)', milliseconds)
  remoteInProject(pickOption(command))
    .addHelpText(
      'after',
      `
Exits with 0 when all workloads are as requested. Otherwise with the exit code of the failed job (128 plus the number of
a signal, 137 when out of memory), 4 when it failed in another way or was stopped, 5 when there is no such workload, 124
on timeout, 130 on Ctrl-C. With -o json these can be told apart even if a job itself exits with one of these codes.

Examples:
  berth wait train
  berth wait chat embeddings --for up --timeout 5m
  berth rm old --yes && berth wait old --for gone
  berth wait -l sweep=7 && echo all done`,
    )
    .action((names: readonly string[], flags: WaitFlags) => waitFor({ names, flags, command }, cli))
}

/** The exit code of timeout(1). */
export const OUT_OF_TIME = 124

interface Asked {
  readonly names: readonly string[]
  readonly flags: WaitFlags
  readonly command: Command
}

async function waitFor({ names, flags, command }: Asked, cli: Cli): Promise<void> {
  const berth = berthOf(cli, flags)
  const project = projectOf(cli, flags)
  const { selector } = flags
  // With `--for gone`, a workload that does not exist is fine.
  const views =
    flags.for === 'gone' && selector === undefined
      ? await present(
          berth,
          names.map((name) => ({ project, name })),
        )
      : await picked({ berth, project, names, selector, command })
  const endless = flags.for === 'done' ? views.find(({ kind }) => kind === 'service') : undefined
  if (endless !== undefined)
    command.error(`error: ${endless.name} is a service, which is never done; use --for up or --for gone`, {
      exitCode: EXIT.usage,
    })
  const waited = await poll(cli, { berth, views, flags })
  const exitCode = exitOf(waited)
  const outcomes = waited.seen.map(({ view, fate }) => ({ workload: view, fate }))
  const data = { ended: waited.ended, exit_code: exitCode, workloads: outcomes }
  answer(cli, flags.output, { data, text: () => endText(waited, cli.clock.nowMs()) })
  cli.exit(exitCode)
}

/** The workloads that exist. */
async function present(berth: Berth, names: readonly At[]): Promise<readonly WorkloadView[]> {
  const looked = await Promise.all(names.map((at) => look(berth, at)))
  return looked.filter((view) => view !== undefined && view !== 'lost')
}

/** Whether a workload has reached what the user waits for, cannot reach it, or may still reach it. */
type Fate = 'there' | 'failed' | 'on-its-way'

interface Seen {
  readonly view: WorkloadView
  readonly fate: Fate
}

interface Waited {
  readonly seen: readonly Seen[]
  readonly ended: 'settled' | 'out-of-time' | 'interrupted'
  readonly tookMs: number
}

interface Polling {
  readonly berth: Berth
  readonly views: readonly WorkloadView[]
  readonly flags: WaitFlags
}

const POLL_MS = 500

/** Polls until each workload has reached its goal or cannot reach it. */
async function poll(cli: Cli, { berth, views, flags }: Polling): Promise<Waited> {
  const signal = cli.interrupt()
  const screen = flags.output === 'text' && cli.terminal.columns !== undefined ? new LiveView(cli) : undefined
  const startMs = cli.clock.tickMs()
  const limitMs = flags.timeout ?? Infinity
  let seen: readonly Seen[] = views.map((view) => ({ view, fate: fateOf(view, flags.for) }))
  // Bounded by the number of polls as well as by the clock, so that a clock that is set back cannot cause endless waiting.
  for (let looks = 0; ; looks++) {
    screen?.show(
      liveLines(
        seen.filter(({ fate }) => fate === 'on-its-way').map(({ view }) => view),
        cli.clock.nowMs(),
      ),
    )
    const tookMs = cli.clock.tickMs() - startMs
    if (seen.every(({ fate }) => fate !== 'on-its-way')) return { seen, ended: 'settled', tookMs }
    if (tookMs >= limitMs || looks * POLL_MS >= limitMs) return { seen, ended: 'out-of-time', tookMs }
    await cli.timers.sleep(POLL_MS, signal)
    if (signal.aborted) return { seen, ended: 'interrupted', tookMs }
    seen = await Promise.all(seen.map((one) => again(berth, one, flags.for)))
  }
}

async function again(berth: Berth, seen: Seen, goal: Goal | undefined): Promise<Seen> {
  if (seen.fate !== 'on-its-way') return seen
  const view = await look(berth, seen.view)
  if (view === 'lost') return seen
  // A workload that was removed meanwhile is a success only if the user waits for that.
  if (view === undefined) return { view: seen.view, fate: goal === 'gone' ? 'there' : 'failed' }
  return { view, fate: fateOf(view, goal) }
}

/** Undefined: there is no such workload. `lost`: the control plane did not answer, so it is asked again. */
async function look(berth: Berth, { project, name }: At): Promise<WorkloadView | undefined | 'lost'> {
  try {
    return await berth.workload({ project, name })
  } catch (error) {
    if (error instanceof UserError && error.problems.some(({ code }) => code === 'NOT_FOUND')) return undefined
    if (isConnectionLost(error)) return 'lost'
    throw error
  }
}

function fateOf(view: WorkloadView, goal: Goal = view.kind === 'job' ? 'done' : 'up'): Fate {
  if (goal === 'gone') return 'on-its-way'
  if (view.state === 'done') return 'there'
  const standing = standingOf(view)
  if (standing === 'failed' || standing === 'stalled') return 'failed'
  return goal === 'up' && standing === 'up' ? 'there' : 'on-its-way'
}

function exitOf({ seen, ended }: Waited): number {
  if (ended === 'interrupted') return EXIT.interrupted
  if (ended === 'out-of-time') return OUT_OF_TIME
  const failed = seen.filter(({ fate }) => fate === 'failed')
  return failed.length === 0 ? EXIT.ok : Math.max(...failed.map(({ view }) => ownCode(view) ?? EXIT.notDone))
}

/** The job's own exit code, as a shell reports it. */
function ownCode({ slots, kind }: WorkloadView): number | undefined {
  if (kind !== 'job') return undefined
  const codes = slots.flatMap(({ exit }) => {
    if (exit?.kind === 'code') return exit.code === 0 ? [] : [exit.code]
    if (exit?.kind === 'signal') return [128 + (SIGNALS[exit.signal] ?? 0)]
    return exit?.kind === 'out-of-memory' ? [137] : []
  })
  return codes[0]
}

const SIGNALS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
}

function endText({ seen, ended, tookMs }: Waited, nowMs: number): string {
  if (seen.length === 0) return 'There is nothing to wait for.'
  const lines = seen.map(({ view, fate }) => {
    if (fate === 'there') return `${view.name} is ${thereText(view)}.`
    const state = stateText(view, nowMs).replace(/; next (?:look|try).*$/, '')
    if (fate === 'failed') return view.stalled === undefined ? `${view.name}: ${state}` : stalledText(view)
    return ended === 'interrupted'
      ? `${view.name} continues in the background: ${state}`
      : `${view.name}: timed out after ${lasting(tookMs)}: ${state}`
  })
  return lines.join('\n')
}

function thereText({ state, want }: WorkloadView): string {
  if (state === 'done') return 'done'
  return want === 'removed' || state === 'stopping' || state === 'stopped' ? 'gone' : 'up'
}
