import { useOf, type NodeUse } from './use.ts'
import type { FleetCard, FleetNode, Spot, Tenant } from './fleet.ts'

/** A node with these cards, 8 processors and 64 GiB. */
export function nodeWith(count: number, more: Partial<FleetNode> = {}, card: Partial<FleetCard> = {}): FleetNode {
  return {
    id: 'n',
    model: 'h100-sxm',
    cpuMilli: 8000,
    memoryMib: 65_536,
    diskMib: undefined,
    cards: Array.from({ length: count }, () => ({ health: undefined, parts: 'none' as const, ...card })),
    layout: undefined,
    domains: { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined },
    ...more,
  }
}

/** A tenant on some cards of the first node, with one processor and one GiB. */
export function tenantOn(name: string, cards: readonly number[], taken?: Spot['taken']): Tenant {
  return {
    name,
    request: {
      cpuMilli: 1000,
      memoryMib: 1024,
      diskMib: 0,
      count: cards.length,
      part: { kind: 'whole' },
      models: undefined,
    },
    spot: { node: 0, cards, taken },
    priority: 0,
    restart: 'training',
    checkpointAgeS: undefined,
  }
}

/** How one node is used. */
export function used(node: FleetNode, tenants: readonly Tenant[] = []): NodeUse {
  const [use] = useOf({ nodes: [node] }, tenants)
  if (use === undefined) throw new Error('no node')
  return use
}

/** A slice as the driver names it. */
export function slice(profile: string, start: number): NonNullable<Spot['taken']> {
  return { kind: 'slice', profile, start }
}
