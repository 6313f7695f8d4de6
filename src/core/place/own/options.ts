import { must } from '../../base/assert.ts'
import type { Request } from '../../fleet/fleet.ts'
import { int } from '../../pack/engine/read.ts'
import type { FleetPacking } from '../../pack/owned/packing.ts'
import type { Band } from '../tally.ts'

/** A row of a fleet that fits, and what it would take of its node; undefined: not known in this form. */
export interface Option {
  readonly row: number
  readonly band: Band
  /** In the price order. */
  readonly position: number
  readonly fleet: number
  readonly node: number
  readonly request: Request | undefined
}

export interface Asking extends Option {
  readonly request: Request
}

/** All options of one band, as a range of places. */
export interface Stretch {
  readonly band: Band
  readonly fleet: number
  readonly from: number
  readonly to: number
}

/** The options, column by column: a need over a large fleet has one for each node. */
export interface OptionTable {
  readonly rows: Int32Array
  readonly positions: Int32Array
  readonly nodes: Int32Array
  /** Index into `requests`; -1: it is not known what the option would take. */
  readonly forms: Int32Array
  /** What is asked of nodes, each form once. */
  readonly requests: readonly Request[]
  /** In the order of their places. */
  readonly stretches: readonly Stretch[]
  /** Indices of the bands that fit and do not lie in fleets altogether. */
  readonly elsewhere: readonly number[]
}

/** Where the engine finds the scores of options, by their place. */
export interface OptionColumns {
  /** Index of the request in `OwnOptions.requests`; -1: it states none. */
  readonly request: Int32Array
  readonly view: Int32Array
  readonly pool: Int32Array
}

/**
 * The rows of fleets that fit a need, each known by its place. They follow from the offers alone, whatever is reserved, so
 * they are worked out once for many decisions.
 */
export class OwnOptions {
  readonly #table: OptionTable
  /** By row, from the lowest one on: its place. */
  #places: { readonly lowest: number; readonly of: Int32Array } | undefined
  readonly #asking = new Map<number, readonly Asking[]>()
  readonly #columns = new WeakMap<FleetPacking, OptionColumns>()

  constructor(table: OptionTable) {
    this.#table = table
  }

  get requests(): readonly Request[] {
    return this.#table.requests
  }

  get stretches(): readonly Stretch[] {
    return this.#table.stretches
  }

  get elsewhere(): readonly number[] {
    return this.#table.elsewhere
  }

  /** Every option, in the order of their places. */
  get all(): readonly Option[] {
    return Array.from(this.#table.rows, (_, place) => must(this.at(place), 'inside'))
  }

  at(place: number): Option | undefined {
    const { rows, positions, nodes, requests, forms } = this.#table
    if (place < 0 || place >= rows.length) return undefined
    const { band, fleet } = this.#stretchAt(place)
    const [row, position, node] = [int(rows, place), int(positions, place), int(nodes, place)]
    return { row, band, position, fleet, node, request: requests[int(forms, place)] }
  }

  rowAt(place: number): number {
    return int(this.#table.rows, place)
  }

  positionAt(place: number): number {
    return int(this.#table.positions, place)
  }

  fleetAt(place: number): number {
    return this.#stretchAt(place).fleet
  }

  requestAt(place: number): Request | undefined {
    return this.#table.requests[int(this.#table.forms, place)]
  }

  /** Its place; -1: the row belongs to no fleet. */
  placeOf(row: number): number {
    const { lowest, of } = (this.#places ??= placesIn(this.#table.rows))
    return of[row - lowest] ?? -1
  }

  get(row: number): Option | undefined {
    return this.at(this.placeOf(row))
  }

  /** Options of a fleet that state what they would take. */
  asking(fleet: number): readonly Asking[] {
    const known = this.#asking.get(fleet)
    if (known !== undefined) return known
    const found = this.all.filter((option): option is Asking => option.fleet === fleet && option.request !== undefined)
    this.#asking.set(fleet, found)
    return found
  }

  /** Where the scores of options are found; of options in other fleets, nothing is said. */
  columns(fleet: number, packing: FleetPacking): OptionColumns {
    const known = this.#columns.get(packing)
    if (known !== undefined) return known
    const { nodes, forms, requests, stretches } = this.#table
    const { length } = nodes
    const columns = {
      request: new Int32Array(length).fill(-1),
      view: new Int32Array(length).fill(-1),
      pool: new Int32Array(length).fill(-1),
    }
    for (const { fleet: own, from, to } of stretches) {
      if (own !== fleet) continue
      for (let place = from; place < to; place++) {
        const request = requests[int(forms, place)]
        if (request === undefined) continue
        const { view, pool } = packing.viewOf(int(nodes, place), request)
        if (view < 0) continue
        columns.request[place] = int(forms, place)
        columns.view[place] = view
        columns.pool[place] = pool
      }
    }
    this.#columns.set(packing, columns)
    return columns
  }

  #stretchAt(place: number): Stretch {
    const { stretches } = this.#table
    let low = 0
    let high = stretches.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (must(stretches[middle], 'inside').to <= place) low = middle + 1
      else high = middle
    }
    return must(stretches[low], 'a stretch holds every place')
  }
}

function placesIn(rows: Int32Array): { readonly lowest: number; readonly of: Int32Array } {
  let [lowest, highest] = [Infinity, -1]
  for (const row of rows) {
    lowest = Math.min(lowest, row)
    highest = Math.max(highest, row)
  }
  if (highest < 0) return { lowest: 0, of: new Int32Array(0) }
  const of = new Int32Array(highest - lowest + 1).fill(-1)
  for (let place = 0; place < rows.length; place++) of[int(rows, place) - lowest] = place
  return { lowest, of }
}
