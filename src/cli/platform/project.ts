import { InvalidArgumentError, type Command } from 'commander'
import { parseUsd } from '../../core/base/units.ts'
import { EXIT, type Register } from '../cli.ts'
import { refuse } from '../../core/base/refuse.ts'
import { nearest } from '../../core/document/nearest.ts'
import type { ProjectChange, ProjectView } from '../../ports/berth.ts'
import { answer } from '../output.ts'
import { berthOf, remote, type RemoteFlags } from '../remote.ts'
import { table } from '../terminal/table.ts'
import { perHour } from '../words/words.ts'
import { number } from '../../core/base/words.ts'

/** `berth project`: groups of workloads, what each may use, and how much of it. */
export const project: Register = (program, cli) => {
  const command = program
    .command('project')
    .description('create and list projects, and set what each may use and how much at once')
  for (const register of [ls, get, create, set]) register(command, cli)
}

const ls: Register = (program, cli) => {
  remote(program.command('ls').description('list projects: what each uses, and its limits'))
    .addHelpText('after', '\nExamples:\n  berth project ls')
    .action(async (flags: RemoteFlags) => {
      const projects = await berthOf(cli, flags).projects()
      answer(cli, flags.output, { data: projects, text: () => printProjects(projects) })
    })
}

function printProjects(projects: readonly ProjectView[]): string {
  if (projects.length === 0) return 'There are no projects that this token may see.'
  const columns = [
    { head: 'NAME' },
    { head: 'GPUS', align: 'right' as const },
    { head: '$/h', align: 'right' as const },
    { head: 'WORKLOADS', align: 'right' as const },
    { head: 'POLICIES' },
    { head: 'PROVIDERS' },
    { head: 'PROCESSES' },
  ]
  const rows = projects.map((one) => [one.name, ...useCells(one), ...ruleCells(one)])
  return table(columns, rows).join('\n')
}

/** Use and limit: `3 of 16`. */
function useCells({ used, ...limits }: ProjectView): readonly string[] {
  const [cards = '', dollars = '', count = ''] = limitCells(limits)
  if (used === undefined) return [cards, dollars, count]
  const of = (use: string, most: string): string => (most === 'no limit' ? use : `${use} of ${most}`)
  const spent = perHour(used.usd_per_hour).slice(1, -2)
  return [of(number(used.gpus), cards), of(spent, dollars), of(number(used.workloads), count)]
}

function limitCells(limits: ProjectChange): readonly string[] {
  const count = (value: number | undefined): string => (value === undefined ? 'no limit' : number(value))
  return [
    count(limits.gpus_max),
    limits.usd_per_hour_max === undefined ? 'no limit' : perHour(limits.usd_per_hour_max).slice(1, -2),
    count(limits.workloads_max),
  ]
}

function ruleCells({ policies, providers, processes }: ProjectChange): readonly string[] {
  const names = (list: readonly string[] | undefined): string =>
    list === undefined ? 'all' : list.length === 0 ? 'none' : list.join(', ')
  return [names(policies), names(providers), processes === true ? 'allowed' : 'no']
}

const get: Register = (program, cli) => {
  remote(
    program
      .command('get')
      .description('show a project: what it may use, and what it uses')
      .argument('<name>', 'name of the project'),
  )
    .addHelpText('after', '\nExamples:\n  berth project get research')
    .action(async (name: string, flags: RemoteFlags) => {
      const projects = await berthOf(cli, flags).projects()
      const found = projects.find((one) => one.name === name)
      if (found === undefined) throw noProject(name, projects)
      answer(cli, flags.output, { data: found, text: () => printProject(found) })
    })
}

function noProject(name: string, projects: readonly ProjectView[]) {
  const meant = nearest(
    name,
    projects.map((one) => one.name),
  )
  const create = `Create it with: berth project create ${name}`
  const hint = meant === undefined ? create : `Did you mean ${meant}? ${create}`
  return refuse('NOT_FOUND', `There is no project ${name} that this token may see.`, hint)
}

function printProject(view: ProjectView): string {
  const [cards = '', dollars = '', count = ''] = useCells(view)
  const [policies = '', providers = '', processes = ''] = ruleCells(view)
  const asBerth = processes === 'allowed' ? 'may run as Berth’s own user' : 'may not run as Berth’s own user'
  return [
    `Project ${view.name}`,
    `  GPUs       ${cards}`,
    `  $/h        ${dollars}`,
    `  workloads  ${count}`,
    `  policies   ${policies}`,
    `  providers  ${providers}`,
    `  processes  ${asBerth}`,
  ].join('\n')
}

