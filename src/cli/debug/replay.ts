import { replayed, type ReplayedLine, type ReplayedStep } from '../../controller/step/replay.ts'
import { UserError } from '../../core/base/problem.ts'
import { many } from '../../core/base/words.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import type { Format } from '../format.ts'
import { answer, outputOption } from '../output.ts'
import { decisionOf, printDecision, type StepDecision } from './decision.ts'

interface ReplayFlags {
  readonly workload?: string
  readonly output: Format
}

/** So many differences are shown. */
const SHOWN_MOST = 5

/** `berth debug replay`: takes every step of a recorded leader again. */
export const debugReplay: Register = (program, cli) => {
  program
    .command('replay')
    .description('decide again from a recording of the controller and check that the same writes and calls follow')
    .argument('<file>', 'recording made by berth up --record')
    .option('--workload <project/name>', 'show only decisions about this workload')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Every decision of the controller follows from what it has learnt: rows, answers of providers, the time. The recording has
all of that, so the decisions are made again without a store or a provider. A difference means that this version of Berth
decides differently. Exits with 0 when everything is the same and with 1 when something differs.

A recording holds no secret, but it does hold manifests and addresses. Treat it like the database.

Examples:
  berth up --record leader.jsonl
  berth debug replay leader.jsonl
  berth debug replay leader.jsonl --workload default/llama-70b
  berth debug replay leader.jsonl -o json`,
    )
    .action((path: string, flags: ReplayFlags) => {
      const report = reportOf(path, flags.workload, cli)
      answer(cli, flags.output, { data: report, text: () => printReport(report) })
      cli.exit(report.same ? EXIT.ok : EXIT.differs)
    })
}

/** What came of a replay, as it is printed. */
interface ReplayReport {
  readonly same: boolean
  /** The version of Berth that made the recording. */
  readonly version: string
  /** False: the recording was as long as it may be, and the controller went on. */
  readonly whole: boolean
  readonly terms: number
  readonly events: number
  readonly commits: number
  readonly calls: number
  readonly decisions: readonly StepDecision[]
  readonly differences: readonly { readonly recorded: StepDecision; readonly replayed: StepDecision }[]
  readonly different: number
}

function reportOf(path: string, workload: string | undefined, cli: Cli): ReplayReport {
  const bytes = cli.files.read(path)
  if (bytes === undefined) {
    const hint = 'Check the path and its permissions.'
    throw new UserError([{ code: 'FILE_MISSING', message: `${path} cannot be read.`, found: path, hint }])
  }
  const counts = { terms: 0, events: 0, commits: 0, calls: 0, different: 0 }
  const decisions: StepDecision[] = []
  const differences: ReplayReport['differences'][number][] = []
  let version: string | undefined
  let whole = true
  for (const each of replayed(linesIn(bytes))) {
    if (each.kind === 'unreadable' || (version === undefined && each.kind !== 'head')) throw unreadable(path, each)
    if (each.kind === 'head') version = each.version
    if (each.kind === 'begin') counts.terms++
    if (each.kind === 'full') whole = false
    if (each.kind !== 'step') continue
    count(counts, each)
    const decision = decided(path, each, each.did)
    if (isShown(decision, workload)) decisions.push(decision)
    if (each.isSame || differences.length >= SHOWN_MOST) continue
    differences.push({ recorded: decided(path, each, each.recorded), replayed: decision })
  }
  if (version === undefined) throw unreadable(path, { line: 1 })
  return { same: counts.different === 0, version, whole, ...counts, decisions, differences }
}

/** A line that was edited by hand may hold anything. */
function decided(path: string, { line, event }: ReplayedStep, did: ReplayedStep['did']): StepDecision {
  try {
    return decisionOf(line, event, did)
  } catch {
    throw unreadable(path, { line })
  }
}

function count(
  counts: { events: number; commits: number; calls: number; different: number },
  { did, isSame }: ReplayedStep,
): void {
  counts.events++
  counts.commits += did.commits.length
  counts.calls += did.calls.length
  if (!isSame) counts.different++
}

function isShown({ writes, calls, logs, threw, workloads }: StepDecision, workload: string | undefined): boolean {
  if (workload !== undefined) return workloads.includes(workload)
  return writes.length + calls.length + logs.length > 0 || threw !== undefined
}

/** A last line without its end was being written when the process was killed, and is left out. */
function* linesIn(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder()
  let start = 0
  for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
    yield decoder.decode(bytes.subarray(start, end))
    start = end + 1
  }
}

function unreadable(path: string, { line }: Pick<ReplayedLine, 'line'>): UserError {
  const message = `Line ${line} of ${path} is not a line of a recording.`
  const hint = 'Give a file that `berth up --record FILE` has written.'
  return new UserError([{ code: 'RECORDING_UNREADABLE', message, found: path, hint }])
}

function printReport(report: ReplayReport): string {
  const { same, version, whole, terms, events, commits, calls, decisions, differences, different } = report
  const shown = decisions.flatMap((decision) => printDecision(decision))
  const counted = [many(terms, 'term'), many(events, 'event'), many(commits, 'commit'), many(calls, 'call')].join(', ')
  const cut = whole ? [] : ['The recording was full before the control plane stopped.']
  const head = same
    ? `same: ${counted}, recorded by ${version}`
    : `different: ${many(different, 'event')} of ${counted}, recorded by ${version}`
  const wrong = differences.flatMap(({ recorded, replayed: now }) => [
    '',
    `line ${recorded.line}, recorded:`,
    ...printDecision(recorded),
    'and now:',
    ...printDecision(now),
  ])
  return [...shown, ...(shown.length > 0 ? [''] : []), head, ...cut, ...wrong].join('\n')
}
