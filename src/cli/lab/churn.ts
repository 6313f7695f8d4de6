import { must } from '../../core/base/assert.ts'
import { FastPacker } from '../../core/pack/engine/fast.ts'
import { POLICIES } from '../../core/pack/engine/registry.ts'
import { UserError } from '../../core/base/problem.ts'
import { churn, type Churned } from '../../lab/simulate/churn.ts'
import type { Cli } from '../cli.ts'
import type { OpenbNodes, OpenbTrace } from './openb-input.ts'
import { rounded } from './words.ts'

const DAY_S = 86_400

/** Longer lifetimes count as a week: the trace itself is not much longer. */
const LIFETIME_MAX_S = 7 * DAY_S

export interface ChurnPlan {
  readonly nodes: OpenbNodes
  readonly trace: OpenbTrace
  readonly policy: string
  /** Card time requested, as a share of all card time. */
  readonly load: number
  readonly seed: number
  readonly knows: 'trace' | 'nothing'
  readonly days: number
  readonly warmUpDays: number
}

export interface ChurnResult {
  readonly plan: ChurnPlan
  readonly churned: Churned
  readonly cpuSeconds: number
}

/** Simulates work that arrives and leaves for some days. */
export function runChurn(plan: ChurnPlan, { clock }: Pick<Cli, 'clock'>): ChurnResult {
  const { nodes, trace, policy, load, seed, knows, days, warmUpDays } = plan
  const { requests, of } = trace.pods
  const lifetimeS = lifetimesOf(trace)
  const startMs = clock.cpuMs()
  const packer = new FastPacker(nodes.fleet, {
    policy: must(POLICIES[policy], 'the command line checks policies'),
    history: knows === 'trace' ? trace.history : [],
  })
  const churned = churn(
    { requests, of, lifetimeS, load, seed, warmUpS: warmUpDays * DAY_S, measuredS: days * DAY_S },
    { capacityMilli: nodes.capacityMilli, packer },
  )
  return { plan, churned, cpuSeconds: (clock.cpuMs() - startMs) / 1000 }
}

function lifetimesOf({ name, pods }: OpenbTrace): Float64Array {
  const lifetimes = pods.lifetimeS?.map((lifetimeS) => Math.min(lifetimeS, LIFETIME_MAX_S))
  const asksForTime = lifetimes?.some((lifetimeS, pod) => {
    const request = pods.requests[pods.of[pod] ?? -1]
    return lifetimeS > 0 && request !== undefined && request.count > 0
  })
  if (lifetimes !== undefined && asksForTime === true) return lifetimes
  const message =
    lifetimes === undefined
      ? `${name} does not say how long its work ran, so nothing would ever leave.`
      : `No work in ${name} holds a card for any time.`
  const hint = 'Every row needs creation_time and deletion_time, in seconds.'
  throw new UserError([{ code: 'VALUE_INVALID', message, found: name, hint }])
}

/** For scripts. */
export function reportChurn({ plan, churned, cpuSeconds }: ChurnResult): Record<string, unknown> {
  return {
    trace: plan.trace.name,
    seed: plan.seed,
    policy: plan.policy,
    load: plan.load,
    allocated: rounded(churned.allocated),
    arrived: churned.arrived,
    placed: churned.placed,
    waits: churned.waits.map(({ size, count, meanS, p99S, longestS, waiting }) => ({
      size,
      count,
      mean_s: rounded(meanS, 1),
      p99_s: rounded(p99S, 1),
      longest_s: rounded(longestS, 1),
      waiting,
    })),
    days: plan.days,
    warm_up_days: plan.warmUpDays,
    history: plan.knows,
    cpu_seconds: rounded(cpuSeconds, 6),
  }
}
