import { Option, type Command } from 'commander'
import { secretName } from '../../api/fields.ts'
import { UserError } from '../../core/base/problem.ts'
import type { SecretView } from '../../ports/berth.ts'
import { isConfirmed, yesOption } from '../terminal/ask.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { table } from '../terminal/table.ts'
import { ago } from '../words/keep.ts'
import { rotate } from './rotate.ts'
import { valueFrom } from './secret-value.ts'

/** `berth secret`: values that only workloads receive. */
export const secret: Register = (program, cli) => {
  const command = program
    .command('secret')
    .description('set, list, remove and re-encrypt the secrets that workloads use')
  for (const register of [set, ls, rm, rotate]) register(command, cli)
}

/** Platform secrets belong to no project. */
interface ScopeFlags extends ProjectFlags {
  readonly platform?: boolean
}

interface SetFlags extends ScopeFlags {
  readonly fromFile?: string
  readonly move?: boolean
}

/** Adds the flags that choose between a project's secrets and the platform's. */
function scoped(command: Command): Command {
  const about = 'a platform secret: the credential of a provider, which no workload can use'
  return remoteInProject(command.addOption(new Option('--platform', about).conflicts('project')))
}

const set: Register = (program, cli) => {
  scoped(
    program
      .command('set')
      .description('set a secret; its value comes from standard input or a file, never from the command line')
      .argument('<name>', 'name that manifests use, like HF_TOKEN')
      .allowExcessArguments()
      .option('--from-file <file>', 'file that holds the value')
      .addOption(
        new Option(
          '--move',
          'with --platform: move a credential that an older version kept in project default',
        ).conflicts('fromFile'),
      ),
  )
    .addHelpText(
      'after',
      `
What runs keeps the value it started with; the next start gets the new one.

Examples:
  printf %s "$HF_TOKEN" | berth secret set HF_TOKEN
  berth secret set REGISTRY_KEY --from-file registry.key
  berth secret set CLOUD_KEY --platform --from-file cloud.key`,
    )
    .action(async (name: string, flags: SetFlags, command: Command) => {
      // The message does not repeat the value. A value on the command line shows in shell histories and process lists.
      if (command.args.length > 1)
        command.error('error: a value on the command line is visible to others; pipe it in or use --from-file', {
          exitCode: EXIT.usage,
        })
      if (flags.move === true && flags.platform !== true)
        command.error('error: --move needs --platform', { exitCode: EXIT.usage })
      checkName(name)
      if (flags.move === true) return moveSecret(name, flags, cli)
      if (flags.fromFile === undefined && cli.prompt !== undefined)
        cli.terminal.err('Type or paste the value, then press Enter and Ctrl-D.\n')
      const { value, isCut } = valueFrom(flags.fromFile ?? '-', cli)
      const berth = berthOf(cli, flags)
      const view =
        flags.platform === true
          ? await berth.setPlatformSecret({ name, value })
          : await berth.setSecret({ project: projectOf(cli, flags), name, value })
      const cut = isCut ? ' The newline after the value was left out.' : ''
      const whose = flags.platform === true ? ' of the platform' : ''
      const text = (): string => `Secret ${name}${whose} is set (version ${view.version}).${cut}`
      return answer(cli, flags.output, { data: view, text })
    })
}

async function moveSecret(name: string, flags: SetFlags, cli: Cli): Promise<void> {
  const view = await berthOf(cli, flags).setPlatformSecret({ name })
  const text = (): string => `Secret ${name} now belongs to the platform and no longer to project default.`
  answer(cli, flags.output, { data: view, text })
}

/** The message does not repeat the name either: it may be the value, in the wrong place. */
function checkName(name: string): void {
  if (secretName.safeParse(name).success) return
  const message = 'This is not a valid name for a secret.'
  const hint =
    'Use letters, digits and underscores, not beginning with a digit, like HF_TOKEN: workloads get the value in the environment variable of that name.'
  throw new UserError([{ code: 'VALUE_INVALID', message, hint }])
}

const ls: Register = (program, cli) => {
  scoped(program.command('ls').description('list secrets: their names and ages, never their values'))
    .addHelpText('after', '\nExamples:\n  berth secret ls --project research')
    .action(async (flags: ScopeFlags) => {
      const berth = berthOf(cli, flags)
      const views =
        flags.platform === true
          ? await berth.platformSecrets()
          : await berth.secrets({ project: projectOf(cli, flags) })
      answer(cli, flags.output, { data: views, text: () => printSecrets(views, flags, cli) })
    })
}

function printSecrets(views: readonly SecretView[], flags: ScopeFlags, cli: Cli): string {
  if (views.length === 0 && flags.platform === true)
    return 'The platform has no secrets.\n\nNext:  berth secret set NAME --platform --from-file FILE'
  if (views.length === 0)
    return `Project ${projectOf(cli, flags)} has no secrets.\n\nNext:  berth secret set NAME --from-file FILE${projectFlag(flags)}`
  const nowMs = cli.clock.nowMs()
  const columns = [{ head: 'NAME' }, { head: 'VERSION', align: 'right' as const }, { head: 'SET' }]
  return table(
    columns,
    views.map((view) => [view.name, `${view.version}`, ago(view.created_ms, nowMs)]),
  ).join('\n')
}

interface RmFlags extends ScopeFlags {
  readonly yes?: boolean
}

const rm: Register = (program, cli) => {
  scoped(
    program
      .command('rm')
      .description('remove a secret that no workload needs')
      .argument('<name>', 'name of the secret')
      .addOption(yesOption()),
  )
    .addHelpText('after', '\nExamples:\n  berth secret rm HF_TOKEN')
    .action(async (name: string, flags: RmFlags) => {
      checkName(name)
      const project = flags.platform === true ? '*' : projectOf(cli, flags)
      const whose = flags.platform === true ? 'the platform' : `project ${project}`
      const text = `Remove secret ${name} of ${whose}? Its value cannot be recovered.`
      const isSettled = flags.yes === true
      if (!(await isConfirmed(cli, { text, usually: 'no', isSettled, output: flags.output }))) return
      const berth = berthOf(cli, flags)
      await (flags.platform === true ? berth.removePlatformSecret({ name }) : berth.removeSecret({ project, name }))
      answer(cli, flags.output, { data: { project, name, removed: true }, text: () => `Secret ${name} is removed.` })
    })
}
