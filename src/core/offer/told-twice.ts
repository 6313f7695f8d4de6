import { must } from '../base/assert.ts'
import { at, machineIn, stateIn, type Snapshot } from './snapshot.ts'

/** The rows of a partly used node: the node as if it were empty, and what is free on it. */
export interface ToldTwice {
  readonly full: readonly number[]
  readonly free: readonly number[]
}

/** Nodes that have both a row as full and rows for what is free. Computed once for each snapshot. */
export function toldTwice(snapshot: Snapshot): readonly ToldTwice[] {
  const known = REMEMBERED.get(snapshot)
  if (known !== undefined) return known
  const found = findTwice(snapshot)
  REMEMBERED.set(snapshot, found)
  return found
}

/** How many rows to subtract when offers are counted: a partly used node is one offer. */
export function extraRows({ full, free }: ToldTwice): number {
  return Math.min(full.length, free.length)
}

const REMEMBERED = new WeakMap<Snapshot, readonly ToldTwice[]>()

function findTwice(snapshot: Snapshot): readonly ToldTwice[] {
  if (!snapshot.states.some(({ stock }) => stock === 'full')) return []
  const nodes = new Map<string, { full: number[]; free: number[] }>()
  const { groups, rows } = snapshot
  for (let group = 0; group < groups.machine.length; group++) {
    if (machineIn(snapshot, group).capacity !== 'owned') continue
    const kind = stateIn(snapshot, group).stock === 'full' ? 'full' : 'free'
    for (let row = at(groups.start, group); row < at(groups.start, group + 1); row++) {
      const key = `${at(groups.site, group)} ${at(rows.zone, row)} ${at(rows.instance, row)}`
      if (!nodes.has(key)) nodes.set(key, { full: [], free: [] })
      must(nodes.get(key), 'just set')[kind].push(row)
    }
  }
  return [...nodes.values()].filter((node) => extraRows(node) > 0)
}
