import { must } from '../../base/assert.ts'
import type { Request, Spot, Tenant } from '../../fleet/fleet.ts'
import { cheapestCovers } from './covers.ts'
import { cardsTaking, fitsAtSpot, freeSpot, lodge, vacate, waysToTake, type NodeState } from './node-state.ts'
import type { Unit } from './world.ts'

/** A way to make a request fit on a node. */
export interface RoomPlan {
  /** Where it would be placed once they have left. */
  readonly spot: Spot
  readonly leave: readonly Unit[]
  /** Of all that leave, together. */
  readonly price: number
}

export interface RoomQuestion {
  readonly request: Request
  /** Which units may be asked to leave, of those with a tenant on this node, in the order in which equals are chosen. */
  readonly units: readonly Unit[]
  /** How many ways are wanted at each spot. */
  readonly alternatives: number
  /** Only ways that are cheaper than this are wanted. */
  readonly below?: number | undefined
  /** Sets of cards; the request must be inside one of them. Undefined: anywhere. */
  readonly inside?: readonly (readonly number[])[] | undefined
}

/** How many spots of one node are tried; those that are cheapest to clear come first. */
const SPOTS_MAX = 256

/**
 * Ways to make room on a node, cheapest first; of two at the same price, the one where fewer leave, then the one whose
 * leavers come first. Units that must leave a spot in any case are found at once (they do not fit next to the request even
 * alone); the rest is covered as cheaply as possible. Empty: there is no room even without all of them.
 */
export function roomsOn(state: NodeState, question: RoomQuestion): readonly RoomPlan[] {
  const base = question.units.flatMap((unit) => membersOn(unit, state.index)).reduce(vacate, state)
  if (freeSpot([base], question.request) === undefined) return []
  const { below = Infinity } = question
  const alone = question.units.map((unit) => ({ unit, state: membersOn(unit, base.index).reduce(lodge, base) }))
  const targets = targetsOn(base, question)
    .map((spot) => clear(alone, question.request, spot))
    .filter(({ price }) => price < below)
    .sort((a, b) => a.price - b.price)
    .slice(0, SPOTS_MAX)
  const rooms: RoomPlan[] = []
  let best = Infinity
  for (const target of targets) {
    // Later targets are more expensive, and only one way is wanted.
    if (question.alternatives === 1 && target.price > best) break
    const found = coverRest(base, question, target)
    rooms.push(...found)
    best = Math.min(best, found[0]?.price ?? Infinity)
  }
  const order = new Map(question.units.map((unit, index) => [unit, index]))
  return rooms.filter(({ price }) => price < below).sort((a, b) => compareRooms(a, b, order))
}

function membersOn({ members }: Unit, node: number): readonly Tenant[] {
  return members.filter(({ spot }) => spot.node === node)
}

/** Every suitable choice of cards and slice; cards with the same tenants in the same way count once. */
function targetsOn(base: NodeState, question: RoomQuestion): readonly Spot[] {
  const { request, inside = [[...base.cards.keys()]] } = question
  return waysToTake(base, request).flatMap((taken) => {
    const able = cardsTaking(base, { request, taken })
    return inside.flatMap((set) => {
      const classes = classesOf(
        base,
        able.filter((card) => set.includes(card)),
        question,
      )
      return choices(classes, request.count).map((chosen) => ({
        node: base.index,
        cards: chosen.toSorted((a, b) => a - b),
        taken,
      }))
    })
  })
}

/** Groups of interchangeable cards, cheapest to clear first. */
function classesOf(base: NodeState, cards: readonly number[], { units }: RoomQuestion): readonly (readonly number[])[] {
  const alike = Map.groupBy(cards, (card) => `${marksOn(base, card, units)} ${JSON.stringify(base.cards[card])}`)
  const priceOn = ([card = -1]: readonly number[]): number =>
    sumOf(units.filter((unit) => touches(unit, { node: base.index, cards: [card] })))
  return [...alike.values()].sort((a, b) => priceOn(a) - priceOn(b))
}

/** Which units are on a card, and how much of it they hold. */
function marksOn({ index: node }: NodeState, card: number, units: readonly Unit[]): string {
  const marks = units.flatMap((unit, order) =>
    membersOn(unit, node)
      .filter(({ spot }) => spot.cards.includes(card))
      .map(({ spot }) => [order, spot.taken]),
  )
  return JSON.stringify(marks)
}

