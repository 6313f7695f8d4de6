import type { Fleet, FleetCard, FleetNode, Spot, Tenant } from './fleet.ts'
import { cutsLeft } from './slices.ts'

/** What is placed where on one node: the basis of everything that is shown about it. */
export interface NodeUse {
  readonly node: FleetNode
  readonly cards: readonly CardUse[]
  /** Everything that runs here, including work without cards. */
  readonly tenants: readonly Tenant[]
  readonly cpuFreeMilli: number
  readonly memoryFreeMib: number
  /** Undefined: the size of the disk is not known. */
  readonly diskFreeMib: number | undefined
}

export interface CardUse {
  readonly card: FleetCard
  readonly state: CardState
  readonly holders: readonly Holder[]
  /** How much of the card is still free to share, in thousandths. */
  readonly freeMilli: number
}

/** `full`: nothing more fits on it. A failing card is neither free nor full. */
export type CardState = 'free' | 'partly' | 'full' | 'failing'

interface Holder {
  readonly name: string
  /** Undefined: the whole card. */
  readonly taken: Spot['taken']
}

/** Which tenant holds what of each node. */
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

/** Slices in the order of their positions. */
function startOf({ taken }: Holder): number {
  return taken?.kind === 'slice' ? taken.start : 0
}

function cardUse(card: FleetCard, holders: readonly Holder[], model: string | undefined): CardUse {
  const held = holders.reduce((sum, { taken }) => sum + (taken?.kind === 'share' ? taken.milli : 0), 0)
  const freeMilli = holders.some(({ taken }) => taken?.kind !== 'share') ? 0 : 1000 - held
  const state = holders.length === 0 ? 'free' : hasRoom(holders, freeMilli, model) ? 'partly' : 'full'
  return { card, holders, freeMilli, state: card.health === 'failing' ? 'failing' : state }
}

/** Whether a card that is in use has room for more. */
function hasRoom(holders: readonly Holder[], freeMilli: number, model: string | undefined): boolean {
  const slices = holders.flatMap(({ taken }) => (taken?.kind === 'slice' ? [taken] : []))
  if (holders.some(({ taken }) => taken === undefined)) return false
  return slices.length > 0 ? cutsLeft(model, slices).length > 0 : freeMilli > 0
}
