import { must } from '../../core/base/assert.ts'
import { parseMemoryGib } from '../../core/base/units.ts'
import type { Fleet, FleetCard, FleetNode, Request, Spot, Tenant } from '../../core/fleet/fleet.ts'
import type { HostFacts } from '../../core/fleet/owned-fleet.ts'
import { cutsAgree } from '../../core/fleet/slices.ts'
import { resolveGpu } from '../../core/hardware/resolve.ts'

/** Machines of one's own inside a simulated cloud. What is free on them follows from what runs there. */
export interface SimFleet {
  /** Its name, which is the region of its offers. */
  readonly region: string
  readonly fleet: Fleet
  readonly host: HostFacts
}

const HOST: HostFacts = { hostArch: 'amd64', driver: '570.86.15', cuda: '12.8', inbound: true, volumeGib: 10_000 }
const NODES_MAX = 100_000
const CARDS_MAX = 16

/**
 * Fleets as settings write them: `{ name, nodes, gpu: { model, count, parts }, cpu, memory, disk, zone, rack }`, where `parts`
 * is `none`, `share` or `mig` and `rack` the number of nodes in a rack. All nodes of a fleet are equal.
 */
export function readFleets(written: unknown, problems: string[]): readonly SimFleet[] {
  if (written === undefined) return []
  if (!Array.isArray(written)) {
    problems.push('fleets: must be a list, such as [{ name: hall, nodes: 4, gpu: { model: h100-sxm, count: 8 } }]')
    return []
  }
  return written.flatMap((each: unknown, index) => {
    const read = readFleet(isMap(each) ? each : {}, `fleets[${index}]`)
    if ('problems' in read) problems.push(...read.problems)
    return 'problems' in read ? [] : [read]
  })
}

function readFleet(
  { name, nodes = 1, gpu, cpu, memory, disk, zone, rack = 0 }: Written,
  at: string,
): SimFleet | { readonly problems: readonly string[] } {
  const problems: string[] = []
  const { model, count = 1, parts = 'none' } = isMap(gpu) ? gpu : {}
  const resolved = typeof model === 'string' ? resolveGpu(model) : undefined
  if (typeof name !== 'string' || name === '') problems.push(`${at}.name: must be the name of the fleet`)
  if (!isWhole(nodes, NODES_MAX)) problems.push(`${at}.nodes: must be a whole number from 1 to ${NODES_MAX}`)
  if (gpu !== undefined && resolved?.kind !== 'gpu') problems.push(`${at}.gpu.model: must be a GPU that Berth knows`)
  if (!isWhole(count, CARDS_MAX)) problems.push(`${at}.gpu.count: must be a whole number from 1 to ${CARDS_MAX}`)
  if (!isParts(parts)) problems.push(`${at}.gpu.parts: must be none, share or mig`)
  if (problems.length > 0 || !isWhole(nodes, NODES_MAX) || !isWhole(count, CARDS_MAX)) return { problems }
  const card: FleetCard = { health: 'ok', parts: isParts(parts) ? parts : 'none' }
  const cards = resolved?.kind === 'gpu' ? Array.from({ length: count }, () => card) : []
  const node = {
    model: resolved?.kind === 'gpu' ? resolved.gpu.id : undefined,
    cpuMilli: 1000 * (amountOf(cpu) ?? 16 * Math.max(1, cards.length)),
    memoryMib: 1024 * (amountOf(memory) ?? 128 * Math.max(1, cards.length)),
    diskMib: 1024 * (amountOf(disk) ?? 4000),
    cards,
    layout: undefined,
  }
  const perRack = isWhole(rack, NODES_MAX) ? rack : undefined
  const width = String(nodes - 1).length
  const made = Array.from({ length: nodes }, (_, index): FleetNode => {
    const place = perRack === undefined ? undefined : `${String(name)}-r${Math.floor(index / perRack)}`
    const domains = {
      zone: typeof zone === 'string' ? zone : undefined,
      fabric: undefined,
      rack: place,
      nvlinkDomain: undefined,
    }
    return { id: `${String(name)}-${String(index).padStart(width, '0')}`, ...node, domains }
  })
  return { region: String(name), fleet: { nodes: made }, host: HOST }
}

/** What runs on a node, as far as room goes. */
export type NodeShare = Pick<Tenant, 'request' | 'spot'>

/** Why a node cannot take one more request at a spot; undefined: it can. */
export function whyCrowded(node: FleetNode, running: readonly NodeShare[], asked: NodeShare): string | undefined {
  const all = [...running, asked]
  const sum = (of: (request: Request) => number): number => all.reduce((total, { request }) => total + of(request), 0)
  if (sum(({ cpuMilli }) => cpuMilli) > node.cpuMilli) return `not enough processors are free on ${node.id}`
  if (sum(({ memoryMib }) => memoryMib) > node.memoryMib) return `not enough memory is free on ${node.id}`
  if (sum(({ diskMib }) => diskMib) > (node.diskMib ?? Infinity)) return `not enough disk is free on ${node.id}`
  if (asked.spot.cards.length < asked.request.count) return `the order names too few cards of ${node.id}`
  const crowded = asked.spot.cards.find((card) => {
    const held = all.filter(({ spot }) => spot.cards.includes(card)).map(({ spot }) => spot.taken)
    return node.cards[card] === undefined || !isShared(node, held)
  })
  return crowded === undefined ? undefined : `card ${crowded} of ${node.id} is in use`
}

function isShared({ model }: FleetNode, held: readonly Spot['taken'][]): boolean {
  if (held.length === 1) return true
  const slices = held.filter((taken) => taken?.kind === 'slice')
  if (slices.length > 0) return slices.length === held.length && cutsAgree(model, slices)
  const milli = held.reduce((total, taken) => total + (taken?.kind === 'share' ? taken.milli : 1000), 0)
  return milli <= 1000
}

/** The node of this name, and its position. */
export function nodeIn(
  { fleet }: SimFleet,
  id: string,
): { readonly node: FleetNode; readonly index: number } | undefined {
  let known = POSITIONS.get(fleet)
  if (known === undefined) {
    known = new Map(fleet.nodes.map((node, index) => [node.id, index]))
    POSITIONS.set(fleet, known)
  }
  const index = known.get(id)
  return index === undefined ? undefined : { node: must(fleet.nodes[index], 'a node of the fleet'), index }
}

const POSITIONS = new WeakMap<Fleet, ReadonlyMap<string, number>>()

type Written = Readonly<Record<string, unknown>>

function isMap(value: unknown): value is Written {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWhole(value: unknown, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most
}

function isParts(value: unknown): value is FleetCard['parts'] {
  return value === 'none' || value === 'share' || value === 'mig'
}

function amountOf(value: unknown): number | undefined {
  if (typeof value === 'number' && value > 0) return value
  const amount = typeof value === 'string' ? parseMemoryGib(value) : undefined
  return amount?.kind === 'amount' ? amount.value : undefined
}
