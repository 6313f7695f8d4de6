import { must } from '../../base/assert.ts'
import type { Fleet, FleetNode, Request, Spot } from '../../fleet/fleet.ts'
import type { CardRules } from './card-rules.ts'
import { emptyNode, fitsAtSpot, freeSpot, lodge, vacate, type Lodger, type NodeState } from './node-state.ts'

/**
 * What is left of a fleet, computed the simple way: every question checks everything again and nothing is cached. Tenants
 * count where they are, even if they should not be there (for example on a card that has failed since): then less than
 * nothing may be left, and nothing fits.
 */
export interface FreeState {
  readonly fleet: Fleet
  /** In the order of the fleet's nodes. */
  readonly nodes: readonly NodeState[]
}

/** The fleet with all its running work. */
export function freeStateOf(fleet: Fleet, lodgers: readonly Lodger[], rules: CardRules): FreeState {
  const nodes = fleet.nodes.map((node, index) => emptyNode(node, index, rules))
  for (const lodger of lodgers) nodes[lodger.spot.node] = lodge(must(nodes[lodger.spot.node], 'a node'), lodger)
  return { fleet, nodes }
}

/** The state without this lodger, which must be there. */
export function without(state: FreeState, lodger: Lodger): FreeState {
  return { ...state, nodes: state.nodes.with(lodger.spot.node, vacate(nodeState(state, lodger.spot.node), lodger)) }
}

/** The state with this lodger, whether it fits or not. */
export function withLodger(state: FreeState, lodger: Lodger): FreeState {
  return { ...state, nodes: state.nodes.with(lodger.spot.node, lodge(nodeState(state, lodger.spot.node), lodger)) }
}

/** Whether a request may be placed at exactly this spot. */
export function fitsAt(state: FreeState, request: Request, spot: Spot): boolean {
  return fitsAtSpot(nodeState(state, spot.node), request, spot)
}

/** A spot on this node for the request, or undefined. */
export function fitsOn(state: FreeState, node: number, request: Request): Spot | undefined {
  return freeSpot([nodeState(state, node)], request)
}

/** What is left of one node. */
export function nodeState(state: FreeState, node: number): NodeState {
  return must(state.nodes[node], `node ${node} of ${state.nodes.length}`)
}

/** A node by its index. */
export function nodeAt(fleet: Fleet, node: number): FleetNode {
  return must(fleet.nodes[node], `node ${node} of ${fleet.nodes.length}`)
}
