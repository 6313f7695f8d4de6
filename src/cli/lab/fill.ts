import { FastPacker } from '../../core/pack/engine/fast.ts'
import type { Packer } from '../../core/pack/engine/packer.ts'
import { POLICIES } from '../../core/pack/engine/registry.ts'
import { must } from '../../core/base/assert.ts'
import { Admission } from '../../lab/simulate/admission.ts'
import { explainFill, type Explained } from '../../lab/simulate/explain-fill.ts'
import { curveAt, fillUp, upTo, type Filled, type Filler } from '../../lab/simulate/fill.ts'
import type { Cli } from '../cli.ts'
import type { OpenbNodes, OpenbRun, OpenbTrace } from './openb-input.ts'
import { rounded } from './words.ts'

/** Results are reported when this much work has arrived, in percent of the cards' capacity. */
const MARKS = [95, 100, 130] as const

export interface FillPlan {
  readonly nodes: OpenbNodes
  readonly trace: OpenbTrace
  readonly run: OpenbRun
  readonly policy: string
  /** The stream ends after this percentage of the cards' capacity; undefined: all of it is played. */
  readonly until: number | undefined
  /** What the policy may learn from in advance. */
  readonly knows: 'trace' | 'nothing'
  /** Whether work that fits must be taken. */
  readonly accepts: 'all' | 'worthwhile'
}

/** The result of one trace in one order under one policy. */
export interface FillResult {
  readonly plan: FillPlan
  readonly filled: Filled
  readonly explained: Explained
}

/** Fills the fleet twice: once timed, and once to explain what was refused. */
export function runFill(plan: FillPlan, { clock }: Pick<Cli, 'clock'>): FillResult {
  const { nodes, run, until } = plan
  const { fleet, capacityMilli } = nodes
  const stream = until === undefined ? run.stream : upTo(run.stream, until, capacityMilli)
  const makePacker = (): Filler => makeFiller(plan)
  const filled = fillUp(stream, { capacityMilli, makePacker, cpuMs: clock.cpuMs })
  return { plan, filled, explained: explainFill(stream, { fleet, makePacker }) }
}

function makeFiller({ nodes, trace, run, policy, knows, accepts }: FillPlan): Filler {
  const { fleet, capacityMilli } = nodes
  const history = knows === 'trace' ? trace.history : []
  const packer: Packer = new FastPacker(fleet, {
    policy: must(POLICIES[policy], 'the command line checks policies'),
    history,
    ranks: run.ranks,
  })
  return accepts === 'all' ? packer : new Admission(packer, { capacityMilli, history })
}

/** The JSON report. Scripts rely on the first seven keys: they keep their names and meaning. */
export function reportFill({ plan, filled, explained }: FillResult, keep: 'curve' | 'marks'): Record<string, unknown> {
  const { trace, run, policy, accepts, until } = plan
  const marks = marksUpTo(until)
  const at = (curve: readonly (number | undefined)[]): Record<string, number | null> =>
    Object.fromEntries(marks.map((mark) => [String(mark), nullable(curveAt(curve, mark))]))
  const declined = declinedIn(explained)
  const admission = accepts === 'all' ? {} : { declined, declined_at: at(explained.declined) }
  return {
    trace: trace.name,
    seed: run.seed,
    policy,
    allocated: at(filled.curve),
    placed: filled.placed,
    dropped: filled.dropped - declined,
    cpu_seconds: rounded(filled.cpuSeconds, 6),
    ...admission,
    history: plan.knows,
    refusals: explained.refusals.map(({ reason, count, milli }) => ({ reason, count, cards: milli / 1000 })),
    fragmentation: explained.leftovers.map(({ from, to, why, cards, milli }) => ({
      piece: { from: from / 1000, to: to / 1000 },
      why,
      pieces: cards,
      cards: milli / 1000,
    })),
    ...(keep === 'curve' ? { curve: curveOf(filled) } : {}),
  }
}

/** The marks, and the end of the stream when it is not one of them. */
export function marksUpTo(until: number | undefined): readonly number[] {
  return [...new Set([...MARKS, ...(until === undefined ? [] : [until])])].sort((one, two) => one - two)
}

export function declinedIn({ declined }: Explained): number {
  return declined.at(-1) ?? 0
}

/** Points of the curve: percent arrived, percent allocated. */
export function curveOf({ curve }: Filled): readonly (readonly [number, number])[] {
  return curve.flatMap((value, percent) => (value === undefined ? [] : [[percent, rounded(value)] as const]))
}

function nullable(value: number | undefined): number | null {
  return value === undefined ? null : rounded(value)
}
