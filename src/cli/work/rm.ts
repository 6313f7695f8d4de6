import type { Command } from 'commander'
import type { WorkloadView } from '../../core/life/view/view.ts'
import { isConfirmed, yesOption } from '../terminal/ask.ts'
import type { Cli, Register } from '../cli.ts'
import { answer } from '../output.ts'
import { picked, pickOption, type PickFlags } from './pick.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { oneByOne } from '../terminal/progress.ts'
import { perHour } from '../words/words.ts'
import { many } from '../../core/base/words.ts'

interface RmFlags extends ProjectFlags, PickFlags {
  readonly yes?: boolean
}

/** `berth rm`: stops workloads and removes them. */
export const rm: Register = (program, cli) => {
  const command = program
    .command('rm')
    .description('stop workloads and remove them')
    .argument('[name...]', 'names of the workloads')
    .addOption(yesOption())
  remoteInProject(pickOption(command))
    .addHelpText(
      'after',
      '\nExamples:\n  berth rm llama-70b\n  berth rm old-job older-job --yes\n  berth rm -l sweep=7 --yes && berth ps',
    )
    .action((names: readonly string[], flags: RmFlags) => removeAll({ names, flags, command }, cli))
}

interface Asked {
  readonly names: readonly string[]
  readonly flags: RmFlags
  readonly command: Command
}

async function removeAll({ names, flags, command }: Asked, cli: Cli): Promise<void> {
  const berth = berthOf(cli, flags)
  const project = projectOf(cli, flags)
  const { selector, output } = flags
  const chosen = await picked({ berth, project, names, selector, command })
  if (chosen.length === 0) {
    return answer(cli, output, { data: [], text: () => 'No workload has these labels; nothing was removed.' })
  }
  const text = questionText(chosen)
  if (!(await isConfirmed(cli, { text, usually: 'no', isSettled: flags.yes === true, output }))) return
  const views = await oneByOne(cli, chosen, { doing: 'removing', act: (name) => berth.remove({ project, name }) })
  const [only] = views
  // A single named workload is an object; otherwise the output is a list.
  const data = selector === undefined && views.length === 1 ? only : views
  const problems = views.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]))
  answer(cli, output, { data, text: () => [removedText(chosen, projectFlag(flags)), ...problems].join('\n') })
}

/** The most names that a question lists. */
const NAMES_SHOWN = 10

function questionText(views: readonly WorkloadView[]): string {
  const names = views.slice(0, NAMES_SHOWN).map(({ name }) => name)
  const rest = views.length - names.length
  const who = `${names.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`
  const running = views.reduce((sum, view) => sum + runningOf(view), 0)
  const cost = perHour(views.reduce((sum, view) => sum + view.usd_per_hour, 0))
  const ends =
    running === 0
      ? `${views.length === 1 ? 'It does' : 'They do'} not run`
      : `This stops ${many(running, 'running slot')} (${cost})`
  return `Remove ${who}? ${ends}.`
}

function runningOf({ slots }: WorkloadView): number {
  return slots.filter(({ phase }) => phase !== 'gone').length
}

function removedText(views: readonly WorkloadView[], same: string): string {
  const lines = views.map((view) =>
    runningOf(view) === 0
      ? `${view.name} is removed.`
      : `${view.name} is being removed: it stays listed until all of it has stopped.`,
  )
  const isOver = views.every((view) => runningOf(view) === 0)
  return `${lines.join('\n')}${isOver ? '' : `\n\nNext:  berth ps${same}`}`
}
