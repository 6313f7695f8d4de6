import { must } from '../../base/assert.ts'
import type { CutSlice, FleetNode, Request, Spot, Tenant } from '../../fleet/fleet.ts'
import type { CardRules } from './card-rules.ts'

/** One node and what is left of it. */
export interface NodeState {
  /** Index into the fleet's nodes. */
  readonly index: number
  readonly node: FleetNode
  readonly rules: CardRules
  readonly cpuMilli: number
  readonly memoryMib: number
  /** Undefined: unknown, and nothing that needs disk fits. */
  readonly diskMib: number | undefined
  readonly cards: readonly CardContents[]
}

interface CardContents {
  /** 1000: no share of it is taken. Slices do not count here. */
  readonly freeMilli: number
  readonly slices: readonly CutSlice[]
}

/** A piece of work at its spot. */
export type Lodger = Pick<Tenant, 'request' | 'spot'>

/** A request, and what it would take of each card. */
export interface CardRequest {
  readonly request: Request
  readonly taken: Spot['taken']
}

/** A node with nothing on it. */
export function emptyNode(node: FleetNode, index: number, rules: CardRules): NodeState {
  const { cpuMilli, memoryMib, diskMib } = node
  const cards = node.cards.map(() => ({ freeMilli: 1000, slices: [] }))
  return { index, node, rules, cpuMilli, memoryMib, diskMib, cards }
}

/** The state with this lodger, whether it fits or not. */
export function lodge(state: NodeState, lodger: Lodger): NodeState {
  return change(state, lodger, 1)
}

/** The state without this lodger, which must be there. */
export function vacate(state: NodeState, lodger: Lodger): NodeState {
  return change(state, lodger, -1)
}

/** Whether a request may be placed at exactly this spot of the node. */
export function fitsAtSpot(state: NodeState, request: Request, { cards, taken }: Spot): boolean {
  if (!hasHost(state, request) || cards.length !== request.count) return false
  if (!waysToTake(state, request).some((way) => isSameTaken(way, taken))) return false
  return cards.every((card, at) => {
    const isAscending = at === 0 || must(cards[at - 1], 'the card before') < card
    return isAscending && takesPart(state, card, { request, taken })
  })
}

/**
 * A spot that is free in each of these states of one node, or undefined: whole cards with the best links, a share of the
 * card with the least room to spare, a slice where the rest stays most useful (both in the first state).
 */
export function freeSpot(states: readonly [NodeState, ...NodeState[]], request: Request): Spot | undefined {
  if (!states.every((state) => hasHost(state, request))) return undefined
  const [first] = states
  let best: { readonly spot: Spot; readonly harm: number } | undefined
  for (const taken of waysToTake(first, request)) {
    const lists = states.map((state) => cardsTaking(state, { request, taken }))
    const cards = must(lists[0], 'one list a state').filter((card) => lists.every((list) => list.includes(card)))
    if (cards.length < request.count) continue
    const spot = spotAmong(first, cards, { request, taken })
    const harm = spot.cards.reduce((sum, card) => sum + harmTo(first, card, taken), 0)
    if (best === undefined || harm < best.harm) best = { spot, harm }
  }
  return best?.spot
}

/** What the request could take of each card of the node, preferred way first; empty: its cards will not do. */
export function waysToTake({ node, rules }: NodeState, { count, models, part }: Request): readonly Spot['taken'][] {
  if (models !== undefined && (node.model === undefined || !models.includes(node.model))) return []
  if (count === 0) return [undefined]
  switch (part.kind) {
    case 'whole':
      return [undefined]
    case 'share':
      return part.milli >= 1000 ? [undefined] : [part]
    case 'slice': {
      const isCut = node.cards.some(({ parts }) => parts === 'mig')
      const cuts = isCut ? (rules.cuts(node.model, part.vramGib) ?? []) : []
      return [...cuts, undefined]
    }
  }
}

