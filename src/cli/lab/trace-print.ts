import { printable } from '../../core/document/look-up.ts'
import type { Point } from '../../lab/simulate/curve-scale.ts'
import type { Chart } from '../../lab/simulate/curve-svg.ts'
import type { NoPlace, Replayed, WithoutPlace } from '../../lab/simulate/replay.ts'
import type { Figures } from './save.ts'
import { duration, leftoverTable, mean, percent, REFUSAL_TEXTS, rounded } from './words.ts'
import { table, type Column } from '../terminal/table.ts'
import { many, number } from '../../core/base/words.ts'

/** A trace played under one policy. */
export interface ReplayResult {
  readonly trace: string
  readonly fleet: string
  readonly policy: string
  readonly replayed: Replayed
  readonly cpuSeconds: number
}

export interface ReplayScreen {
  readonly results: readonly ReplayResult[]
  /** The command line that repeats this run, without `--save`. */
  readonly again: string
  /** The command to suggest next. */
  readonly next: string
  readonly detail: 'all' | 'one-screen'
}

/** Results by policy; for a single policy also what waited, what has no place and what was left free. */
export function printReplays({ results, next, detail }: ReplayScreen): string {
  const shown = results.length === 1 || detail === 'all' ? results : []
  const isCompared = results.length > 1
  return [
    ...results.slice(0, 1).map(headline),
    '',
    ...overview(results),
    ...shown.flatMap((result) => ['', ...about(result, { isCompared, detail })]),
    ...(shown.length < results.length
      ? ['', 'What waited, what has no place, and what was left free:  --all, or -o json']
      : []),
    '',
    `Next:  ${next}`,
  ].join('\n')
}

/** For scripts. */
export function reportReplay(result: ReplayResult, keep: 'curve' | 'figures'): Record<string, unknown> {
  const { trace, fleet, policy, replayed, cpuSeconds } = result
  const { fromS, toS, allocated, arrived, placed, refused, waiting, waits, fullest } = replayed
  return {
    trace,
    fleet,
    policy,
    cards: replayed.capacityMilli / 1000,
    allocated: rounded(allocated),
    stuck: rounded(stuckOf(replayed)),
    from_s: fromS,
    to_s: toS,
    arrived,
    placed,
    refused,
    waiting,
    waits: waits.map(({ size, count, meanS, p99S, longestS, waiting: still }) => ({
      size,
      count,
      mean_s: rounded(meanS, 1),
      p99_s: rounded(p99S, 1),
      longest_s: rounded(longestS, 1),
      waiting: still,
    })),
    fragmentation: {
      at_s: fullest.atS,
      allocated: rounded(fullest.allocated),
      pieces: fullest.leftovers.map(({ from, to, why, cards, milli }) => ({
        piece: { from: from / 1000, to: to / 1000 },
        why,
        pieces: cards,
        cards: milli / 1000,
      })),
    },
    cpu_seconds: rounded(cpuSeconds, 6),
    ...(keep === 'curve' ? { curve: replayed.curve.map(exact), stuck_curve: replayed.stuck.map(exact) } : {}),
  }
}

/** Curves over time, and all figures. */
export function replayFigures({ results, again }: Pick<ReplayScreen, 'results' | 'again'>): Figures {
  const chart = chartOf(results, 'Allocated', ({ curve, toS }) => steps(curve, toS))
  const stuck = chartOf(results, 'Free, but too small for any work in the trace', ({ stuck: points }) => points)
  const [first] = results
  return {
    page: {
      title: `${first?.trace ?? 'A trace'} on ${first?.fleet ?? 'a fleet'}`,
      notes: [RULE, `Again: ${again}`],
      charts: [chart, stuck],
      table: {
        columns: ['policy', 'size', 'count', 'mean wait s', 'p99 s', 'longest s', 'still waiting'],
        rows: results.flatMap(({ policy, replayed }) =>
          replayed.waits.map((each) => [
            policy,
            each.size,
            each.count,
            each.meanS,
            each.p99S,
            each.longestS,
            each.waiting,
          ]),
        ),
      },
    },
    chart,
    csv: {
      columns: ['policy', 'time_s', 'allocated_percent'],
      rows: results.flatMap(({ policy, replayed }) =>
        replayed.curve.map(([atS, value]) => [policy, atS, rounded(value)]),
      ),
    },
    data: results.map((result) => reportReplay(result, 'curve')),
  }
}

const RULE =
  'Whenever work arrives or leaves, all waiting work that fits is placed: higher priority first, then gangs, then by arrival. ' +
  'Gangs start whole or not at all. Nothing is moved and nothing is preempted.'

