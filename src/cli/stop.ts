import type { Register } from './cli.ts'
import { answer } from './output.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from './remote.ts'
import { many } from './words.ts'

/** `berth stop`: end what runs, keep what was wanted. */
export const stop: Register = (program, cli) => {
  remoteInProject(
    program
      .command('stop')
      .description('stop a workload: its instances end, its manifest stays')
      .argument('<name>', 'name of the workload'),
  )
    .addHelpText('after', '\nApply its manifest again to start it.\n\nExamples:\n  berth stop llama-70b')
    .action(async (name: string, flags: ProjectFlags) => {
      const view = await berthOf(cli, flags).stop({ project: projectOf(cli, flags), name })
      const left = view.slots.filter(({ phase }) => phase !== 'gone').length
      const text = (): string => {
        const said =
          left === 0
            ? `${name} is stopped; nothing of it runs.`
            : `${name} is being stopped: ${many(left, 'slot')} to end. It is billed until they are gone.`
        return `${said}\n\nNext:  berth get ${name}${projectFlag(flags)}      berth rm ${name}${projectFlag(flags)}`
      }
      answer(cli, flags.output, { data: view, text })
    })
}
