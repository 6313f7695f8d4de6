import { InvalidArgumentError, type Command } from 'commander'
import { parseSelector, printSelector, type Selector } from '../../core/life/view/selector.ts'
import type { WorkloadView } from '../../core/life/view/view.ts'
import type { Berth, ListQuery } from '../../ports/berth.ts'
import { EXIT } from '../cli.ts'

/** Flags of commands that take several workloads. */
export interface PickFlags {
  readonly selector?: Selector
}

/** Adds `-l`. */
export function pickOption(command: Command): Command {
  return command.option(
    '-l, --selector <labels>',
    'only workloads with these labels: key=value, key!=value or key',
    selectorFrom,
  )
}

/** `team=ml,stage!=test` as a selector; throws commander's error for anything else. */
function selectorFrom(text: string): Selector {
  const selector = parseSelector(text)
  if (selector !== undefined) return selector
  throw new InvalidArgumentError('Write labels such as team=ml,stage!=test.')
}

interface Pick {
  readonly berth: Berth
  /** Undefined: every project that the token may see. */
  readonly project: string | undefined
  readonly names: readonly string[]
  readonly selector: Selector | undefined
  readonly command: Command
}

/** The named workloads, each once, or all with the labels. */
export async function picked({ berth, project, names, selector, command }: Pick): Promise<readonly WorkloadView[]> {
  if (names.length > 0 && selector !== undefined)
    command.error('error: name workloads or select them by labels, not both', { exitCode: EXIT.usage })
  if (names.length === 0 && selector === undefined)
    command.error("error: missing required argument 'name'", { exitCode: EXIT.usage })
  if (selector !== undefined) {
    return everyWorkload(berth, project, { label: printSelector(selector) })
  }
  const views: WorkloadView[] = []
  for (const name of new Set(names)) views.push(await berth.workload({ project: project ?? 'default', name }))
  return views
}

const PAGE = 500
const PAGES_MAX = 2000

/** All workloads, page by page. */
export async function everyWorkload(
  berth: Berth,
  project: string | undefined,
  filter: Omit<ListQuery, 'project' | 'after' | 'limit'> = {},
): Promise<readonly WorkloadView[]> {
  const items: WorkloadView[] = []
  let after: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await berth.workloads({ ...filter, project, after, limit: PAGE })
    items.push(...page.items)
    after = page.next
    if (after === undefined) break
  }
  return items
}
