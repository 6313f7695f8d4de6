import { stringify } from 'yaml'
import type { Command } from 'commander'
import { nearest } from '../../core/document/nearest.ts'
import { UserError } from '../../core/base/problem.ts'
import type { PolicyView } from '../../ports/berth.ts'
import { isConfirmed, yesOption } from '../terminal/ask.ts'
import { EXIT, type Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, remote, type RemoteFlags } from '../remote.ts'
import { settingsFrom } from '../settings.ts'
import { table } from '../terminal/table.ts'
import { plain } from '../../core/base/words.ts'

/** `berth policy`: the policies that manifests name. */
export const policy: Register = (program, cli) => {
  const command = program.command('policy').description('list, show, set and remove routing policies')
  for (const register of [ls, show, set, rm]) register(command, cli)
}

const ls: Register = (program, cli) => {
  remote(program.command('ls').description('list routing policies'))
    .addHelpText('after', '\nExamples:\n  berth policy ls')
    .action(async (flags: RemoteFlags) => {
      const views = await berthOf(cli, flags).policies()
      answer(cli, flags.output, { data: views, text: () => printPolicies(views) })
    })
}

function printPolicies(views: readonly PolicyView[]): string {
  if (views.length === 0) return 'There are no policies yet.\n\nNext:  berth policy set NAME FILE'
  const rows = views.map(({ name, origin, settings }) => [name, origin, plain(brief(settings))])
  return table([{ head: 'NAME' }, { head: 'FROM' }, { head: 'SETTINGS' }], rows).join('\n')
}

function brief(settings: PolicyView['settings']): string {
  const parts = Object.entries(settings).map(([key, value]) => {
    return `${key}: ${typeof value === 'object' ? listed(value) : String(value)}`
  })
  return parts.join(', ')
}

const show: Register = (program, cli) => {
  remote(
    program
      .command('show')
      .description('show a policy, in the form that berth policy set reads')
      .argument('<name>', 'name of the policy'),
  )
    .addHelpText('after', '\nExamples:\n  berth policy show production > production.yaml')
    .action(async (name: string, flags: RemoteFlags) => {
      const views = await berthOf(cli, flags).policies()
      const found = views.find((view) => view.name === name)
      if (found === undefined) throw policyUnknown(name, views)
      answer(cli, flags.output, { data: found, text: () => stringify(found.settings).trimEnd(), lines: 'as-is' })
    })
}

/** The control plane returns all policies at once, so the client suggests the nearest name. */
function policyUnknown(name: string, views: readonly PolicyView[]): UserError {
  const names = views.map((view) => view.name)
  const meant = nearest(name, names)
  const all = `Policies: ${names.join(', ')}.`
  const hint = meant === undefined ? all : `Did you mean ${meant}? ${all}`
  return new UserError([{ code: 'NOT_FOUND', message: `There is no policy ${name}.`, found: name, hint }])
}

interface SetFlags extends RemoteFlags {
  readonly set?: readonly string[]
}

const set: Register = (program, cli) => {
  remote(
    program
      .command('set')
      .description('create or replace a policy; the settings are those under `policies.NAME` in an infrastructure file')
      .argument('<name>', 'name of the policy')
      .argument('[file]', 'file with its settings, in YAML (- for standard input)')
      .option('--set <name=value...>', 'settings, overriding those of the file'),
  )
    .addHelpText(
      'after',
      `
Examples:
  berth policy set production production.yaml
  berth policy set cheap --set objective=cheapest max_usd_per_hour=2`,
    )
    .action(async (name: string, file: string | undefined, ...rest: [SetFlags, Command]) => {
      const [flags, command] = rest
      const pairs = flags.set ?? []
      if (file === undefined && pairs.length === 0)
        command.error('error: give a file or --set', { exitCode: EXIT.usage })
      const view = await berthOf(cli, flags).setPolicy({ name, settings: settingsFrom(file, pairs, cli) })
      const text = (): string =>
        `Policy ${name} is set and applies to all further decisions.\n\nNext:  berth policy show ${name}`
      answer(cli, flags.output, { data: view, text })
    })
}

interface RmFlags extends RemoteFlags {
  readonly yes?: boolean
}

const rm: Register = (program, cli) => {
  remote(
    program
      .command('rm')
      .description('remove a policy that no workload names')
      .argument('<name>', 'name of the policy')
      .addOption(yesOption()),
  )
    .addHelpText('after', '\nExamples:\n  berth policy rm cheap')
    .action(async (name: string, flags: RmFlags) => {
      const question = { text: `Remove policy ${name}?`, usually: 'no' as const, isSettled: flags.yes === true }
      if (!(await isConfirmed(cli, { ...question, output: flags.output }))) return
      await berthOf(cli, flags).removePolicy({ name })
      answer(cli, flags.output, { data: { name, removed: true }, text: () => `Policy ${name} is removed.` })
    })
}

/** With spaces between its parts, so that a terminal finds where to break the line. */
function listed(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ')
}
