import type { Mark, Path, SourceDocument } from '../document/document.ts'
import { entryAt, nodeAt, placeOf, printable } from '../document/look-up.ts'
import type { Problem } from '../base/problem.ts'
import { listAt, mapAt, textOf } from './rules/rule.ts'

/** Keys of a manifest that are checked and kept, and that nothing acts on yet. */
export interface WithoutEffect {
  readonly keys: readonly IdleKey[]
  /** What does not happen: continues "has no effect yet". */
  readonly why: string
  /** What to do until it does. */
  readonly meanwhile: string
}

export interface IdleKey {
  /** As users write it; `*` stands for the name of a role. */
  readonly path: string
  /** Only this value of it, or of its list; left out: every value. */
  readonly value?: string
  /** Only where it differs from this key beside it. */
  readonly unlike?: string
}

/**
 * Everything that a manifest may say without effect. Whoever makes one of them work takes it out of here; a test of the
 * house compares the table with what the shipped code reads, so neither can be forgotten.
 */
export const WITHOUT_EFFECT: readonly WithoutEffect[] = [
  {
    keys: [
      { path: 'replicas.max', unlike: 'min' },
      { path: 'replicas.target' },
      { path: 'roles.*.replicas.max', unlike: 'min' },
      { path: 'roles.*.replicas.target' },
    ],
    why: 'Berth adds and removes no replicas by itself, and keeps `min` of them up.',
    meanwhile: 'Set another number by hand: berth scale NAME N',
  },
  {
    keys: [{ path: 'roles.*.reserve' }],
    why: 'a plan shows where the headroom would be, and the control plane keeps none of it free.',
    meanwhile: 'Give the role more replicas where room has to be there at once.',
  },
  {
    keys: [{ path: 'restart.class' }],
    why: 'work of both classes is started again in the same way; the class is only shown where a plan says what could make way.',
    meanwhile: 'Say with restart.max how often it may fail.',
  },
  {
    keys: [{ path: 'checkpoint.path' }, { path: 'checkpoint.every' }],
    why: 'no provider looks for checkpoints, so none counts as progress and a restart is not told where to resume.',
    meanwhile: 'Let the program look for its newest checkpoint when it starts, and leave room in restart.max.',
  },
  {
    keys: [{ path: 'migration.on', value: 'outage' }],
    why: 'work that its provider reports as dead is started again elsewhere with or without it, and work at a provider that does not answer is left alone.',
    meanwhile: 'Move it by hand: add drain to migration.on, then berth drain PROVIDER',
  },
  {
    keys: [{ path: 'migration.on', value: 'price_drop' }, { path: 'migration.price_drop' }],
    why: 'a lower price moves nothing that runs.',
    meanwhile: 'Have it placed anew by hand, at the prices of that moment: berth stop NAME, then berth rerun NAME',
  },
]

/** What a manifest states without effect, as warnings; each is said once, at the first key that it is about. */
export function idleStatements(document: SourceDocument): readonly Problem[] {
  return WITHOUT_EFFECT.flatMap(({ keys, why, meanwhile }) => {
    const found = keys.flatMap((key) => statedAs(document, key))
    const [first] = found
    if (first === undefined) return []
    const names = found.map(({ name }) => `\`${name}\``).join(', ')
    const message = `${names} ${found.length === 1 ? 'has' : 'have'} no effect yet: ${why}`
    return [{ code: 'NO_EFFECT_YET', message, hint: meanwhile, found: first.name, place: placeOf(document, first.at) }]
  })
}

interface Stated {
  readonly name: string
  readonly at: Mark
}

function statedAs(document: SourceDocument, { path, value, unlike }: IdleKey): readonly Stated[] {
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

/** The paths that a pattern stands for in a document. */
function pathsOf(document: SourceDocument, [step, ...rest]: readonly string[], before: Path = []): readonly Path[] {
  if (step === undefined) return [before]
  const steps = step === '*' ? (mapAt(document, before)?.entries ?? []).map(({ key }) => key) : [step]
  return steps.flatMap((one) => pathsOf(document, rest, [...before, one]))
}
