import type { Chart } from '../../lab/simulate/curve-svg.ts'
import type { WaitTimes } from '../../lab/simulate/waits.ts'
import { reportChurn, type ChurnResult } from './churn.ts'
import type { Figures } from './save.ts'
import { duration, mean, percent } from './words.ts'
import { table, type Column } from '../terminal/table.ts'
import { number } from '../../core/base/words.ts'

export interface ChurnScreen {
  readonly results: readonly ChurnResult[]
  readonly again: string
  readonly detail: 'all' | 'one-screen'
}

/** The results of one trace at one load under one policy, one for each seed. */
interface Group {
  readonly trace: string
  readonly load: number
  readonly policy: string
  readonly results: readonly ChurnResult[]
  /** Waits of all seeds combined. */
  readonly waits: readonly WaitTimes[]
}

/** Allocation and waits by load and policy. */
export function printChurns({ results, again, detail }: ChurnScreen): string {
  const groups = groupsOf(results)
  const rows = groups.flatMap((group) => group.waits.map((waits) => [...names(group), waits.size, ...waitCells(waits)]))
  const isShown = detail === 'all' || rows.length <= ROWS_MAX
  return [
    headline(groups),
    '',
    ...table(
      [...NAMES, ...['ALLOCATED %', 'COUNT', 'MEAN WAIT', 'LONGEST', 'STILL WAITING'].map(right)],
      groups.map(overallRow),
    ),
    ...(isShown ? ['', 'By request size, in cards:', '', ...table([...NAMES, right('SIZE'), ...WAITS], rows)] : []),
    '',
    ...(isShown ? [] : ['Waits by request size:  --all, or -o json', '']),
    `Next:  ${again} --save churn.html`,
  ].join('\n')
}

/** Charts over the load, and all figures. */
export function churnFigures({ results, again }: Pick<ChurnScreen, 'results' | 'again'>): Figures {
  const groups = groupsOf(results)
  const chart = chartOf(groups, { label: 'Allocated on average', unit: '%' }, allocatedOf)
  const waits = chartOf(
    groups,
    { label: 'Longest wait', unit: 'h' },
    (group) => together(group.waits, '').longestS / 3600,
  )
  const rows = groups.flatMap((group) =>
    group.waits.map(({ size, count, meanS, p99S, longestS, waiting }) => [
      group.trace,
      group.load,
      group.policy,
      allocatedOf(group),
      size,
      count,
      meanS,
      p99S,
      longestS,
      waiting,
    ]),
  )
  const columns = [
    'trace',
    'load',
    'policy',
    'allocated_percent',
    'size',
    'count',
    'mean_s',
    'p99_s',
    'longest_s',
    'waiting',
  ]
  return {
    page: {
      title: `A fleet under churn: ${[...new Set(groups.map(({ trace }) => trace))].join(', ')}`,
      notes: [RULE, `Again: ${again}`],
      charts: [chart, waits],
      table: { columns: columns.map((column) => column.replaceAll('_', ' ')), rows },
    },
    chart,
    csv: { columns, rows },
    data: results.map(reportChurn),
  }
}

const RULE =
  'Work is drawn at random from the trace and runs as long as it did there, a week at most. First come, first served, with ' +
  'backfill: whenever work arrives or leaves, the work that fits and has waited longest is placed. Nothing is moved.'

/** More rows than this do not fit on one screen with the rest. */
const ROWS_MAX = 24

const right = (head: string): Column => ({ head, align: 'right' })

const NAMES: readonly Column[] = [{ head: 'TRACE' }, right('LOAD'), { head: 'POLICY' }]

const WAITS: readonly Column[] = ['COUNT', 'MEAN WAIT', 'P99', 'LONGEST', 'STILL WAITING'].map(right)

function groupsOf(results: readonly ChurnResult[]): readonly Group[] {
  const groups = Map.groupBy(results, ({ plan }) => `${plan.trace.name} ${plan.load} ${plan.policy}`)
  return [...groups.values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const { trace, load, policy } = first.plan
    const sizes = first.churned.waits.map(({ size }) => size)
    const waits = sizes.map((size) =>
      together(
        own.flatMap(({ churned }) => churned.waits.filter((each) => each.size === size)),
        size,
      ),
    )
    return [{ trace: trace.name, load, policy, results: own, waits }]
  })
}

/** Several seeds or sizes combined. The 99th percentile is the highest of theirs, which is never below the true one. */
function together(waits: readonly WaitTimes[], size: string): WaitTimes {
  const count = waits.reduce((sum, each) => sum + each.count, 0)
  const waited = waits.reduce((sum, each) => sum + each.meanS * each.count, 0)
  return {
    size,
    count,
    meanS: count === 0 ? 0 : waited / count,
    p99S: Math.max(0, ...waits.map(({ p99S }) => p99S)),
    longestS: Math.max(0, ...waits.map(({ longestS }) => longestS)),
    waiting: waits.reduce((sum, each) => sum + each.waiting, 0),
  }
}

function headline(groups: readonly Group[]): string {
  const [first] = groups
  const plan = first?.results[0]?.plan
  if (first === undefined || plan === undefined) return 'Nothing was simulated.'
  const cards = number(plan.nodes.capacityMilli / 1000)
  const time = `${plan.days} d measured after ${plan.warmUpDays} d of warm-up`
  return `${percent(allocatedOf(first))} % of ${cards} cards are allocated on average at load ${first.load} (${first.trace}, ${first.policy}, ${time})`
}

function allocatedOf({ results }: Group): number {
  return mean(results.map(({ churned }) => churned.allocated)) ?? 0
}

function names({ trace, load, policy }: Group): readonly string[] {
  return [trace, String(load), policy]
}

function overallRow(group: Group): readonly string[] {
  const { count, meanS, longestS, waiting } = together(group.waits, 'all')
  const waits = [number(count), duration(meanS), duration(longestS), number(waiting)]
  return [...names(group), percent(allocatedOf(group)), ...waits]
}

function waitCells({ count, meanS, p99S, longestS, waiting }: WaitTimes): readonly string[] {
  return [number(count), duration(meanS), duration(p99S), duration(longestS), number(waiting)]
}

function chartOf(groups: readonly Group[], y: Chart['y'], value: (group: Group) => number): Chart {
  const severalTraces = new Set(groups.map(({ trace }) => trace)).size > 1
  const lines = Map.groupBy(groups, ({ trace, policy }) => (severalTraces ? `${trace}, ${policy}` : policy))
  return {
    title: `${y.label}, by load`,
    x: { label: 'Load', unit: 'of all cards' },
    y,
    curves: [...lines].map(([name, own]) => ({
      name,
      points: own.toSorted((one, two) => one.load - two.load).map((group) => [group.load, value(group)] as const),
    })),
  }
}
