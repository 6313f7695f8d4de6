import { differenceOf, type FieldChange } from '../../core/manifest/difference.ts'
import { refuse } from '../../core/base/refuse.ts'
import type { DocNode } from '../../core/document/document.ts'
import { readYaml } from '../../formats/yaml/yaml.ts'
import type { RevisionView } from '../../ports/berth.ts'
import type { Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, projectFlag, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { wholeNumber } from './scale.ts'
import { table } from '../terminal/table.ts'
import { ago } from '../words/keep.ts'
import { plain } from '../../core/base/words.ts'

interface HistoryFlags extends ProjectFlags {
  readonly show?: number
}

/** `berth history`: the manifests that were applied to a workload. */
export const history: Register = (program, cli) => {
  remoteInProject(
    program
      .command('history')
      .description('list the last ten applied manifests, newest first')
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

/** The manifest of this generation. Throws with the known generations when there is none. */
export function revisionIn(revisions: readonly RevisionView[], name: string, generation: number): RevisionView {
  const found = revisions.find((one) => one.generation === generation)
  if (found !== undefined) return found
  const known = revisions.map((one) => one.generation).join(', ')
  throw refuse(
    'NOT_FOUND',
    `Generation ${generation} of ${name} is not in the history.`,
    `Generations in the history: ${known}`,
  )
}

/** What goes back: what runs, with as many replicas as there are now, or all that the manifest says. */
export type Back = 'what-runs' | 'all'

/** The last manifest that differs from the current one and was up, else the last whose success is unknown. */
export function wayBack(revisions: readonly RevisionView[], back: Back): RevisionView | undefined {
  const others = othersIn(revisions, back)
  return others.find(({ stood }) => stood === true) ?? others.find(({ stood }) => stood === undefined)
}

/** The earlier manifests that differ from the current one in what would go back. */
export function othersIn([now, ...before]: readonly RevisionView[], back: Back): readonly RevisionView[] {
  return before.filter(({ text }) => text !== now?.text && (back === 'all' || runsOther(text, now?.text ?? '')))
}

function runsOther(one: string, other: string): boolean {
  const [from, to] = [rootOf(one), rootOf(other)]
  if (from === undefined || to === undefined) return true
  return differenceOf(from, to).some(({ field }) => !REPLICAS.test(field))
}

const REPLICAS = /(?:^|\.)replicas(?:\.|$)/

interface HistoryScreen {
  readonly name: string
  readonly same: string
  readonly nowMs: number
}

function printHistory(revisions: readonly RevisionView[], { name, same, nowMs }: HistoryScreen): string {
  const isKnown = revisions.some(({ stood }) => stood !== undefined)
  const columns = [
    { head: 'GENERATION', align: 'right' as const },
    { head: 'SINCE' },
    ...(isKnown ? [{ head: 'WAS UP' }] : []),
    { head: 'CHANGED' },
  ]
  const rows = revisions.map((one, index) => [
    `${one.generation}`,
    ago(one.at_ms, nowMs),
    ...(isKnown ? [stoodText(one, index === 0)] : []),
    changedText(one, revisions.slice(index + 1)),
  ])
  const back = wayBack(revisions, 'what-runs')
  const next =
    back === undefined
      ? ''
      : `\n\nNext:  berth rollback ${name}${same}      berth history ${name}${same} --show ${back.generation}`
  return `${table(columns, rows).join('\n')}${next}`
}

function stoodText({ stood }: RevisionView, isNow: boolean): string {
  if (stood === undefined) return '?'
  return stood ? 'yes' : isNow ? 'not yet' : 'no'
}

const FIELDS_SHOWN = 2

/** What changed from the previous manifest, or which earlier one it repeats. */
function changedText({ text }: RevisionView, before: readonly RevisionView[]): string {
  const [last] = before
  const twin = before.find((one) => one.text === text)
  if (twin !== undefined) return `same as ${twin.generation}`
  const [from, to] = [last === undefined ? undefined : rootOf(last.text), rootOf(text)]
  if (from === undefined || to === undefined) return last === undefined ? 'the first in the history' : '?'
  const fields = differenceOf(from, to)
  const rest = fields.length - FIELDS_SHOWN
  if (fields.length === 0) return 'formatting only'
  const shown = fields.slice(0, FIELDS_SHOWN).map((field) => `${plain(field.field)}: ${valuesText(field)}`)
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const VALUE_SHOWN = 20

/** `… v1 → … v4`: the common beginning of two long values is left out. */
function valuesText({ from, to }: FieldChange): string {
  const same = commonStart(from ?? '', to ?? '')
  return [from, to].map((value) => (value === undefined ? 'not set' : shortened(plain(value), same))).join(' → ')
}

function shortened(value: string, same: number): string {
  if (value.length <= VALUE_SHOWN) return value
  const rest = same === 0 ? value : `… ${value.slice(same)}`
  return rest.length <= VALUE_SHOWN + 2 ? rest : `${rest.slice(0, VALUE_SHOWN)}…`
}

/** The length of the common beginning, in whole words or path segments. */
function commonStart(one: string, two: string): number {
  let at = 0
  while (at < one.length && one[at] === two[at]) at++
  return one.slice(0, at).search(/[^ /]*$/)
}

function rootOf(text: string): DocNode | undefined {
  const read = readYaml(text, 'manifest')
  return 'problems' in read ? undefined : read.document.root
}
