import type { CardPart, Request, Spot, Tenant } from '../../fleet/fleet.ts'
import type { FreeState } from './free-state.ts'
import type { NodeState } from './node-state.ts'

/** A number of requests, each on its own node. */
export interface Sum {
  readonly request: Request
  readonly count: number
}

/**
 * Whether all free room of the fleet, added up, could be enough. If not, no moves can help: they free only what a tenant
 * holds beyond its request. A cut card counts as free.
 */
export function fitsInSum({ nodes }: FreeState, tenants: readonly Tenant[], { request, count }: Sum): boolean {
  const sum = (amount: (node: NodeState) => number): number =>
    nodes.reduce((total, node) => total + Math.max(0, amount(node)), 0)
  const beyond = tenants.reduce((total, tenant) => total + Math.max(0, heldBeyond(tenant)), 0)
  return (
    sum(({ cpuMilli }) => cpuMilli) >= count * request.cpuMilli &&
    sum(({ memoryMib }) => memoryMib) >= count * request.memoryMib &&
    sum(({ diskMib }) => diskMib ?? 0) >= count * request.diskMib &&
    sum(freeMilli) + beyond >= count * request.count * milliOf(request.part)
  )
}

/** The excess of a card that was given whole where a part would do. */
function heldBeyond({ request, spot }: Tenant): number {
  return spot.cards.length * (heldMilli(spot.taken) - milliOf(request.part))
}

function heldMilli(taken: Spot['taken']): number {
  if (taken === undefined) return 1000
  return taken.kind === 'share' ? taken.milli : 0
}

/** Slices count as nothing: how much of a card they take depends on the card. */
function milliOf(part: CardPart): number {
  switch (part.kind) {
    case 'whole':
      return 1000
    case 'share':
      return Math.min(1000, part.milli)
    case 'slice':
      return 0
  }
}

function freeMilli({ node, cards }: NodeState): number {
  const usable = cards.filter((_, card) => node.cards[card]?.health !== 'failing')
  return usable.reduce((sum, card) => sum + Math.max(0, card.freeMilli), 0)
}
