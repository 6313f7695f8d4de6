import { domainTree, enclosing, type DomainTree } from '../../fleet/domain-tree.ts'
import { must } from '../../base/assert.ts'
import { lotsOf, workersOf, type Lot } from './lots.ts'
import { addCards, type CardModel } from './model-cards.ts'
import { worthOf, type PackingProblem } from './problem.ts'
import { greatestDivisor, Program, type Term } from './program.ts'
import { roomsOf, type NodeRoom } from './room.ts'
import { mostOn, wayOn, type Placing } from './way.ts'

/** A problem as a program for a solver, and what its variables stand for. */
export interface Model {
  readonly kind: 'model'
  readonly problem: PackingProblem
  readonly lots: readonly Lot[]
  readonly program: Program
  /** Nodes that work could be placed on; of identical nodes, no more than could be used. */
  readonly nodes: readonly NodeModel[]
  /** The class of each node of the fleet: nodes of a class are interchangeable. */
  readonly classes: readonly string[]
  /** What the accepted work is worth. */
  readonly work: readonly Term[]
  /** The worth of any accepted work is a multiple of this. */
  readonly unit: number
  /** How whole the idle cards stay, compared with now: each block of 1, 2, 4, ... on a node counts by its size. */
  readonly wholeness: readonly Term[]
}

export interface NodeModel {
  readonly room: NodeRoom
  readonly placings: readonly Placing[]
  readonly cards: CardModel
}

/** The model was given up before it was complete. */
export interface TooLarge {
  readonly kind: 'too-large'
  readonly variablesMax: number
}

/** Writes a problem as a program with a limited number of variables. */
export function buildModel(
  problem: PackingProblem,
  { variablesMax }: { readonly variablesMax: number },
): Model | TooLarge {
  const lots = lotsOf(problem.pending)
  const tree = domainTree(problem.fleet)
  const all = roomsOf(problem)
  const classes = classesOf(all, lots, tree)
  const rooms = usefulRooms(all, classes, workersOf(lots))
  const program = new Program(variablesMax)
  const domains = hostsByDomain(rooms, lots, tree)
  const nodes: NodeModel[] = []
  for (const room of rooms) {
    const placings = addPlacings(program, room, { lots, domains })
    if (placings.length === 0) continue
    addHost(program, room, { lots, placings })
    nodes.push({ room, placings, cards: addCards(program, room, placings) })
    if (program.isTooLarge) return { kind: 'too-large', variablesMax }
  }
  addLots(program, lots, nodes)
  const work = [...workOf(lots, nodes), ...addGangs(program, lots, { nodes, domains })]
  if (program.isTooLarge) return { kind: 'too-large', variablesMax }
  const unit = greatestDivisor(problem.pending.map(worthOf))
  return { kind: 'model', problem, lots, program, nodes, classes, work, unit, wholeness: nodes.flatMap(wholenessOf) }
}

/** Nodes in different domains are interchangeable only if no gang could tell them apart. */
function classesOf(rooms: readonly NodeRoom[], lots: readonly Lot[], tree: DomainTree): readonly string[] {
  const isBound = lots.some(({ gang }) => gang?.within !== undefined)
  return rooms.map(({ model, parts, cpuMilli, memoryMib, diskMib, cards, node }) => {
    const states = cards.map(({ freeMilli, taken }) => `${freeMilli}/${taken}`).toSorted()
    const home = isBound ? tree.home[node] : 0
    return JSON.stringify([model ?? null, parts, cpuMilli, memoryMib, diskMib, states, home])
  })
}

/** Of each class, no more nodes are kept than there are pieces of work that could each use one. */
function usefulRooms(rooms: readonly NodeRoom[], classes: readonly string[], workers: number): readonly NodeRoom[] {
  const seen = new Map<string, number>()
  return rooms.filter((_, index) => {
    const name = must(classes[index], 'a class a node')
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count <= workers
  })
}

/** For each gang, the domain of each node, if that domain has enough nodes for the whole gang. */
type Domains = ReadonlyMap<number, ReadonlyMap<number, number>>

