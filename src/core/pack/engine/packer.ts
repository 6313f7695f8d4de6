import { assert, must } from '../../base/assert.ts'
import type { Fleet, FleetNode, Request, Spot } from '../../fleet/fleet.ts'
import type { Layout } from '../../fleet/layout.ts'
import { cutOf, slicesOf } from '../../fleet/mig/cut.ts'
import { positionOf, type MigRules } from '../../fleet/mig/rules.ts'
import { cardsOf } from '../../fleet/topology/card-mask.ts'
import { chooseCards } from '../../fleet/topology/choose-cards.ts'
import { IDLE } from './card-code.ts'
import type { Kind, Kinds } from './kinds.ts'
import type { CardChange, FleetMachine, MakePolicy } from './policy.ts'
import { code } from './read.ts'
import type { Pool, Shape } from './states.ts'

/**
 * Fills a fleet, one request at a time. The same fleet, history and requests always give the same spots. The fast engine
 * and the reference both promise this, and they choose the same spots.
 */
export interface Packer {
  /** Gives a request its spot and takes the room; undefined: it does not fit anywhere now. */
  place(request: Request): Spot | undefined
  /** Like `place`, for a known kind: the node, or -1. */
  placeKind(kind: Kind): number
  /** Where the last request was placed. */
  lastSpot(): Spot
  /** Like `placeKind`, on one of these nodes. */
  placeAmong(kind: Kind, nodes: readonly number[]): number
  /** Whether a node could take it now. */
  fits(kind: Kind, node: number): boolean
  /** How good a node is for it now, higher is better; minus infinity if it does not fit. */
  score(kind: Kind, node: number): number
  /** Like `score`, but without what the policy charges for the node's pool: it changes only when the node does. */
  rate(kind: Kind, node: number): number
  /** `rate` of every node, written to an array that has a place for each. */
  rateAll(kind: Kind, into: Float64Array): void
  /** What the policy charges this kind for a pool now. */
  price(kind: Kind, pool: number): number
  /** The pool of a node. */
  poolOf(node: number): number
  /** Empties a node: nothing runs there any more. The policy learns nothing from it. */
  clear(node: number): void
  /** Takes the room of work that runs already, at its spot. The spot must be free. */
  occupy(request: Request, spot: Spot): void
  /** Frees the room of a request. */
  release(request: Request, spot: Spot): void
  readonly kinds: Kinds
  readonly pools: readonly Pool[]
}

export interface PackerOptions {
  readonly policy: MakePolicy
  /** Past requests; the policy learns from them. Without them, it learns from arrivals. */
  readonly history?: readonly { readonly request: Request; readonly count: number }[]
  /** Rank of each node: of equals, the lower rank is taken; left out: by id. */
  readonly ranks?: readonly number[]
}

/** Ranks by id. */
export function ranksOf({ nodes }: Fleet): readonly number[] {
  const order = nodes.map((_, index) => index)
  order.sort((one, two) => compareIds(nodes[one], nodes[two]))
  const ranks = Array.from({ length: nodes.length }, () => 0)
  order.forEach((node, rank) => (ranks[node] = rank))
  return ranks
}

function compareIds(one: FleetNode | undefined, two: FleetNode | undefined): number {
  const [first, second] = [one?.id ?? '', two?.id ?? '']
  return first < second ? -1 : first > second ? 1 : 0
}

/** The codes of a node's cards before anything is placed: a failing card counts as full. */
export function freshCodes(node: Pick<FleetNode, 'cards'>, into: Int16Array, from: number): void {
  node.cards.forEach(({ health }, card) => (into[from + card] = health === 'failing' ? 0 : IDLE))
}

/** The node with the highest score, of equals the lowest rank; -1 if it fits on none. */
export function bestOf(
  nodes: readonly number[],
  { score, rank }: { readonly score: (node: number) => number; readonly rank: (node: number) => number },
): number {
  let best = -1
  let highest = Number.NEGATIVE_INFINITY
  for (const node of nodes) {
    const found = score(node)
    if (found < highest || found === Number.NEGATIVE_INFINITY) continue
    if (found === highest && rank(node) > rank(best)) continue
    highest = found
    best = node
  }
  return best
}

/** The cards of one node within the array of all cards. */
export interface NodeCards {
  readonly codes: Int16Array
  readonly from: number
  readonly cards: number
  readonly layout: Layout | undefined
}

