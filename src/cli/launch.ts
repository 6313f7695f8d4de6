import { InvalidArgumentError } from 'commander'
import type { Register } from './cli.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from './remote.ts'
import { textsFrom } from './settings.ts'
import { stand, standOptions, type StandFlags } from './stand.ts'

interface LaunchFlags extends ProjectFlags, StandFlags {
  readonly set?: readonly string[]
  readonly name?: string
}

/** `berth launch`: a workload from a template. */
export const launch: Register = (program, cli) => {
  const command = program
    .command('launch')
    .description('have a workload run that a template describes, with values for its parameters')
    .argument('<template>', 'name of the template, or NAME@VERSION (default: the newest)', templateRef)
    .option('--set <name=value...>', 'values of its parameters')
    .option('--name <name>', 'name of the workload (default: as in the template)')
  standOptions(remoteInProject(command))
    .addHelpText(
      'after',
      `
The workload remembers which version it came from; a newer version changes nothing that runs.

Examples:
  berth launch vllm --set model=meta-llama/Llama-3.1-8B
  berth launch vllm@3 --name chat-blue --set model=qwen gpus=2 --detach`,
    )
    .action(async (template: TemplateRef, flags: LaunchFlags) => {
      const berth = berthOf(cli, flags)
      const applied = await berth.launch({
        project: projectOf(cli, flags),
        template: template.name,
        version: template.version,
        name: flags.name,
        set: textsFrom(flags.set ?? []),
        idempotencyKey: cli.random.id(),
      })
      await stand(cli, { berth, applied: [applied], flags })
    })
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
