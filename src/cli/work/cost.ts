import { Option } from 'commander'
import { usd } from '../../core/requirement/need/print.ts'
import { plain } from '../../core/base/words.ts'
import type { CostView } from '../../ports/berth.ts'
import type { Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, remote, type RemoteFlags } from '../remote.ts'
import { table } from '../terminal/table.ts'
import { milliseconds } from './stand.ts'

interface CostFlags extends RemoteFlags {
  readonly project?: string
  readonly since: number
  readonly by: CostView['by']
}

const DAY_MS = 86_400_000

/** `berth cost`: what rented machines cost. */
export const cost: Register = (program, cli) => {
  remote(
    program
      .command('cost')
      .description('show what rented machines cost, by workload, provider or project')
      .option('--project <name>', 'only this project (default: every project that the token may see)')
      .addOption(
        new Option('--since <time>', 'since when, for example 24h').argParser(milliseconds).default(7 * DAY_MS, '7d'),
      )
      .addOption(
        new Option('--by <what>', 'what is added up together')
          .choices(['workload', 'provider', 'project'])
          .default('workload'),
      ),
  )
    .addHelpText(
      'after',
      `
A machine costs the price that it was ordered at, from when its provider took the order, or may have taken it, until nothing of
it exists. Machines of your own cost nothing here. Bills are kept for 90 days; providers round in their own ways, so theirs may differ.

Examples:
  berth cost
  berth cost --since 24h --by provider
  berth cost --project research --since 30d -o json | jq .total_usd`,
    )
    .action(async (flags: CostFlags) => {
      const { project, by } = flags
      const sinceMs = Math.max(0, Math.round(cli.clock.nowMs() - flags.since))
      const found = await berthOf(cli, flags).cost({ by, since_ms: sinceMs, ...(project !== undefined && { project }) })
      answer(cli, flags.output, { data: found, text: () => printCost(found) })
    })
}

function printCost({ costs, by, total_usd: total }: CostView): string {
  if (costs.length === 0) return 'Nothing rented has cost anything in this time.'
  const heads = by === 'workload' ? ['PROJECT', 'WORKLOAD'] : [by.toUpperCase()]
  const columns = [
    ...heads.map((head) => ({ head })),
    ...['COST', 'HOURS', 'MACHINES', 'NOW', 'PER HOUR NOW'].map((head) => ({ head, align: 'right' as const })),
  ]
  const rows = costs.map((item) => [
    ...namesOf(item, by).map((each) => plain(each ?? '')),
    usd(item.usd),
    item.hours.toFixed(1),
    String(item.instances),
    String(item.running),
    item.running === 0 ? '' : usd(item.usd_per_hour),
  ])
  return [...table(columns, rows), '', `In all: ${usd(total)}`].join('\n')
}

function namesOf(
  { project, workload, provider }: CostView['costs'][number],
  by: CostView['by'],
): readonly (string | undefined)[] {
  if (by === 'workload') return [project, workload]
  return [by === 'provider' ? provider : project]
}
