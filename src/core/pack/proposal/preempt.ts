import type { Spot, Tenant } from '../../fleet/fleet.ts'
import { addCosts, costOf, type Cost } from './cost.ts'
import { isRoomFor, type Fit } from './fit.ts'
import { freeStateOf, nodeAt, nodeState, type FreeState } from './free-state.ts'
import { freeSpot, vacate, type NodeState } from './node-state.ts'
import { roomsOn, type RoomPlan } from './rooms.ts'
import { byText, domainsOf, unitsByNode, unitsOf, type Unit, type World } from './world.ts'

/** Who is to have room made. */
export interface Newcomer extends Fit {
  readonly name: string
  readonly priority: number
}

/** Who could make way for whom. Nothing is done by proposing it. */
export interface Preemption {
  readonly kind: 'preemption'
  readonly for: Newcomer
  /** Where the newcomer would lie: one spot a node. */
  readonly spots: readonly Spot[]
  /** What is given back, by node. */
  readonly frees: readonly Freed[]
  readonly cost: Cost
  /** By name. None of them could stay. */
  readonly victims: readonly Victim[]
}

interface Freed {
  /** Index into the fleet's nodes. */
  readonly node: number
  /** Cards of which at least a part is given back, ascending. */
  readonly cards: readonly number[]
  readonly cpuMilli: number
  readonly memoryMib: number
  readonly diskMib: number
}

interface Victim {
  readonly name: string
  readonly spot: Spot
  readonly cost: Cost
  readonly why: VictimReason
}

type VictimReason =
  /** It holds what is needed, is worth less and may stop: as inference, or because it can go on from a checkpoint. */
  | {
      readonly kind: 'in-the-way'
      readonly priority: number
      readonly below: number
      readonly restart: Tenant['restart']
      readonly checkpointAgeS: number | undefined
    }
  /** It is of a gang with one that is in the way, and a gang does not run in part. */
  | { readonly kind: 'goes-with'; readonly name: string }

/** Proposals that are worth reading. */
const PROPOSALS_MAX = 5

/**
 * Who of strictly lower priority could make way so that the newcomer fits: the cheapest way for each node (for a gang:
 * each domain), cheapest first; at one price fewer victims, then the lower priority, then names decide. No victim could
 * stay. Empty when it fits as things are, or when those who may be stopped would not be enough.
 *
 * On one node the cheapest way is found exactly while there are few enough ways to try (see rooms.ts and covers.ts). The
 * nodes of a gang are taken one by one, cheapest first, which is exact unless gangs of victims span several of them.
 */
export function proposePreemption(world: World, newcomer: Newcomer): readonly Preemption[] {
  const state = freeStateOf(world.fleet, world.tenants, world.rules)
  if (isRoomFor(state, newcomer)) return []
  const domains = domainsOf(world.fleet, newcomer.within)
  const units = unitsOf(world).filter(({ priority }) => priority < newcomer.priority)
  const field = { state, newcomer, byNode: unitsByNode(units) }
  const groups = newcomer.nodes === 1 ? domains.flat().map((node) => [node]) : domains
  return groups
    .map((nodes) => clearGroup(field, nodes))
    .filter((clearing) => clearing !== undefined)
    .sort((a, b) => compareClearings(world, a, b))
    .slice(0, PROPOSALS_MAX)
    .map((clearing) => proposalOf(world, newcomer, clearing))
}

interface Field {
  readonly state: FreeState
  readonly newcomer: Newcomer
  readonly byNode: ReadonlyMap<number, readonly Unit[]>
}

/** Nodes that could host the newcomer once some have left. */
interface Clearing {
  /** As many as it asks for. */
  readonly spots: readonly Spot[]
  readonly leave: readonly Unit[]
}

/** Takes the cheapest node, then the next, until there are enough; who has left for one is not there for another. */
function clearGroup(field: Field, nodes: readonly number[]): Clearing | undefined {
  const left = new Set<Unit>()
  const hosts = new Set<number>()
  const rooms = new Map(nodes.map((node) => [node, roomOn(field, node, left)]))
  while (hosts.size < field.newcomer.nodes) {
    const room = cheapest(field, [...rooms.values()])
    if (room === undefined) return undefined
    hosts.add(room.spot.node)
    rooms.delete(room.spot.node)
    for (const unit of room.leave) left.add(unit)
    const touched = new Set(room.leave.flatMap(({ members }) => members.map(({ spot }) => spot.node)))
    for (const node of touched) if (rooms.has(node)) rooms.set(node, roomOn(field, node, left))
  }
  const inOrder = [...hosts, ...nodes.filter((node) => !hosts.has(node))]
  const leave = spare(field, inOrder, [...left])
  return { leave, spots: spotsIn(field, inOrder, leave) }
}

function roomOn(field: Field, node: number, left: ReadonlySet<Unit>): RoomPlan | undefined {
  const units = (field.byNode.get(node) ?? []).filter((unit) => !left.has(unit))
  const { request } = field.newcomer
  return roomsOn(nodeWithout(field, node, [...left]), { request, units, alternatives: 1 })[0]
}

