import type { Command } from 'commander'
import type { WorkloadView } from '../../core/life/view/view.ts'
import type { Cli, Register } from '../cli.ts'
import { answer } from '../output.ts'
import { picked, pickOption, type PickFlags } from './pick.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { yesUnused } from '../terminal/ask.ts'
import { oneByOne } from '../terminal/progress.ts'
import { many } from '../../core/base/words.ts'

interface StopFlags extends ProjectFlags, PickFlags {}

/** `berth stop`: stops workloads and keeps their manifests. */
export const stop: Register = (program, cli) => {
  const command = program
    .command('stop')
    .description('stop workloads but keep their manifests')
    .argument('[name...]', 'names of the workloads')
    .addOption(yesUnused())
  remoteInProject(pickOption(command))
    .addHelpText(
      'after',
      '\nTo start a workload again, use berth rerun or apply its manifest.\n\nExamples:\n  berth stop llama-70b\n  berth stop chat embeddings\n  berth stop -l team=ml,stage=test',
    )
    .action((names: readonly string[], flags: StopFlags) => stopAll({ names, flags, command }, cli))
}

interface Asked {
  readonly names: readonly string[]
  readonly flags: StopFlags
  readonly command: Command
}

async function stopAll({ names, flags, command }: Asked, cli: Cli): Promise<void> {
  const berth = berthOf(cli, flags)
  const project = projectOf(cli, flags)
  const { selector } = flags
  const chosen = await picked({ berth, project, names, selector, command })
  const views = await oneByOne(cli, chosen, { doing: 'stopping', act: (name) => berth.stop({ project, name }) })
  const [only] = views
  // A single named workload is an object; otherwise the output is a list.
  const data = selector === undefined && views.length === 1 ? only : views
  answer(cli, flags.output, { data, text: () => stopText(views, projectFlag(flags)) })
}

function stopText(views: readonly WorkloadView[], same: string): string {
  if (views.length === 0) return 'No workload has these labels; nothing was stopped.'
  const lines = views.map(({ name, slots, usd_per_hour: usd }) => {
    const left = slots.filter(({ phase }) => phase !== 'gone').length
    return left === 0
      ? `${name} is stopped.`
      : `${name} is being stopped: ${many(left, 'slot')} still running${usd > 0 ? ', and billed until gone' : ''}.`
  })
  const [first] = views
  const next =
    views.length === 1 ? `berth get ${first?.name}${same}      berth rm ${first?.name}${same}` : `berth ps${same}`
  return `${lines.join('\n')}\n\nNext:  ${next}`
}
