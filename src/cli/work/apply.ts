import type { Command } from 'commander'
import type { PlanReport } from '../../core/place/explain/report.ts'
import type { Manifest } from '../../core/manifest/manifest.ts'
import { UserError } from '../../core/base/problem.ts'
import type { ApplyRequest, Berth } from '../../ports/berth.ts'
import { agreedIn } from './agreed.ts'
import { applyingOptions, applySteps, needsPlace, type ApplyingFlags, type ApplyStep } from './applying.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { manifestFrom, readText, type Text } from '../inputs.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { readPlan } from '../plan/saved-plan.ts'
import { refuseWithoutSecrets } from './secrets-needed.ts'
import { standOptions } from './stand.ts'
import { quoted } from '../words/words.ts'

interface ApplyFlags extends ProjectFlags, ApplyingFlags {
  readonly plan?: string
  readonly createProject?: boolean
}

/** `berth apply`: shows the plan, asks, then follows the workloads until they are up. */
export const apply: Register = (program, cli) => {
  const command = program
    .command('apply')
    .description('run workloads: show the plan, ask, and follow them until they are up')
    .argument('[manifest...]', 'manifest files (- for standard input)')
    .option('--create-project', 'create the project if it does not exist')
    .option('--plan <file>', 'place exactly what `berth plan --save` chose, or refuse')
  standOptions(remoteInProject(applyingOptions(command)))
    .addHelpText(
      'after',
      `
Applying the same manifest again changes nothing. Ctrl-C ends the view; the workloads keep running.

The price of the plan is what you agree to. Later, too, no place is taken that costs over 5% more: the workload waits and
says so, and applying it again agrees to the price of that day. --price-tolerance and --max-price agree to more at once.
Exits with 0 when everything is up, 2 when there is no place, 3 when an input is invalid, 4 on failure or timeout. It does
not wait for what only a user can change: with --queue it ends with 2 at once if no offer could ever fit, and with 4 if a
secret is missing or the work is at a provider that is not configured.

Examples:
  berth apply llama-70b.yaml
  berth apply chat.yaml embeddings.yaml --yes --timeout 5m
  berth apply train.yaml --dry-run -o json
  berth apply chat.yaml --yes --max-price 12.50
  berth plan train.yaml --save monday.json && berth apply --plan monday.json`,
    )
    .action((files: readonly string[], flags: ApplyFlags, command: Command) => applyAll({ files, flags, command }, cli))
}

interface Asked {
  readonly files: readonly string[]
  readonly flags: ApplyFlags
  readonly command: Command
}

async function applyAll(asked: Asked, cli: Cli): Promise<void> {
  const { flags } = asked
  const wanted = textsOf(asked, cli)
  const berth = berthOf(cli, flags)
  const situation = { berth, project: projectOf(cli, flags), cli }
  await refuseWithoutSecrets(wanted, situation)
  const steps: ApplyStep[] = []
  const before: Text[] = []
  for (const one of wanted) {
    const step = await stepFor(one, { ...situation, flags, before: [...before] })
    steps.push(step)
    // A workload that stays as it is already has its capacity.
    if (step.plan !== undefined) before.push(one.text)
  }
  await applySteps(cli, { berth, steps, flags })
}

interface Wanted extends Pick<Manifest, 'name' | 'secrets' | 'storage'> {
  readonly text: Text
  readonly saved: PlanReport | undefined
}

function textsOf({ files, flags, command }: Asked, cli: Cli): readonly Wanted[] {
  if (flags.plan !== undefined) return [savedStep(flags.plan, files, cli)]
  if (files.length === 0) command.error("error: missing required argument 'manifest'", { exitCode: EXIT.usage })
  const wanted = files.map((file) => {
    const text = readText(file, cli.files)
    const { name, secrets, storage } = manifestFrom(text)
    return { text, name, secrets, storage, saved: undefined }
  })
  const twice = wanted.find(({ name }, at) => wanted.findIndex((other) => other.name === name) !== at)
  if (twice !== undefined)
    command.error(`error: two of the manifests have the name ${twice.name}`, { exitCode: EXIT.usage })
  return wanted
}

/** The saved plan includes its manifest; a manifest given in addition must be the same. */
function savedStep(path: string, files: readonly string[], cli: Cli): Wanted {
  const { manifest, report } = readPlan(path, cli)
  const other = files.find((file) => readText(file, cli.files).text !== manifest.text)
  if (other !== undefined || files.length > 1) {
    const message = `${path} was planned for ${manifest.file}, and ${other ?? files[1]} differs from what was planned.`
    const hint = `Leave it out to apply what was planned, or plan again: berth plan ${quoted(other ?? '')} --save FILE`
    throw new UserError([{ code: 'PLAN_OTHER', message, found: other ?? path, hint }])
  }
  const { name, secrets, storage } = manifestFrom(manifest)
  return { text: manifest, name, secrets, storage, saved: report }
}

interface Around {
  readonly cli: Cli
  readonly berth: Berth
  readonly project: string
}

async function stepFor(
  { text, name, saved }: Wanted,
  { berth, project, cli, before, flags }: Around & { readonly before: readonly Text[]; readonly flags: ApplyFlags },
): Promise<ApplyStep> {
  const request = { project, ...text }
  const created = flags.createProject === true ? { create_project: true } : {}
  const preview = await berth.preview({ ...request, ...created })
  const isFree = saved === undefined && !needsPlace(preview)
  const plan = isFree ? undefined : (saved ?? (await berth.plan({ ...request, ...(before.length > 0 && { before }) })))
  const agreed = plan && agreedIn(plan, flags)
  const pinned = saved === undefined ? {} : { pinned: pinsOf(saved) }
  const send: ApplyStep['send'] = () =>
    berth.apply({ ...request, ...pinned, ...created, agreed, idempotencyKey: cli.random.id() })
  return { at: { project, name }, preview, plan, send }
}

/** What a plan chose for each slot, under the control plane's names for slots. */
export function pinsOf({ chosen, asks }: PlanReport): NonNullable<ApplyRequest['pinned']> {
  return chosen.map(({ role, replica, node, offer }) => {
    const group = role === undefined ? `${replica}` : `${role}-${replica}`
    const nodes = asks.find((ask) => ask.role === role)?.nodes ?? 1
    return { slot: nodes > 1 ? `${group}.${node}` : group, offer: offer.id, usd_per_hour: offer.usd_per_hour ?? 0 }
  })
}
