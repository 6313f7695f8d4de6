import { InvalidArgumentError } from 'commander'
import type { Register } from '../cli.ts'
import { answer } from '../output.ts'
import { yesUnused } from '../terminal/ask.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { many } from '../../core/base/words.ts'

interface ScaleFlags extends ProjectFlags {
  readonly role?: string
}

/** `berth scale`: changes the number of replicas. */
export const scale: Register = (program, cli) => {
  remoteInProject(
    program
      .command('scale')
      .description('change the number of replicas of a service')
      .argument('<name>', 'name of the workload')
      .argument('<replicas>', 'new number of replicas', wholeNumber)
      .option('--role <role>', 'role to scale, if the workload has roles')
      .addOption(yesUnused()),
  )
    .addHelpText('after', '\nExamples:\n  berth scale llama-70b 4\n  berth scale chat 2 --role decode')
    .action(async (name: string, replicas: number, flags: ScaleFlags) => {
      const at = { project: projectOf(cli, flags), name }
      const view = await berthOf(cli, flags).scale({ ...at, role: flags.role, replicas })
      const what = flags.role === undefined ? name : `${name} (${flags.role})`
      const text = (): string =>
        `${what}: ${many(replicas, 'replica')} wanted, ${view.ready} of ${view.total} up now.\n\nNext:  berth events ${name} -f${projectFlag(flags)}`
      answer(cli, flags.output, { data: view, text })
    })
}

/** Reads a whole number from an argument. */
export function wholeNumber(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write a whole number, for example 3.')
}
