import { at, listingAt, type Snapshot } from '../offer/snapshot.ts'
import type { AskPlan } from './plan.ts'

/** An offer that fits, with its price on the allowed terms. */
export interface Fitting {
  readonly row: number
  readonly usdPerHour: number
}

/** The cheapest offers that fit an ask: all of them, not only the best of each group. Ties are broken by id. */
export function fittingRows({ tally }: Pick<AskPlan, 'tally'>, snapshot: Snapshot, limit: number): readonly Fitting[] {
  const found: Fitting[] = []
  for (const band of tally.fits) {
    // Prices rise within a band, so offers after the limit are never among the cheapest.
    const to = Math.min(band.to, band.from + limit)
    for (let position = band.from; position < to; position++) {
      found.push({ row: at(tally.order.rows, position), usdPerHour: at(tally.order.usdPerHour, position) })
    }
  }
  const sorted = found.sort((one, two) => one.usdPerHour - two.usdPerHour || compareIds(one.row, two.row, snapshot))
  return sorted.slice(0, limit)
}

function compareIds(one: number, two: number, snapshot: Snapshot): number {
  return listingAt(snapshot, one).id < listingAt(snapshot, two).id ? -1 : 1
}
