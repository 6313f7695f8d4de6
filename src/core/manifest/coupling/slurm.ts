import type { Mark } from '../../document/document.ts'
import { printable } from '../../document/look-up.ts'
import { archTargets } from '../../hardware/arch.ts'
import { cardNamed, readCards, saidOfCards } from './card.ts'
import { saidOfCount } from './hardware.ts'
import { ONE_CLUSTERS_LABEL, saidOfWord } from './labels.ts'
import { IN_A_MANIFEST, atKey, itemsIn, textOf, wordsOf } from './rule.ts'
import type { CouplingFinding, CouplingRule, Said, KeySite } from './rule.ts'

/** What an option of sbatch or srun says, by its long name; undefined when it ties the work to nothing. */
const OPTIONS: ReadonlyMap<string, (value: string) => Said | undefined> = new Map([
  ['gres', saidOfGres],
  ['gpus', saidOfGpus],
  ['gpus-per-node', saidOfGpus],
  ['gpus-per-task', saidOfGpus],
  ['partition', () => saidOfWord('pool', NOTHING)],
  ['reservation', () => saidOfWord('pool', NOTHING)],
  ['nodelist', () => saidOfWord('host', NOTHING)],
  ['exclude', () => saidOfWord('host', NOTHING)],
  ['qos', () => saidOfWord('queue', NOTHING)],
  ['constraint', saidOfFeatures],
  ['switches', () => saidOfWord('together', NOTHING)],
])

const SHORT: ReadonlyMap<string, string> = new Map([
  ['G', 'gpus'],
  ['p', 'partition'],
  ['w', 'nodelist'],
  ['x', 'exclude'],
  ['q', 'qos'],
  ['C', 'constraint'],
])

/** The options of a script are at its beginning. */
const LINES_MAX = 256
const LINE_MAX = 1000

const NOTHING = { name: '', values: [], bound: 'there' } as const

/** Options as keys of a map: `partition: a100`, `gres: gpu:h100:4`. */
const keys: CouplingRule = {
  keys: 'gres partition nodelist qos constraint gpus_per_node gpus_per_task',
  read(site) {
    const text = textOf(site.value)
    const option = site.key.replaceAll('_', '-').toLowerCase()
    if (text === undefined || (option === 'partition' && /^\d+$/.test(text))) return []
    const said = OPTIONS.get(option)?.(text)
    return said === undefined ? [] : [atKey(site, said)]
  },
}

/** Options as typed on a command line, under a key that names the tool. */
const typed: CouplingRule = {
  keys: 'sbatch sbatch_args sbatch_options sbatch_flags srun srun_args slurm slurm_args slurm_options slurm_flags',
  read: (site) =>
    itemsIn(site).flatMap(({ node }) => optionsIn(textOf(node) ?? '').flatMap((o) => found(o, node.at, site))),
}

/** Slurm: options as keys, as typed, and as `#SBATCH` lines of a script. */
export const SLURM_RULES: readonly CouplingRule[] = [keys, typed]

interface Option {
  readonly name: string
  readonly value: string
  readonly text: string
}

/** The `#SBATCH` lines inside a text. */
export function readScript(site: KeySite): readonly CouplingFinding[] {
  const { value, document } = site
  if (value.kind !== 'scalar' || !value.text.includes('#SBATCH')) return []
  const length = Math.min(value.text.split('\n').length, LINES_MAX)
  const scripts = document.lines.slice(value.at.line - 1, value.at.line + length)
  return scripts.flatMap((line, index) => {
    const [, rest = ''] = /#SBATCH\s+(.*)$/.exec(line) ?? []
    return optionsIn(rest.slice(0, LINE_MAX)).flatMap((option) => {
      const column = line.indexOf(option.text) + 1
      return found(option, { line: value.at.line + index, column, length: option.text.length }, site)
    })
  })
}

/** `--gres=gpu:h100:4 -p a100` */
function optionsIn(text: string): readonly Option[] {
  return [
    ...text.matchAll(/(?:^|\s)(?:--([a-z-]+)|-([A-Za-z]))(?:=|\s+|(?=\d))("[^"]*"|'[^']*'|[^\s"'\\-][^\s\\]*)/g),
  ].map((match) => {
    const [whole, long, short = '', value = ''] = match
    return { name: long ?? SHORT.get(short) ?? '', value: value.replace(/["']/g, ''), text: whole.trim() }
  })
}

function found({ name, value, text }: Option, at: Mark, { path }: KeySite): readonly CouplingFinding[] {
  const said = OPTIONS.get(name)?.(value)
  return said === undefined ? [] : [{ ...said, at, path, found: printable(text) }]
}

/** `gpu:h100:4`, `gpu:4`, `gpu:a100_1g.10gb:1`, `shard:2` */
function saidOfGres(value: string): Said | undefined {
  const [kind, ...rest] = value.split(':')
  if (kind === 'shard' || kind === 'mps')
    return { does: 'asks for part of a card', lead: IN_A_MANIFEST, gpu: { sharing: 'any' } }
  return kind === 'gpu' ? saidOfGpus(rest.join(':')) : undefined
}

function saidOfGpus(value: string): Said {
  if (value === '') return saidOfCount(1)
  const [, profile] = /(\d+g\.\d+gb)/.exec(value) ?? []
  const [, count = '1'] = /:(\d+)$/.exec(value) ?? []
  return profile === undefined
    ? saidOfCards(readCards(value))
    : saidOfWord('mig', { name: 'nvidia.com/mig-', values: [count, profile], bound: 'is' })
}

/** Features joined by `&`, `|` or `,`. Names of cards and architectures among them have a requirement. */
function saidOfFeatures(value: string): Said {
  const words = wordsOf(value.replace(/[&|,()[\]*]/g, ' '))
  const arch = words.filter((word) => archTargets(word.toLowerCase()) !== undefined)
  const cards = words.map(cardNamed).filter((card) => card.candidates.length > 0)
  if (cards.length > 0) return saidOfCards({ cards })
  if (arch.length === 0) return ONE_CLUSTERS_LABEL
  return saidOfWord('arch', { name: 'constraint', values: arch, bound: 'is' })
}
