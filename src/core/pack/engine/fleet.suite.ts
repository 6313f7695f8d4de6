import type { Domains, Fleet, FleetCard, FleetNode, CardPart, Request } from '../../fleet/fleet.ts'
import { must } from '../../base/assert.ts'
import { Kinds } from './kinds.ts'
import { capacityOf, freshCodes, machinesOf } from './packer.ts'
import type { PackingInput } from './policy.ts'
import { shapesOf, States } from './states.ts'

// Small fleets and requests, in few words.

/** A node about whose domains nothing is known. */
export const NOWHERE: Domains = { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined }

export const WHOLE: CardPart = { kind: 'whole' }

/** The given number of healthy cards that can be divided into these parts. */
export function cards(count: number, parts: FleetCard['parts'] = 'share'): readonly FleetCard[] {
  return Array.from({ length: count }, () => ({ health: 'ok', parts }))
}

/** A node with two shared cards of the model `plain` and plenty of everything, unless stated otherwise. */
export function node(id: string, change: Partial<FleetNode> = {}): FleetNode {
  return {
    id,
    model: 'plain',
    cpuMilli: 1_000_000,
    memoryMib: 1_000_000,
    diskMib: undefined,
    cards: cards(2),
    layout: undefined,
    domains: NOWHERE,
    ...change,
  }
}

export function fleet(...nodes: readonly FleetNode[]): Fleet {
  return { nodes }
}

/** A request for a number of cards, or a part of each, that hardly needs anything else. */
export function asks(count: number, part: CardPart = WHOLE, change: Partial<Request> = {}): Request {
  return { cpuMilli: 100, memoryMib: 100, diskMib: 0, count, part, models: undefined, ...change }
}

export function share(milli: number): CardPart {
  return { kind: 'share', milli }
}

export function slice(vramGib: number): CardPart {
  return { kind: 'slice', vramGib }
}

/** The input of a policy: a row for each node, nothing placed yet. */
export function groundOf(fleet: Fleet, history: readonly { request: Request; count: number }[] = []): PackingInput {
  const { pools, of } = shapesOf(fleet.nodes)
  const kinds = new Kinds(pools)
  const states = new States(fleet.nodes.length, Math.max(1, ...of.map((shape) => shape.cards)))
  for (const [row, { cpuMilli, memoryMib, diskMib, ...about }] of fleet.nodes.entries()) {
    states.setShape(row, must(of[row], 'a shape a node'))
    states.cpu[row] = cpuMilli
    states.memory[row] = memoryMib
    states.disk[row] = diskMib ?? 0
    freshCodes(about, states.codes, row * states.width)
    states.countIdle(row)
  }
  const past = history.map(({ request, count }) => ({ kind: kinds.of(request), count }))
  return { pools, kinds, states, capacity: capacityOf(fleet), machines: machinesOf(fleet, of), history: past }
}
