import type { Command } from 'commander'
import type { PlanReport } from '../core/plan/report.ts'
import { nearest } from '../core/document/nearest.ts'
import type { Manifest } from '../core/manifest/manifest.ts'
import { UserError } from '../core/problem.ts'
import type { ApplyRequest, Applied, At, Berth } from '../ports/berth.ts'
import { isConfirmed } from './ask.ts'
import { EXIT, type Cli, type Register } from './cli.ts'
import { manifestFrom, readText, type Text } from './inputs.ts'
import { answer } from './output.ts'
import { printPlan } from './print-plan.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from './remote.ts'
import { readPlan } from './saved-plan.ts'
import { stand, standOptions, type StandFlags } from './stand.ts'
import { many, perHour, quoted } from './words.ts'

interface ApplyFlags extends ProjectFlags, StandFlags {
  readonly plan?: string
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly queue?: boolean
}

/** `berth apply`: the plan, a question, then live until it stands. */
export const apply: Register = (program, cli) => {
  const command = program
    .command('apply')
    .description('have workloads run: shows the plan, asks, and follows them until they stand')
    .argument('[manifest...]', 'what the workloads need (- for standard input)')
    .option('--plan <file>', 'bind exactly what `berth plan --save` planned, or refuse')
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--queue', 'accept it even if it has no place now, and let it wait for one')
  standOptions(remoteInProject(command))
    .addHelpText(
      'after',
      `
Applying the same again changes nothing and says so. Ctrl-C ends the view, never the work.
Ends with 0 when it stands, 2 when it has no place, 3 when an input is invalid, 4 when it fails or the time runs out.

Examples:
  berth apply llama-70b.yaml
  berth apply chat.yaml embeddings.yaml --yes --timeout 5m
  berth apply train.yaml --dry-run -o json
  berth plan train.yaml --save monday.json && berth apply --plan monday.json`,
    )
    .action((files: readonly string[], flags: ApplyFlags, command: Command) => applyAll({ files, flags, command }, cli))
}

interface Asked {
  readonly files: readonly string[]
  readonly flags: ApplyFlags
  readonly command: Command
}

/** One manifest, and what the control plane would do with it. */
interface Step {
  readonly at: At
  readonly text: Text
  readonly pinned: ApplyRequest['pinned']
  /** Undefined: it is there already, exactly so. */
  readonly plan: PlanReport | undefined
  readonly isNew: boolean
}

async function applyAll(asked: Asked, cli: Cli): Promise<void> {
  const { flags } = asked
  const wanted = textsOf(asked, cli)
  const berth = berthOf(cli, flags)
  const around = { berth, project: projectOf(cli, flags) }
  await checkSecrets(wanted, around)
  const steps: Step[] = []
  for (const one of wanted) steps.push(await stepFor(one, around))
  if (flags.output === 'text') show(steps, cli)
  const isPlaced = steps.every(({ plan }) => plan?.fits !== false)
  if (flags.dryRun === true) {
    answer(cli, flags.output, { data: { plans: plansOf(steps) }, text: () => dryText(steps) })
    return cli.exit(isPlaced ? EXIT.ok : EXIT.doesNotFit)
  }
  if (!isPlaced && flags.queue !== true && (cli.prompt === undefined || flags.yes === true)) {
    if (flags.output !== 'text') answer(cli, flags.output, { data: { plans: plansOf(steps) }, text: () => '' })
    else cli.terminal.err('Nothing was applied. With --queue it is accepted all the same, and waits for a place.\n')
    return cli.exit(EXIT.doesNotFit)
  }
  if (!(await isAgreed(steps, { flags, cli, isPlaced }))) return
  const applied: Applied[] = []
  for (const step of steps) applied.push(await send(step, { berth, cli }))
  await stand(cli, { berth, applied, flags })
}

interface Wanted extends Pick<Manifest, 'name' | 'secrets'> {
  readonly text: Text
  readonly saved: PlanReport | undefined
}

function textsOf({ files, flags, command }: Asked, cli: Cli): readonly Wanted[] {
  if (flags.plan !== undefined) return [savedStep(flags.plan, files, cli)]
  if (files.length === 0) command.error("error: missing required argument 'manifest'", { exitCode: EXIT.usage })
  const wanted = files.map((file) => {
    const text = readText(file, cli.files)
    const { name, secrets } = manifestFrom(text)
    return { text, name, secrets, saved: undefined }
  })
  const twice = wanted.find(({ name }, at) => wanted.findIndex((other) => other.name === name) !== at)
  if (twice !== undefined) command.error(`error: two of the manifests describe ${twice.name}`, { exitCode: EXIT.usage })
  return wanted
}

/** The manifest is part of the plan; one that is given beside it must be the same. */
function savedStep(path: string, files: readonly string[], cli: Cli): Wanted {
  const { manifest, report } = readPlan(path, cli)
  const other = files.find((file) => readText(file, cli.files).text !== manifest.text)
  if (other !== undefined || files.length > 1) {
    const message = `${path} was planned for ${manifest.file}, and ${other ?? files[1]} is another manifest by now.`
    const hint = `Leave it out to apply what was planned, or plan anew: berth plan ${quoted(other ?? '')} --save FILE`
    throw new UserError([{ code: 'PLAN_OTHER', message, found: other ?? path, hint }])
  }
  const { name, secrets } = manifestFrom(manifest)
  return { text: manifest, name, secrets, saved: report }
}

