import type { Domains, Fleet, FleetNode, Request } from '../../core/fleet/fleet.ts'
import type { Arrival } from './trace.ts'

const NOWHERE: Domains = { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined }

/** A node with shareable cards; 1 core and 1 GiB per card unless given. */
export function nodeOf(id: string, cards: number, given: Partial<FleetNode> = {}): FleetNode {
  return {
    id,
    model: cards === 0 ? undefined : 'G2',
    cpuMilli: cards * 1000,
    memoryMib: cards * 1024,
    diskMib: undefined,
    cards: Array.from({ length: cards }, () => ({ health: 'ok', parts: 'share' })),
    layout: undefined,
    domains: NOWHERE,
    ...given,
  }
}

/** Equal nodes in one rack. */
export function fleetOf(nodes: number, cards: number, given: Partial<FleetNode> = {}): Fleet {
  const domains = { ...NOWHERE, rack: 'r' }
  return { nodes: Array.from({ length: nodes }, (_, index) => nodeOf(`n-${index}`, cards, { domains, ...given })) }
}

/** Whole cards, with nothing else. */
export function cardsOf(count: number, given: Partial<Request> = {}): Request {
  return { cpuMilli: 0, memoryMib: 0, diskMib: 0, count, part: { kind: 'whole' }, models: undefined, ...given }
}

/** A part of one card. */
export function shareOf(milli: number, given: Partial<Request> = {}): Request {
  return cardsOf(1, { part: { kind: 'share', milli }, ...given })
}

export function arrivalOf(name: string, request: Request, given: Partial<Arrival> = {}): Arrival {
  return { name, arrivalS: 0, durationS: 10, request, nodes: 1, within: undefined, priority: 0, ...given }
}
