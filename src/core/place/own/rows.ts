import type { Fleet, Request, FleetNode } from '../../fleet/fleet.ts'
import { must } from '../../base/assert.ts'
import type { Need } from '../../requirement/need/need.ts'
import { at, machineIn, type Snapshot } from '../../offer/snapshot.ts'
import { FleetRoom } from '../../pack/owned/room.ts'
import type { OwnedFleet } from '../../fleet/owned-fleet.ts'
import { OwnOptions, type Option } from './options.ts'
import { requestOn } from './request.ts'
import { failing, type Band, type Tally } from '../tally.ts'

/** The fleets of a snapshot while a plan is made: which rows are theirs, and what is left of them. */
export class OwnRows {
  readonly snapshot: Snapshot
  /** Fleet of each site, or -1. */
  readonly #fleetOf: Int32Array
  readonly #nodes: readonly ReadonlyMap<string, number>[]
  readonly #rooms = new Map<number, FleetRoom>()

  constructor(snapshot: Snapshot) {
    const { fleets, sites } = snapshot
    this.snapshot = snapshot
    this.#fleetOf = Int32Array.from(sites, ({ provider, region }) =>
      fleets.findIndex((fleet) => fleet.provider === provider && fleet.region === region),
    )
    this.#nodes = fleets.map(({ fleet }) => namesIn(fleet))
  }

  get fleets(): readonly OwnedFleet[] {
    return this.snapshot.fleets
  }

  /** Filled with what runs there on first use. */
  room(fleet: number): FleetRoom {
    const known = this.#rooms.get(fleet)
    if (known !== undefined) return known
    const room = new FleetRoom(must(this.fleets[fleet], 'a fleet of the snapshot'))
    this.#rooms.set(fleet, room)
    return room
  }

  /** The rows of fleets that fit an ask. Worked out once for each tally, which belongs to one need. */
  fitting(tally: Tally, need: Need): OwnOptions {
    const known = FITTING.get(tally)
    if (known !== undefined) return known
    const options: Option[] = []
    const inFleets: Band[] = []
    const elsewhere: number[] = []
    for (const [index, band] of tally.fits.entries()) {
      const before = options.length
      const requests = new Map<boolean, Request | undefined>()
      this.#visit(band, tally.order.rows, ({ row, position, fleet, node }) => {
        const about = this.#node(fleet, node)
        const hasDisk = about.diskMib !== undefined
        // All rows of a band are offers of equal machines.
        if (!requests.has(hasDisk)) requests.set(hasDisk, requestOn(need, machineIn(this.snapshot, band.group), about))
        options.push({ row, band, position, fleet, node, request: requests.get(hasDisk) })
      })
      if (options.length - before === band.to - band.from) inFleets.push(band)
      else elsewhere.push(index)
    }
    const found = new OwnOptions(smallestSlices(options), { inFleets, elsewhere })
    FITTING.set(tally, found)
    return found
  }

  /** Nodes that would fit if nothing ran there, by fleet. */
  busy({ near, order }: Tally, need: Need): ReadonlyMap<number, ReadonlyMap<number, Request>> {
    const found = new Map<number, Map<number, Request>>()
    for (const band of near) {
      if (!isOnlySoldOut(band)) continue
      this.#visit(band, order.rows, ({ fleet, node }) => {
        const request = requestOn(need, machineIn(this.snapshot, band.group), this.#node(fleet, node))
        const own = found.get(fleet) ?? new Map<number, Request>()
        found.set(fleet, own)
        if (request !== undefined) own.set(node, request)
      })
    }
    return found
  }

  #visit(band: Band, rows: Uint32Array, visit: (spot: Visited) => void): void {
    const { groups, rows: columns, strings } = this.snapshot
    const fleet = this.#fleetOf[at(groups.site, band.group)] ?? -1
    if (fleet < 0 || machineIn(this.snapshot, band.group).capacity !== 'owned') return
    for (let position = band.from; position < band.to; position++) {
      const row = at(rows, position)
      const node = this.#nodes[fleet]?.get(strings[at(columns.instance, row)] ?? '')
      if (node !== undefined) visit({ row, position, fleet, node })
    }
  }

  #node(fleet: number, node: number): FleetNode {
    return must(this.fleets[fleet]?.fleet.nodes[node], 'a node of the fleet')
  }
}

/** The position of each node, by name. */
function namesIn(fleet: Fleet): ReadonlyMap<string, number> {
  const known = NAMES.get(fleet) ?? new Map(fleet.nodes.map(({ id }, index) => [id, index]))
  NAMES.set(fleet, known)
  return known
}

const NAMES = new WeakMap<Fleet, ReadonlyMap<string, number>>()

interface Visited {
  readonly row: number
  readonly position: number
  readonly fleet: number
  readonly node: number
}

/** Of the slices that a node could be cut into, only the smallest that fits is taken. */
function smallestSlices(options: readonly Option[]): readonly Option[] {
  const smallest = new Map<string, number>()
  for (const { fleet, node, request } of options) {
    if (request?.part.kind !== 'slice') continue
    const key = `${fleet} ${node}`
    smallest.set(key, Math.min(smallest.get(key) ?? Number.POSITIVE_INFINITY, request.part.vramGib))
  }
  if (smallest.size === 0) return options
  return options.map((option) => {
    const { fleet, node, request } = option
    const isLarger = request?.part.kind === 'slice' && request.part.vramGib > (smallest.get(`${fleet} ${node}`) ?? 0)
    return isLarger ? { ...option, request: undefined } : option
  })
}

const FITTING = new WeakMap<Tally, OwnOptions>()

function isOnlySoldOut(band: Band): boolean {
  const [first, ...others] = failing(band)
  return first?.name === 'stock' && others.length === 0
}
