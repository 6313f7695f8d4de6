import { curveAt } from '../../lab/simulate/fill.ts'
import type { Chart, Curve } from '../../lab/simulate/curve-svg.ts'
import { REFUSALS, type Leftover } from '../../lab/simulate/room.ts'
import { curveOf, declinedIn, marksUpTo, reportFill, type FillResult } from './fill.ts'
import type { Figures } from './save.ts'
import { cards, leftoverTable, mean, percent, REFUSAL_TEXTS } from './words.ts'
import { table, type Column } from '../terminal/table.ts'
import { number } from '../../core/base/words.ts'

/** The results to print, and the commands to suggest. */
export interface FillScreen {
  readonly results: readonly FillResult[]
  /** The command line that repeats this run, without `--save`. */
  readonly again: string
  /** The command to suggest next. */
  readonly next: string
  readonly detail: 'all' | 'one-screen'
}

/** The results of one trace under one policy, one for each seed. */
interface Group {
  readonly trace: string
  readonly policy: string
  readonly results: readonly [FillResult, ...FillResult[]]
}

/** Allocation by trace and policy; for a single group also what was dropped and what is left free. */
export function printFills({ results, next, detail }: FillScreen): string {
  const groups = groupsOf(results)
  const shown = groups.length === 1 || detail === 'all' ? groups : []
  return [
    ...groups.slice(0, 1).map(headline),
    '',
    ...fillTable(groups),
    ...shown.flatMap((group) => ['', ...refusalText(group, groups.length), '', ...leftoverText(group)]),
    ...(shown.length < groups.length ? ['', 'Why work was dropped, and what is left free:  --all, or -o json'] : []),
    '',
    `Next:  ${next}`,
  ].join('\n')
}

/** Curves and figures for `--save`. */
export function fillFigures({ results, again }: Pick<FillScreen, 'results' | 'again'>): Figures {
  const groups = groupsOf(results)
  const traces = [...new Set(groups.map(({ trace }) => trace))]
  const marks = marksUpTo(groups[0]?.results[0].plan.until)
  const charts = traces.flatMap((trace) => {
    const own = groups.filter((group) => group.trace === trace)
    return [chartOf(own, trace), { ...chartOf(own, `${trace}, close up`), ...CLOSE_UP }]
  })
  return {
    page: {
      title: `How full a fleet gets: ${traces.join(', ')}`,
      notes: [RULE, `Again: ${again}`],
      charts,
      table: {
        columns: ['trace', 'policy', 'seeds', ...marks.map((mark) => `% at ${mark}`), 'placed', 'dropped', 'declined'],
        rows: groups.map((group) => [
          group.trace,
          group.policy,
          group.results.length,
          ...marks.map((mark) => meanAt(group, mark)),
          ...[placedOf, droppedOf, declinedOf].map((count) => mean(group.results.map(count))),
        ]),
      },
    },
    chart: chartOf(groups, `How full a fleet gets: ${traces.join(', ')}`),
    csv: {
      columns: ['trace', 'policy', 'seed', 'arrived_percent', 'allocated_percent'],
      rows: results.flatMap(({ plan: { trace, policy, run }, filled }) =>
        curveOf(filled).map(([arrived, allocated]) => [trace.name, policy, run.seed, arrived, allocated]),
      ),
    },
    data: results.map((result) => reportFill(result, 'curve')),
  }
}

const RULE =
  'Work arrives in order and never leaves; what fits is placed, what does not fit is dropped, and nothing is moved. ' +
  'Arrived is all work so far and allocated is the part of it that has a place, both in percent of all cards.'

const CLOSE_UP = {
  x: { label: 'Arrived', unit: '%', from: 85 },
  y: { label: 'Allocated', unit: '%', from: 85, to: 100 },
} as const

function groupsOf(results: readonly FillResult[]): readonly Group[] {
  const groups = Map.groupBy(results, ({ plan }) => `${plan.trace.name} ${plan.policy}`)
  return [...groups.values()].flatMap(([first, ...rest]) =>
    first === undefined
      ? []
      : [{ trace: first.plan.trace.name, policy: first.plan.policy, results: [first, ...rest] as const }],
  )
}

function headline(group: Group): string {
  const { plan } = group.results[0]
  const marks = marksUpTo(plan.until).filter((mark) => meanAt(group, mark) !== undefined)
  const mark = marks.includes(100) ? 100 : marks.at(-1)
  const about = `${group.trace}, ${group.policy}, ${seedsText(group)}${plan.knows === 'nothing' ? ', without history' : ''}`
  const all = number(plan.nodes.capacityMilli / 1000)
  if (mark === undefined) return `Too little arrives to say how full ${all} cards get (${about}).`
  const declined = plan.accepts === 'all' ? '' : `, with ${number(Math.round(declinedAt(group, mark)))} declined`
  return `${percent(meanAt(group, mark))} % of ${all} cards are allocated when ${mark} % has arrived${declined} (${about})`
}

function seedsText({ results }: Group): string {
  return results.length === 1 ? `seed ${results[0].plan.run.seed}` : `mean of ${results.length} seeds`
}

