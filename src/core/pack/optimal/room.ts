import { assert } from '../../base/assert.ts'
import type { FleetCard, FleetNode, Spot } from '../../fleet/fleet.ts'
import type { Layout } from '../../fleet/layout.ts'
import { slicesOf } from '../../fleet/mig/cut.ts'
import { migRules, type MigRules } from '../../fleet/mig/rules.ts'
import type { PackingProblem } from './problem.ts'

/** What is left of a node. */
export interface NodeRoom {
  /** Index into the fleet's nodes. */
  readonly node: number
  readonly model: string | undefined
  readonly layout: Layout | undefined
  /** Which parts of its cards can be used separately. */
  readonly parts: FleetCard['parts']
  /** How its cards are cut, if they can be. */
  readonly rules: MigRules | undefined
  readonly cpuMilli: number
  readonly memoryMib: number
  readonly diskMib: number
  readonly cards: readonly CardRoom[]
}

export interface CardRoom {
  /** Thousandths that no share has taken. */
  readonly freeMilli: number
  /** Memory slices that are taken, as bits. */
  readonly taken: number
}

/** Sets of cards are kept in the bits of a number. */
const CARDS_MAX = 31

const ALL_SLICES = 0xff

/** The rooms of a fleet with its tenants in place. Tenants are counted where they are, whether they fit or not. */
export function roomsOf({ fleet, tenants }: Pick<PackingProblem, 'fleet' | 'tenants'>): readonly NodeRoom[] {
  const byNode = Map.groupBy(tenants, ({ spot }) => spot.node)
  return fleet.nodes.map((node, index) => {
    const room = (byNode.get(index) ?? []).reduce(occupied, emptyRoom(node, index))
    // If the size of the disk is not known, none can be requested, whatever the tenants use.
    return node.diskMib === undefined ? { ...room, diskMib: 0 } : room
  })
}

/** Nothing is on it, and it does not fail. */
export function isIdle({ freeMilli, taken }: CardRoom): boolean {
  return freeMilli === 1000 && taken === 0
}

/** The idle cards of a node, as bits. */
export function idleMask({ cards }: NodeRoom): number {
  return cards.reduce((mask, card, index) => (isIdle(card) ? mask | (1 << index) : mask), 0)
}

function emptyRoom(node: FleetNode, index: number): NodeRoom {
  assert(node.cards.length <= CARDS_MAX, `node ${node.id} has ${node.cards.length} cards, more than ${CARDS_MAX}`)
  // A node can be divided only if all its cards are divided in the same way; the engine has the same rule.
  const first = node.cards[0]?.parts ?? 'none'
  const parts = node.cards.every((card) => card.parts === first) ? first : 'none'
  const rules = parts === 'mig' && node.model !== undefined ? migRules(node.model) : undefined
  return {
    node: index,
    model: node.model,
    layout: node.layout,
    parts: parts === 'mig' && rules === undefined ? 'none' : parts,
    rules,
    cpuMilli: node.cpuMilli,
    memoryMib: node.memoryMib,
    diskMib: node.diskMib ?? 0,
    cards: node.cards.map(({ health }) =>
      health === 'failing' ? { freeMilli: 0, taken: ALL_SLICES } : { freeMilli: 1000, taken: 0 },
    ),
  }
}

function occupied(room: NodeRoom, { request, spot }: PackingProblem['tenants'][number]): NodeRoom {
  const cards = room.cards.map((card, index) =>
    spot.cards.includes(index) ? occupiedCard(card, room, spot.taken) : card,
  )
  return {
    ...room,
    cpuMilli: room.cpuMilli - request.cpuMilli,
    memoryMib: room.memoryMib - request.memoryMib,
    diskMib: room.diskMib - request.diskMib,
    cards,
  }
}

/** A slice at an unknown position may be anywhere, so it takes the whole card. */
function occupiedCard({ freeMilli, taken }: CardRoom, { rules }: NodeRoom, part: Spot['taken']): CardRoom {
  if (part === undefined) return { freeMilli: 0, taken: ALL_SLICES }
  if (part.kind === 'share') return { freeMilli: Math.max(0, freeMilli - part.milli), taken }
  const slices = rules === undefined ? undefined : slicesOf(rules, part)
  return { freeMilli, taken: taken | (slices ?? ALL_SLICES) }
}
