import { Option } from 'commander'
import type { RoleName } from '../../core/life/rows.ts'
import type { TokenView } from '../../ports/berth.ts'
import { isConfirmed, yesOption } from '../terminal/ask.ts'
import type { Cli, Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, remote, type RemoteFlags } from '../remote.ts'
import { milliseconds } from '../work/stand.ts'
import { table } from '../terminal/table.ts'
import { ago, until } from '../words/keep.ts'

/** `berth token`: the tokens that give access to the control plane. */
export const token: Register = (program, cli) => {
  const command = program.command('token').description('create, list and remove tokens for the control plane')
  for (const register of [create, ls, rm]) register(command, cli)
}

interface CreateFlags extends RemoteFlags {
  readonly role: RoleName
  readonly projects?: readonly string[]
  readonly ttl: number
}

const create: Register = (program, cli) => {
  remote(
    program
      .command('create')
      .description('create a token; it is shown only once')
      .argument('<name>', 'name for the token, for example its user or purpose')
      .addOption(
        new Option('--role <role>', 'what it may do: read; change workloads; everything')
          .choices(['reader', 'writer', 'admin'])
          .default('writer'),
      )
      .option('--projects <name...>', 'projects it gives access to, * for all (default: default)')
      .addOption(
        new Option('--ttl <time>', 'how long it is valid').argParser(milliseconds).default(90 * 86_400_000, '90d'),
      ),
  )
    .addHelpText(
      'after',
      `
Only the token goes to standard output, so that it can be redirected to a file or a secret store.

Examples:
  berth token create ci --role writer --projects research > ci.token
  berth token create dashboard --role reader --projects '*' --ttl 30d`,
    )
    .action(async (name: string, flags: CreateFlags) => {
      const projects = (flags.projects ?? ['default']).flatMap((part) => part.split(',')).filter(Boolean)
      const made = await berthOf(cli, flags).createToken({ name, role: flags.role, projects, ttl_ms: flags.ttl })
      answer(cli, flags.output, { data: made, text: () => made.token })
      if (flags.output !== 'text') return
      const ends = until(made.expires_ms, cli.clock.nowMs())
      cli.terminal.err(
        `Token ${name}: ${made.role} of ${made.projects.join(', ')}, expires ${ends}. It is not shown again.\n`,
      )
      if (made.note !== undefined) cli.terminal.err(`${made.note}\n`)
    })
}

const ls: Register = (program, cli) => {
  remote(program.command('ls').description('list tokens with role, projects and expiry, never the tokens themselves'))
    .addHelpText('after', '\nExamples:\n  berth token ls')
    .action(async (flags: RemoteFlags) => {
      const views = await berthOf(cli, flags).tokens()
      answer(cli, flags.output, { data: views, text: () => printTokens(views, cli) })
    })
}

function printTokens(views: readonly TokenView[], cli: Cli): string {
  if (views.length === 0) return 'There are no tokens.\n\nNext:  berth token create NAME'
  const nowMs = cli.clock.nowMs()
  const columns = [{ head: 'NAME' }, { head: 'ROLE' }, { head: 'PROJECTS' }, { head: 'CREATED' }, { head: 'EXPIRES' }]
  const rows = views.map((view) => [
    view.name,
    view.role,
    view.projects.join(', '),
    ago(view.created_ms, nowMs),
    view.expires_ms <= nowMs ? 'expired' : until(view.expires_ms, nowMs),
  ])
  return table(columns, rows).join('\n')
}

interface RmFlags extends RemoteFlags {
  readonly yes?: boolean
}

const rm: Register = (program, cli) => {
  remote(
    program
      .command('rm')
      .description('revoke a token: requests with it are refused from now on')
      .argument('<name>', 'name of the token')
      .addOption(yesOption()),
  )
    .addHelpText('after', '\nExamples:\n  berth token rm ci')
    .action(async (name: string, flags: RmFlags) => {
      const text = `Remove token ${name}? Requests with it will be refused.`
      const isSettled = flags.yes === true
      if (!(await isConfirmed(cli, { text, usually: 'no', isSettled, output: flags.output }))) return
      await berthOf(cli, flags).removeToken({ name })
      answer(cli, flags.output, { data: { name, removed: true }, text: () => `Token ${name} is removed.` })
    })
}
