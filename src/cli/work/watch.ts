import type { WorkloadView } from '../../core/life/view/view.ts'
import { REASONS } from '../../core/requirement/filter/all-filters.ts'
import { UserError } from '../../core/base/problem.ts'
import type { At, Berth } from '../../ports/berth.ts'
import { LATE, unless } from '../../ports/deadline.ts'
import type { Cli } from '../cli.ts'
import { LiveView, liveLines } from '../terminal/live-view.ts'
import type { Format } from '../format.ts'

/**
 * The progress of a workload, from the view of a command that waits for it. `cannot-be-placed` and `held-up` end only when a user
 * changes something: the first has no place, the second lacks a secret or is at a provider that is not configured.
 */
export type WaitStanding = 'up' | 'cannot-be-placed' | 'held-up' | 'failed' | 'stalled' | 'on-its-way'

/** The result of waiting. */
export interface WaitOutcome {
  readonly views: readonly WorkloadView[]
  readonly ended: 'settled' | 'out-of-time' | 'interrupted'
  readonly tookMs: number
}

export interface Watching {
  readonly berth: Berth
  readonly names: readonly At[]
  /** The last known views. */
  readonly views: readonly WorkloadView[]
  readonly timeoutMs: number
  readonly output: Format
}

const POLL_MS = 500

/** Most crashes happen right after the start, so a replica without a health check counts as up only after this time. */
const STEADY_MS = 3000

/** Follows workloads until each is up or cannot be, the time runs out, or the user presses Ctrl-C. */
export async function watch(cli: Cli, watching: Watching): Promise<WaitOutcome> {
  const { berth, names, timeoutMs } = watching
  const signal = cli.interrupt()
  const view = watching.output === 'text' ? new LiveView(cli) : undefined
  const startMs = cli.clock.tickMs()
  const took = (): number => cli.clock.tickMs() - startMs
  let views = watching.views
  let isLost = false
  let upLooks = 0
  // Bounded by the number of polls as well as by the clock, so that a clock that is set back cannot cause endless waiting.
  for (let looks = Math.ceil(timeoutMs / POLL_MS); ; looks--) {
    view?.show(liveLines(views, cli.clock.nowMs()))
    upLooks = views.every((one) => standingOf(one) !== 'on-its-way') ? upLooks + 1 : 0
    const isCalm = upLooks > STEADY_MS / POLL_MS || views.every((one) => isSteady(one, cli.clock.nowMs()))
    if (upLooks > 0 && isCalm) return { views, ended: 'settled', tookMs: took() }
    if (looks <= 0 || took() >= timeoutMs) return { views, ended: 'out-of-time', tookMs: took() }
    await cli.timers.sleep(POLL_MS, signal)
    // On Ctrl-C, the user need not wait for a pending answer.
    const seen = signal.aborted ? LATE : await unless(signal, look(berth, names))
    if (seen === LATE) return { views, ended: 'interrupted', tookMs: took() }
    if (seen === 'lost' && !isLost) view?.note(LOST)
    if (seen !== 'lost' && isLost) view?.note('The control plane answers again.')
    isLost = seen === 'lost'
    if (seen !== 'lost') views = seen
  }
}

const LOST = 'The control plane does not answer; workloads keep running. Trying again...'

/** Whether a workload is up as its user wants, cannot get there by itself, or is still on its way. */
export function standingOf(view: WorkloadView): WaitStanding {
  const { state, want, ready, total, waiting } = view
  if (state === 'failed' || state === 'set-aside') return 'failed'
  if (want !== 'running') return 'failed'
  if (state === 'done') return 'up'
  if (view.stalled !== undefined) return 'stalled'
  // Replicas of the previous version do not count. An older server that does not report `updated` is trusted.
  const isUpdated = view.updated === undefined || view.updated >= total
  const isWhole = state === 'serving' || (state === 'running' && ready >= total)
  if (isWhole && isUpdated) return 'up'
  if ((view.unseen ?? 0) > 0) return 'held-up'
  if (waiting !== undefined && !isWhole) {
    if (HELD_UP.has(waiting.code)) return 'held-up'
    if (isHopeless(waiting.code)) return 'cannot-be-placed'
  }
  return state === 'stopped' ? 'failed' : 'on-its-way'
}

/** Whether the state is unlikely to change in a moment. Clocks may differ, so the caller also counts its own polls. */
function isSteady(view: WorkloadView, nowMs: number): boolean {
  if (standingOf(view) !== 'up' || view.state === 'done') return true
  return view.slots.every(
    ({ phase, healthy, since_ms: sinceMs }) => phase !== 'running' || healthy === true || nowMs - sinceMs >= STEADY_MS,
  )
}

/** Whether a wait for a place ends only when a user changes something. A reason for which waiting helps comes first, if there is one. */
function isHopeless(code: string): boolean {
  const clears = REASONS[code]?.clears
  return HOPELESS.has(code) || clears === 'never' || clears === 'policy'
}

const HOPELESS: ReadonlySet<string> = new Set(['PLAN_STALE', 'QUOTA_PROJECT', 'BUDGET_PROJECT', 'PRICE_NOT_AGREED'])
const HELD_UP: ReadonlySet<string> = new Set(['SECRET_MISSING', 'SECRET_RESERVED'])

async function look(berth: Berth, names: readonly At[]): Promise<readonly WorkloadView[] | 'lost'> {
  try {
    return await Promise.all(names.map((at) => berth.workload(at)))
  } catch (error) {
    if (isConnectionLost(error)) return 'lost'
    throw error
  }
}

/** Whether the control plane is unreachable or failing, which passes by itself; the request is not at fault. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof UserError)) return false
  return error.problems.some(({ code }) => code === 'CONTROL_PLANE_UNREACHABLE' || code === 'CONTROL_PLANE_FAILED')
}
