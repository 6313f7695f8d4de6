import { Option, type Command } from 'commander'
import { workloadState } from '../../api/schemas.ts'
import { printSelector } from '../../core/life/view/selector.ts'
import type { WorkloadView } from '../../core/life/view/view.ts'
import type { Berth, Paged } from '../../ports/berth.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { answer, say } from '../output.ts'
import { everyWorkload, pickOption, type PickFlags } from './pick.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { table } from '../terminal/table.ts'
import { perHour } from '../words/words.ts'
import { many } from '../../core/base/words.ts'
import { isBilled, placesOf, priceCell, sinceShort, readyText, stateText } from '../words/keep.ts'

export interface PsFlags extends ProjectFlags, PickFlags {
  /** Left out: all workloads. */
  readonly names?: readonly string[]
  readonly allProjects?: boolean
  readonly all?: boolean
  readonly sort?: SortKey
  readonly state?: readonly WorkloadView['state'][]
  readonly provider?: string
  readonly watch?: boolean
}

type SortKey = 'name' | 'age' | 'cost' | 'state' | 'where'

/** More than this is shown only with `--all`. */
const SHOWN = 100

/** `berth ps`: all workloads and their states. */
export const ps: Register = (program, cli) => {
  const command = program
    .command('ps')
    .argument('[name...]', 'only these workloads')
    .description('list workloads: how many replicas are up, where, at what price, and what they wait for')
  listOptions(command)
    .option('-w, --watch', 'show the list again whenever it changes, until Ctrl-C')
    .addHelpText(
      'after',
      `
Examples:
  berth ps
  berth ps --all-projects --sort cost
  berth ps -l team=ml,stage!=test --state waiting failed
  berth ps llama-70b
  berth ps --provider here -w
  berth ps -o json | jq .[].name`,
    )
    .action((names: readonly string[], flags: PsFlags) => {
      const asked = names.length === 0 ? flags : { ...flags, names }
      return flags.watch === true ? watchList(asked, cli) : showList(asked, cli)
    })
}

/** Flags of commands that list workloads. */
export function listOptions(command: Command): Command {
  return remoteInProject(
    pickOption(command)
      .option('-A, --all-projects', 'workloads of every project that the token may see')
      .addOption(new Option('--sort <by>', 'order of the list').choices(['name', 'age', 'cost', 'state', 'where']))
      .addOption(
        new Option('--state <state...>', 'only workloads in one of these states').choices(workloadState.options),
      )
      .option('--provider <name>', 'only workloads that run on this provider')
      .option('--all', `list all, even if there are more than ${SHOWN}`),
  )
}

/** Lists the workloads once. */
export async function showList(flags: PsFlags, cli: Cli): Promise<void> {
  const berth = berthOf(cli, flags)
  const page = await listed(berth, flags, cli)
  const { project } = situationOf(flags, cli)
  // What another filter left out exists; any other name ends with an error and a suggestion.
  const absent = (flags.names ?? []).filter((asked) => !page.items.some(({ name }) => name === asked))
  if (project !== undefined) for (const name of absent) await berth.workload({ project, name })
  answer(cli, flags.output, { data: page.items, text: () => printList(page, situationOf(flags, cli)) })
}

const WATCH_MS = 1000

/** Lists the workloads whenever they change: redrawn in place on a terminal, printed again in a pipe. */
async function watchList(flags: PsFlags, cli: Cli): Promise<void> {
  const signal = cli.interrupt()
  const berth = berthOf(cli, flags)
  let last = ''
  while (!signal.aborted) {
    const page = await listed(berth, flags, cli)
    const picture = flags.output === 'text' ? printList(page, situationOf(flags, cli)) : JSON.stringify(page.items)
    if (picture !== last) {
      if (flags.output !== 'text') cli.terminal.out(`${picture}\n`)
      else {
        if (cli.terminal.columns !== undefined) cli.terminal.out('\u001b[H\u001b[J')
        say(cli, `${picture}\n`)
      }
    }
    last = picture
    await cli.timers.sleep(WATCH_MS, signal)
  }
  cli.exit(EXIT.interrupted)
}

function situationOf(flags: PsFlags, cli: Cli): Around {
  const { names, selector, state, provider } = flags
  const isFiltered = [names, selector, state, provider].some((filter) => filter !== undefined)
  return {
    cli,
    isFiltered,
    project: flags.allProjects === true ? undefined : projectOf(cli, flags),
    same: flags.allProjects === true ? ' -A' : projectFlag(flags),
  }
}

/** One page where that is enough. The control plane filters and sorts; names are looked for in all pages. */
async function listed(berth: Berth, flags: PsFlags, cli: Cli): Promise<Paged<WorkloadView>> {
  const { project } = situationOf(flags, cli)
  const { names, selector, state, provider, sort } = flags
  const filter = {
    ...(state !== undefined && { state }),
    ...(provider !== undefined && { provider }),
    ...(selector !== undefined && { label: printSelector(selector) }),
    ...(sort !== undefined && { sort }),
  }
  const isEvery = flags.all === true || flags.output !== 'text' || names !== undefined
  if (!isEvery) return berth.workloads({ ...filter, project, limit: SHOWN })
  const items = await everyWorkload(berth, project, filter)
  return { items: names === undefined ? items : items.filter(({ name }) => names.includes(name)) }
}

interface Around {
  readonly cli: Cli
  readonly project: string | undefined
  /** Flags to repeat in the next command. */
  readonly same: string
  /** The list may leave out existing workloads. */
  readonly isFiltered: boolean
}

function printList({ items, next }: Paged<WorkloadView>, { cli, project, same, isFiltered }: Around): string {
  if (items.length === 0 && isFiltered) return `No workload matches.\n\nNext:  berth ps${same}`
  if (items.length === 0) {
    const where = project === undefined ? '' : ` in project ${project}`
    return `There are no workloads${where}.\n\nNext:  berth apply MANIFEST${project === undefined ? '' : same}`
  }
  const nowMs = cli.clock.nowMs()
  const projects = project === undefined
  const columns = [
    ...(projects ? [{ head: 'PROJECT' }] : []),
    { head: 'NAME' },
    { head: 'KIND' },
    { head: 'READY', align: 'right' as const },
    { head: 'WHERE' },
    { head: '$/h', align: 'right' as const },
    { head: 'AGE' },
    { head: 'STATE' },
  ]
  const rows = items.map((view) => [
    ...(projects ? [view.project] : []),
    view.name,
    view.kind,
    `${readyText(view)}/${view.total}`,
    placesOf(view),
    priceCell(view.usd_per_hour, isBilled(view)),
    sinceShort(view.created_ms, nowMs),
    stateText(view, nowMs),
  ])
  const sum = perHour(items.reduce((total, view) => total + view.usd_per_hour, 0))
  const more =
    next === undefined ? `${many(items.length, 'workload')}, ${sum} in all` : `There are more: berth ps --all${same}`
  return [...table(columns, rows), '', more].join('\n')
}
