import type { Layout } from '../layout.ts'
import { CARDS_MAX, countCards, lowestCards } from './card-mask.ts'
import { cardTables, type CardTables } from './card-tables.ts'

/**
 * The best `count` cards among the free ones, as bits; 0 if there are too few. In this order: the fastest slowest pair, the
 * fastest pairs in sum, the smallest island that holds them and what stays whole, NUMA node, PCIe switch and NIC, the lowest
 * cards. Without a layout, all cards are alike and the lowest are taken.
 */
export function chooseCards(layout: Layout | undefined, free: number, count: number): number {
  return isTold(layout) ? choose(cardTables(layout), free, count) : lowestCards(free, count)
}

/** `chooseCards` for callers that hold the tables: a single look-up once a question has been answered. */
export function choose(tables: CardTables, free: number, count: number): number {
  if (count < 1 || count > tables.cards) return 0
  const within = free & tables.full
  const known = tables.sets[(count << tables.cards) | within] ?? 0
  return known === 0 ? search(tables, within, count) : known
}

/** `crosses` of the set that `choose` would choose; infinite if there is none. */
export function looseness(tables: CardTables, free: number, count: number): number {
  const set = choose(tables, free, count)
  return set === 0 && count > 0 ? Infinity : crossed(tables, set)
}

/** `crosses` for callers that hold the tables. */
export function crossed(tables: CardTables, set: number): number {
  const within = set & tables.full
  return (tables.level[within] ?? 0) - (tables.bestLevel[countCards(within)] ?? 0)
}

/** Whether the wiring is known, and the cards are few enough to try all sets. */
export function isTold(layout: Layout | undefined): layout is Layout {
  return layout !== undefined && layout.cards <= CARDS_MAX
}

function search(tables: CardTables, free: number, count: number): number {
  if (countCards(free) < count) return 0
  let sets = fastest(tables, free, count)
  for (const cost of costs(tables, free, count)) {
    if (sets.length === 1) break
    sets = cheapest(sets, cost)
  }
  const [set = 0] = sets
  tables.sets[(count << tables.cards) | free] = set
  return set
}

/** All sets of free cards with the fastest slowest pair and, among those, the fastest pairs in sum. */
function fastest(tables: CardTables, free: number, count: number): readonly number[] {
  const { level, sum } = tables
  let ties: number[] = []
  let best = 0
  for (let set = free; set !== 0; set = (set - 1) & free) {
    if (countCards(set) !== count) continue
    const first = ties.length === 0
    const slower = (level[set] ?? 0) - (level[best] ?? 0)
    const gained = (sum[set] ?? 0) - (sum[best] ?? 0)
    if (first || slower < 0 || (slower === 0 && gained > 0)) {
      best = set
      ties = []
    } else if (slower > 0 || gained < 0) continue
    ties.push(set)
  }
  return ties
}

/** What decides between equally fast sets, in order; less is better. */
function costs(tables: CardTables, free: number, count: number): readonly ((set: number) => number)[] {
  return [
    // A single card is inside every island around it, so only what it leaves behind matters.
    (set) => (count === 1 ? 0 : tables.holder(set)),
    (set) => -tables.left(free & ~set),
    (set) => tables.spread(set),
    (set) => -tables.near(free & ~set),
    (set) => set,
  ]
}

function cheapest(sets: readonly number[], cost: (set: number) => number): readonly number[] {
  const prices = sets.map(cost)
  const lowest = Math.min(...prices)
  return sets.filter((_, at) => prices[at] === lowest)
}
