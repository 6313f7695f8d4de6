import type { Command } from 'commander'
import { DEFAULT_POLICY_NAME, POLICIES } from '../../core/pack/engine/registry.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'
import { churnFigures, printChurns } from './churn-print.ts'
import { reportChurn, runChurn } from './churn.ts'
import { fillFigures, printFills } from './fill-print.ts'
import { reportFill, runFill, type FillPlan } from './fill.ts'
import { loadNodes, loadRuns, loadTrace, traceNames } from './openb-input.ts'
import { amountOption, amountsOption, policyOption, saveOption, seedsOption, traceOption, nextOf } from './options.ts'
import { Progress } from '../terminal/progress.ts'
import { saveFigures } from './save.ts'
import { quoted } from '../words/words.ts'

interface OpenbFlags {
  readonly data: string
  readonly trace: readonly string[]
  readonly seeds?: readonly number[]
  readonly policy?: readonly string[]
  readonly cold?: boolean
  readonly admission?: boolean
  readonly until?: number
  readonly departures?: boolean
  readonly loads: readonly number[]
  readonly days: number
  readonly warmUp: number
  readonly curve?: boolean
  readonly all?: boolean
  readonly save?: string
  readonly output: Format
}

/** `berth simulate openb`: how full a published cluster gets under a policy. */
export const simulateOpenb: Register = (program, cli) => {
  program
    .command('openb')
    .description('fill the cluster of the openb traces in a published order of arrival, or let work arrive and leave')
    .requiredOption('--data <folder>', 'folder with openb_node_list_gpu_node.csv, openb_pod_list_NAME.csv and orders/')
    .addOption(traceOption())
    .addOption(seedsOption())
    .addOption(policyOption())
    .option('--cold', 'start without a history: the policy learns from what arrives')
    .option('--admission', 'let the policy decline work that fits; every figure also shows how often')
    .addOption(amountOption('--until <percent>', 'stop when more than this has arrived', { least: 1, most: 1000 }))
    .option('--departures', 'let work arrive and leave, drawn at random with the lifetimes of the trace')
    .addOption(
      amountsOption('--loads <list>', 'with --departures: card time requested, as a share of all card time', {
        least: 0.01,
        most: 10,
      }).default([0.9, 1, 1.1, 1.3], '0.9,1.0,1.1,1.3'),
    )
    .addOption(
      amountOption('--days <days>', 'with --departures: how long to measure', { least: 0.01, most: 365 }).default(7),
    )
    .addOption(
      amountOption('--warm-up <days>', 'with --departures: how long to fill the fleet before measuring', {
        least: 0,
        most: 365,
      }).default(7),
    )
    .option('--curve', 'with -o json: include every point of the curves')
    .option('--all', 'show everything, even if it exceeds one screen')
    .addOption(saveOption())
    .addOption(outputOption())
    .addHelpText('after', HELP)
    .action((flags: OpenbFlags, command: Command) => {
      const odd = mismatch(flags)
      if (odd !== undefined) command.error(`error: ${odd}`, { exitCode: EXIT.usage })
      if (flags.departures === true) comeAndGo(flags, cli)
      else fill(flags, cli)
    })
}

/** The message for flags that cannot be combined. */
function mismatch({ departures, admission, until }: OpenbFlags): string | undefined {
  if (departures !== true) return undefined
  if (admission === true) return '--admission cannot be combined with --departures: it applies to filling'
  if (until !== undefined) return '--until cannot be combined with --departures: it applies to filling; use --days'
  return undefined
}

const HELP = `
Without --departures nothing leaves: what fits is placed, what does not fit is dropped, and nothing is moved. Allocation
is given in percent of all cards when 95, 100 and 130 % of their capacity has arrived. Seeds are those of the orders
file, by default all of them. With --departures any seed will do (default: 1), and lifetimes are cut at a week.
docs/simulate.md describes the folder and the output.

Examples:
  berth simulate openb --data openb/ --trace default --seeds 42-51
  berth simulate openb --data openb/ --trace default,gpuspec20 --policy stranding,fgd --save curves.html
  berth simulate openb --data openb/ --trace default --seeds 42 --cold -o json | jq '.[].allocated'
  berth simulate openb --data openb/ --trace default --seeds 42-51 --admission
  berth simulate openb --data openb/ --trace default --departures --loads 0.9,1.1 --days 1`

