import type { Mark, Path, SourceDocument } from '../document/document.ts'
import { entryAt, nodeAt, placeOf, printable } from '../document/look-up.ts'
import type { Problem } from '../base/problem.ts'
import { listAt, mapAt, textOf } from './rules/rule.ts'

/** Keys of a manifest that are checked and stored but that nothing acts on yet. */
export interface WithoutEffect {
  readonly keys: readonly IdleKey[]
  /** What does not happen; continues "has no effect yet: ". */
  readonly why: string
  /** What to do until the key works. */
  readonly meanwhile: string
  /** It never will have one there. */
  readonly isForGood?: true
}

export interface IdleKey {
  /** As users write it; `*` stands for the name of a role. */
  readonly path: string
  /** Only this value of the key, or of its list; when left out, every value. */
  readonly value?: string
  /** Only where the value differs from that of this sibling key. */
  readonly unlike?: string
  /** Only where nothing may run beside its predecessor: jobs, several machines, and storage that is written to. */
  readonly alone?: true
  /** Only in jobs. */
  readonly job?: true
  /** Only while the folder of checkpoints is not in storage that outlives the machine. */
  readonly unsaved?: true
}

/**
 * Every key that a manifest may state without effect. A change that makes a key work removes it here. A house test
 * compares the table with what the shipped code reads.
 */
export const WITHOUT_EFFECT: readonly WithoutEffect[] = [
  {
    keys: [
      { path: 'replicas.max', unlike: 'min' },
      { path: 'replicas.target' },
      { path: 'roles.*.replicas.max', unlike: 'min' },
      { path: 'roles.*.replicas.target' },
    ],
    why: 'Berth does not scale by itself; it keeps `min` replicas running.',
    meanwhile: 'Set the number by hand: berth scale NAME N',
  },
  {
    keys: [{ path: 'roles.*.reserve' }],
    why: 'a plan shows where the headroom would be, but the control plane does not keep it free.',
    meanwhile: 'Give the role more replicas if it needs spare capacity at once.',
  },
  {
    keys: [{ path: 'restart.class' }],
    why: 'both classes are restarted in the same way. The class is only shown where a plan lists work that could make room.',
    meanwhile: 'Set how often it may fail with restart.max.',
  },
  {
    keys: [
      { path: 'checkpoint.path', unsaved: true },
      { path: 'checkpoint.every', unsaved: true },
    ],
    why: 'checkpoints are seen only in `storage` with `from` and `mode: rw`. Elsewhere they are lost with the machine, do not count as progress, and a restart does not know where to resume.',
    meanwhile: 'Put the path into such storage.',
  },
  {
    keys: [
      { path: 'migration.on', value: 'outage', alone: true },
      { path: 'migration.grace', alone: true },
    ],
    why: 'only replicas of services on one machine, without storage that they write to, get a successor while their provider does not answer: anything else could run twice, so it is left alone.',
    meanwhile: 'Move it by hand when its provider answers again: add drain to migration.on, then berth drain PROVIDER',
  },
  {
    keys: [
      { path: 'routing.affinity', job: true },
      { path: 'routing.hedge', job: true },
    ],
    why: 'callers are routed to services alone.',
    meanwhile: 'Leave it out, or write kind: service if it answers requests.',
    isForGood: true,
  },
  {
    keys: [{ path: 'migration.on', value: 'price_drop' }, { path: 'migration.price_drop' }],
    why: 'a lower price does not move running work.',
    meanwhile: 'Place it again by hand, at current prices: berth stop NAME, then berth rerun NAME',
  },
]

/** Warnings about keys that have no effect, one per entry of the table, at the first such key. */
export function idleStatements(document: SourceDocument): readonly Problem[] {
  return WITHOUT_EFFECT.flatMap(({ keys, why, meanwhile, isForGood }) => {
    const found = keys.flatMap((key) => statedAs(document, key))
    const [first] = found
    if (first === undefined) return []
    const names = found.map(({ name }) => `\`${name}\``).join(', ')
    const message = `${names} ${found.length === 1 ? 'has' : 'have'} no effect${isForGood === true ? '' : ' yet'}: ${why}`
    return [{ code: 'NO_EFFECT_YET', message, hint: meanwhile, found: first.name, place: placeOf(document, first.at) }]
  })
}

interface Stated {
  readonly name: string
  readonly at: Mark
}

function statedAs(document: SourceDocument, { path, value, unlike, unsaved, alone, job }: IdleKey): readonly Stated[] {
  if (job === true && textOf(nodeAt(document, ['kind'])) !== 'job') return []
  if (unsaved === true && isSaved(document)) return []
  if (alone === true && !isAlone(document)) return []
  return pathsOf(document, path.split('.')).flatMap((at): readonly Stated[] => {
    const name = at.map((step) => printable(String(step))).join('.')
    if (value !== undefined) {
      const item = listAt(document, at)?.items.find((each) => textOf(each) === value)
      return item === undefined ? [] : [{ name: `${name}: ${value}`, at: item.at }]
    }
    const entry = entryAt(document, at)
    if (entry === undefined) return []
    const other = unlike === undefined ? undefined : nodeAt(document, [...at.slice(0, -1), unlike])
    const isSame = unlike !== undefined && textOf(other) === textOf(entry.value)
    return isSame ? [] : [{ name, at: entry.keyAt }]
  })
}

/** Whether a second attempt beside the first could do harm. */
function isAlone(document: SourceDocument): boolean {
  const isService = textOf(nodeAt(document, ['kind'])) === 'service'
  const isGang = Number(textOf(nodeAt(document, ['nodes'])) ?? 1) > 1
  const volumes = listAt(document, ['storage'])?.items ?? []
  const isWritten = volumes.some((_, index) => {
    const of = (key: string): string | undefined => textOf(nodeAt(document, ['storage', index, key]))
    return of('from') !== undefined && of('mode') === 'rw'
  })
  return !isService || isGang || isWritten
}

/** Whether checkpoints are written to an object store. */
function isSaved(document: SourceDocument): boolean {
  const folder = textOf(nodeAt(document, ['checkpoint', 'path'])) ?? ''
  return (listAt(document, ['storage'])?.items ?? []).some((_, index) => {
    const of = (key: string): string | undefined => textOf(nodeAt(document, ['storage', index, key]))
    const mount = (of('mount') ?? '').replace(/\/+$/, '')
    return of('from') !== undefined && of('mode') === 'rw' && `${folder}/`.startsWith(`${mount}/`)
  })
}

/** The paths in a document that match a pattern. */
function pathsOf(document: SourceDocument, [step, ...rest]: readonly string[], before: Path = []): readonly Path[] {
  if (step === undefined) return [before]
  const steps = step === '*' ? (mapAt(document, before)?.entries ?? []).map(({ key }) => key) : [step]
  return steps.flatMap((one) => pathsOf(document, rest, [...before, one]))
}
