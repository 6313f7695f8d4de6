import type { WorkloadView } from '../core/keep/view.ts'
import type { Berth, Paged } from '../ports/berth.ts'
import type { Cli, Register } from './cli.ts'
import { answer } from './output.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from './remote.ts'
import { table } from './table.ts'
import { many, perHour } from './words.ts'
import { isBilled, placesOf, priceCell, sinceShort, stateText } from './words-keep.ts'

interface PsFlags extends ProjectFlags {
  readonly allProjects?: boolean
  readonly all?: boolean
}

/** More than a screen or two is shown only to those who ask. */
const SHOWN = 100

/** `berth ps`: what there is, and how it stands. */
export const ps: Register = (program, cli) => {
  remoteInProject(
    program
      .command('ps')
      .description('list workloads: how many are up, where, for how much, and what they wait for')
      .option('-A, --all-projects', 'those of every project that the token may see')
      .option('--all', `more than ${SHOWN}`),
  )
    .addHelpText('after', '\nExamples:\n  berth ps\n  berth ps --all-projects\n  berth ps -o json | jq .[].name')
    .action(async (flags: PsFlags) => {
      const berth = berthOf(cli, flags)
      const project = flags.allProjects === true ? undefined : projectOf(cli, flags)
      const same = flags.allProjects === true ? ' -A' : projectFlag(flags)
      const isEvery = flags.all === true || flags.output !== 'text'
      const { items, next } = await listed(berth, { project, isEvery })
      answer(cli, flags.output, { data: items, text: () => printList({ items, next }, { cli, project, same }) })
    })
}

const PAGES_MAX = 10_000

async function listed(
  berth: Berth,
  { project, isEvery }: { readonly project: string | undefined; readonly isEvery: boolean },
): Promise<Paged<WorkloadView>> {
  const items: WorkloadView[] = []
  let after: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await berth.workloads({ project, after, limit: SHOWN })
    items.push(...page.items)
    after = page.next
    if (after === undefined || !isEvery) break
  }
  return { items, next: after }
}

interface Around {
  readonly cli: Cli
  readonly project: string | undefined
  /** Flags that the next command needs, too. */
  readonly same: string
}

function printList({ items, next }: Paged<WorkloadView>, { cli, project, same }: Around): string {
  if (items.length === 0) {
    const where = project === undefined ? '' : ` in project ${project}`
    return `Nothing runs and nothing waits${where}.\n\nNext:  berth apply MANIFEST${project === undefined ? '' : same}`
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
    `${view.ready}/${view.total}`,
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