function fillTable(groups: readonly Group[]): readonly string[] {
  const marks = marksUpTo(groups[0]?.results[0].plan.until)
  const isAdmission = groups.some(({ results }) => results[0].plan.accepts === 'worthwhile')
  const right = (head: string): Column => ({ head, align: 'right' })
  const hasRange = (mark: number): boolean =>
    mark >= 100 && !isAdmission && groups.some(({ results }) => results.length > 1)
  const columns: readonly Column[] = [
    { head: 'TRACE' },
    { head: 'POLICY' },
    ...marks.flatMap((mark) => [
      right(`% AT ${mark}`),
      ...(isAdmission ? [right('DECLINED')] : []),
      ...(hasRange(mark) ? [right('FROM-TO')] : []),
    ]),
    ...['PLACED', 'DROPPED', 'PER CPU S'].map(right),
  ]
  const rows = groups.map((group) => [
    group.trace,
    group.policy,
    ...marks.flatMap((mark) => [
      percent(meanAt(group, mark)),
      ...(isAdmission ? [number(Math.round(declinedAt(group, mark)))] : []),
      ...(hasRange(mark) ? [rangeAt(group, mark)] : []),
    ]),
    number(Math.round(mean(group.results.map(placedOf)) ?? 0)),
    number(Math.round(mean(group.results.map(droppedOf)) ?? 0)),
    decisionRate(group),
  ])
  return table(columns, rows)
}

function valuesAt({ results }: Group, mark: number): readonly number[] {
  return results.flatMap(({ filled }) => curveAt(filled.curve, mark) ?? [])
}

function meanAt(group: Group, mark: number): number | undefined {
  return mean(valuesAt(group, mark))
}

function declinedAt({ results }: Group, mark: number): number {
  return mean(results.map(({ explained }) => curveAt(explained.declined, mark) ?? declinedIn(explained))) ?? 0
}

/** `96.21-96.33`; empty for a single seed, whose value is already in the table. */
function rangeAt(group: Group, mark: number): string {
  const values = valuesAt(group, mark)
  return values.length < 2 ? '' : `${percent(Math.min(...values))}-${percent(Math.max(...values))}`
}

function placedOf({ filled }: FillResult): number {
  return filled.placed
}

function droppedOf({ filled, explained }: FillResult): number {
  return filled.dropped - declinedIn(explained)
}

function declinedOf({ explained }: FillResult): number {
  return declinedIn(explained)
}

function decisionRate({ results }: Group): string {
  const decisions = results.reduce((sum, { filled }) => sum + filled.placed + filled.dropped, 0)
  const seconds = results.reduce((sum, { filled }) => sum + filled.cpuSeconds, 0)
  return seconds > 0 ? number(Math.round(decisions / seconds)) : '?'
}

function refusalText(group: Group, groups: number): readonly string[] {
  const whose = groups === 1 ? '' : ` (${group.trace}, ${group.policy})`
  const each = group.results.length === 1 ? '' : ', average per seed'
  const all = group.results.flatMap(({ explained }) => explained.refusals)
  const rows = REFUSALS.flatMap((reason) => {
    const own = all.filter((count) => count.reason === reason)
    if (own.length === 0) return []
    const average = (of: (count: (typeof own)[number]) => number): number =>
      own.reduce((sum, count) => sum + of(count), 0) / group.results.length
    const counted = number(Math.round(average(({ count }) => count)))
    return [[counted, cards(average(({ milli }) => milli)), REFUSAL_TEXTS[reason]]]
  })
  if (rows.length === 0) return [`Nothing was dropped${whose}.`]
  return [
    `What was dropped${whose}${each}:`,
    '',
    ...table([{ head: 'COUNT', align: 'right' }, { head: 'CARDS', align: 'right' }, { head: 'BECAUSE' }], rows),
  ]
}

/** Of the first seed only: pieces lie elsewhere in each seed, so a mean would describe none of them. */
function leftoverText({ results }: Group): readonly string[] {
  const [{ explained, plan }] = results
  const leftovers: readonly Leftover[] = explained.leftovers
  const free = leftovers.reduce((sum, { milli }) => sum + milli, 0)
  if (free === 0) return ['Every card is full at the end.']
  const whose = results.length === 1 ? '' : ` of seed ${plan.run.seed}`
  return [
    `What is left free at the end${whose}, in cards, by size of piece: ${cards(free)} in total`,
    '',
    ...leftoverTable(leftovers),
  ]
}

function chartOf(groups: readonly Group[], title: string): Chart {
  const severalTraces = new Set(groups.map(({ trace }) => trace)).size > 1
  const curves = groups.map((group): Curve => {
    const length = Math.max(...group.results.map(({ filled }) => filled.curve.length))
    const points = Array.from({ length }, (_, at) => [at, meanAt(group, at)] as const)
    return {
      name: severalTraces ? `${group.trace}, ${group.policy}` : group.policy,
      points: points.flatMap(([at, value]) => (value === undefined ? [] : [[at, value] as const])),
    }
  })
  const [first] = groups
  return {
    title,
    ...(first === undefined
      ? {}
      : { note: `${number(first.results[0].plan.nodes.capacityMilli / 1000)} cards, ${seedsText(first)}` }),
    x: { label: 'Arrived', unit: '%', from: 0 },
    y: { label: 'Allocated', unit: '%', from: 0, to: 100 },
    curves,
  }
}
