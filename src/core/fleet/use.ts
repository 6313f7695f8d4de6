import type { Fleet, FleetCard, FleetNode, Spot, Tenant } from './fleet.ts'
import { cutsLeft } from './slices.ts'

/** What stands where on one node: the basis of everything that is shown of it. */
export interface NodeUse {
  readonly node: FleetNode
  readonly cards: readonly CardUse[]
  /** All that run here, also those without cards. */
  readonly tenants: readonly Tenant[]
  readonly cpuFreeMilli: number
  readonly memoryFreeMib: number
  /** Undefined: nobody knows how much disk there is. */
  readonly diskFreeMib: number | undefined
}

export interface CardUse {
  readonly card: FleetCard
  readonly state: CardState
  readonly holders: readonly Holder[]
  /** How much of the card can still be shared out, in thousandths. */
  readonly freeMilli: number
}

/** `full`: nothing more can be had of it. A card that fails is neither free nor full. */
export type CardState = 'free' | 'partly' | 'full' | 'failing'

interface Holder {
  readonly name: string
  /** Undefined: the whole card. */
  readonly taken: Spot['taken']
}

/** Who holds what of each node. */
export function useOf({ nodes }: Fleet, tenants: readonly Tenant[]): readonly NodeUse[] {
  const byNode = Map.groupBy(tenants, (tenant) => tenant.spot.node)
  return nodes.map((node, index) => nodeUse(node, byNode.get(index) ?? NOBODY))
}

const NOBODY: readonly Tenant[] = []

function nodeUse(node: FleetNode, tenants: readonly Tenant[]): NodeUse {
  const left = (room: number, key: 'cpuMilli' | 'memoryMib' | 'diskMib'): number =>
    tenants.reduce((free, { request }) => free - request[key], room)
  return {
    node,
    cards: node.cards.map((card, index) => cardUse(card, holdersOf(tenants, index), node.model)),
    tenants,
    cpuFreeMilli: left(node.cpuMilli, 'cpuMilli'),
    memoryFreeMib: left(node.memoryMib, 'memoryMib'),
    diskFreeMib: node.diskMib === undefined ? undefined : left(node.diskMib, 'diskMib'),
  }
}

function holdersOf(tenants: readonly Tenant[], card: number): readonly Holder[] {
  return tenants
    .filter(({ spot }) => spot.cards.includes(card))
    .map(({ name, spot }) => ({ name, taken: spot.taken }))
    .sort((one, two) => startOf(one) - startOf(two) || (one.name < two.name ? -1 : 1))
}

/** Slices in the order they lie in. */
function startOf({ taken }: Holder): number {
  return taken?.kind === 'slice' ? taken.start : 0
}

function cardUse(card: FleetCard, holders: readonly Holder[], model: string | undefined): CardUse {
  const held = holders.reduce((sum, { taken }) => sum + (taken?.kind === 'share' ? taken.milli : 0), 0)
  const freeMilli = holders.some(({ taken }) => taken?.kind !== 'share') ? 0 : 1000 - held
  const state = holders.length === 0 ? 'free' : hasRoom(holders, freeMilli, model) ? 'partly' : 'full'
  return { card, holders, freeMilli, state: card.health === 'failing' ? 'failing' : state }
}

/** Whether anything more can be had of a card that is held. */
function hasRoom(holders: readonly Holder[], freeMilli: number, model: string | undefined): boolean {
  const slices = holders.flatMap(({ taken }) => (taken?.kind === 'slice' ? [taken] : []))
  if (holders.some(({ taken }) => taken === undefined)) return false
  return slices.length > 0 ? cutsLeft(model, slices).length > 0 : freeMilli > 0
}
