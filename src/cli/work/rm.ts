import type { Command } from 'commander'
import type { WorkloadView } from '../../core/life/view/view.ts'
import { isConfirmed } from '../terminal/ask.ts'
import type { Cli, Register } from '../cli.ts'
import { answer } from '../output.ts'
import { picked, pickOption, type PickFlags } from './pick.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { oneByOne } from '../terminal/progress.ts'
import { many, perHour } from '../words/words.ts'

interface RmFlags extends ProjectFlags, PickFlags {
  readonly yes?: boolean
}

/** `berth rm`: end what runs, and forget it. */
export const rm: Register = (program, cli) => {
  const command = program
    .command('rm')
    .description('remove workloads: their instances end, then they are forgotten')
    .argument('[name...]', 'names of the workloads')
    .option('-y, --yes', 'do not ask')
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
    return answer(cli, output, { data: [], text: () => 'Nothing has these labels; nothing was removed.' })
  }
  const text = questionText(chosen)
  if (!(await isConfirmed(cli, { text, usually: 'no', isSettled: flags.yes === true, output }))) return
  const views = await oneByOne(cli, chosen, { doing: 'removing', act: (name) => berth.remove({ project, name }) })
  const [only] = views
  // One that was named is answered as itself.
  const data = selector === undefined && views.length === 1 ? only : views
  const problems = views.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]))
  answer(cli, output, { data, text: () => [removedText(chosen, projectFlag(flags)), ...problems].join('\n') })
}

/** Names that are said in a question at most. */
const NAMES_SHOWN = 10

function questionText(views: readonly WorkloadView[]): string {
  const names = views.slice(0, NAMES_SHOWN).map(({ name }) => name)
  const rest = views.length - names.length
  const who = `${names.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`
  const running = views.reduce((sum, view) => sum + runningOf(view), 0)
  const cost = perHour(views.reduce((sum, view) => sum + view.usd_per_hour, 0))
  const ends =
    running === 0 ? `nothing of ${views.length === 1 ? 'it' : 'them'} runs` : `${many(running, 'slot')} at ${cost} end`
  return `Remove ${who}? ${ends}.`
}

function runningOf({ slots }: WorkloadView): number {
  return slots.filter(({ phase }) => phase !== 'gone').length
}

function removedText(views: readonly WorkloadView[], same: string): string {
  const lines = views.map((view) =>
    runningOf(view) === 0
      ? `${view.name} is removed.`
      : `${view.name} is being removed: it is listed until everything of it has ended.`,
  )
  const isOver = views.every((view) => runningOf(view) === 0)
  return `${lines.join('\n')}${isOver ? '' : `\n\nNext:  berth ps${same}`}`
}