const NO_PLACE_TEXTS: Readonly<Record<NoPlace, string>> = {
  ...REFUSAL_TEXTS,
  'gang-too-large': 'more nodes than any one domain has, even with nothing running',
  'gang-short': 'too few nodes could take a worker',
  'gang-apart': 'enough nodes could take a worker, but not within one domain',
  kept: 'would fit, but the nodes are kept for a gang',
}

const right = (head: string): Column => ({ head, align: 'right' })

function headline({ trace, fleet, replayed }: ReplayResult): string {
  const { placed, arrived, allocated, capacityMilli, fromS, toS } = replayed
  if (arrived === 0) return `${trace} has no arrivals.`
  const cards = number(capacityMilli / 1000)
  const where = `${percent(allocated)} % of ${cards} cards of ${fleet} allocated on average`
  return `${number(placed)} of ${many(arrived, 'arrival')} placed; ${where} over ${duration(toS - fromS)}`
}

function overview(results: readonly ReplayResult[]): readonly string[] {
  const columns = ['ALLOCATED %', 'STUCK %', 'PLACED', 'REFUSED', 'STILL WAITING', 'MEAN WAIT', 'LONGEST'].map(right)
  const rows = results.map(({ policy, replayed }) => {
    const { allocated, placed, refused, waiting, waits } = replayed
    const count = waits.reduce((sum, each) => sum + each.count, 0)
    const waited = waits.reduce((sum, each) => sum + each.count * each.meanS, 0)
    const longestS = Math.max(0, ...waits.map((each) => each.longestS))
    return [
      policy,
      percent(allocated),
      percent(stuckOf(replayed)),
      ...[placed, refused.length, waiting.length].map(number),
      duration(count === 0 ? 0 : waited / count),
      duration(longestS),
    ]
  })
  return table([{ head: 'POLICY' }, ...columns], rows)
}

/** The mean over all sampled moments. */
function stuckOf({ stuck }: Replayed): number {
  return mean(stuck.map(([, value]) => value)) ?? 0
}

function about(
  { policy, replayed }: ReplayResult,
  { isCompared, detail }: { readonly isCompared: boolean; readonly detail: 'all' | 'one-screen' },
): readonly string[] {
  const { fullest, fromS } = replayed
  const free = fullest.leftovers.reduce((sum, { milli }) => sum + milli, 0) / 1000
  const when = `${percent(fullest.allocated)} % allocated, ${duration(fullest.atS - fromS)} after the start`
  const waits = replayed.waits.map(({ size, count, meanS, p99S, longestS, waiting }) => [
    size,
    number(count),
    ...[meanS, p99S, longestS].map(duration),
    number(waiting),
  ])
  return [
    ...(isCompared ? [`${policy}:`, ''] : []),
    ...table(['SIZE', 'COUNT', 'MEAN WAIT', 'P99', 'LONGEST', 'STILL WAITING'].map(right), waits),
    ...withoutPlace('Refused', replayed.refused, detail),
    ...withoutPlace('Still waiting', replayed.waiting, detail),
    ...(free === 0
      ? []
      : ['', `What was free when the fleet was fullest (${when}):`, '', ...leftoverTable(fullest.leftovers)]),
  ]
}

function withoutPlace(head: string, all: readonly WithoutPlace[], detail: 'all' | 'one-screen'): readonly string[] {
  if (all.length === 0) return []
  const rows = [...Map.groupBy(all, ({ reason }) => reason)].map(([reason, own]) => {
    const names = own.map(({ name }) => printable(name))
    const more = detail === 'all' || names.length <= NAMES_MAX ? [] : [`and ${names.length - NAMES_MAX} more`]
    const shown = [...(more.length === 0 ? names : names.slice(0, NAMES_MAX)), ...more].join(', ')
    return [number(own.length), NO_PLACE_TEXTS[reason], shown]
  })
  return ['', ...table([right('COUNT'), { head: `${head.toUpperCase()} BECAUSE` }, { head: 'WORK' }], rows)]
}

const NAMES_MAX = 3

function chartOf(
  results: readonly ReplayResult[],
  label: string,
  points: (replayed: Replayed) => readonly Point[],
): Chart {
  const fromS = results[0]?.replayed.fromS ?? 0
  return {
    title: `${label}, over time`,
    x: { label: 'Time', unit: 'h', from: 0 },
    y: { label, unit: '%', from: 0 },
    curves: results.map(({ policy, replayed }) => ({
      name: policy,
      points: points(replayed).map(([atS, value]) => [(atS - fromS) / 3600, value] as const),
    })),
  }
}

/** A value holds until the next one, so each change becomes two points. */
function steps(curve: readonly Point[], toS: number): readonly Point[] {
  return curve.flatMap(([atS, value], index) => [[atS, value] as const, [curve[index + 1]?.[0] ?? toS, value] as const])
}

function exact([atS, value]: Point): Point {
  return [atS, rounded(value)]
}
