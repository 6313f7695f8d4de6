import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { Project } from '../core/keep/rows.ts'
import { parseUsd } from '../core/units.ts'
import { EXIT, type Register } from './cli.ts'
import { answer } from './output.ts'
import { berthOf, remote, type RemoteFlags } from './remote.ts'
import { table } from './table.ts'
import { number, perHour } from './words.ts'

/** `berth project`: what belongs together, and how much it may use. */
export const project: Register = (program, cli) => {
  const command = program.command('project').description('list projects and set what each may use at once')
  for (const register of [ls, set]) register(command, cli)
}

const ls: Register = (program, cli) => {
  remote(program.command('ls').description('list projects and their limits'))
    .addHelpText('after', '\nExamples:\n  berth project ls')
    .action(async (flags: RemoteFlags) => {
      const projects = await berthOf(cli, flags).projects()
      answer(cli, flags.output, { data: projects, text: () => printProjects(projects) })
    })
}

function printProjects(projects: readonly ({ readonly name: string } & Project)[]): string {
  if (projects.length === 0) return 'There are no projects with limits; everything belongs to default.'
  const columns = [
    { head: 'NAME' },
    { head: 'GPUS', align: 'right' as const },
    { head: '$/h', align: 'right' as const },
    { head: 'WORKLOADS', align: 'right' as const },
  ]
  return table(
    columns,
    projects.map(({ name, ...limits }) => [name, ...limitCells(limits)]),
  ).join('\n')
}

function limitCells({ gpusMax, usdPerHourMax, workloadsMax }: Project): readonly string[] {
  const count = (value: number | undefined): string => (value === undefined ? 'no limit' : number(value))
  return [
    count(gpusMax),
    usdPerHourMax === undefined ? 'no limit' : perHour(usdPerHourMax).slice(1, -2),
    count(workloadsMax),
  ]
}

interface SetFlags extends RemoteFlags {
  readonly gpus?: Limit
  readonly usdPerHour?: Limit
  readonly workloads?: Limit
}

type Limit = number | 'none'

const set: Register = (program, cli) => {
  remote(
    program
      .command('set')
      .description('set what a project may use at once; what is not named stays as it is')
      .argument('<name>', 'name of the project')
      .option('--gpus <count>', 'GPUs at once, or none for no limit', countLimit)
      .option('--usd-per-hour <dollars>', 'dollars an hour at once, or none for no limit', dollarLimit)
      .option('--workloads <count>', 'workloads at once, or none for no limit', countLimit),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  berth project set research --gpus 16 --usd-per-hour 50\n  berth project set research --gpus none',
    )
    .action(async (name: string, flags: SetFlags, command: Command) => {
      const { gpus, usdPerHour, workloads } = flags
      if (gpus === undefined && usdPerHour === undefined && workloads === undefined)
        command.error('error: --gpus, --usd-per-hour or --workloads is needed', { exitCode: EXIT.usage })
      const berth = berthOf(cli, flags)
      const before = (await berth.projects()).find((one) => one.name === name)
      const limits: Project = {
        gpusMax: changed(gpus, before?.gpusMax),
        usdPerHourMax: changed(usdPerHour, before?.usdPerHourMax),
        workloadsMax: changed(workloads, before?.workloadsMax),
      }
      await berth.setProject(name, limits)
      const [cards = '', dollars = '', count = ''] = limitCells(limits)
      const text = (): string =>
        `Project ${name}: GPUs ${cards}, dollars an hour ${dollars}, workloads ${count}. What runs is not ended for it.`
      answer(cli, flags.output, { data: { name, ...limits }, text })
    })
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
