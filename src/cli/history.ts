import { differenceOf } from '../core/manifest/difference.ts'
import { refuse } from '../core/api/refuse.ts'
import type { DocNode } from '../core/document/document.ts'
import { readYaml } from '../formats/yaml.ts'
import type { RevisionView } from '../ports/berth.ts'
import type { Register } from './cli.ts'
import { answer } from './output.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from './remote.ts'
import { wholeNumber } from './scale.ts'
import { table } from './table.ts'
import { ago, plain } from './words-keep.ts'

interface HistoryFlags extends ProjectFlags {
  readonly show?: number
}

/** `berth history`: what was applied under a name. */
export const history: Register = (program, cli) => {
  remoteInProject(
    program
      .command('history')
      .description('list what was applied before, newest first: the last ten at most')
      .argument('<name>', 'name of the workload')
      .option('--show <generation>', 'show the manifest of this generation instead', wholeNumber),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  berth history chat\n  berth history chat --show 3\n  berth rollback chat --to 3',
    )
    .action(async (name: string, flags: HistoryFlags) => {
      const revisions = await berthOf(cli, flags).history({ project: projectOf(cli, flags), name })
      if (flags.show === undefined) {
        const text = (): string => printHistory(revisions, { name, same: projectFlag(flags), nowMs: cli.clock.nowMs() })
        return answer(cli, flags.output, { data: revisions, text })
      }
      const shown = revisionIn(revisions, name, flags.show)
      return answer(cli, flags.output, { data: shown, text: () => shown.text.trimEnd(), lines: 'as-is' })
    })
}

/** The one of this generation; a refusal with those that there are. */
export function revisionIn(revisions: readonly RevisionView[], name: string, generation: number): RevisionView {
  const found = revisions.find((one) => one.generation === generation)
  if (found !== undefined) return found
  const known = revisions.map((one) => one.generation).join(', ')
  throw refuse('NOT_FOUND', `What ${name} was in generation ${generation} is not remembered.`, `These are: ${known}`)
}

interface HistoryScreen {
  readonly name: string
  readonly same: string
  readonly nowMs: number
}

function printHistory(revisions: readonly RevisionView[], { name, same, nowMs }: HistoryScreen): string {
  const columns = [{ head: 'GENERATION', align: 'right' as const }, { head: 'SINCE' }, { head: 'CHANGED' }]
  const rows = revisions.map(({ generation, text, at_ms: atMs }, index) => {
    return [`${generation}`, ago(atMs, nowMs), changedText(revisions[index + 1]?.text, text)]
  })
  const [, last] = revisions
  const next =
    last === undefined
      ? ''
      : `\n\nNext:  berth rollback ${name}${same}      berth history ${name}${same} --show ${last.generation}`
  return `${table(columns, rows).join('\n')}${next}`
}

const FIELDS_SHOWN = 4

/** Names of the fields that it says differently from the one before. */
function changedText(before: string | undefined, text: string): string {
  const [from, to] = [before === undefined ? undefined : rootOf(before), rootOf(text)]
  if (from === undefined || to === undefined) return before === undefined ? 'the first that is remembered' : '?'
  const fields = differenceOf(from, to).map(({ field }) => plain(field))
  const rest = fields.length - FIELDS_SHOWN
  if (fields.length === 0) return 'nothing but its form'
  return `${fields.slice(0, FIELDS_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function rootOf(text: string): DocNode | undefined {
  const read = readYaml(text, 'manifest')
  return 'problems' in read ? undefined : read.document.root
}
