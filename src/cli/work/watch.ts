import type { WorkloadView } from '../../core/life/view/view.ts'
import { UserError } from '../../core/base/problem.ts'
import type { At, Berth } from '../../ports/berth.ts'
import type { Cli } from '../cli.ts'
import { LiveView, liveLines } from '../terminal/live-view.ts'
import type { Format } from '../format.ts'

/** How one workload stands, as far as waiting for it goes. */
export type WaitStanding = 'up' | 'cannot-be-placed' | 'failed' | 'stalled' | 'on-its-way'

/** How waiting ended. */
export interface WaitOutcome {
  readonly views: readonly WorkloadView[]
  readonly ended: 'settled' | 'out-of-time' | 'interrupted'
  readonly tookMs: number
}

export interface Watching {
  readonly berth: Berth
  readonly names: readonly At[]
  /** As they were last heard of. */
  readonly views: readonly WorkloadView[]
  readonly timeoutMs: number
  readonly output: Format
}

const POLL_MS = 500

/** What falls over falls over at once, mostly: who has no health check is believed after this long. */
const STEADY_MS = 3000

/** Follows workloads until each of them stands or cannot, time runs out, or somebody presses Ctrl-C. */
export async function watch(cli: Cli, watching: Watching): Promise<WaitOutcome> {
  const { berth, names, timeoutMs } = watching
  const signal = cli.interrupt()
  const view = watching.output === 'text' ? new LiveView(cli) : undefined
  const interrupted = aborted(signal)
  const startMs = cli.clock.tickMs()
  const took = (): number => cli.clock.tickMs() - startMs
  let views = watching.views
  let isLost = false
  let upLooks = 0
  // Bounded by looks as well as by the clock: a clock that is set back must not make it wait for ever.
  for (let looks = Math.ceil(timeoutMs / POLL_MS); ; looks--) {
    view?.show(liveLines(views, cli.clock.nowMs()))
    upLooks = views.every((one) => standingOf(one) !== 'on-its-way') ? upLooks + 1 : 0
    const isCalm = upLooks > STEADY_MS / POLL_MS || views.every((one) => isSteady(one, cli.clock.nowMs()))
    if (upLooks > 0 && isCalm) return { views, ended: 'settled', tookMs: took() }
    if (looks <= 0 || took() >= timeoutMs) return { views, ended: 'out-of-time', tookMs: took() }
    await cli.timers.sleep(POLL_MS, signal)
    const seen = signal.aborted ? 'interrupted' : await Promise.race([look(berth, names), interrupted])
    if (seen === 'interrupted') return { views, ended: 'interrupted', tookMs: took() }
    if (seen === 'lost' && !isLost) view?.note(LOST)
    if (seen !== 'lost' && isLost) view?.note('The control plane answers again.')
    isLost = seen === 'lost'
    if (seen !== 'lost') views = seen
  }
}

const LOST = 'The control plane does not answer; what runs goes on running. Trying again...'

/** Whether a workload is where its user wants it, cannot get there by itself, or is still moving. */
export function standingOf(view: WorkloadView): WaitStanding {
  const { state, want, ready, total, waiting } = view
  if (state === 'failed' || state === 'set-aside') return 'failed'
  if (want !== 'running') return 'failed'
  if (state === 'done') return 'up'
  if (view.stalled !== undefined) return 'stalled'
  // What serves as it was before is no sign of what is wanted now. A server that does not tell is believed.
  const isUpdated = view.updated === undefined || view.updated >= total
  if (state === 'serving') return isUpdated ? 'up' : 'on-its-way'
  if (state === 'running') return ready >= total && isUpdated ? 'up' : 'on-its-way'
  if (waiting !== undefined && HOPELESS.has(waiting.code)) return 'cannot-be-placed'
  return state === 'stopped' ? 'failed' : 'on-its-way'
}

/** Whether it will not be something else in a moment. Clocks may differ, so whoever asks also counts by its own. */
function isSteady(view: WorkloadView, nowMs: number): boolean {
  if (standingOf(view) !== 'up' || view.state === 'done') return true
  return view.slots.every(
    ({ phase, healthy, since_ms: sinceMs }) => phase !== 'running' || healthy === true || nowMs - sinceMs >= STEADY_MS,
  )
}

/** Waiting for these ends only when a person changes something. */
const HOPELESS: ReadonlySet<string> = new Set(['PLAN_STALE', 'QUOTA_PROJECT', 'BUDGET_PROJECT'])

async function look(berth: Berth, names: readonly At[]): Promise<readonly WorkloadView[] | 'lost'> {
  try {
    return await Promise.all(names.map((at) => berth.workload(at)))
  } catch (error) {
    if (isConnectionLost(error)) return 'lost'
    throw error
  }
}

/** The control plane is not there, or not well: it will be again, and nothing is wrong with the question. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof UserError)) return false
  return error.problems.some(({ code }) => code === 'CONTROL_PLANE_UNREACHABLE' || code === 'CONTROL_PLANE_FAILED')
}

/** Whoever presses Ctrl-C does not want to wait for an answer first. */
function aborted(signal: AbortSignal): Promise<'interrupted'> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('interrupted'), { once: true })
  })
}
