import type { Layout } from '../layout.ts'
import { countCards, lowestCard } from './card-mask.ts'

/** Cards that all reach each other at a given speed, and to which no other card could be added at that speed. */
export interface Island {
  /** Cards as bits. */
  readonly mask: number
  readonly size: number
  /** GB/s in one direction between the slowest pair. */
  readonly gbps: number
}

/**
 * The islands of a node at each speed, fastest first, large before small; slower islands contain faster ones. Single cards
 * are no islands, and neither are cards whose links are not known.
 */
export function islands(layout: Layout): readonly Island[] {
  const found = new Map<number, Island>()
  for (const gbps of speedsOf(layout)) {
    if (gbps === 0) continue
    const masks = cliques(neighboursAt(layout, gbps))
    for (const mask of masks.sort((one, two) => countCards(two) - countCards(one) || one - two)) {
      const size = countCards(mask)
      if (size > 1 && !found.has(mask)) found.set(mask, { mask, size, gbps })
    }
  }
  return [...found.values()]
}

/** Every speed between two cards of a node, fastest first. */
export function speedsOf(layout: Layout): readonly number[] {
  const speeds = new Set<number>()
  for (let one = 0; one < layout.cards; one++) {
    for (let two = one + 1; two < layout.cards; two++) speeds.add(pairGbps(layout, one, two))
  }
  return [...speeds].sort((one, two) => two - one)
}

/** GB/s between two cards, in the slower direction. */
export function pairGbps({ gbps, cards }: Layout, one: number, two: number): number {
  return Math.min(gbps[one * cards + two] ?? 0, gbps[two * cards + one] ?? 0)
}

/** For each card, the cards that it reaches at a speed. */
function neighboursAt(layout: Layout, gbps: number): readonly number[] {
  return Array.from({ length: layout.cards }, (_, one) => {
    let mask = 0
    for (let two = 0; two < layout.cards; two++) {
      if (one !== two && pairGbps(layout, one, two) >= gbps) mask |= 1 << two
    }
    return mask
  })
}

/** Maximal sets whose members are all neighbours: Bron and Kerbosch, with a pivot. At most 3^(n/3): 350 for 16 cards. */
function cliques(neighbours: readonly number[]): number[] {
  const found: number[] = []
  const grow = (clique: number, open: number, shut: number): void => {
    if (open === 0 && shut === 0) found.push(clique)
    if (open === 0) return
    const pivot = neighbours[lowestCard(open)] ?? 0
    let rest = open
    let done = shut
    for (let next = open & ~pivot; next !== 0; next &= next - 1) {
      const card = lowestCard(next)
      const reach = neighbours[card] ?? 0
      grow(clique | (1 << card), rest & reach, done & reach)
      rest &= ~(1 << card)
      done |= 1 << card
    }
  }
  grow(0, (1 << neighbours.length) - 1, 0)
  return found
}
