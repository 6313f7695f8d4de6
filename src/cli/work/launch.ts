import { InvalidArgumentError } from 'commander'
import { agreedIn } from './agreed.ts'
import { applyingOptions, applySteps, needsPlace, type ApplyingFlags, type ApplyStep } from './applying.ts'
import type { Cli, Register } from '../cli.ts'
import { manifestFrom } from '../inputs.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { textsFrom } from '../settings.ts'
import { refuseWithoutSecrets } from './secrets-needed.ts'
import { standOptions } from './stand.ts'

interface LaunchFlags extends ProjectFlags, ApplyingFlags {
  readonly set?: readonly string[]
  readonly name?: string
}

/** `berth launch`: runs a workload from a template. */
export const launch: Register = (program, cli) => {
  const command = program
    .command('launch')
    .description('run a workload from a template: show the plan, ask, and follow it until it is up')
    .argument('<template>', 'name of the template, or NAME@VERSION (default: the newest)', templateRef)
    .option('--set <name=value...>', 'values for its parameters')
    .option('--name <name>', 'name of the workload (default: as in the template)')
  standOptions(remoteInProject(applyingOptions(command)))
    .addHelpText(
      'after',
      `
The workload keeps the version it was launched from; a newer version does not change it.
Exits like \`berth apply\`: 0 when it is up, 2 when there is no place (unless --queue), 4 on failure or timeout.

Examples:
  berth launch vllm --set model=qwen-7b
  berth launch vllm --set model=qwen gpus=2 --dry-run
  berth launch vllm@3 --yes --name chat-blue --set model=qwen gpus=2 --detach`,
    )
    .action((template: TemplateRef, flags: LaunchFlags) => launchIt(template, flags, cli))
}

async function launchIt(template: TemplateRef, flags: LaunchFlags, cli: Cli): Promise<void> {
  const berth = berthOf(cli, flags)
  const project = projectOf(cli, flags)
  const asked = { project, template: template.name, name: flags.name, set: textsFrom(flags.set ?? []) }
  const { name, version, text, file } = await berth.render({ ...asked, version: template.version })
  await refuseWithoutSecrets([manifestFrom({ text, file })], { berth, project })
  const request = { project, text, file }
  const preview = await berth.preview({ ...request, template: { name: template.name, version } })
  const plan = needsPlace(preview) ? await berth.plan(request) : undefined
  // Launches the version that was planned, even if a newer one is pushed meanwhile.
  const agreed = plan && agreedIn(plan, flags)
  const send: ApplyStep['send'] = () => berth.launch({ ...asked, version, agreed, idempotencyKey: cli.random.id() })
  await applySteps(cli, { berth, steps: [{ at: { project, name }, preview, plan, send }], flags })
}

/** A template as users name it. */
export interface TemplateRef {
  readonly name: string
  readonly version: number | undefined
}

/** `vllm` or `vllm@3`. */
export function templateRef(text: string): TemplateRef {
  const match = /^([^@\s]+)(?:@(\d{1,6}))?$/.exec(text)
  const [, name, version] = match ?? []
  if (name === undefined) throw new InvalidArgumentError('Write NAME or NAME@VERSION, for example vllm@3.')
  return { name, version: version === undefined ? undefined : Number(version) }
}
