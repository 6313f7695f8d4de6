import { mulberry32 } from '../../base/dice.ts'
import type { Domains, Fleet, FleetNode, Request, Tenant } from '../../fleet/fleet.ts'
import type { Gang, HostView } from './gang.ts'

/** Names of zone, fabric, rack and NVLink domain; `-` and missing parts are unknown. */
export function domainsOf(path: string): Domains {
  const [zone, fabric, rack, nvlinkDomain] = path.split('/').map((name) => (name === '-' ? undefined : name))
  return { zone, fabric, rack, nvlinkDomain }
}

/** A fleet with the given number of nodes at each path: `{ 'z/f/r': 4 }`. */
export function fleetOf(paths: Readonly<Record<string, number>>): Fleet {
  const places = Object.entries(paths).flatMap(([path, nodes]) => Array.from({ length: nodes }, () => path))
  return { nodes: places.map((path, index) => nodeOf(`node-${index}`, domainsOf(path))) }
}

export function nodeOf(id: string, domains: Domains): FleetNode {
  return { ...NODE, id, domains }
}

export function gangOf(nodes: number, within?: Gang['within']): Gang {
  return { id: `gang-${nodes}`, nodes, request: wholeCards(8), within }
}

export function wholeCards(count: number): Request {
  return { cpuMilli: 0, memoryMib: 0, diskMib: 0, count, part: { kind: 'whole' }, models: undefined }
}

/** A view in which all nodes except these can host. */
export function allBut(busy: readonly number[]): HostView {
  const full = new Set(busy)
  return { canHost: (node) => !full.has(node), score: () => 0 }
}

export function tenantOn(node: number, given: Partial<Tenant> = {}): Tenant {
  return {
    name: `tenant-${node}`,
    request: wholeCards(1),
    spot: { node, cards: [0], taken: undefined },
    priority: 0,
    restart: 'inference',
    checkpointAgeS: undefined,
    ...given,
  }
}

/** Random numbers from a seed: the same on every machine. */
export function generator(seed: number): (below: number) => number {
  const next = mulberry32(seed)
  return (below) => (next() * 2 ** 32) % below
}

const NODE: FleetNode = {
  id: '',
  model: 'h100-sxm',
  cpuMilli: 192_000,
  memoryMib: 2_000_000,
  diskMib: undefined,
  cards: Array.from({ length: 8 }, () => ({ health: 'ok', parts: 'none' })),
  layout: undefined,
  domains: { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined },
}
