import { Option, type Command } from 'commander'
import type { PlanReport } from '../../core/place/explain/report.ts'
import type { Applied, At, Berth, Preview } from '../../ports/berth.ts'
import { dollars, tolerance, type PriceFlags } from './agreed.ts'
import { isConfirmed, yesOption } from '../terminal/ask.ts'
import { EXIT, type Cli } from '../cli.ts'
import { answer, say, sayWarnings } from '../output.ts'
import { untold } from '../../api/problem.ts'
import { warned } from '../print/error.ts'
import { printPlan } from '../print/plan.ts'
import { stand, type StandFlags } from './stand.ts'
import { table } from '../terminal/table.ts'
import { perHour } from '../words/words.ts'
import { many, plain } from '../../core/base/words.ts'

/** Flags of commands that place work. */
export interface ApplyingFlags extends StandFlags, PriceFlags {
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly queue?: boolean
}

/** Adds these flags to a command. */
export function applyingOptions(command: Command): Command {
  return command
    .addOption(yesOption())
    .option('--dry-run', 'show the plan and what would change, without changing anything')
    .option('--queue', 'accept it even if there is no place now, and let it wait for one')
    .option('--price-tolerance <percent>', 'how much more than the plan shows it may cost (default: 5%)', tolerance)
    .addOption(
      new Option('--max-price <usd>', 'agree to up to this price per hour in all, whatever the plan shows')
        .argParser(dollars)
        .conflicts('priceTolerance'),
    )
}

/** One workload to run, and what the control plane would do with it. */
export interface ApplyStep {
  readonly at: At
  readonly preview: Preview
  /** Undefined: no replica needs a new place. */
  readonly plan: PlanReport | undefined
  readonly send: () => Promise<Applied>
}

interface Applying {
  readonly berth: Berth
  readonly steps: readonly ApplyStep[]
  readonly flags: ApplyingFlags
}

/** Shows the plan and the changes, asks, then follows the workloads until they are up. */
export async function applySteps(cli: Cli, { berth, steps, flags }: Applying): Promise<void> {
  if (flags.output === 'text') show(steps, cli)
  const isPlaced = steps.every(({ plan }) => plan?.fits !== false)
  if (flags.dryRun === true) {
    answer(cli, flags.output, { data: { plans: plansOf(steps) }, text: () => dryText(steps) })
    return cli.exit(isPlaced ? EXIT.ok : EXIT.doesNotFit)
  }
  if (!isPlaced && flags.queue !== true && (cli.prompt === undefined || flags.yes === true)) {
    if (flags.output !== 'text') answer(cli, flags.output, { data: { plans: plansOf(steps) }, text: () => '' })
    else cli.terminal.err('Nothing was applied. Add --queue to accept it anyway and let it wait for a place.\n')
    return cli.exit(EXIT.doesNotFit)
  }
  if (!(await isAgreed(steps, { flags, cli, isPlaced }))) return
  const applied: Applied[] = []
  for (const step of steps) applied.push(await step.send())
  const again = steps.filter(({ preview }) => preview.outcome === 'again').map(({ at }) => at.name)
  await stand(cli, { berth, applied, flags, again })
}

/** Whether any replica needs a new place. */
export function needsPlace({ outcome, replicas }: Preview): boolean {
  if (outcome === 'unchanged') return false
  return outcome === 'create' || replicas.added > 0 || replicas.replaced > 0
}

function show(steps: readonly ApplyStep[], cli: Cli): void {
  const nowMs = cli.clock.nowMs()
  const texts = steps.flatMap(({ at, plan, preview }) => [
    ...(plan === undefined
      ? []
      : [printPlan(plan, { again: undefined, elapsedMs: undefined, nowMs, all: 'one-screen' })]),
    ...changeText(at, preview, plan),
  ])
  if (texts.length > 0) say(cli, `${texts.join('\n\n')}\n`)
  sayWarnings(
    cli,
    'text',
    steps.flatMap(({ preview }) => (preview.warnings ?? []).map(untold)),
  )
}

/** `-o json` shows all changes. */
const CHANGES_SHOWN = 20

/** The changed fields, and what happens to the replicas. */
function changeText(
  { name }: At,
  { outcome, changes, replicas, state, waits_for_price: isUnagreed, kept_replicas: kept = [] }: Preview,
  plan: ApplyStep['plan'],
): readonly string[] {
  if (outcome === 'again')
    return [`${isUnagreed ? unagreedText(name) : againText(name, state)}: ${fatesText(replicas)}.`]
  if (outcome !== 'change') return []
  const shown = changes.slice(0, CHANGES_SHOWN)
  const rest = changes.length - shown.length
  const rows = shown.map(({ field, from, to }) => [plain(field), `${valueText(from)} → ${valueText(to)}`])
  const lines = table([{ head: '' }, { head: '' }], rows).slice(1)
  const more = rest === 0 ? [] : [`  and ${many(rest, 'more field')} (-o json)`]
  const was = state === 'done' || state === 'failed' ? ` ${endedText(state)} and starts again.` : ''
  return [
    [
      `${name} changes:`,
      ...lines,
      ...more,
      '',
      `${sentence(fatesText(replicas))}${paceText(replicas, plan)}.${was}`,
      ...kept.map(keptText),
    ].join('\n'),
  ]
}

