import { chooseStart, lossOf, runOf, take, type MigRules } from './rules.ts'

/** Where a slice was placed. */
export interface SlicePlace {
  readonly card: number
  readonly start: number
}

/** The card that loses the least by a slice (the first of equals), and the position on it; undefined: no card has room. */
export function choosePlace(rules: MigRules, cards: readonly number[], profile: number): SlicePlace | undefined {
  let best = -1
  let least = Number.POSITIVE_INFINITY
  for (let card = 0; card < cards.length; card++) {
    const loss = lossOf(rules, cards[card] ?? 0, profile)
    if (loss < 0 || loss >= least) continue
    best = card
    least = loss
  }
  return best < 0 ? undefined : { card: best, start: chooseStart(rules, cards[best] ?? 0, profile) }
}

/** Places requests on idle cards one by one, in order: whatever fits is taken. Undefined: there was no room. */
export function assignInOrder(
  rules: MigRules,
  cardCount: number,
  profiles: readonly number[],
): readonly (SlicePlace | undefined)[] {
  const cards = Array.from({ length: cardCount }, () => 0)
  return profiles.map((profile) => {
    const place = choosePlace(rules, cards, profile)
    if (place !== undefined) cards[place.card] = take(cards[place.card] ?? 0, runOf(rules, profile, place.start))
    return place
  })
}

/**
 * Places requests that wait together: in their order, unless placing the largest first uses more memory. The answers are in
 * the order of the requests.
 */
export function assignTogether(
  rules: MigRules,
  cardCount: number,
  profiles: readonly number[],
): readonly (SlicePlace | undefined)[] {
  const inOrder = assignInOrder(rules, cardCount, profiles)
  const order = largestFirst(rules, profiles)
  const sorted = order.map((index) => profiles[index] ?? 0)
  const places = assignInOrder(rules, cardCount, sorted)
  if (slicesTaken(rules, profiles, inOrder) >= slicesTaken(rules, sorted, places)) return inOrder
  const answers: (SlicePlace | undefined)[] = profiles.map(() => undefined)
  for (const [turn, index] of order.entries()) answers[index] = places[turn]
  return answers
}

/** Memory slices of the requests that have a place. */
export function slicesTaken(
  { profiles }: MigRules,
  requests: readonly number[],
  places: readonly (SlicePlace | undefined)[],
): number {
  return requests.reduce(
    (slices, profile, index) => slices + (places[index] === undefined ? 0 : (profiles[profile]?.size ?? 0)),
    0,
  )
}

/** Indices of requests: most memory first, then most compute, because it has fewer positions. Ties stay in order. */
function largestFirst({ profiles }: MigRules, requests: readonly number[]): readonly number[] {
  return [...requests.keys()].toSorted((one, two) => {
    const left = profiles[requests[one] ?? 0]
    const right = profiles[requests[two] ?? 0]
    return (right?.size ?? 0) - (left?.size ?? 0) || (right?.compute ?? 0) - (left?.compute ?? 0) || one - two
  })
}
