import { isMap, listAt, textAt } from './json.ts'

/** Objects of a cluster, sorted by kind. */
export interface ClusterObjects {
  readonly nodes: readonly unknown[]
  /** Undefined: none were given, so what runs is unknown. */
  readonly pods: readonly unknown[] | undefined
  readonly slices: readonly unknown[] | undefined
  readonly claims: readonly unknown[] | undefined
}

/** Sorts objects by kind; a list stands for its items, and an item of a typed list has the kind that its list names. */
export function sortObjects(values: readonly unknown[]): ClusterObjects {
  const sorted = new Map<string, unknown[]>()
  for (const { kind, value } of values.flatMap((value) => unfold(value, undefined))) {
    const same = sorted.get(kind) ?? []
    sorted.set(kind, same)
    if (value !== undefined) same.push(value)
  }
  return {
    nodes: sorted.get('Node') ?? [],
    pods: sorted.get('Pod'),
    slices: sorted.get('ResourceSlice'),
    claims: sorted.get('ResourceClaim'),
  }
}

/** What was given instead of nodes, for people: `2 × Pod, Service`; empty if nothing was. Undefined: there are nodes. */
export function insteadOfNodes(values: readonly unknown[]): string | undefined {
  const given = values.flatMap((value) => unfold(value, undefined)).filter(({ value }) => value !== undefined)
  if (given.some(({ kind, isGuess }) => kind === 'Node' && !isGuess)) return undefined
  const counted = Map.groupBy(given, ({ kind, isGuess, value }) => (isGuess ? shapeOf(value) : kind))
  return [...counted].map(([kind, same]) => (same.length === 1 ? kind : `${same.length} × ${kind}`)).join(', ')
}

function shapeOf(value: unknown): string {
  if (isMap(value)) return 'an object without a kind'
  return Array.isArray(value) ? 'a list without a kind' : typeof value === 'string' ? 'text' : `${value}`
}

interface Kinded {
  readonly kind: string
  /** Undefined: a typed list that is empty. */
  readonly value: unknown
  /** Neither the object nor its list says what it is, and it has no name. */
  readonly isGuess: boolean
}

function unfold(value: unknown, listed: string | undefined): readonly Kinded[] {
  const stated = textAt(value, 'kind') ?? listed
  const kind = stated ?? guessed(value)
  const isGuess = stated === undefined && textAt(value, 'metadata', 'name') === undefined
  if (!kind.endsWith('List') || !isMap(value)) return [{ kind, value, isGuess }]
  const of = kind === 'List' ? undefined : kind.slice(0, -'List'.length)
  const empty: readonly Kinded[] = of === undefined ? [] : [{ kind: of, value: undefined, isGuess: false }]
  return [...empty, ...listAt(value, 'items').flatMap((item) => unfold(item, of))]
}

/** Items without a kind are a list; what else has none is taken for a node, so that it is named where it is broken. */
function guessed(value: unknown): string {
  return isMap(value) && Array.isArray(value['items']) ? 'List' : 'Node'
}
