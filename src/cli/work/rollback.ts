import { refuse } from '../../core/base/refuse.ts'
import type { UserError } from '../../core/base/problem.ts'
import type { RevisionView } from '../../ports/berth.ts'
import { agreedIn } from './agreed.ts'
import { applyingOptions, applySteps, needsPlace, type ApplyingFlags, type ApplyStep } from './applying.ts'
import type { Cli, Register } from '../cli.ts'
import { othersIn, revisionIn, wayBack, type Back } from './history.ts'
import { manifestFrom } from '../inputs.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { wholeNumber } from './scale.ts'
import { refuseWithoutSecrets } from './secrets-needed.ts'
import { standOptions } from './stand.ts'

interface RollbackFlags extends ProjectFlags, ApplyingFlags {
  readonly to?: number
  readonly withReplicas?: boolean
}

/** `berth rollback`: applies an earlier manifest again. */
export const rollback: Register = (program, cli) => {
  const command = program
    .command('rollback')
    .description('apply an earlier manifest again: show the changes and the plan, ask, and follow it until it is up')
    .argument('<name>', 'name of the workload')
    .option(
      '--to <generation>',
      'generation to go back to, as `berth history` lists them (default: the last different one that was up)',
      wholeNumber,
    )
    .option(
      '--with-replicas',
      'go back to the number of replicas of that manifest, too (default: keep the present one)',
    )
  standOptions(remoteInProject(applyingOptions(command)))
    .addHelpText(
      'after',
      `
A rollback is a change like any other: it gets a new generation and can itself be rolled back. A generation was up
when all of its replicas were healthy at the same time. What runs goes back; how many replicas there are stays as it is.

Examples:
  berth rollback chat
  berth rollback chat --with-replicas
  berth rollback chat --to 3 --dry-run`,
    )
    .action((name: string, flags: RollbackFlags) => rollBack(name, flags, cli))
}

function noWayBack(name: string, revisions: readonly RevisionView[], back: Back): UserError {
  const others = othersIn(revisions, back).map(({ generation }) => generation)
  if (others.length > 0) {
    const message = `No other generation of ${name} was ever up.`
    return refuse('NOT_FOUND', message, `Choose one with --to: ${others.join(', ')}`)
  }
  if (othersIn(revisions, 'all').length > 0) {
    const message = `The manifests in the history of ${name} differ in the number of replicas alone, which a rollback keeps.`
    return refuse('NOT_FOUND', message, `Use berth scale, or add --with-replicas.`)
  }
  const message = `The history of ${name} has no other manifest to go back to.`
  return refuse('NOT_FOUND', message, 'Apply a manifest instead.')
}

async function rollBack(name: string, flags: RollbackFlags, cli: Cli): Promise<void> {
  const berth = berthOf(cli, flags)
  const at = { project: projectOf(cli, flags), name }
  const revisions = await berth.history(at)
  const back = flags.withReplicas === true ? 'all' : 'what-runs'
  const target = flags.to === undefined ? wayBack(revisions, back) : revisionIn(revisions, name, flags.to)
  if (target === undefined) throw noWayBack(name, revisions, back)
  const text = { text: target.text, file: `${name} in generation ${target.generation}` }
  const request = { project: at.project, ...text, ...(back === 'what-runs' && { keep_replicas: true }) }
  await refuseWithoutSecrets([manifestFrom(text)], { berth, project: at.project })
  const preview = await berth.preview(request)
  const plan = needsPlace(preview) ? await berth.plan(request) : undefined
  const agreed = plan && agreedIn(plan, flags)
  const send: ApplyStep['send'] = () => berth.apply({ ...request, agreed, idempotencyKey: cli.random.id() })
  await applySteps(cli, { berth, steps: [{ at, preview, plan, send }], flags })
}
