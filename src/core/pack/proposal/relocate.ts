import { must } from '../../base/assert.ts'
import type { Request, Spot, Tenant } from '../../fleet/fleet.ts'
import { nodeState, without, withLodger, type FreeState } from './free-state.ts'
import { freeSpot, lodge, type Lodger, type NodeState } from './node-state.ts'
import { wholeOn } from './whole.ts'
import { byText, type Unit } from './world.ts'

/** A tenant that goes from one spot to another. */
export interface MoveStep {
  readonly tenant: Tenant
  readonly to: Spot
  /**
   * Whether there is room for both copies at that moment, so that the new one can start before the old one stops; or
   * whether the old one must stop first.
   */
  readonly how: 'start-first' | 'stop-first'
  /** For the sake of which it goes. */
  readonly room: Spot
}

/** Moves so far, and where they lead. */
export interface Draft {
  /** What is left once the moves so far are done. */
  readonly live: FreeState
  /** What is left of that for others, because something is to come. */
  readonly later: FreeState
  readonly steps: readonly MoveStep[]
  /** Of all who move, see `priceOf`. */
  readonly price: number
}

/** Whom to find another place for. */
export interface Eviction {
  readonly leave: readonly Unit[]
  /** What comes where they leave. */
  readonly hold: Lodger
  /** Idle cards are spared in sets of this size. */
  readonly size: number
  /** Whether those who leave may settle on such a set, if there is no other place or none without a break. */
  readonly idle: 'may-open' | 'keep'
  /** Nodes that could take a request before anything was moved, see `hostsIn`. */
  readonly hosts: HostLookup
}

/** Indices of nodes. */
export type HostLookup = (request: Request) => readonly number[]

/** Nodes that are looked at for somebody who leaves, beside those that somebody left. */
const HOSTS_MAX = 256

/**
 * Looks once for every request which nodes have room for it: the `HOSTS_MAX` of them with the fewest idle cards, then
 * cores. Those that nobody leaves only get fuller.
 */
export function hostsIn({ nodes }: FreeState): HostLookup {
  const known = new Map<string, readonly number[]>()
  const fullest = nodes
    .map((node) => ({ node, idle: wholeOn(node, 1) }))
    .sort((a, b) => a.idle - b.idle || a.node.cpuMilli - b.node.cpuMilli || byText(a.node.node.id, b.node.node.id))
  return (request) => {
    const key = JSON.stringify(request)
    const found = known.get(key)
    if (found !== undefined) return found
    const hosts: number[] = []
    for (const { node } of fullest) {
      if (hosts.length === HOSTS_MAX) break
      if (freeSpot([node], request) !== undefined) hosts.push(node.index)
    }
    known.set(key, hosts)
    return hosts
  }
}

/**
 * Finds everybody who leaves another place: one that does not stand in the way of what is to come, and that is free when
 * its turn comes. Large ones go first, but whoever can go without a break goes before whoever cannot. Undefined: somebody
 * finds none. Nobody beside those who leave is moved.
 */
export function relocate(draft: Draft, { leave, hold, size, idle, hosts }: Eviction): Draft | undefined {
  const leavers = leave.flatMap(({ members }) => members)
  let { live } = draft
  let later = withLodger(leavers.reduce(without, draft.later), hold)
  const steps = [...draft.steps]
  const waiting = leavers.toSorted((a, b) => bulk(b) - bulk(a) || byText(a.name, b.name))
  // Beside the nodes that somebody left only those have room that had it before.
  const left = [hold.spot.node, ...draft.steps.map(({ tenant }) => tenant.spot.node)]
  const targets = (request: Request): ReadonlySet<number> => new Set([...left, ...hosts(request)])
  while (waiting.length > 0) {
    const step = nextStep({ live, later, targets, size, idle }, waiting)
    if (step === undefined) return undefined
    const { tenant, to } = step
    live = withLodger(without(live, tenant), { ...tenant, spot: to })
    later = withLodger(later, { ...tenant, spot: to })
    steps.push({ ...step, room: hold.spot })
    waiting.splice(waiting.indexOf(tenant), 1)
  }
  return { live, later, steps, price: leave.reduce((sum, { price }) => sum + price, draft.price) }
}

interface Now extends Pick<Draft, 'live' | 'later'>, Pick<Eviction, 'size' | 'idle'> {
  readonly targets: (request: Request) => ReadonlySet<number>
}

function nextStep(now: Now, waiting: readonly Tenant[]): Omit<MoveStep, 'room'> | undefined {
  // Room does not come back: whoever has none by now will have none.
  if (!waiting.every((tenant) => hasRoom(now, tenant))) return undefined
  for (const tenant of waiting) {
    const to = bestSpot(now, tenant)
    if (to !== undefined) return { tenant, to, how: 'start-first' }
  }
  for (const tenant of waiting) {
    const to = bestSpot({ ...now, live: without(now.live, tenant) }, tenant)
    if (to !== undefined) return { tenant, to, how: 'stop-first' }
  }
  return undefined
}

function hasRoom({ later, targets }: Now, { request }: Tenant): boolean {
  return targets(request)
    .values()
    .some((node) => freeSpot([nodeState(later, node)], request) !== undefined)
}

/** Where it spoils the fewest idle cards, then where the least is left of the cards and of the cores; ties by the node's id. */
function bestSpot({ live, later, targets, size, idle }: Now, tenant: Tenant): Spot | undefined {
  let best: Landing | undefined
  for (const index of targets(tenant.request)) {
    const node = nodeState(later, index)
    const spot = freeSpot([node, nodeState(live, index)], tenant.request)
    if (spot === undefined) continue
    const landing = landingAt(node, { ...tenant, spot }, size)
    if (idle === 'keep' && landing.spoilt > 0) continue
    if (best === undefined || compareLandings(landing, best) < 0) best = landing
  }
  return best?.spot
}

interface Landing {
  readonly spot: Spot
  /** Jobs of idle cards that there would be fewer. */
  readonly spoilt: number
  readonly cardsLeft: number
  readonly cpuMilliLeft: number
  readonly nodeId: string
}

function landingAt(node: NodeState, lodger: Lodger, size: number): Landing {
  const after = lodge(node, lodger)
  return {
    spot: lodger.spot,
    spoilt: wholeOn(node, size) - wholeOn(after, size),
    cardsLeft: lodger.spot.cards.reduce((sum, card) => sum + leftOf(after, card), 0),
    cpuMilliLeft: after.cpuMilli,
    nodeId: node.node.id,
  }
}

/** How much use a card still is. */
function leftOf({ node, rules, cards }: NodeState, index: number): number {
  const { freeMilli, slices } = must(cards[index], 'a card')
  return slices.length === 0 ? freeMilli : (rules.valueOf(node.model, slices) ?? 0)
}

function compareLandings(a: Landing, b: Landing): number {
  return (
    a.spoilt - b.spoilt || a.cardsLeft - b.cardsLeft || a.cpuMilliLeft - b.cpuMilliLeft || byText(a.nodeId, b.nodeId)
  )
}

/** Cards first, then cores. */
function bulk({ request, spot }: Tenant): number {
  const share = spot.taken?.kind === 'share' ? spot.taken.milli / 1000 : 1
  return spot.cards.length * share * 1e6 + request.cpuMilli / 1000
}
