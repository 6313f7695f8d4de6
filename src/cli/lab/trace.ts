import { must } from '../../core/base/assert.ts'
import { DEFAULT_POLICY_NAME, POLICIES } from '../../core/pack/engine/registry.ts'
import { UserError } from '../../core/base/problem.ts'
import { replay } from '../../lab/simulate/replay.ts'
import type { Arrival } from '../../lab/simulate/trace.ts'
import { readTraceFile } from '../../formats/trace-file.ts'
import type { Cli, Register } from '../cli.ts'
import { loadFleet } from '../fleet/input.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'
import { amountOption, policyOption, saveOption, nextOf } from './options.ts'
import { Progress } from '../terminal/progress.ts'
import { saveFigures } from './save.ts'
import { printReplays, replayFigures, reportReplay, type ReplayResult } from './trace-print.ts'
import { quoted } from '../words/words.ts'

interface TraceFlags {
  readonly fleet: string
  readonly policy?: readonly string[]
  readonly cold?: boolean
  readonly patience: number
  readonly curve?: boolean
  readonly all?: boolean
  readonly save?: string
  readonly output: Format
}

/** `berth simulate trace`: how the user's own trace would run on the user's own fleet. */
export const simulateTrace: Register = (program, cli) => {
  program
    .command('trace')
    .argument('<trace>', 'CSV of arrivals; `-` is standard input')
    .description('play a trace on a fleet file: how long work waits, what never fits, how full the fleet gets')
    .requiredOption('--fleet <file>', 'fleet file; what already runs there stays in place')
    .addOption(policyOption())
    .option('--cold', 'start without a history: the policy learns from what arrives')
    .addOption(
      amountOption('--patience <minutes>', 'how long others may overtake a gang before nodes are kept for it', {
        least: 0,
        most: 100_000,
      }).default(30),
    )
    .option('--curve', 'with -o json: include every point of the curves')
    .option('--all', 'show everything, even if it exceeds one screen')
    .addOption(saveOption())
    .addOption(outputOption())
    .addHelpText('after', HELP)
    .action((path: string, flags: TraceFlags) => play(path, flags, cli))
}

const HELP = `
Whenever work arrives or leaves, all waiting work that fits is placed: higher priority first, then gangs, then by
arrival. Gangs start whole or not at all. Nothing is moved and nothing is preempted. docs/fleet.md describes both files.

Examples:
  berth simulate trace examples/traces/racks-days.csv --fleet examples/fleets/racks.yaml
  berth simulate trace jobs.csv --fleet fleet.yaml --policy stranding,fgd,best-fit --save jobs.html
  berth simulate trace jobs.csv --fleet fleet.yaml -o json | jq '.[].waits'`

function play(path: string, flags: TraceFlags, cli: Cli): void {
  const progress = new Progress(cli, { patienceMs: 0 })
  const { fleet, tenants } = loadFleet(flags.fleet, cli)
  const arrivals = loadArrivals(path, cli)
  const policies = flags.policy ?? [DEFAULT_POLICY_NAME]
  const results = policies.map((name, index): ReplayResult => {
    progress.show(`${name} (${index + 1} of ${policies.length})`)
    const startMs = cli.clock.cpuMs()
    const replayed = replay({
      fleet,
      tenants,
      arrivals,
      policy: must(POLICIES[name], 'the command line checks policies'),
      knows: flags.cold === true ? 'nothing' : 'trace',
      patienceS: flags.patience * 60,
    })
    return { trace: path, fleet: flags.fleet, policy: name, replayed, cpuSeconds: (cli.clock.cpuMs() - startMs) / 1000 }
  })
  progress.clear()
  const again = ['berth simulate trace', quoted(path), ...sameFlags(flags)].join(' ')
  if (flags.save !== undefined) saveFigures(flags.save, replayFigures({ results, again }), cli)
  const data = results.map((result) => reportReplay(result, flags.curve === true ? 'curve' : 'figures'))
  const detail = flags.all === true ? 'all' : 'one-screen'
  answer(cli, flags.output, {
    data,
    text: () => printReplays({ results, again, next: nextOf(again, flags.policy), detail }),
  })
}

function loadArrivals(path: string, { files }: Cli): readonly Arrival[] {
  const bytes = files.list(path) === undefined ? files.read(path) : undefined
  if (bytes === undefined) {
    const hint = 'Check the path; `-` reads from standard input. docs/fleet.md shows what a trace looks like.'
    throw new UserError([{ code: 'FILE_MISSING', message: `There is no file ${path} to read.`, found: path, hint }])
  }
  const read = readTraceFile(new TextDecoder().decode(bytes), path === '-' ? 'stdin' : path)
  if ('problems' in read) throw new UserError(read.problems)
  return read.arrivals
}

/** The flags that determine the figures, ready to paste. */
function sameFlags({ fleet, policy, cold, patience }: TraceFlags): readonly string[] {
  return [
    `--fleet ${quoted(fleet)}`,
    ...(policy === undefined ? [] : [`--policy ${policy.join(',')}`]),
    ...(cold === true ? ['--cold'] : []),
    ...(patience === 30 ? [] : [`--patience ${patience}`]),
  ]
}