/** A node once some have left. */
function nodeWithout({ state }: Field, node: number, left: readonly Unit[]): NodeState {
  const gone = left.flatMap(({ members }) => members.filter(({ spot }) => spot.node === node))
  return gone.reduce(vacate, nodeState(state, node))
}

function cheapest({ state }: Field, rooms: readonly (RoomPlan | undefined)[]): RoomPlan | undefined {
  return rooms.reduce<RoomPlan | undefined>((best, room) => {
    if (best === undefined || room === undefined) return best ?? room
    const order = room.price - best.price || room.leave.length - best.leave.length || byNodeId(state, room, best)
    return order < 0 ? room : best
  }, undefined)
}

function byNodeId({ fleet }: FreeState, a: RoomPlan, b: RoomPlan): number {
  return byText(nodeAt(fleet, a.spot.node).id, nodeAt(fleet, b.spot.node).id)
}

/** Leaves out everybody who could stay after all, the dearest first. */
function spare(field: Field, nodes: readonly number[], leave: readonly Unit[]): readonly Unit[] {
  const dearest = leave.toSorted((a, b) => b.price - a.price)
  return dearest.reduce((needed, unit) => {
    const fewer = needed.filter((other) => other !== unit)
    return spotsIn(field, nodes, fewer).length === field.newcomer.nodes ? fewer : needed
  }, leave)
}

/** Spots on the first of these nodes that can host once some have left, as many as are asked for, or all there are. */
function spotsIn(field: Field, nodes: readonly number[], leave: readonly Unit[]): readonly Spot[] {
  const { newcomer } = field
  const spots: Spot[] = []
  for (const node of nodes) {
    if (spots.length === newcomer.nodes) break
    const spot = freeSpot([nodeWithout(field, node, leave)], newcomer.request)
    if (spot !== undefined) spots.push(spot)
  }
  return spots
}

function compareClearings(world: World, a: Clearing, b: Clearing): number {
  return (
    sumOf(a.leave) - sumOf(b.leave) ||
    victimsOf(a).length - victimsOf(b).length ||
    highest(a) - highest(b) ||
    byText(namesOf(a), namesOf(b)) ||
    byText(nodesOf(world, a), nodesOf(world, b))
  )
}

function victimsOf({ leave }: Clearing): readonly Tenant[] {
  return leave.flatMap(({ members }) => members)
}

function highest({ leave }: Clearing): number {
  return Math.max(...leave.map(({ priority }) => priority))
}

function namesOf(clearing: Clearing): string {
  return JSON.stringify(
    victimsOf(clearing)
      .map(({ name }) => name)
      .sort(byText),
  )
}

function nodesOf({ fleet }: World, { spots }: Clearing): string {
  return JSON.stringify(spots.map(({ node }) => nodeAt(fleet, node).id).sort(byText))
}

function sumOf(units: readonly Unit[]): number {
  return units.reduce((sum, { price }) => sum + price, 0)
}

function proposalOf(world: World, newcomer: Newcomer, clearing: Clearing): Preemption {
  const { spots, leave } = clearing
  const hosts = new Set(spots.map(({ node }) => node))
  const victims = leave
    .flatMap((unit) =>
      unit.members.map((tenant) => victimOf(world, tenant, reasonFor(tenant, { unit, hosts, newcomer }))),
    )
    .sort((a, b) => byText(a.name, b.name))
  const cost = addCosts(victims.map((victim) => victim.cost))
  return { kind: 'preemption', for: newcomer, spots, frees: freedBy(victimsOf(clearing)), cost, victims }
}

function victimOf({ fleet, rules }: World, tenant: Tenant, why: VictimReason): Victim {
  const { model } = nodeAt(fleet, tenant.spot.node)
  const cost = costOf(tenant, (slice) => rules.shareOf(model, slice))
  return { name: tenant.name, spot: tenant.spot, cost, why }
}

interface Sentence {
  readonly unit: Unit
  readonly hosts: ReadonlySet<number>
  readonly newcomer: Newcomer
}

function reasonFor(tenant: Tenant, { unit, hosts, newcomer }: Sentence): VictimReason {
  const first = unit.members.find(({ spot }) => hosts.has(spot.node)) ?? unit.members[0]
  const { priority, restart, checkpointAgeS } = tenant
  if (hosts.has(tenant.spot.node) || first === tenant) {
    return { kind: 'in-the-way', priority, below: newcomer.priority, restart, checkpointAgeS }
  }
  return { kind: 'goes-with', name: first.name }
}

function freedBy(tenants: readonly Tenant[]): readonly Freed[] {
  const byNode = [...Map.groupBy(tenants, ({ spot }) => spot.node)].sort(([a], [b]) => a - b)
  return byNode.map(([node, there]) => ({
    node,
    cards: [...new Set(there.flatMap(({ spot }) => spot.cards))].sort((a, b) => a - b),
    cpuMilli: there.reduce((sum, { request }) => sum + request.cpuMilli, 0),
    memoryMib: there.reduce((sum, { request }) => sum + request.memoryMib, 0),
    diskMib: there.reduce((sum, { request }) => sum + request.diskMib, 0),
  }))
}