function hostsByDomain(rooms: readonly NodeRoom[], lots: readonly Lot[], tree: DomainTree): Domains {
  const domains = new Map<number, ReadonlyMap<number, number>>()
  for (const [index, { gang, request }] of lots.entries()) {
    if (gang === undefined) continue
    const hosts = rooms.flatMap((room) => {
      const way = wayOn(room, request)
      const home = must(tree.home[room.node], 'every node has a home')
      const domain = gang.within === undefined ? 0 : enclosing(tree, home, gang.within)
      return way === undefined || domain === undefined || mostOn(room, request, way) < 1
        ? []
        : [{ node: room.node, domain }]
    })
    const groups = Map.groupBy(hosts, ({ domain }) => domain)
    const large = groups.values().filter((group) => group.length >= gang.nodes)
    domains.set(index, new Map([...large].flat().map(({ node, domain }) => [node, domain])))
  }
  return domains
}

interface Wanted {
  readonly lots: readonly Lot[]
  readonly domains: Domains
}

function addPlacings(program: Program, room: NodeRoom, { lots, domains }: Wanted): readonly Placing[] {
  return lots.flatMap(({ request, pending, gang }, lot) => {
    if (gang !== undefined && domains.get(lot)?.has(room.node) !== true) return []
    const way = wayOn(room, request)
    const most = way === undefined ? 0 : Math.min(pending.length, mostOn(room, request, way))
    return way === undefined || most === 0 ? [] : [{ lot, count: request.count, way, variable: program.variable(most) }]
  })
}

/** CPU, memory and disk. */
function addHost(
  program: Program,
  room: NodeRoom,
  { lots, placings }: Pick<Model, 'lots'> & Pick<NodeModel, 'placings'>,
) {
  for (const key of ['cpuMilli', 'memoryMib', 'diskMib'] as const) {
    const terms = placings.map(({ lot, variable }) => ({
      times: must(lots[lot], 'a lot').request[key],
      of: variable,
    }))
    program.atMost(
      terms.filter(({ times }) => times > 0),
      room[key],
    )
  }
}

/** No more of a lot is placed than there is. */
function addLots(program: Program, lots: readonly Lot[], nodes: readonly NodeModel[]): void {
  const byLot = placingsByLot(lots, nodes)
  for (const [lot, { pending, gang }] of lots.entries()) {
    const terms = (byLot[lot] ?? []).map(({ variable }) => ({ times: 1, of: variable }))
    if (gang === undefined) program.atMost(terms, pending.length)
  }
}

function workOf(lots: readonly Lot[], nodes: readonly NodeModel[]): readonly Term[] {
  return nodes.flatMap(({ placings }) =>
    placings.flatMap(({ lot, variable }) => {
      const { worth, gang } = must(lots[lot], 'a lot')
      return gang === undefined ? [{ times: worth, of: variable }] : []
    }),
  )
}

/** Each gang is in one domain with all of its workers, or in none. */
function addGangs(
  program: Program,
  lots: readonly Lot[],
  { nodes, domains }: { readonly nodes: readonly NodeModel[]; readonly domains: Domains },
): readonly Term[] {
  return lots.flatMap(({ gang, worth }, lot) => {
    const domainOf = domains.get(lot)
    if (gang === undefined || domainOf === undefined) return []
    const chosen = [...new Set(domainOf.values())].map((domain) => {
      const variable = program.variable(1)
      const workers = nodes
        .filter(({ room }) => domainOf.get(room.node) === domain)
        .flatMap(({ placings }) => placings.filter((placing) => placing.lot === lot))
      program.equal(
        [...workers.map((worker) => ({ times: 1, of: worker.variable })), { times: -gang.nodes, of: variable }],
        0,
      )
      return { times: 1, of: variable }
    })
    program.atMost(chosen, 1)
    return chosen.map(({ of }) => ({ times: worth, of }))
  })
}

function placingsByLot(lots: readonly Lot[], nodes: readonly NodeModel[]): readonly (readonly Placing[])[] {
  const byLot: Placing[][] = lots.map(() => [])
  for (const { placings } of nodes) for (const placing of placings) byLot[placing.lot]?.push(placing)
  return byLot
}

function wholenessOf({ cards }: NodeModel): readonly Term[] {
  const lost = cards.used.map(({ times, of }) => ({ times: -times, of }))
  return [...lost, ...cards.blocks.map(({ size, variable }) => ({ times: size, of: variable }))]
}