/** Which cards of a node a change applies to, as bits: those with its starting codes, nearest together. */
export function cardsFor(change: CardChange, node: NodeCards): number {
  let chosen = 0
  for (let entry = 0; entry < change.cards;) {
    const state = code(change.from, entry)
    let count = 0
    while (entry + count < change.cards && code(change.from, entry + count) === state) count++
    let free = 0
    for (let card = 0; card < node.cards; card++) if (code(node.codes, node.from + card) === state) free |= 1 << card
    chosen |= chooseCards(node.layout, free, count)
    entry += count
  }
  return chosen
}

/** Where the last request went, in a few numbers: a full spot is only built on demand. */
export interface Landing {
  node: number
  chosen: number
  kind: Kind
  /** For a card that was cut: the memory slices that were taken. */
  slices: number
}

export function spotOf({ node, chosen, kind, slices }: Landing, pool: number, pools: readonly Pool[]): Spot {
  return { node, cards: cardsOf(chosen), taken: takenBy(kind, pool, { pools, slices }) }
}

function takenBy(
  kind: Kind,
  pool: number,
  { pools, slices }: { readonly pools: readonly Pool[]; readonly slices: number },
): Spot['taken'] {
  const demand = kind.on[pool]
  if (kind.count === 0 || demand === undefined || demand.whole) return undefined
  const { part } = kind.request
  if (part.kind === 'share') return { kind: 'share', milli: part.milli }
  return cutOf(rulesOf(pools[pool]), must(demand.profile, 'a slice has a profile'), positionOf(slices))
}

/** Applies a change to the cards that were chosen for it. */
export function changeCodes(change: CardChange, { codes, from }: NodeCards, chosen: number): void {
  for (let rest = chosen; rest !== 0; rest &= rest - 1) {
    const at = from + 31 - Math.clz32(rest & -rest)
    let entry = 0
    while (code(change.from, entry) !== code(codes, at)) entry++
    codes[at] = code(change.into, entry)
  }
}

/** Cards of a node, and how they may be cut. */
interface PoolCards {
  readonly codes: Int16Array
  readonly from: number
  readonly pool: Pool | undefined
}

/** Frees the cards of a spot. */
export function applyRelease({ cards, taken }: Spot, { codes, from, pool }: PoolCards): void {
  for (const card of cards) {
    const state = code(codes, from + card)
    if (taken === undefined) codes[from + card] = IDLE
    else if (taken.kind === 'share') codes[from + card] = state + taken.milli
    else codes[from + card] = state - must(slicesOf(rulesOf(pool), taken), 'a slice is where it was cut')
  }
}

/** Takes the cards of a spot. */
export function applyOccupy({ cards, taken }: Spot, { codes, from, pool }: PoolCards): void {
  for (const card of cards) {
    const state = code(codes, from + card)
    if (taken === undefined) {
      assert(state === IDLE, `card ${card} is not idle`)
      codes[from + card] = 0
    } else if (taken.kind === 'share') {
      assert(state <= IDLE && state >= taken.milli, `card ${card} has no room for a share`)
      codes[from + card] = state - taken.milli
    } else {
      const slices = must(slicesOf(rulesOf(pool), taken), 'a slice is where its profile may be')
      assert(state >= IDLE && ((state - IDLE) & slices) === 0, `card ${card} has no room for a slice`)
      codes[from + card] = state + slices
    }
  }
}

export function capacityOf({ nodes }: Fleet): {
  readonly cards: number
  readonly cpu: number
  readonly memory: number
} {
  const sum = (of: (node: FleetNode) => number): number => nodes.reduce((total, node) => total + of(node), 0)
  return {
    cards: sum((node) => node.cards.length),
    cpu: sum((node) => node.cpuMilli),
    memory: sum((node) => node.memoryMib),
  }
}

/** The machines of a fleet: those of one pool with equal cards, CPU and memory are one entry. */
export function machinesOf({ nodes }: Fleet, of: readonly Shape[]): readonly FleetMachine[] {
  const machines = new Map<string, { -readonly [key in keyof FleetMachine]: FleetMachine[key] }>()
  nodes.forEach(({ cards, cpuMilli, memoryMib }, index) => {
    const { pool } = must(of[index], 'a shape a node')
    const key = `${pool} ${cards.length} ${cpuMilli} ${memoryMib}`
    const known = machines.get(key)
    if (known === undefined)
      machines.set(key, { pool, cards: cards.length, cpu: cpuMilli, memory: memoryMib, count: 1 })
    else known.count++
  })
  return [...machines.values()]
}

function rulesOf(pool: Pool | undefined): MigRules {
  return must(pool?.cards.rules, 'only cards with rules are cut')
}
