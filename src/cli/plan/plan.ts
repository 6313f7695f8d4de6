import { exactPlan, type ExactPlan } from '../../lab/exact-plan.ts'
import { must } from '../../core/base/assert.ts'
import { place, type PlaceInput } from '../../core/place/place.ts'
import type { Plan } from '../../core/place/plan.ts'
import { describeVerdicts } from '../../core/place/explain/every-verdict.ts'
import { report, type PlanReport } from '../../core/place/explain/report.ts'
import { Option, type Command } from 'commander'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { isKnownTarget } from '../platform/connection.ts'
import { loadPlatform, questionOf, type Platform } from './deciding.ts'
import { readManifest, readText } from '../inputs.ts'
import { answer, sayWarnings } from '../output.ts'
import { warned } from '../print/error.ts'
import { printPlan, type PlanScreen } from '../print/plan.ts'
import { missingSecrets } from '../work/secrets-needed.ts'
import { berthOf, projectFlag, projectOf, remoteInProject } from '../remote.ts'
import { quoted } from '../words/words.ts'
import { NOTHING_TO_ASK, orWithout, type PlanFlags } from './flags.ts'
import { planSeveral } from './several.ts'
import { savePlan } from './saved-plan.ts'

/** The user is waiting for the plan. */
const SOLVE_LIMIT_MS = 5000

/** `berth plan`: where a workload would run, and why there. */
export const plan: Register = (program, cli) => {
  const command = program
    .command('plan')
    .description('show where a workload would run, what it would cost, and why not elsewhere')
    .argument('[manifest...]', 'manifest files (- for standard input); several are planned together')
    .option('--offers <path...>', 'inventory, fleet file, snapshot, or folder of catalogues')
    .option('--config <file>', 'infrastructure file (default: berth.config.yaml in the current folder, if it exists)')
    .option(
      '--all',
      'show every reason, the choices passed over and the nearest misses; with -o json, the verdict on every offer',
    )
    .option('--optimal', 'let an exact solver search up to 5 seconds for a plan that uses more of a small fleet')
    .option('--save <file>', 'write the plan to a file, to apply, replay or compare it later')
    .addOption(
      new Option(
        '--spot [terms]',
        'whether spot machines may be used, overriding the manifest; without a value: allowed',
      )
        .choices(['never', 'allowed', 'only'])
        .preset('allowed'),
    )
  remoteInProject(command)
    .addHelpText(
      'after',
      `
Without --offers and --config, the control plane decides if one is known: it plans with what its providers offer now.
Such a plan can be saved, applied and compared. Replay, --optimal and the verdict on every offer need --offers or --config.

Several manifests are planned in order: each takes its capacity before the next one is planned.

Exits with 0 when everything fits, 2 when it does not and 3 when an input is invalid.

Examples:
  berth plan llama-70b.yaml
  berth plan llama-70b.yaml --offers catalog/ --config platform/berth.config.yaml
  berth plan chat.yaml --offers fleet.yaml cloud.yaml
  berth plan chat.yaml --offers fleet.yaml --optimal
  berth plan train.yaml --spot
  berth plan chat.yaml embeddings.yaml train.yaml
  berth plan train.yaml --offers offers.snapshot -o json | jq .chosen
  berth plan train.yaml --offers catalog/ --save monday.json && berth replay monday.json
  berth plan train.yaml --save monday.json && berth apply --plan monday.json`,
    )
    .action(async (given: readonly string[], flags: PlanFlags, command: Command) => {
      const { files, offers } = manifestsAndOffers(given, flags.offers ?? [], command)
      const [file = '', ...others] = files
      const isThere = isAsked({ ...flags, offers }, command, cli)
      if (others.length > 0) {
        if (flags.save !== undefined || flags.optimal === true)
          command.error('error: --save and --optimal take a single manifest', { exitCode: EXIT.usage })
        const fits = await planSeveral(files, { ...flags, offers }, { cli, isThere })
        return cli.exit(fits ? EXIT.ok : EXIT.doesNotFit)
      }
      const fits = isThere ? await planThere(file, flags, cli) : await planHere(file, { ...flags, offers }, cli)
      cli.exit(fits ? EXIT.ok : EXIT.doesNotFit)
    })
}

/** Whether the control plane decides. `--offers` and `--config` mean local files; else a known control plane decides. */
function isAsked(flags: PlanFlags, command: Command, cli: Cli): boolean {
  const isHere = (flags.offers ?? []).length > 0 || flags.config !== undefined
  const isThere = flags.url !== undefined || flags.tokenFile !== undefined || flags.project !== undefined
  if (isHere && isThere) {
    const text =
      'error: --offers and --config plan with local files; they cannot be combined with --url, --token-file or --project, which ask the control plane'
    command.error(text, { exitCode: EXIT.usage })
  }
  if (isHere || !(isThere || isKnownTarget(flags, cli))) return false
  if (flags.optimal === true)
    command.error('error: --optimal needs --offers or --config: the control plane does not support it', {
      exitCode: EXIT.usage,
    })
  return true
}