interface Around {
  readonly berth: Berth
  readonly project: string
}

/** What the control plane would refuse in the end is said before anybody is asked, and where nobody is. */
async function checkSecrets(wanted: readonly Wanted[], { berth, project }: Around): Promise<void> {
  if (wanted.every(({ secrets }) => secrets.length === 0)) return
  const there = (await berth.secrets(project)).map(({ name }) => name)
  const problems = wanted.flatMap(({ name, secrets }) =>
    secrets
      .filter((secret) => !there.includes(secret))
      .map((secret) => {
        const meant = nearest(secret, there)
        const set = `Set it first: berth secret set ${secret}${project === 'default' ? '' : ` --project ${project}`}`
        const hint = meant === undefined ? set : `Did you mean ${meant}? ${set}`
        const message = `${name} names ${secret}, which project ${project} does not have.`
        return { code: 'SECRET_MISSING', message, found: secret, hint } as const
      }),
  )
  if (problems.length > 0) throw new UserError(problems)
}

async function stepFor({ text, name, saved }: Wanted, { berth, project }: Around): Promise<Step> {
  const at = { project, name }
  const before = await knownAs(at, berth)
  const isNew = before === undefined
  if (saved !== undefined) return { at, text, plan: saved, pinned: pinsOf(saved), isNew }
  if (before === text.text) return { at, text, plan: undefined, pinned: undefined, isNew }
  const plan = await berth.plan({ project, text: text.text, file: text.file })
  return { at, text, plan, pinned: undefined, isNew }
}

/** The manifest that runs under this name; empty where it is stopped, undefined where there is none. */
async function knownAs(at: At, berth: Berth): Promise<string | undefined> {
  try {
    const { want } = await berth.workload(at)
    return want === 'running' ? (await berth.manifest(at)).text : ''
  } catch (error) {
    if (error instanceof UserError && error.problems.some(({ code }) => code === 'NOT_FOUND')) return undefined
    throw error
  }
}

/** What a plan chose, slot by slot: named as the control plane names slots. */
export function pinsOf({ chosen, asks }: PlanReport): NonNullable<ApplyRequest['pinned']> {
  return chosen.map(({ role, replica, node, offer }) => {
    const group = role === undefined ? `${replica}` : `${role}-${replica}`
    const nodes = asks.find((ask) => ask.role === role)?.nodes ?? 1
    return { slot: nodes > 1 ? `${group}.${node}` : group, offer: offer.id, usdPerHour: offer.usd_per_hour ?? 0 }
  })
}

function show(steps: readonly Step[], cli: Cli): void {
  const nowMs = cli.clock.nowMs()
  const texts = steps.flatMap(({ plan }) => {
    if (plan === undefined) return []
    return [printPlan(plan, { again: undefined, elapsedMs: undefined, nowMs, all: 'one-screen' })]
  })
  if (texts.length > 0) cli.terminal.out(`${texts.join('\n\n')}\n\n`)
}

function plansOf(steps: readonly Step[]): readonly unknown[] {
  return steps.map(({ at, plan }) => ({ ...at, unchanged: plan === undefined, plan }))
}

function dryText(steps: readonly Step[]): string {
  const same = steps.filter(({ plan }) => plan === undefined).map(({ at }) => `${at.name} would stay as it is.`)
  return [...same, 'Nothing was changed (--dry-run).'].join('\n')
}

interface Agreeing {
  readonly flags: ApplyFlags
  readonly cli: Cli
  readonly isPlaced: boolean
}

async function isAgreed(steps: readonly Step[], { flags, cli, isPlaced }: Agreeing): Promise<boolean> {
  const planned = steps.flatMap(({ plan, isNew }) => (plan === undefined ? [] : [{ plan, isNew }]))
  if (planned.length === 0) return true
  const isSettled = flags.yes === true
  const { output } = flags
  const names = planned.map(({ plan }) => plan.workload).join(', ')
  if (!isPlaced && flags.queue !== true) {
    const text = `There is no place for all of it. Accept ${names} and let it wait for one?`
    return isConfirmed(cli, { text, usually: 'no', isSettled, output })
  }
  const replicas = planned.reduce((sum, { plan }) => sum + plan.asks.reduce((more, ask) => more + ask.replicas, 0), 0)
  const cost = perHour(planned.reduce((sum, { plan }) => sum + plan.usd_per_hour, 0))
  const verb = planned.every(({ isNew }) => isNew) ? 'Place' : `Change ${names} and place`
  return isConfirmed(cli, {
    text: `${verb} ${many(replicas, 'replica')} for ${cost}?`,
    usually: 'yes',
    isSettled,
    output,
  })
}

function send(
  { at, text, pinned }: Step,
  { berth, cli }: { readonly berth: Berth; readonly cli: Cli },
): Promise<Applied> {
  return berth.apply({
    project: at.project,
    text: text.text,
    file: text.file,
    ...(pinned && { pinned }),
    idempotencyKey: cli.random.id(),
  })
}
