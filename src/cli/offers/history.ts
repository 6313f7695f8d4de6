import { InvalidArgumentError, Option } from 'commander'
import { lasting, many } from '../../core/base/words.ts'
import type { SpotUse } from '../../core/manifest/manifest.ts'
import { usd } from '../../core/requirement/need/print.ts'
import type { OffersHistory } from '../../ports/berth.ts'
import type { Cli, Register } from '../cli.ts'
import { readManifest, readText } from '../inputs.ts'
import { answer } from '../output.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { plot, spark, type Steps } from '../terminal/plot.ts'
import { table } from '../terminal/table.ts'
import { hardware, where } from '../words/words.ts'
import { milliseconds } from '../work/stand.ts'
import { addGpu } from './gpu-option.ts'
import { needFileOption } from './offer-options.ts'

interface HistoryFlags extends ProjectFlags {
  readonly need?: string
  readonly machine?: string
  readonly provider?: string
  readonly gpu?: readonly string[]
  readonly spot?: SpotUse
  readonly since: number
  readonly limit: number
}

type Series = OffersHistory['series'][number]
type Point = Series['points'][number]

const DAY_MS = 86_400_000
/** The most machines that a control plane returns at once. */
const MOST = 100
const WIDE = { plot: 56, line: 24 }

/** `berth offers history`: prices and stock over time. */
export const offersHistory: Register = (program, cli) => {
  const command = program
    .command('history')
    .description('show prices and stock over time, as providers told them')
    .addOption(needFileOption().conflicts(['machine', 'gpu']))
    .option('--machine <name>', 'only machines that their provider calls this')
    .option('--provider <name>', 'only machines of this provider')
    .addOption(new Option('--gpu <name...>', 'only machines with these accelerators').argParser(addGpu))
    .addOption(
      new Option('--spot [terms]', 'whether spot prices count; without a value: allowed')
        .choices(['never', 'allowed', 'only'])
        .preset('allowed'),
    )
    .addOption(
      new Option('--since <time>', 'since when, for example 24h').argParser(milliseconds).default(7 * DAY_MS, '7d'),
    )
    .addOption(new Option('--limit <n>', `show at most this many, up to ${MOST}`).argParser(parseLimit).default(10))
  remoteInProject(command)
    .addHelpText('after', HELP)
    .action((flags: HistoryFlags) => show(cli, flags))
}

const HELP = `
The control plane notes what its providers tell it: the lowest price of each machine in a region, and whether there is any.
It keeps 30 days, the older the coarser, of machines with accelerators that are rented. Price lists are not in it: they say
nothing about a moment. With --need, what would have met the need is shown, at its price on the allowed terms.

Examples:
  berth offers history
  berth offers history --need llama-70b.yaml --since 24h
  berth offers history --machine gpu_8x_h100_sxm5 --spot only
  berth offers history --gpu h100-sxm -o json | jq '.series[].points'`