/** Ways to take `count` cards from groups of interchangeable cards, most of the first groups first. */
function choices(classes: readonly (readonly number[])[], count: number): readonly (readonly number[])[] {
  let partial: readonly (readonly number[])[] = [[]]
  for (const [index, cards] of classes.entries()) {
    const later = classes.slice(index + 1).reduce((sum, { length }) => sum + length, 0)
    partial = partial
      .flatMap((chosen) =>
        Array.from({ length: cards.length + 1 }, (_, left) => [...chosen, ...cards.slice(0, cards.length - left)]),
      )
      .filter(({ length }) => length <= count && length + later >= count)
      .slice(0, 16 * SPOTS_MAX)
  }
  return partial
}

/** A spot, with the units that must leave it in any case. */
interface Target {
  readonly spot: Spot
  readonly leave: readonly Unit[]
  readonly price: number
}

/** A unit, and the node without all others that may leave. */
interface Alone {
  readonly unit: Unit
  readonly state: NodeState
}

function clear(alone: readonly Alone[], request: Request, spot: Spot): Target {
  const leave = alone.filter(({ state }) => !fitsAtSpot(state, request, spot)).map(({ unit }) => unit)
  return { spot, leave, price: sumOf(leave) }
}

/** In addition to those that must leave, as few others as are enough. */
function coverRest(base: NodeState, question: RoomQuestion, { spot, leave, price }: Target): readonly RoomPlan[] {
  const { index: node } = base
  const { request, units, alternatives: limit } = question
  const others = units.filter((unit) => !leave.includes(unit))
  const full = others.flatMap((unit) => membersOn(unit, node)).reduce(lodge, base)
  const need = missing(full, request, spot)
  const items = others
    .map((unit) => ({ unit, price: unit.price, gives: givenBy(membersOn(unit, node), spot) }))
    .filter(({ unit, gives }) => gives.some((amount, at) => amount > 0 && (need[at] ?? 0) > 0) || touches(unit, spot))
  const isEnough = (chosen: readonly number[]): boolean => {
    const gone = chosen.flatMap((index) => membersOn(must(items[index], 'an item').unit, node))
    return fitsAtSpot(gone.reduce(vacate, full), request, spot)
  }
  return cheapestCovers(items, { need, isEnough, limit }).map((chosen) => {
    const more = chosen.map((index) => must(items[index], 'an item').unit)
    return { spot, leave: [...leave, ...more], price: price + sumOf(more) }
  })
}

/** What a request lacks of CPU, memory, disk and every shared card. A surplus counts as lacking nothing. */
function missing(free: NodeState, request: Request, { cards, taken }: Spot): readonly number[] {
  const share = taken?.kind === 'share' ? taken.milli : undefined
  return [
    request.cpuMilli - free.cpuMilli,
    request.memoryMib - free.memoryMib,
    request.diskMib === 0 ? 0 : request.diskMib - (free.diskMib ?? 0),
    ...cards.map((card) => (share === undefined ? 0 : share - must(free.cards[card], 'a card').freeMilli)),
  ]
}

/** What leavers give back, in the same order. */
function givenBy(leavers: readonly Tenant[], { cards }: Spot): readonly number[] {
  const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
  return [
    sum(leavers.map(({ request }) => request.cpuMilli)),
    sum(leavers.map(({ request }) => request.memoryMib)),
    sum(leavers.map(({ request }) => request.diskMib)),
    ...cards.map((card) => sum(leavers.map(({ spot }) => (spot.cards.includes(card) ? shareTaken(spot) : 0)))),
  ]
}

function shareTaken({ taken }: Spot): number {
  if (taken === undefined) return 1000
  return taken.kind === 'share' ? taken.milli : 0
}

function touches({ members }: Unit, { node, cards }: Pick<Spot, 'node' | 'cards'>): boolean {
  return members.some(({ spot }) => spot.node === node && spot.cards.some((card) => cards.includes(card)))
}

function sumOf(units: readonly Unit[]): number {
  return units.reduce((sum, { price }) => sum + price, 0)
}

function compareRooms(a: RoomPlan, b: RoomPlan, order: ReadonlyMap<Unit, number>): number {
  if (a.price !== b.price || a.leave.length !== b.leave.length) {
    return a.price - b.price || a.leave.length - b.leave.length
  }
  const ranks = [a, b].map(({ leave }) => leave.map((unit) => must(order.get(unit), 'asked')).sort((x, y) => x - y))
  const [one = [], two = []] = ranks
  return one.map((rank, at) => rank - must(two[at], 'as many')).find((difference) => difference !== 0) ?? 0
}
