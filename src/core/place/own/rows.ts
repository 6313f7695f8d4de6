import type { Request, FleetNode } from '../../fleet/fleet.ts'
import { must } from '../../base/assert.ts'
import type { Need } from '../../requirement/need/need.ts'
import { at, machineIn, type Snapshot } from '../../offer/snapshot.ts'
import { int } from '../../pack/engine/read.ts'
import { FleetRoom } from '../../pack/owned/room.ts'
import type { OwnedFleet } from '../../fleet/owned-fleet.ts'
import { fleetRows, type FleetRows } from './fleet-rows.ts'
import { optionTable } from './option-table.ts'
import { OwnOptions } from './options.ts'
import { requestOn } from './request.ts'
import { failing, type Band, type Tally } from '../tally.ts'

/** The fleets of a snapshot while a plan is made: which rows are theirs, and what is left of them. */
export class OwnRows {
  readonly snapshot: Snapshot
  readonly #rows: FleetRows
  readonly #rooms = new Map<number, FleetRoom>()

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot
    this.#rows = fleetRows(snapshot)
  }

  get fleets(): readonly OwnedFleet[] {
    return this.snapshot.fleets
  }

  /** By row: its rank among the rows of its fleet, by the id of its node, then by its own id. */
  get ranks(): Int32Array {
    return this.#rows.rankOf()
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
    const found = new OwnOptions(optionTable(this.snapshot, this.#rows, { tally, need }))
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
    const fleet = this.#fleetOf(band)
    if (fleet < 0) return
    for (let position = band.from; position < band.to; position++) {
      const node = int(this.#rows.nodeOf, at(rows, position))
      if (node >= 0) visit({ fleet, node })
    }
  }

  #fleetOf({ group }: Band): number {
    return int(this.#rows.fleetOf, group)
  }

  #node(fleet: number, node: number): FleetNode {
    return must(this.fleets[fleet]?.fleet.nodes[node], 'a node of the fleet')
  }
}

interface Visited {
  readonly fleet: number
  readonly node: number
}

const FITTING = new WeakMap<Tally, OwnOptions>()

function isOnlySoldOut(band: Band): boolean {
  const [first, ...others] = failing(band)
  return first?.name === 'stock' && others.length === 0
}
