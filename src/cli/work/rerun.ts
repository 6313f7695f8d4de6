import { isEnded, notEnded } from '../../core/life/view/ended.ts'
import { applyingOptions, applySteps, type ApplyingFlags, type ApplyStep } from './applying.ts'
import type { Cli, Register } from '../cli.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { standOptions } from './stand.ts'

interface RerunFlags extends ProjectFlags, ApplyingFlags {}

/** `berth rerun`: once more, as it is. */
export const rerun: Register = (program, cli) => {
  const command = program
    .command('rerun')
    .description('run a job again that is done, or a workload that failed or was stopped: shows the plan and asks')
    .argument('<name>', 'name of the workload')
  standOptions(remoteInProject(applyingOptions(command)))
    .addHelpText(
      'after',
      `
It runs as it was applied last. Applying the manifest of a job that is done changes nothing and runs nothing.

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
  const plan = await berth.plan({ project: at.project, text, file: name })
  const added = plan.asks.reduce((sum, ask) => sum + ask.replicas, 0)
  const replicas = { replaced: 0, kept: 0, added, removed: 0 }
  const send: ApplyStep['send'] = async () => ({ outcome: 'changed', workload: await berth.rerun(at) })
  const step: ApplyStep = { at, preview: { outcome: 'again', state, changes: [], replicas }, plan, send }
  await applySteps(cli, { berth, steps: [step], flags })
}
