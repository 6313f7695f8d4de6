import type { Request, Spot } from '../../fleet/fleet.ts'
import type { Fit } from './fit.ts'
import { fitsOn, nodeAt, nodeState, withLodger, type FreeState } from './free-state.ts'
import type { NodeState } from './node-state.ts'
import { hostsIn, relocate, type Draft, type HostLookup } from './relocate.ts'
import { roomsOn, type RoomPlan } from './rooms.ts'
import { byText, domainsOf, type Unit } from './world.ts'

/** Units that may be moved, by node. */
export type MovableUnits = ReadonlyMap<number, readonly Unit[]>

/** Moves, and the spots that are free after them. */
export interface Made {
  readonly draft: Draft
  readonly spots: readonly Spot[]
}

/** How many domains are tried for a gang; those with the fewest missing nodes come first. */
const DOMAINS_MAX = 16

/** How many ways to make room are tried for each node of a gang. */
const TRIES_MAX = 200

/** How many ways are requested at each spot of a node: at first only the cheapest. */
const ALTERNATIVES = [1, 64]

/**
 * Moves after which the request or gang fits, as cheap as could be found. Ways to clear a spot are tried by price, and the
 * first is taken from which all leaving tenants find another place. A tenant moves at most once, and none moves to make room
 * for another mover. At most `TRIES_MAX` ways per node and `DOMAINS_MAX` domains.
 */
export function makeRoom(state: FreeState, movers: MovableUnits, fit: Fit): Made | undefined {
  const domains = domainsOf(state.fleet, fit.within).map((nodes) => beginIn(state, nodes, fit))
  const nearest = domains
    .filter(({ spots, others }) => spots.length + others.length >= fit.nodes)
    .sort((a, b) => b.spots.length - a.spots.length || byText(a.id, b.id))
  const hosts = hostsIn(state)
  let best: Made | undefined
  for (const begun of nearest.slice(0, DOMAINS_MAX)) {
    const made = finish(begun, { movers, hosts }, fit)
    if (made !== undefined && (best === undefined || made.draft.price < best.draft.price)) best = made
  }
  return best
}

/** Some nodes of a domain can host now; the others have to be cleared. */
interface Begun extends Made {
  readonly others: readonly number[]
  /** Of the first node. */
  readonly id: string
}

function beginIn(state: FreeState, nodes: readonly number[], { request, nodes: count }: Fit): Begun {
  const spots = nodes.flatMap((node) => fitsOn(state, node, request) ?? []).slice(0, count)
  const hosts = new Set(spots.map(({ node }) => node))
  const later = spots.map((spot) => ({ request, spot })).reduce(withLodger, state)
  const ids = nodes.map((node) => nodeAt(state.fleet, node).id).sort(byText)
  return {
    draft: { live: state, later, steps: [], price: 0 },
    spots,
    others: nodes.filter((node) => !hosts.has(node)),
    id: ids[0] ?? '',
  }
}

function finish({ draft, spots, others }: Begun, who: Pick<Clearing, 'movers' | 'hosts'>, fit: Fit): Made | undefined {
  let made: Made = { draft, spots }
  while (made.spots.length < fit.nodes) {
    const hosts = new Set(made.spots.map(({ node }) => node))
    const left = others.filter((node) => !hosts.has(node))
    const next = clearOne(made, { ...who, nodes: left, request: fit.request })
    if (next === undefined) return undefined
    made = next
  }
  return made
}

/** Which nodes may be cleared, of which units and for what. */
export interface Clearing {
  readonly nodes: readonly number[]
  readonly movers: MovableUnits
  readonly request: Request
  /** Which nodes could take the tenants that leave. */
  readonly hosts: HostLookup
  /** Only ways that are cheaper than this; left out: all. */
  readonly below?: number
  /** Sets of cards of a node; the request must be inside one of them. Left out: anywhere. */
  readonly inside?: (state: NodeState) => readonly (readonly number[])[]
  /** Results for nodes in the same state and the same question; left out: none. */
  readonly known?: WeakMap<NodeState, readonly RoomPlan[]>
}

/** Clears one of the nodes. */
function clearOne({ draft, spots }: Made, clearing: Clearing): Made | undefined {
  const { hosts } = clearing
  let best: Made | undefined
  for (const alternatives of ALTERNATIVES) {
    const below = best === undefined ? Infinity : best.draft.price - draft.price
    const rooms = roomsIn(draft, { ...clearing, below }, alternatives)
    for (const { spot, leave } of rooms.slice(0, TRIES_MAX)) {
      const hold = { request: clearing.request, spot }
      const next = relocate(draft, { leave, hold, size: 1, idle: 'may-open', hosts })
      if (next === undefined) continue
      best = { draft: next, spots: [...spots, spot] }
      break
    }
  }
  return best
}

/** Ways to make room on any of the nodes, cheapest first. */
export function roomsIn(draft: Draft, clearing: Clearing, alternatives: number): readonly RoomPlan[] {
  const { nodes, movers, request, below, known } = clearing
  const moved = new Set(draft.steps.map(({ tenant }) => tenant))
  return nodes
    .flatMap((node) => {
      const state = nodeState(draft.later, node)
      const units = (movers.get(node) ?? []).filter(({ members }) => !members.some((member) => moved.has(member)))
      const inside = clearing.inside?.(state)
      const rooms = known?.get(state) ?? roomsOn(state, { request, units, alternatives, below, inside })
      known?.set(state, rooms)
      return rooms
    })
    .sort((a, b) => a.price - b.price || byText(nodeIdOf(draft, a), nodeIdOf(draft, b)))
}

function nodeIdOf({ live }: Draft, { spot }: RoomPlan): string {
  return nodeAt(live.fleet, spot.node).id
}
