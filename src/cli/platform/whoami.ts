import type { Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, remote, type RemoteFlags } from '../remote.ts'
import { until } from '../words/keep.ts'

/** `berth whoami`: what the current token may do. */
export const whoami: Register = (program, cli) => {
  remote(program.command('whoami').description('show the role and the projects of the current token'))
    .addHelpText('after', '\nExamples:\n  berth whoami\n  berth whoami -o json | jq .projects')
    .action(async (flags: RemoteFlags) => {
      const me = await berthOf(cli, flags).whoami()
      const where = me.projects.includes('*') ? 'all projects' : `${me.projects.join(', ')}`
      const ends = me.expires_ms === undefined ? '' : `, expires ${until(me.expires_ms, cli.clock.nowMs())}`
      answer(cli, flags.output, { data: me, text: () => `${me.name}: ${me.role} in ${where}${ends}` })
    })
}
