import { chooses, type OneOf } from '../requirement/need/choice.ts'
import type { Need } from '../requirement/need/need.ts'
import { at, type Snapshot } from '../offer/snapshot.ts'
import { classesOf } from './classes.ts'
import { cardsOf, shareOf, soldIn } from './share.ts'

/** The rows of each group by rising price on the allowed terms. Rows that are not sold on them come last, as NaN. */
export interface PriceOrder {
  /** The row at each position. The positions of a group are those of its rows. */
  readonly rows: Uint32Array
  /** Its price on the allowed terms. */
  readonly usdPerHour: Float64Array
  /** The position of each machine's cheapest offer. */
  readonly cheapest: Uint32Array
}

/** Sorted once per snapshot, terms and number of cards, then remembered with the snapshot. */
export function priceOrder(snapshot: Snapshot, { market, gpu }: Pick<Need, 'market' | 'gpu'>): PriceOrder {
  const cards = snapshot.fleets.length === 0 ? 0 : cardsOf({ gpu })
  const key = `${chooses(market, 'on-demand')},${chooses(market, 'spot')},${cards}`
  const orders = REMEMBERED.get(snapshot) ?? new Map<string, PriceOrder>()
  REMEMBERED.set(snapshot, orders)
  const known = orders.get(key)
  if (known !== undefined) return known
  const order = shared(sortRows(snapshot, market), cards, snapshot)
  orders.set(key, order)
  return order
}

const REMEMBERED = new WeakMap<Snapshot, Map<string, PriceOrder>>()

function sortRows(snapshot: Snapshot, market: OneOf): PriceOrder {
  const { rows: columns, groups } = snapshot
  const rows = new Uint32Array(columns.instance.length)
  for (let row = 0; row < rows.length; row++) rows[row] = row
  // Rows are already sorted by on-demand price.
  if (chooses(market, 'on-demand') && !chooses(market, 'spot')) return ordered(snapshot, rows, columns.usdPerHour)
  const price = Float64Array.from(columns.usdPerHour, (usdPerHour, row) =>
    lowest(usdPerHour, at(columns.spotUsdPerHour, row), market),
  )
  for (let group = 0; group < groups.machine.length; group++) {
    rows
      .subarray(at(groups.start, group), at(groups.start, group + 1))
      .sort((one, two) => compare(at(price, one), at(price, two)) || one - two)
  }
  return ordered(
    snapshot,
    rows,
    Float64Array.from(rows, (row) => at(price, row)),
  )
}

/** Nodes of fleets cost what the cards cost that are asked for. All offers of a group are of equal machines, so they stay in order. */
function shared(order: PriceOrder, cards: number, snapshot: Snapshot): PriceOrder {
  if (snapshot.fleets.length === 0) return order
  const { start } = snapshot.groups
  const usdPerHour = order.usdPerHour.slice()
  for (let group = 0; group + 1 < start.length; group++) {
    const share = shareOf(soldIn(snapshot, group), cards)
    if (share === 1) continue
    for (let position = at(start, group); position < at(start, group + 1); position++) {
      usdPerHour[position] = at(usdPerHour, position) * share
    }
  }
  return ordered(snapshot, order.rows, usdPerHour)
}

/** Each group begins with its cheapest offer, so a machine's cheapest is one of those. */
function ordered(snapshot: Snapshot, rows: Uint32Array, usdPerHour: Float64Array): PriceOrder {
  const { start } = snapshot.groups
  const { groups } = classesOf(snapshot)
  const cheapest = Uint32Array.from(snapshot.machines, (_, machine) => {
    let best = at(start, at(groups, machine))
    for (let group = at(groups, machine) + 1; group < at(groups, machine + 1); group++) {
      const position = at(start, group)
      if (compare(at(usdPerHour, position), at(usdPerHour, best)) < 0) best = position
    }
    return best
  })
  return { rows, usdPerHour, cheapest }
}

function lowest(onDemand: number, spot: number, market: OneOf): number {
  const one = chooses(market, 'on-demand') ? onDemand : Number.NaN
  const two = chooses(market, 'spot') ? spot : Number.NaN
  if (Number.isNaN(one)) return two
  return Number.isNaN(two) ? one : Math.min(one, two)
}

function compare(one: number, two: number): number {
  if (Number.isNaN(one)) return Number.isNaN(two) ? 0 : 1
  return Number.isNaN(two) ? -1 : one - two
}
