import { plain } from '../../core/base/words.ts'
import type { AuditView, Berth } from '../../ports/berth.ts'
import type { Cli, Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, remote, type RemoteFlags } from '../remote.ts'
import { table } from '../terminal/table.ts'
import { ago } from '../words/keep.ts'
import { wholeNumber } from '../work/scale.ts'
import { milliseconds } from '../work/stand.ts'

interface AuditFlags extends RemoteFlags {
  readonly project?: string
  readonly actor?: string
  readonly action?: string
  readonly since?: number
  readonly tail?: number
  readonly before?: number
  readonly all?: boolean
}

/** How many entries are shown by default. */
const TAIL = 50
/** The most entries to ask for at once. */
const PAGE = 500

/** `berth audit`: who changed what. */
export const audit: Register = (program, cli) => {
  remote(
    program
      .command('audit')
      .description('show who changed what, who was denied what, and which workload got which secret')
      .option('--project <name>', 'only entries of this project (default: all projects)')
      .option('--actor <name>', 'only what this token did; system is the control plane itself')
      .option('--action <action>', 'only this action, for example apply, denied or secret.use')
      .option('--since <time>', 'only entries newer than this, for example 2h', milliseconds)
      .option('--tail <count>', `show only this many of the latest entries (default: ${TAIL})`, wholeNumber)
      .option('--before <seq>', 'only entries before this one: the next page', wholeNumber)
      .option('--all', 'show all entries'),
  )
    .addHelpText(
      'after',
      `
The newest entry comes first. Needs a token with the role admin for all projects.

Examples:
  berth audit
  berth audit --project research --since 1d
  berth audit --action secret.use --tail 20
  berth audit --actor ci --all -o json | jq '.[] | select(.action == "denied")'`,
    )
    .action(async (flags: AuditFlags) => {
      const entries = await entriesOf(berthOf(cli, flags), flags, cli)
      answer(cli, flags.output, { data: entries, text: () => printEntries(entries, flags, cli) })
    })
}

/** As many pages as needed, each filtered by the control plane. */
async function entriesOf(berth: Berth, flags: AuditFlags, cli: Cli): Promise<readonly AuditView[]> {
  const { project, actor, action, before } = flags
  const most = mostOf(flags)
  const since = flags.since === undefined ? undefined : Math.max(0, Math.round(cli.clock.nowMs() - flags.since))
  const query = { project, actor, action, before, since_ms: since, order: 'newest' } as const
  const found: AuditView[] = []
  let after: string | undefined
  while (found.length < most) {
    const limit = Math.min(PAGE, most - found.length)
    const { items, next } = await berth.audit({ ...query, limit, ...(after !== undefined && { after }) })
    found.push(...items)
    if (next === undefined) break
    after = next
  }
  return found
}

function mostOf({ all, tail = TAIL }: AuditFlags): number {
  return all === true ? Number.POSITIVE_INFINITY : tail
}

function printEntries(entries: readonly AuditView[], flags: AuditFlags, cli: Cli): string {
  const { project, actor, action, since, before } = flags
  const isFiltered = [project, actor, action, since, before].some((filter) => filter !== undefined)
  if (entries.length === 0) return isFiltered ? 'No entry matches.' : 'There are no entries yet.'
  const nowMs = cli.clock.nowMs()
  const columns = ['WHEN', 'WHO', 'ACTION', 'PROJECT', 'WHAT', 'DETAILS'].map((head) => ({ head }))
  const rows = entries.map((entry) => [
    ago(entry.at_ms, nowMs),
    plain(entry.actor),
    plain(entry.action),
    plain(entry.project),
    plain(entry.subject),
    plain(detailsOf(entry)),
  ])
  const isFull = entries.length > 0 && entries.length === mostOf(flags)
  const older = isFull ? ['', `Older:  berth audit${sameFilters(flags)} --before ${entries.at(-1)?.seq}`] : []
  return [...table(columns, rows), ...older].join('\n')
}

function detailsOf({ facts }: AuditView): string {
  return Object.entries(facts)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(' ')
}

/** The flags to repeat for the next page. */
function sameFilters({ project, actor, action, since: sinceMs, tail }: AuditFlags): string {
  const since = sinceMs === undefined ? undefined : `${Math.ceil(sinceMs / 1000)}s`
  return Object.entries({ project, actor, action, since, tail })
    .map(([flag, value]) => (value === undefined ? '' : ` --${flag} ${value}`))
    .join('')
}
