import { shapesOf } from '../../core/pack/engine/states.ts'
import type { Fleet, FleetNode, Tenant } from '../../core/fleet/fleet.ts'

/**
 * A fleet with what runs in it, in a form that a packer accepts. Work that no packer would place, because its card is failing
 * or the node's cards are not all cut in the same way, becomes part of the node: its cards are removed, and so are its CPU,
 * memory and disk.
 */
export function standing(
  fleet: Fleet,
  tenants: readonly Tenant[],
): { readonly fleet: Fleet; readonly running: readonly Tenant[] } {
  const { pools, of } = shapesOf(fleet.nodes)
  const isFixed = ({ spot }: Tenant): boolean => {
    const isCut = spot.taken?.kind === 'slice' && pools[of[spot.node]?.pool ?? -1]?.cards.rules === undefined
    return isCut || spot.cards.some((card) => fleet.nodes[spot.node]?.cards[card]?.health === 'failing')
  }
  const fixed = Map.groupBy(tenants.filter(isFixed), ({ spot }) => spot.node)
  return {
    fleet: { nodes: fleet.nodes.map((node, index) => without(node, fixed.get(index) ?? [])) },
    running: tenants.filter((tenant) => !isFixed(tenant)),
  }
}

function without(node: FleetNode, tenants: readonly Tenant[]): FleetNode {
  if (tenants.length === 0) return node
  const taken = new Set(tenants.flatMap(({ spot }) => spot.cards))
  const left = (room: number, key: 'cpuMilli' | 'memoryMib' | 'diskMib'): number =>
    tenants.reduce((free, { request }) => free - request[key], room)
  return {
    ...node,
    cpuMilli: left(node.cpuMilli, 'cpuMilli'),
    memoryMib: left(node.memoryMib, 'memoryMib'),
    diskMib: node.diskMib === undefined ? undefined : left(node.diskMib, 'diskMib'),
    cards: node.cards.map((card, index) => (taken.has(index) ? { ...card, health: 'failing' } : card)),
  }
}
