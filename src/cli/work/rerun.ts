import { isEnded, notEnded } from '../../core/life/view/ended.ts'
import { agreedIn } from './agreed.ts'
import { applyingOptions, applySteps, type ApplyingFlags, type ApplyStep } from './applying.ts'
import type { Cli, Register } from '../cli.ts'
import { manifestFrom } from '../inputs.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { refuseWithoutSecrets } from './secrets-needed.ts'
import { standOptions } from './stand.ts'

interface RerunFlags extends ProjectFlags, ApplyingFlags {}

/** `berth rerun`: runs an ended workload again, unchanged. */
export const rerun: Register = (program, cli) => {
  const command = program
    .command('rerun')
    .description('run a workload again that is done, failed or stopped: show the plan and ask')
    .argument('<name>', 'name of the workload')
  standOptions(remoteInProject(applyingOptions(command)))
    .addHelpText(
      'after',
      `
The last applied manifest runs again. (Applying the unchanged manifest of a job that is done does not run it again.)

Examples:
  berth rerun train
  berth rerun nightly --yes && berth wait nightly`,
    )
    .action((name: string, flags: RerunFlags) => runAgain(name, flags, cli))
}

async function runAgain(name: string, flags: RerunFlags, cli: Cli): Promise<void> {
  const berth = berthOf(cli, flags)
  const at = { project: projectOf(cli, flags), name }
  const view = await berth.workload(at)
  const { state } = view
  if (!isEnded(state)) throw notEnded(name, view)
  const { text } = await berth.manifest(at)
  await refuseWithoutSecrets([manifestFrom({ text, file: name })], { berth, project: at.project })
  const plan = await berth.plan({ project: at.project, text, file: name })
  const added = plan.asks.reduce((sum, ask) => sum + ask.replicas, 0)
  const replicas = { replaced: 0, kept: 0, added, removed: 0 }
  const agreed = agreedIn(plan, flags)
  const send: ApplyStep['send'] = async () => ({ outcome: 'changed', workload: await berth.rerun({ ...at, agreed }) })
  const step: ApplyStep = { at, preview: { outcome: 'again', state, changes: [], replicas }, plan, send }
  await applySteps(cli, { berth, steps: [step], flags })
}
