import type { Layout } from '../layout.ts'
import { cardTables } from './card-tables.ts'
import { crossed, isTold } from './choose-cards.ts'

/** How many levels slower the slowest pair of a set is than in the best set of its size on an empty node. */
export function crosses(layout: Layout | undefined, set: number): number {
  return isTold(layout) ? crossed(cardTables(layout), set) : 0
}

/** What free cards are worth to future work. Values of nodes of one layout can be compared and subtracted. */
export function whole(layout: Layout | undefined, free: number): number {
  if (!isTold(layout)) return 0
  const tables = cardTables(layout)
  return tables.left(free & tables.full)
}