function parseLimit(text: string): number {
  const limit = Number(text)
  if (/^\d{1,3}$/.test(text) && limit >= 1 && limit <= MOST) return limit
  throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST}.`)
}

async function show(cli: Cli, flags: HistoryFlags): Promise<void> {
  const { need, machine, provider, gpu: gpus, spot, limit } = flags
  const text = need === undefined ? undefined : readText(need, cli.files)
  // Problems are told with their lines before anything is sent.
  if (text !== undefined) readManifest(text)
  const since_ms = Math.max(0, Math.round(cli.clock.nowMs() - flags.since))
  const asked = { ...text, machine, provider, gpus, spot, limit, since_ms }
  const found = await berthOf(cli, flags).offersHistory({ project: projectOf(cli, flags), ...asked })
  answer(cli, flags.output, { data: found, text: () => printHistory(found, flags) })
}

type Terms = (point: Point) => number | undefined

function termsOf(spot: SpotUse | undefined): Terms {
  const least = (...prices: readonly (number | undefined)[]): number | undefined => {
    const known = prices.filter((price) => price !== undefined)
    return known.length === 0 ? undefined : Math.min(...known)
  }
  if (spot === 'only') return ({ spot_usd_per_hour: price }) => price
  if (spot === 'allowed') return (point) => least(point.usd_per_hour, point.spot_usd_per_hour)
  return ({ usd_per_hour: price }) => price
}

function printHistory(found: OffersHistory, flags: HistoryFlags): string {
  const { series, matching, since_ms: fromMs, until_ms: untilMs } = found
  const ago = lasting(untilMs - fromMs)
  if (series.length === 0) return nothing(flags, ago)
  const price = termsOf(flags.spot)
  const cheapest = stepsAt({ fromMs, untilMs, count: WIDE.plot }, (atMs) =>
    least(series.map((one) => had(one, atMs, price))),
  )
  const more = matching > series.length ? [`and ${many(matching - series.length, 'machine')} more (--limit)`] : []
  return [
    headline({ series, price, untilMs, cheapest, ago }),
    '',
    ...plot(cheapest, { rows: 4, label: usd, from: `${ago} ago` }),
    '',
    ...table(
      COLUMNS,
      series.map((one) => cells(one, { fromMs, untilMs, price })),
    ),
    ...(more.length === 0 ? [] : ['', ...more]),
    '',
    `PRICE: each line from its own lowest to its own highest, in steps of ${lasting((untilMs - fromMs) / WIDE.line)}.`,
    'STOCK: █ available  ▄ low  ▁ sold out  ? not told  x not offered  · nobody looked',
  ].join('\n')
}

function nothing({ need, machine, provider, gpu }: HistoryFlags, ago: string): string {
  const narrow = [need, machine, provider, gpu].some((flag) => flag !== undefined)
  return narrow
    ? `Nothing that was offered in the last ${ago} matches. Without flags, berth offers history shows what was.`
    : `Nothing has been noted in the last ${ago}. Prices are noted every few minutes while providers that rent machines answer: berth provider ls`
}

interface Head {
  readonly series: readonly Series[]
  readonly price: Terms
  readonly untilMs: number
  readonly cheapest: Steps
  readonly ago: string
}

function headline({ series, price, untilMs, cheapest, ago }: Head): string {
  const known = cheapest.filter((value) => value !== undefined)
  if (known.length === 0) return `None of these could be had in the last ${ago}.`
  const range = `${usd(Math.min(...known))} to ${usd(Math.max(...known))}/h in the last ${ago}`
  const now = series.flatMap((one) => {
    const value = had(one, untilMs, price)
    return value === undefined ? [] : [{ one, value }]
  })
  const [best] = now.toSorted((one, two) => one.value - two.value)
  if (best === undefined) return `None can be had now; the cheapest was ${range}`
  return `The cheapest: ${usd(best.value)}/h now at ${where(best.one.offer)}, ${range}`
}

const COLUMNS = [
  { head: 'WHERE' },
  { head: 'MACHINE' },
  { head: 'HARDWARE' },
  { head: '$/h', align: 'right' as const },
  { head: 'LOW', align: 'right' as const },
  { head: 'HIGH', align: 'right' as const },
  { head: 'PRICE' },
  { head: 'STOCK' },
]

interface Window {
  readonly fromMs: number
  readonly untilMs: number
}

function cells(one: Series, { fromMs, untilMs, price }: Window & { readonly price: Terms }): readonly string[] {
  const window = { fromMs, untilMs, count: WIDE.line }
  const all = one.points.flatMap((point) => price(point) ?? [])
  const last = one.points.at(-1)
  const money = (value: number | undefined): string => (value === undefined ? '?' : usd(value).slice(1))
  return [
    where(one.offer),
    one.offer.instance,
    hardware(one.offer),
    money(last && price(last)),
    money(least(all)),
    money(all.length === 0 ? undefined : Math.max(...all)),
    spark(stepsAt(window, (atMs) => holding(one, atMs, price))),
    stepsAt(window, (atMs) => STOCK[pointAt(one, atMs)?.stock ?? 'unread'] ?? '?').join(''),
  ]
}

const STOCK: Readonly<Record<string, string>> = {
  available: '█',
  low: '▄',
  sold_out: '▁',
  unknown: '?',
  gone: 'x',
  unread: '·',
}

/** Whether a machine can be had while its stock is this, as far as one knows. */
const HAD: ReadonlySet<string> = new Set(['available', 'low', 'unknown'])

function pointAt({ points }: Series, atMs: number): Point | undefined {
  return points.findLast(({ at_ms: since }) => since <= atMs)
}

function holding(one: Series, atMs: number, price: Terms): number | undefined {
  const point = pointAt(one, atMs)
  return point && price(point)
}

function had(one: Series, atMs: number, price: Terms): number | undefined {
  const point = pointAt(one, atMs)
  return point !== undefined && HAD.has(point.stock) ? price(point) : undefined
}

function least(prices: Steps): number | undefined {
  const known = prices.filter((price) => price !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

interface Stepped extends Window {
  readonly count: number
}

/** What holds at the end of each step. */
function stepsAt<T>({ fromMs, untilMs, count }: Stepped, valueAt: (atMs: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, step) => valueAt(fromMs + ((untilMs - fromMs) * (step + 1)) / count))
}
