import { isConfirmed } from './ask.ts'
import type { Register } from './cli.ts'
import { answer } from './output.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from './remote.ts'
import { many, perHour } from './words.ts'

interface RmFlags extends ProjectFlags {
  readonly yes?: boolean
}

/** `berth rm`: end what runs, and forget it. */
export const rm: Register = (program, cli) => {
  remoteInProject(
    program
      .command('rm')
      .description('remove a workload: its instances end, then it is forgotten')
      .argument('<name>', 'name of the workload')
      .option('-y, --yes', 'do not ask'),
  )
    .addHelpText('after', '\nExamples:\n  berth rm llama-70b\n  berth rm old-job --yes')
    .action(async (name: string, flags: RmFlags) => {
      const berth = berthOf(cli, flags)
      const at = { project: projectOf(cli, flags), name }
      const before = await berth.workload(at)
      const running = before.slots.filter(({ phase }) => phase !== 'gone').length
      const ends =
        running === 0 ? 'nothing of it runs' : `${many(running, 'slot')} at ${perHour(before.usd_per_hour)} end`
      const question = { text: `Remove ${name}? ${ends}.`, usually: 'no' as const, isSettled: flags.yes === true }
      if (!(await isConfirmed(cli, { ...question, output: flags.output }))) return
      const view = await berth.remove(at)
      const text = (): string =>
        running === 0
          ? `${name} is removed.`
          : `${name} is being removed: it is listed until everything of it has ended.\n\nNext:  berth ps${projectFlag(flags)}`
      answer(cli, flags.output, { data: view, text })
    })
}