const create: Register = (program, cli) => {
  remote(
    program
      .command('create')
      .description('create a project without limits; a manifest applied to an unknown project is refused')
      .argument('<name>', 'name of the project'),
  )
    .addHelpText('after', '\nExamples:\n  berth project create research')
    .action(async (name: string, flags: RemoteFlags) => {
      const berth = berthOf(cli, flags)
      const before = (await berth.projects()).find((one) => one.name === name)
      if (before === undefined) await berth.setProject({ project: name })
      const text = before === undefined ? `Project ${name} is created.` : `Project ${name} already exists.`
      answer(cli, flags.output, { data: { ...(before ?? { name }) }, text: () => text })
    })
}

interface SetFlags extends RemoteFlags {
  readonly gpus?: Limit
  readonly usdPerHour?: Limit
  readonly workloads?: Limit
  readonly policy?: readonly string[]
  readonly provider?: readonly string[]
  readonly processes?: boolean
}

type Limit = number | 'none'

const set: Register = (program, cli) => {
  remote(
    program
      .command('set')
      .description('set what a project may use, and how much at once; settings that are not named stay')
      .argument('<name>', 'name of the project')
      .option('--gpus <count>', 'GPUs at once, or none for no limit', countLimit)
      .option('--usd-per-hour <dollars>', 'dollars per hour at once, or none for no limit', dollarLimit)
      .option('--workloads <count>', 'workloads at once, or none for no limit', countLimit)
      .option('--policy <name...>', 'policies that its manifests may name; * for all')
      .option('--provider <name...>', 'providers that its work may be placed on; * for all')
      .option('--processes', 'let its programs run as Berth’s own user, which can read every token and secret')
      .option('--no-processes', 'no longer let its programs run as Berth’s own user'),
  )
    .addHelpText(
      'after',
      `
Examples:
  berth project set research --gpus 16 --usd-per-hour 50
  berth project set research --gpus none
  berth project set research --policy production batch --provider northwind
  berth project set sandbox --processes`,
    )
    .action(async (name: string, flags: SetFlags, command: Command) => {
      if (SETTINGS.every((key) => flags[key] === undefined))
        command.error(`error: give at least one setting: ${SETTINGS_SHOWN}`, { exitCode: EXIT.usage })
      const berth = berthOf(cli, flags)
      const before = (await berth.projects()).find((one) => one.name === name)
      const limits = limitsAfter(before, flags)
      await berth.setProject({ project: name, ...limits })
      answer(cli, flags.output, { data: { name, ...limits }, text: () => settled(name, limits) })
    })
}

const SETTINGS = ['gpus', 'usdPerHour', 'workloads', 'policy', 'provider', 'processes'] as const
const SETTINGS_SHOWN = '--gpus, --usd-per-hour, --workloads, --policy, --provider, --processes'

function limitsAfter(before: ProjectView | undefined, flags: SetFlags): ProjectChange {
  const policies = named(flags.policy, before?.policies)
  const providers = named(flags.provider, before?.providers)
  const processes = flags.processes ?? before?.processes
  return {
    gpus_max: changed(flags.gpus, before?.gpus_max),
    usd_per_hour_max: changed(flags.usdPerHour, before?.usd_per_hour_max),
    workloads_max: changed(flags.workloads, before?.workloads_max),
    ...(policies !== undefined && { policies }),
    ...(providers !== undefined && { providers }),
    ...(processes !== undefined && { processes }),
  }
}

function settled(name: string, limits: ProjectChange): string {
  const [cards = '', dollars = '', count = ''] = limitCells(limits)
  const [policies = '', providers = '', processes = ''] = ruleCells(limits)
  return [
    `Project ${name}: GPUs ${cards}, dollars per hour ${dollars}, workloads ${count};`,
    `policies ${policies}, providers ${providers}, processes ${processes}. What already runs keeps running.`,
  ].join('\n')
}

/** The names given, separated by spaces or commas; `*` means all. */
function named(
  said: readonly string[] | undefined,
  before: readonly string[] | undefined,
): readonly string[] | undefined {
  if (said === undefined) return before
  const names = said.flatMap((part) => part.split(',')).filter(Boolean)
  return names.includes('*') ? undefined : [...new Set(names)]
}

function changed(said: Limit | undefined, before: number | undefined): number | undefined {
  return said === undefined ? before : said === 'none' ? undefined : said
}

function countLimit(text: string): Limit {
  if (text === 'none') return 'none'
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Write a whole number, or none for no limit.')
}

function dollarLimit(text: string): Limit {
  if (text === 'none') return 'none'
  const amount = parseUsd(text)
  if (amount.kind === 'amount') return amount.value
  throw new InvalidArgumentError('Write dollars, for example 12.50, or none for no limit.')
}
