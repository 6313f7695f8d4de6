import { must } from '../../base/assert.ts'
import type { Request, Spot, Tenant } from '../../fleet/fleet.ts'
import { fitsAt, nodeState, without, withLodger, type FreeState } from './free-state.ts'
import { freeSpot, lodge, type Lodger, type NodeState } from './node-state.ts'
import { wholeOn } from './whole.ts'
import { byText, type Unit } from './world.ts'

/** A tenant that goes from one spot to another. */
export interface MoveStep {
  readonly tenant: Tenant
  readonly to: Spot
  /**
   * Whether there is room for both copies at that moment, so that the new one can start before the old one stops; or whether
   * the old one must stop first.
   */
  readonly how: 'start-first' | 'stop-first'
  /** The spot that it makes room for. */
  readonly room: Spot
}

/** Moves so far, and where they lead. */
export interface Draft {
  /** What is left once the moves so far are done. */
  readonly live: FreeState
  /** What is left of that for other tenants, because the request is still to come. */
  readonly later: FreeState
  readonly steps: readonly MoveStep[]
  /** Of all that move, see `priceOf`. */
  readonly price: number
}

/** Which tenants need another place. */
export interface Eviction {
  readonly leave: readonly Unit[]
  /** What comes where they leave. */
  readonly hold: Lodger
  /** Idle cards are spared in sets of this size. */
  readonly size: number
  /**
   * Whether tenants that leave may use such a set, if there is no other place or none without an interruption; `fewest`: they use as
   * few as they can, also where that interrupts them.
   */
  readonly idle: 'may-open' | 'keep' | 'fewest'
  /** Nodes that could take a request before anything was moved, see `hostsIn`. */
  readonly hosts: HostLookup
}

/** Indices of nodes. */
export type HostLookup = (request: Request) => readonly number[]

/** How many nodes are tried for a tenant that leaves, in addition to nodes that others left. */
const HOSTS_MAX = 256

/**
 * For every request, finds once which nodes have room for it: at most `HOSTS_MAX`, those with the fewest idle cards first,
 * then fewest cores. Other nodes only get fuller.
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
 * Finds another place for every tenant that leaves. The place must not block what is to come, and must be free when its turn
 * comes. Large tenants go first, but tenants that can move without an interruption go before those that cannot. Undefined:
 * some tenant finds no place. No other tenant is moved.
 */
export function relocate(draft: Draft, { leave, hold, size, idle, hosts }: Eviction): Draft | undefined {
  const leavers = leave.flatMap(({ members }) => members)
  let { live } = draft
  let later = withLodger(leavers.reduce(without, draft.later), hold)
  const steps = [...draft.steps]
  const waiting = leavers.toSorted((a, b) => bulk(b) - bulk(a) || byText(a.name, b.name))
  // Besides the nodes that tenants left, only nodes that had room before have room now.
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
  // Room does not come back: a tenant without a place by now will never have one.
  if (!waiting.every((tenant) => hasRoom(now, tenant))) return undefined
  const isGentle = now.idle !== 'fewest'
  for (const tenant of isGentle ? waiting : []) {
    const to = bestSpot(now, tenant)
    if (to !== undefined) return { tenant, to, how: 'start-first' }
  }
  for (const tenant of waiting) {
    const to = bestSpot({ ...now, live: without(now.live, tenant) }, tenant)
    if (to !== undefined)
      return { tenant, to, how: isGentle || !fitsAt(now.live, tenant.request, to) ? 'stop-first' : 'start-first' }
  }
  return undefined
}

function hasRoom({ later, targets }: Now, { request }: Tenant): boolean {
  return targets(request)
    .values()
    .some((node) => freeSpot([nodeState(later, node)], request) !== undefined)
}

/** The spot that breaks the fewest idle sets, then leaves the least of cards and cores unused; ties by the node's id. */
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
  /** How many fewer jobs of idle cards there would be. */
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

/** How useful a card still is. */
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
