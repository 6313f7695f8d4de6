import { at, listingAt, machineIn, type Rows, type Snapshot } from '../../offer/snapshot.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { ranksOf } from '../../pack/engine/packer.ts'
import { int } from '../../pack/engine/read.ts'

/** What the rows of a snapshot are in its fleets, whatever is asked. Worked out once for all needs. */
export interface FleetRows {
  /** By group: its fleet, or -1. */
  readonly fleetOf: Int32Array
  /** By row: its node in that fleet, or -1. */
  readonly nodeOf: Int32Array
  /** By row: its rank among the rows of its fleet, by the id of its node, then by its own id. */
  readonly rankOf: () => Int32Array
}

/** The rows of the fleets of a snapshot. */
export function fleetRows(snapshot: Snapshot): FleetRows {
  const fleets = snapshot.fleets.map(({ fleet }) => fleet)
  const known = KNOWN.get(snapshot.rows)
  if (known?.fleets.length === fleets.length && known.fleets.every((fleet, index) => fleet === fleets[index]))
    return known.found
  const found = find(snapshot)
  KNOWN.set(snapshot.rows, { fleets, found })
  return found
}

/** Snapshots share their rows if they differ only in what runs in fleets. */
const KNOWN = new WeakMap<Rows, { readonly fleets: readonly Fleet[]; readonly found: FleetRows }>()

function find(snapshot: Snapshot): FleetRows {
  const { fleets, sites, groups, rows, strings } = snapshot
  const ofSite = sites.map(({ provider, region }) =>
    fleets.findIndex((fleet) => fleet.provider === provider && fleet.region === region),
  )
  const names = fleets.map(({ fleet }) => new Map(fleet.nodes.map(({ id }, index) => [id, index])))
  const fleetOf = Int32Array.from(groups.site, (site, group) =>
    machineIn(snapshot, group).capacity === 'owned' ? (ofSite[site] ?? -1) : -1,
  )
  const nodeOf = new Int32Array(rows.instance.length).fill(-1)
  fleetOf.forEach((fleet, group) => {
    const own = names[fleet]
    if (own === undefined) return
    for (let row = at(groups.start, group); row < at(groups.start, group + 1); row++)
      nodeOf[row] = own.get(strings[at(rows.instance, row)] ?? '') ?? -1
  })
  let ranks: Int32Array | undefined
  return { fleetOf, nodeOf, rankOf: () => (ranks ??= rankRows(snapshot, fleetOf, nodeOf)) }
}

function rankRows(snapshot: Snapshot, fleetOf: Int32Array, nodeOf: Int32Array): Int32Array {
  const { groups, fleets } = snapshot
  const nodeRanks = fleets.map(({ fleet }) => ranksOf(fleet))
  const rankOf = new Int32Array(nodeOf.length).fill(-1)
  const found: number[] = []
  fleetOf.forEach((fleet, group) => {
    if (fleet < 0) return
    for (let row = at(groups.start, group); row < at(groups.start, group + 1); row++) {
      const node = int(nodeOf, row)
      if (node < 0) continue
      rankOf[row] = nodeRanks[fleet]?.[node] ?? 0
      found.push(row)
    }
  })
  const compare = (one: number, two: number): number => {
    const byNode = int(rankOf, one) - int(rankOf, two)
    if (byNode !== 0) return byNode
    return listingAt(snapshot, one).id < listingAt(snapshot, two).id ? -1 : 1
  }
  const sorted = found.sort(compare)
  sorted.forEach((row, rank) => (rankOf[row] = rank))
  return rankOf
}
