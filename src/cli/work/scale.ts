import { InvalidArgumentError } from 'commander'
import type { Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { many } from '../words/words.ts'

interface ScaleFlags extends ProjectFlags {
  readonly role?: string
}

/** `berth scale`: more or fewer replicas. */
export const scale: Register = (program, cli) => {
  remoteInProject(
    program
      .command('scale')
      .description('change how many replicas of a service are wanted')
      .argument('<name>', 'name of the workload')
      .argument('<replicas>', 'how many are wanted', wholeNumber)
      .option('--role <role>', 'of which role, where the workload has roles')
      .option('-y, --yes', 'changes nothing: it never asks'),
  )
    .addHelpText('after', '\nExamples:\n  berth scale llama-70b 4\n  berth scale chat 2 --role decode')
    .action(async (name: string, replicas: number, flags: ScaleFlags) => {
      const at = { project: projectOf(cli, flags), name }
      const view = await berthOf(cli, flags).scale(at, { role: flags.role, replicas })
      const what = flags.role === undefined ? name : `${name} (${flags.role})`
      const text = (): string =>
        `${what}: ${many(replicas, 'replica')} wanted, ${view.ready} of ${view.total} up now.\n\nNext:  berth events ${name} -f${projectFlag(flags)}`
      answer(cli, flags.output, { data: view, text })
    })
}

/** A count of things, as an argument. */
export function wholeNumber(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write a whole number, for example 3.')
}
