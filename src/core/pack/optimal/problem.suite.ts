import type { FleetCard, FleetNode, Request, Spot } from '../../fleet/fleet.ts'
import type { Pending, PackingProblem } from './problem.ts'

const NOWHERE = { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined }

/** A node with more CPU and memory than any request, unless stated otherwise. */
export function node(id: string, more: Partial<Omit<FleetNode, 'id' | 'cards'>> & Cards = {}): FleetNode {
  const { cards = 2, parts = 'none', failing = [], ...rest } = more
  return {
    id,
    model: 'h100-sxm',
    cpuMilli: 1_000_000,
    memoryMib: 1_000_000,
    diskMib: undefined,
    layout: undefined,
    domains: NOWHERE,
    ...rest,
    cards: Array.from({ length: cards }, (_, card) => ({ health: failing.includes(card) ? 'failing' : 'ok', parts })),
  }
}

interface Cards {
  readonly cards?: number
  readonly parts?: FleetCard['parts']
  /** Indices of failing cards. */
  readonly failing?: readonly number[]
}

/** A node in a rack. */
export function racked(id: string, rack: string | undefined, more: Parameters<typeof node>[1] = {}): FleetNode {
  return node(id, { ...more, domains: { ...NOWHERE, rack } })
}

export function whole(count: number, more: Partial<Request> = {}): Request {
  return request({ count, part: { kind: 'whole' }, ...more })
}

export function share(milli: number, more: Partial<Request> = {}): Request {
  return request({ part: { kind: 'share', milli }, ...more })
}

export function slice(vramGib: number, more: Partial<Request> = {}): Request {
  return request({ part: { kind: 'slice', vramGib }, ...more })
}

function request(more: Partial<Request>): Request {
  return { cpuMilli: 0, memoryMib: 0, diskMib: 0, count: 1, part: { kind: 'whole' }, models: undefined, ...more }
}

/** Work that waits for a fleet of these nodes, on which nothing runs unless stated. */
export function problem(
  nodes: readonly FleetNode[],
  pending: readonly (Request | Pending)[],
  tenants: PackingProblem['tenants'] = [],
): PackingProblem {
  return { fleet: { nodes }, tenants, pending: pending.map((each) => ('request' in each ? each : { request: each })) }
}

export function spot(on: number, cards: readonly number[], taken?: Spot['taken']): Spot {
  return { node: on, cards, taken }
}