/** Cards, ascending, that could each take their part of the request now. */
export function cardsTaking(state: NodeState, request: CardRequest): readonly number[] {
  return state.cards.flatMap((_, card) => (takesPart(state, card, request) ? [card] : []))
}

/** Nothing is on it, and it does not fail. */
export function isIdle({ node, cards }: NodeState, card: number): boolean {
  const state = cards[card]
  return state?.freeMilli === 1000 && state.slices.length === 0 && node.cards[card]?.health !== 'failing'
}

/** A node with one lodger more (1) or fewer (-1). */
function change(state: NodeState, { request, spot }: Lodger, by: 1 | -1): NodeState {
  return {
    ...state,
    cpuMilli: state.cpuMilli - by * request.cpuMilli,
    memoryMib: state.memoryMib - by * request.memoryMib,
    diskMib: state.diskMib === undefined ? undefined : state.diskMib - by * request.diskMib,
    cards: state.cards.map((card, index) => (spot.cards.includes(index) ? changeCard(card, spot.taken, by) : card)),
  }
}

function changeCard(card: CardContents, taken: Spot['taken'], by: 1 | -1): CardContents {
  if (taken?.kind !== 'slice') return { ...card, freeMilli: card.freeMilli - by * (taken?.milli ?? 1000) }
  if (by === 1) return { ...card, slices: [...card.slices, taken] }
  const at = card.slices.findIndex((slice) => isSameTaken(slice, taken))
  return { ...card, slices: card.slices.toSpliced(must(at < 0 ? undefined : at, 'the slice is there'), 1) }
}

function hasHost(state: NodeState, { cpuMilli, memoryMib, diskMib }: Request): boolean {
  const hasDisk = diskMib === 0 || (state.diskMib !== undefined && diskMib <= state.diskMib)
  return cpuMilli <= state.cpuMilli && memoryMib <= state.memoryMib && hasDisk
}

function isSameTaken(one: Spot['taken'], other: Spot['taken']): boolean {
  if (one === undefined || other === undefined) return one === other
  if (one.kind === 'share') return other.kind === 'share' && one.milli === other.milli
  return other.kind === 'slice' && one.profile === other.profile && one.start === other.start
}

function takesPart(state: NodeState, card: number, { request, taken }: CardRequest): boolean {
  const { node, rules } = state
  const about = node.cards[card]
  const left = state.cards[card]
  if (about === undefined || left === undefined || about.health === 'failing') return false
  if (taken === undefined) {
    // A whole card instead of a slice is only for cards that cannot be cut.
    const isCut = request.part.kind === 'slice' && about.parts === 'mig' && rules.cuts(node.model, 0) !== undefined
    return !isCut && isIdle(state, card)
  }
  if (taken.kind === 'share')
    return about.parts === 'share' && left.slices.length === 0 && left.freeMilli >= taken.milli
  return (
    about.parts === 'mig' && left.freeMilli === 1000 && rules.valueOf(node.model, [...left.slices, taken]) !== undefined
  )
}

/** Which of the suitable cards: whole cards with the best links; otherwise, the cards that it harms least. */
function spotAmong(state: NodeState, cards: readonly number[], { request, taken }: CardRequest): Spot {
  const { index: node, rules } = state
  if (taken === undefined) return { node, cards: rules.choose(state.node.layout, cards, request.count), taken }
  const best = cards.toSorted((a, b) => harmTo(state, a, taken) - harmTo(state, b, taken) || a - b)
  return { node, cards: best.slice(0, request.count).toSorted((a, b) => a - b), taken }
}

/** A measure to compare cards and positions: what a share leaves unused, what a slice takes from the use of the rest. */
function harmTo({ node, rules, cards }: NodeState, index: number, taken: Spot['taken']): number {
  const card = must(cards[index], 'a card')
  if (taken === undefined) return Infinity
  if (taken.kind === 'share') return card.freeMilli - taken.milli
  const value = (slices: readonly CutSlice[]): number => must(rules.valueOf(node.model, slices), 'it was found to fit')
  return value(card.slices) - value([...card.slices, taken])
}
