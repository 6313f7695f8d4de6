import { groupOf, isShared, machineIn, priceOf, type Listing, type Snapshot } from '../offer/snapshot.ts'
import type { Machine, Price } from '../offer/machine.ts'
import type { Need } from '../requirement/need/need.ts'

/** A machine, as far as it matters for what a part of it costs. */
type Sold = Pick<Listing, 'isShared'> & { readonly machine: Pick<Machine, 'gpu'> }

/**
 * The part of a machine's price that so many of its cards cost. What is rented is paid whole, however little of it is used.
 * A node of a fleet is shared with others, card by card or slice by slice: a card costs the same however many others are taken.
 */
export function shareOf({ isShared: isPart = false, machine: { gpu } }: Sold, cards: number): number {
  if (!isPart || gpu === undefined) return 1
  return Math.min(1, cards * (gpu.share ?? 1 / gpu.count))
}

/** How many cards a need takes of one machine. */
export function cardsOf({ gpu }: Pick<Need, 'gpu'>): number {
  return gpu === undefined ? 0 : Math.max(1, gpu.count.min ?? 1)
}

/** What a need pays for an offer: its share of the price. */
export function paid(
  { price: { usdPerHour, spotUsdPerHour }, ...sold }: Sold & Pick<Listing, 'price'>,
  need: Need,
): Price {
  const share = shareOf(sold, cardsOf(need))
  return {
    usdPerHour: usdPerHour === undefined ? undefined : usdPerHour * share,
    spotUsdPerHour: spotUsdPerHour === undefined ? undefined : spotUsdPerHour * share,
  }
}

export function priceFor(snapshot: Snapshot, row: number, need: Need): Price {
  return paid({ price: priceOf(snapshot, row), ...soldIn(snapshot, groupOf(snapshot, row)) }, need)
}

export function soldIn(snapshot: Snapshot, group: number): Sold {
  return { isShared: isShared(snapshot, group), machine: machineIn(snapshot, group) }
}
