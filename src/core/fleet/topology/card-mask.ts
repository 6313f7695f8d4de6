/** Sets of cards as bits: card 0 is the lowest bit. On nodes with more cards than this, wiring is ignored. */
export const CARDS_MAX = 16

/** How many cards a set holds. */
export function countCards(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x5555_5555)
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333)
  return (((bits + (bits >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24
}

/** The cards of a set, ascending. */
export function cardsOf(mask: number): readonly number[] {
  const cards: number[] = []
  for (let rest = mask; rest !== 0; rest &= rest - 1) cards.push(lowestCard(rest))
  return cards
}

/** The set of some cards. */
export function maskOf(cards: readonly number[]): number {
  return cards.reduce((mask, card) => mask | (1 << card), 0)
}

/** The lowest card of a set that is not empty. */
export function lowestCard(mask: number): number {
  return 31 - Math.clz32(mask & -mask)
}

/** The `count` lowest cards of a set; 0 if it has fewer. */
export function lowestCards(mask: number, count: number): number {
  let rest = mask
  for (let taken = 0; taken < count; taken++) {
    if (rest === 0) return 0
    rest &= rest - 1
  }
  return mask & ~rest
}