function keptText({ role, replicas, stated }: NonNullable<Preview['kept_replicas']>[number]): string {
  const whose = role === undefined ? '' : ` of ${role}`
  return `Keeps ${many(replicas, 'replica')}${whose}, as now; that manifest says ${stated} (--with-replicas).`
}

function unagreedText(name: string): string {
  return `${name} waits because it would cost more than was agreed. Applying it agrees to the price above`
}

function againText(name: string, state: Preview['state']): string {
  if (state === 'failed') return `${name} has failed. It starts again unchanged`
  if (state === 'done' || state === 'stopped') return `${name} is ${state}. It starts again unchanged`
  return `The last change to ${name} has failed. It is tried again`
}

function endedText(state: 'done' | 'failed'): string {
  return state === 'failed' ? 'It has failed' : 'It is done'
}

function valueText(value: string | undefined): string {
  return value === undefined ? 'not set' : value === '' ? '""' : plain(value)
}

/** `1 replica is replaced, 2 are kept, 1 is added`. */
function fatesText({ replaced, kept, added, removed }: Preview['replicas']): string {
  const fates = [
    ['replaced', replaced],
    ['kept', kept],
    ['added', added],
    ['removed', removed],
  ] as const
  const told = fates.filter(([, count]) => count > 0)
  const texts = told.map(([fate, count], at) => {
    return `${at === 0 ? many(count, 'replica') : count} ${count === 1 ? 'is' : 'are'} ${fate}`
  })
  return texts.length === 0 ? 'no replica changes' : texts.join(', ')
}

/** What the replacement means for the workload's users. */
function paceText({ replaced, kept, added }: Preview['replicas'], plan: ApplyStep['plan']): string {
  if (replaced === 0) return ''
  if (replaced > 1) return ', one replica at a time'
  // The plan says that it stops first, and why.
  if (plan?.stops_first !== undefined) return ''
  return kept + added === 0 ? '; it serves until its successor does, where there is room for both' : ''
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function plansOf(steps: readonly ApplyStep[]): readonly unknown[] {
  return steps.map(({ at, plan, preview }) => {
    const { outcome, changes, replicas, warnings = [] } = preview
    return {
      ...at,
      unchanged: outcome === 'unchanged',
      outcome,
      changes,
      replicas,
      plan,
      ...warned(warnings.map(untold)),
    }
  })
}

function dryText(steps: readonly ApplyStep[]): string {
  const same = steps
    .filter(({ preview }) => preview.outcome === 'unchanged')
    .map(({ at, preview }) => `${at.name} ${preview.state === 'done' ? 'is done and ' : ''}would stay as it is.`)
  return [...same, 'Nothing was changed (--dry-run).'].join('\n')
}

interface Agreeing {
  readonly flags: ApplyingFlags
  readonly cli: Cli
  readonly isPlaced: boolean
}

async function isAgreed(steps: readonly ApplyStep[], { flags, cli, isPlaced }: Agreeing): Promise<boolean> {
  const moving = steps.filter(({ preview }) => preview.outcome !== 'unchanged')
  if (moving.length === 0) return true
  const isSettled = flags.yes === true
  const { output } = flags
  const names = moving.map(({ at }) => at.name).join(', ')
  if (!isPlaced && flags.queue !== true) {
    const text = `There is no place for all of it. Accept ${names} and let it wait for one?`
    return isConfirmed(cli, { text, usually: 'no', isSettled, output })
  }
  return isConfirmed(cli, { text: questionText(moving, names), usually: 'yes', isSettled, output })
}

function questionText(steps: readonly ApplyStep[], names: string): string {
  const plans = steps.flatMap(({ plan }) => (plan === undefined ? [] : [plan]))
  const cost = perHour(plans.reduce((sum, { usd_per_hour: usd, kept }) => sum + usd + (kept?.usd_per_hour ?? 0), 0))
  if (steps.every(({ preview }) => preview.outcome === 'create')) {
    const replicas = plans.reduce((sum, { asks }) => sum + asks.reduce((more, ask) => more + ask.replicas, 0), 0)
    return `Place ${many(replicas, 'replica')} for ${cost}?`
  }
  if (plans.length === 0) return `Change ${names}?`
  const sum = (fate: keyof Preview['replicas']): number =>
    steps.reduce((total, { preview }) => total + preview.replicas[fate], 0)
  const fates = (['replaced', 'kept', 'added', 'removed'] as const).flatMap((fate) =>
    sum(fate) === 0 ? [] : [`${sum(fate)} ${fate}`],
  )
  return `Change ${names} (${fates.join(', ')}) for ${cost} in all?`
}
