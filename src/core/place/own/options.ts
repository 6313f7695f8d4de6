import type { Request } from '../../fleet/fleet.ts'
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

/** Where the engine finds the scores of options, by their place in `OwnOptions.all`. */
export interface OptionColumns {
  /** Index of the request in `OwnOptions.requests`; -1: it states none. */
  readonly request: Int32Array
  readonly view: Int32Array
  readonly pool: Int32Array
}

/**
 * The rows of fleets that fit a need. They follow from the offers alone, whatever is reserved, so they are worked out once for
 * many decisions.
 */
export class OwnOptions {
  readonly all: readonly Option[]
  /** Bands whose rows all belong to fleets. */
  readonly inFleets: readonly Band[]
  /** Indices of the other bands that fit. */
  readonly elsewhere: readonly number[]
  /** What is asked of nodes, each form once. */
  readonly requests: readonly Request[]
  readonly #at = new Map<number, number>()
  readonly #asking = new Map<number, readonly Asking[]>()
  readonly #columns = new WeakMap<FleetPacking, OptionColumns>()

  constructor(
    all: readonly Option[],
    { inFleets, elsewhere }: { readonly inFleets: readonly Band[]; readonly elsewhere: readonly number[] },
  ) {
    this.all = all
    this.inFleets = inFleets
    this.elsewhere = elsewhere
    this.requests = [...new Set(all.flatMap(({ request }) => request ?? []))]
    for (const [index, { row }] of all.entries()) this.#at.set(row, index)
  }

  /** Its place in `all`; -1: the row belongs to no fleet. */
  indexOf(row: number): number {
    return this.#at.get(row) ?? -1
  }

  get(row: number): Option | undefined {
    return this.all[this.indexOf(row)]
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
    const { length } = this.all
    const columns = { request: new Int32Array(length), view: new Int32Array(length), pool: new Int32Array(length) }
    const at = new Map(this.requests.map((request, index) => [request, index]))
    for (const [index, { fleet: own, node, request }] of this.all.entries()) {
      const isHere = own === fleet && request !== undefined
      const { view, pool } = isHere ? packing.viewOf(node, request) : NOWHERE
      columns.request[index] = view < 0 || request === undefined ? -1 : (at.get(request) ?? -1)
      columns.view[index] = view
      columns.pool[index] = pool
    }
    this.#columns.set(packing, columns)
    return columns
  }
}

const NOWHERE = { view: -1, pool: -1 }