function fill(flags: OpenbFlags, cli: Cli): void {
  const progress = new Progress(cli, { patienceMs: 0 })
  const plans = fillPlans(flags, cli)
  const results = plans.map((plan, index) => {
    progress.show(`${plan.trace.name}, ${plan.policy}, seed ${plan.run.seed} (${index + 1} of ${plans.length})`)
    return runFill(plan, cli)
  })
  progress.clear()
  const again = ['berth simulate openb', ...sameFlags(flags)].join(' ')
  if (flags.save !== undefined) saveFigures(flags.save, fillFigures({ results, again }), cli)
  const data = results.map((result) => reportFill(result, flags.curve === true ? 'curve' : 'marks'))
  const detail = flags.all === true ? 'all' : 'one-screen'
  answer(cli, flags.output, {
    data,
    text: () => printFills({ results, again, next: nextOf(again, flags.policy), detail }),
  })
}

/** Every trace in every order under every policy. All inputs are read before the first run. */
function fillPlans(flags: OpenbFlags, cli: Cli): readonly FillPlan[] {
  const { data: folder, seeds } = flags
  const until = flags.until === undefined ? undefined : Math.round(flags.until)
  const nodes = loadNodes(folder, cli)
  const policies = flags.policy ?? [DEFAULT_POLICY_NAME]
  return traceNames(flags.trace, folder, cli).flatMap((name) => {
    const trace = loadTrace(folder, name, cli)
    const runs = loadRuns(trace, { folder, nodes, seeds }, cli)
    const knows = flags.cold === true ? 'nothing' : 'trace'
    const accepts = flags.admission === true ? 'worthwhile' : 'all'
    return policies.flatMap((policy) =>
      runs.map((run): FillPlan => ({ nodes, trace, run, policy, until, knows, accepts })),
    )
  })
}

function comeAndGo(flags: OpenbFlags, cli: Cli): void {
  const { data: folder, seeds = [1], loads, days, warmUp: warmUpDays } = flags
  const progress = new Progress(cli, { patienceMs: 0 })
  const nodes = loadNodes(folder, cli)
  const policies = flags.policy ?? Object.keys(POLICIES)
  const knows = flags.cold === true ? 'nothing' : 'trace'
  const traces = traceNames(flags.trace, folder, cli).map((name) => loadTrace(folder, name, cli))
  const plans = traces.flatMap((trace) =>
    loads.flatMap((load) =>
      policies.flatMap((policy) =>
        seeds.map((seed) => ({ nodes, trace, load, policy, seed, knows, days, warmUpDays }) as const),
      ),
    ),
  )
  const results = plans.map((plan, index) => {
    const { trace, policy, load, seed } = plan
    progress.show(`${trace.name}, load ${load}, ${policy}, seed ${seed} (${index + 1} of ${plans.length})`)
    return runChurn(plan, cli)
  })
  progress.clear()
  const again = ['berth simulate openb', ...sameFlags(flags)].join(' ')
  if (flags.save !== undefined) saveFigures(flags.save, churnFigures({ results, again }), cli)
  const detail = flags.all === true ? 'all' : 'one-screen'
  answer(cli, flags.output, {
    data: results.map(reportChurn),
    text: () => printChurns({ results, again, detail }),
  })
}

/** The flags that determine the figures, ready to paste. */
function sameFlags(flags: OpenbFlags): readonly string[] {
  const { departures, policy, seeds, cold, admission } = flags
  return [
    `--data ${quoted(flags.data)}`,
    `--trace ${flags.trace.map(quoted).join(',')}`,
    ...(seeds === undefined ? [] : [`--seeds ${ranges(seeds)}`]),
    ...(policy === undefined ? [] : [`--policy ${policy.join(',')}`]),
    ...(cold === true ? ['--cold'] : []),
    ...(admission === true ? ['--admission'] : []),
    ...(departures === true
      ? [`--departures --loads ${flags.loads.join(',')} --days ${flags.days} --warm-up ${flags.warmUp}`]
      : flags.until === undefined
        ? []
        : [`--until ${flags.until}`]),
  ]
}

/** `42-51`, `1,3`. */
function ranges(seeds: readonly number[]): string {
  const parts: string[] = []
  for (let at = 0; at < seeds.length;) {
    let end = at
    while (seeds[end + 1] === (seeds[end] ?? 0) + 1) end++
    parts.push(end > at ? `${seeds[at]}-${seeds[end]}` : String(seeds[at]))
    at = end + 1
  }
  return parts.join(',')
}
