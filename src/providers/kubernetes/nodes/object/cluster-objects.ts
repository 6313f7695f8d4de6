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

interface Kinded {
  readonly kind: string
  /** Undefined: a typed list that is empty. */
  readonly value: unknown
}

function unfold(value: unknown, listed: string | undefined): readonly Kinded[] {
  const kind = textAt(value, 'kind') ?? listed ?? guessed(value)
  if (!kind.endsWith('List') || !isMap(value)) return [{ kind, value }]
  const of = kind === 'List' ? undefined : kind.slice(0, -'List'.length)
  const empty: readonly Kinded[] = of === undefined ? [] : [{ kind: of, value: undefined }]
  return [...empty, ...listAt(value, 'items').flatMap((item) => unfold(item, of))]
}

/** Items without a kind are a list; what else has none is taken for a node, so that it is named where it is broken. */
function guessed(value: unknown): string {
  return isMap(value) && Array.isArray(value['items']) ? 'List' : 'Node'
}
