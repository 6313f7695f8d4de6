import { many } from '../../core/base/words.ts'
import { isEnded, notRestarted } from '../../core/life/view/ended.ts'
import type { WorkloadView } from '../../core/life/view/view.ts'
import type { Cli, Register } from '../cli.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { isConfirmed, yesOption } from '../terminal/ask.ts'
import { stand, standOptions, type StandFlags } from './stand.ts'

interface RestartFlags extends ProjectFlags, StandFlags {
  readonly yes?: boolean
}

/** `berth restart`: replaces every replica of a service by a fresh attempt. */
export const restart: Register = (program, cli) => {
  const command = program
    .command('restart')
    .description('replace every replica of a service by a fresh attempt, one after the other: ask, and follow it')
    .argument('<name>', 'name of the workload')
    .addOption(yesOption())
  standOptions(remoteInProject(command))
    .addHelpText(
      'after',
      `
The manifest stays as it is. A replica is stopped only when there is a place for its successor, and the next one only when
that successor is up; if it fails, the other replicas keep serving. Fresh attempts get the current values of secrets. To run
a job again, use berth rerun.

Examples:
  berth restart chat
  berth restart chat --yes --detach`,
    )
    .action((name: string, flags: RestartFlags) => restartOne(name, flags, cli))
}

async function restartOne(name: string, flags: RestartFlags, cli: Cli): Promise<void> {
  const berth = berthOf(cli, flags)
  const at = { project: projectOf(cli, flags), name }
  const view = await berth.workload(at)
  if (view.kind === 'job' || isEnded(view.state)) throw notRestarted(name, view)
  const { output } = flags
  const question = { text: questionText(view), usually: 'yes' as const, isSettled: flags.yes === true, output }
  if (!(await isConfirmed(cli, question))) return
  const workload = await berth.restart(at)
  await stand(cli, { berth, applied: [{ outcome: 'changed', workload }], flags, restarted: true })
}

function questionText({ name, total, slots }: WorkloadView): string {
  const running = slots.filter(({ phase }) => phase !== 'gone').length
  if (running === 0) return `Restart ${name}? None of its replicas runs now; Berth tries again at once.`
  if (total === 1)
    return `Restart ${name}? Its replica goes on serving until its successor does, where there is room for both.`
  return `Restart ${name}? ${many(total, 'replica')}, one at a time.`
}