/** Plans with what the control plane's providers offer now. Returns whether everything fits. */
async function planThere(file: string, flags: PlanFlags, cli: Cli): Promise<boolean> {
  const manifestText = readText(file, cli.files)
  const { manifest, warnings: idle } = readManifest(manifestText)
  const project = projectOf(cli, flags)
  const berth = berthOf(cli, flags)
  const decided = await berth
    .plan({ project, ...manifestText, ...(flags.spot && { spot: flags.spot }) })
    .catch(orWithout)
  const warnings = [...idle, ...(await missingSecrets([manifest], { berth, project }))]
  const nowMs = cli.clock.nowMs()
  if (flags.save !== undefined)
    savePlan(flags.save, { manifestText, platform: undefined, nowMs, hints: undefined, report: decided }, cli)
  const there = `${flags.url === undefined ? '' : ` --url ${quoted(flags.url)}`}${projectFlag(flags)}`
  const screen: PlanScreen = {
    again: isOnce(file) ? undefined : `berth plan ${quoted(file)}${there}`,
    apply: `berth apply ${quoted(file)}${there}`,
    elapsedMs: undefined,
    nowMs,
    all: flags.all === true ? 'all' : 'one-screen',
  }
  answer(cli, flags.output, { data: { ...decided, ...warned(warnings) }, text: () => printPlan(decided, screen) })
  sayWarnings(cli, flags.output, warnings)
  if (flags.save !== undefined)
    cli.terminal.err(`saved: ${flags.save} (berth apply --plan ${quoted(flags.save)}${there})\n`)
  return decided.fits
}

/** Plans with offers from local files. Returns whether everything fits. */
async function planHere(file: string, flags: PlanFlags, cli: Cli): Promise<boolean> {
  const manifestText = readText(file, cli.files)
  const { manifest: stated, warnings } = readManifest(manifestText)
  const manifest = { ...stated, ...(flags.spot && { spot: flags.spot }) }
  const platform = loadPlatform(flags, cli, NOTHING_TO_ASK)
  const nowMs = cli.clock.nowMs()
  const startMs = cli.clock.tickMs()
  const input = questionOf([manifest], platform, nowMs)
  const { plan: decision, exact, hints, solvedMs } = await decideWith(flags, input, cli)
  const decided: PlanReport = report(decision)
  const elapsedMs = cli.clock.tickMs() - startMs - solvedMs
  if (flags.save !== undefined) savePlan(flags.save, { manifestText, platform, nowMs, hints, report: decided }, cli)
  const again = isOnce(file) ? undefined : ['berth plan', quoted(file), ...sameFlags(flags)].join(' ')
  const all = flags.all === true ? 'all' : 'one-screen'
  const screen: PlanScreen = { again, elapsedMs, nowMs, all, ...(exact && { exact }) }
  const isEvery = flags.all === true && flags.output !== 'text'
  const data = {
    ...decided,
    ...(exact && { exact }),
    ...(isEvery && { verdicts: [...describeVerdicts(decision)] }),
    ...warned(warnings),
  }
  answer(cli, flags.output, { data, text: () => printPlan(decided, screen) })
  sayWarnings(cli, flags.output, warnings)
  tellOfPaper(decided, platform, cli)
  if (flags.save !== undefined)
    cli.terminal.err(
      `saved: ${flags.save}, with its offers in a file next to it (berth replay ${quoted(flags.save)})\n`,
    )
  return decided.fits
}

/** Warns that a control plane with the same infrastructure file could not launch what this plan chose. */
function tellOfPaper({ chosen }: PlanReport, { config }: Platform, cli: Cli): void {
  const providers = [...new Set(chosen.map(({ offer }) => offer.provider))]
  const paper = providers.filter((name) => config?.providers.some((one) => one.name === name && one.kind === undefined))
  if (paper.length === 0 || cli.terminal.errColumns === undefined) return
  const which = `${paper.join(', ')} ${paper.length === 1 ? 'is a price list' : 'are price lists'} only`
  cli.terminal.err(
    `${which}: without \`kind\` in the infrastructure file, nothing can be launched there (docs/config.md).\n`,
  )
}

interface Decided {
  readonly plan: Plan
  readonly exact?: ExactPlan['report']
  readonly hints: ExactPlan['hints']
  /** How long the solver took, reported apart from the time spent on offers. */
  readonly solvedMs: number
}

/** The engine's plan; with `--optimal` the solver's, if that is better. */
async function decideWith(flags: PlanFlags, input: PlaceInput, cli: Cli): Promise<Decided> {
  const engine = must(place(input)[0], 'one workload')
  if (flags.optimal !== true) return { plan: engine, hints: undefined, solvedMs: 0 }
  const startMs = cli.clock.tickMs()
  const solver = cli.solver()
  try {
    const { plan: best, report: exact, hints } = await exactPlan(engine, input, { solver, limitMs: SOLVE_LIMIT_MS })
    return { plan: best, exact, hints, solvedMs: cli.clock.tickMs() - startMs }
  } finally {
    await solver.close()
  }
}

/** Standard input cannot be read a second time. */
function isOnce(file: string): boolean {
  return file === '-'
}

/** `--offers` takes several paths and swallows a manifest that follows it, so the last path is taken as the manifest. */
function manifestsAndOffers(
  files: readonly string[],
  offers: readonly string[],
  command: Command,
): { files: readonly string[]; offers: readonly string[] } {
  if (files.length > 0) return { files, offers }
  const last = offers.at(-1)
  if (last === undefined || offers.length === 1)
    return command.error("error: missing required argument 'manifest'", { exitCode: EXIT.usage })
  return { files: [last], offers: offers.slice(0, -1) }
}

/** The flags that determine the plan, ready to paste into the next command. */
function sameFlags({ offers, config, optimal }: Pick<PlanFlags, 'offers' | 'config' | 'optimal'>): readonly string[] {
  return [
    ...(optimal === true ? ['--optimal'] : []),
    ...(config === undefined ? [] : ['--config', quoted(config)]),
    ...(offers === undefined || offers.length === 0 ? [] : ['--offers', ...offers.map(quoted)]),
  ]
}
