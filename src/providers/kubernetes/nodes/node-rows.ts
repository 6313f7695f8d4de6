import { taintKind } from './health/taints.ts'
import type { ClusterObjects } from './object/cluster-objects.ts'
import { readCluster, type ReadNode, type UnreadNode } from './read-cluster.ts'

/** What a node is taken for, in the form that scripts read; null means unknown. */
export interface NodeRow {
  readonly name: string | null
  readonly vendor: string | null
  /** Id in the hardware table. */
  readonly model: string | null
  readonly cards: number | null
  readonly free_cards: number | null
  /** Memory of a whole card. */
  readonly vram_gib: number | null
  readonly arch: string | null
  readonly driver: string | null
  readonly cuda: string | null
  readonly sharing: string | null
  /** Slices by profile. */
  readonly mig: Readonly<Record<string, number>>
  readonly usable: boolean | null
  readonly why: string
}

/** One row for each node, broken ones last. */
export function nodeRows(objects: ClusterObjects): readonly NodeRow[] {
  const { nodes, unread } = readCluster(objects)
  return [...nodes.map(rowOf), ...unread.map(brokenRow)]
}

function rowOf({ object, reading }: ReadNode): NodeRow {
  return {
    name: reading.name,
    vendor: reading.vendor ?? null,
    model: reading.model ?? null,
    cards: reading.cards ?? null,
    free_cards: reading.free ?? null,
    vram_gib: reading.vramGib ?? null,
    arch: reading.arch ?? null,
    driver: reading.driver ?? null,
    cuda: reading.cuda ?? null,
    sharing: reading.sharing ?? null,
    mig: Object.fromEntries([...reading.mig].toSorted(([one], [two]) => (one < two ? -1 : 1))),
    usable: reading.usable === true && isEvicting(object) ? null : (reading.usable ?? null),
    why: reading.why.join(' '),
  }
}

/** It may belong to somebody in particular, or be on its way to be emptied. */
function isEvicting({ taints }: ReadNode['object']): boolean {
  return taints.some((taint) => taint.effect === 'NoExecute' && taintKind(taint) === 'foreign')
}

function brokenRow({ name, why }: UnreadNode): NodeRow {
  return {
    name: name ?? null,
    vendor: null,
    model: null,
    cards: null,
    free_cards: null,
    vram_gib: null,
    arch: null,
    driver: null,
    cuda: null,
    sharing: null,
    mig: {},
    usable: null,
    why: `This object cannot be read as a node: ${why}.`,
  }
}
