import { at, countHosts, setHost, type DomainTree, type HostCount } from '../../fleet/domain-tree.ts'
import type { Gang, GangSpot, HostView, Tenancy } from './gang.ts'
import { nearestDomain, nearestIn } from './holdup.ts'
import { findSpot } from './place-gang.ts'

/** Gangs that wait. A waiting gang holds nothing, except that nodes are held for at most one of them. */
export interface GangQueue {
  readonly waiting: readonly WaitingGang[]
  readonly kept: HeldNodes | undefined
}

export interface WaitingGang {
  readonly gang: Gang
  /** Higher goes first. */
  readonly priority: number
  readonly sinceMs: number
}

/** Nodes that no other gang may start on. Running work continues there; when the last of it ends, the gang starts. */
export interface HeldNodes {
  /** Id of the gang. */
  readonly gang: string
  /** Number of the domain in the tree. */
  readonly domain: number
  /** As many as the gang has workers, ascending. */
  readonly nodes: readonly number[]
}

/** The input of a step. */
export interface QueueMoment {
  readonly nowMs: number
  /** How long other gangs may overtake a gang before nodes are held for it. */
  readonly patienceMs: number
  /** Gangs with the same request may share a view: then its hosts are counted once. */
  viewOf(gang: Gang): QueueView
}

export interface QueueView extends HostView {
  readonly tenancy: Tenancy
}

export interface QueueStep {
  readonly queue: GangQueue
  /** The gangs to start, each as a whole. */
  readonly starts: readonly GangStart[]
  /** Every gang that keeps waiting, and why. */
  readonly waits: readonly Wait[]
}

interface GangStart {
  readonly gang: Gang
  readonly spot: GangSpot
}

type Wait =
  /** No domain can hold it: `placeGang` says what is in the way. */
  | { readonly kind: 'held-up'; readonly gang: Gang }
  /** It would fit, but the nodes are held for other gangs or were given to them in this step. */
  | { readonly kind: 'behind'; readonly gang: Gang; readonly others: readonly string[] }

/**
 * Decides which gangs start now. The gang that has nodes held goes first, then the others by priority and arrival; a gang
 * that fits may overtake one that does not. Nodes are held for one gang at a time, the one that has waited longest beyond
 * its patience, until it starts. So two gangs never wait for each other's nodes, and no gang is overtaken for ever.
 * A node is given away once per step; call again to use what is left of it.
 */
export function stepQueue(tree: DomainTree, queue: GangQueue, moment: QueueMoment): QueueStep {
  const step: Step = { tree, moment, claims: new Map(), counts: new Map(), starts: [], waits: [] }
  const owner = serveOwner(step, queue)
  for (const { gang } of [...queue.waiting].sort(byTurn)) {
    if (gang.id !== owner?.id) serve(step, gang)
  }
  const started = new Set(step.starts.map(({ gang }) => gang.id))
  return {
    queue: { waiting: queue.waiting.filter(({ gang }) => !started.has(gang.id)), kept: owner?.kept },
    starts: step.starts,
    waits: step.waits,
  }
}

interface Step {
  readonly tree: DomainTree
  readonly moment: QueueMoment
  /** Nodes that are claimed, and by which gang. */
  readonly claims: Map<number, string>
  readonly counts: Map<HostView, HostCount>
  readonly starts: GangStart[]
  readonly waits: Wait[]
}

interface Owner {
  readonly id: string
  /** Undefined: it has started. */
  readonly kept: HeldNodes | undefined
}

function byTurn(one: WaitingGang, two: WaitingGang): number {
  return two.priority - one.priority || byArrival(one, two)
}

function byArrival(one: WaitingGang, two: WaitingGang): number {
  return one.sinceMs - two.sinceMs || (one.gang.id < two.gang.id ? -1 : 1)
}

/** Starts the gang whose turn it is to have nodes held, or holds them. A gang that could never run gets no turn. */
function serveOwner(step: Step, { waiting, kept }: GangQueue): Owner | undefined {
  const { nowMs, patienceMs } = step.moment
  const holder = waiting.filter(({ gang }) => gang.id === kept?.gang)
  const overdue = waiting.filter(({ sinceMs }) => nowMs - sinceMs > patienceMs).sort(byArrival)
  for (const { gang } of [...holder, ...overdue]) {
    const counted = countedFor(step, gang)
    const spot = findSpot(step.tree, gang, counted)
    if (spot !== undefined) {
      start(step, gang, spot)
      return { id: gang.id, kept: undefined }
    }
    const next = keep(step, gang, kept?.gang === gang.id ? kept : undefined)
    if (next === undefined) continue
    for (const node of next.nodes) step.claims.set(node, gang.id)
    step.waits.push({ kind: 'held-up', gang })
    return { id: gang.id, kept: next }
  }
  return undefined
}

/** Every view is counted once per step, without the claims of others. */
function countedFor(step: Step, gang: Gang): { readonly view: QueueView; readonly count: HostCount } {
  const view = step.moment.viewOf(gang)
  const count = step.counts.get(view) ?? countHosts(step.tree, (node) => view.canHost(node))
  step.counts.set(view, count)
  return { view, count }
}

function start({ starts, claims }: Step, gang: Gang, spot: GangSpot): void {
  starts.push({ gang, spot })
  for (const node of spot.nodes) claims.set(node, gang.id)
}

/**
 * The nodes to hold: free ones, then those held before, then those that are cheapest to clear. The domain stays the same
 * while it can hold the gang, so that nodes which were drained for it are not given up.
 */
function keep(step: Step, gang: Gang, before: HeldNodes | undefined): HeldNodes | undefined {
  const counted = countedFor(step, gang)
  const stays = before && keepIn(step, gang, { domain: before.domain, nodes: before.nodes })
  if (stays !== undefined) return stays
  const domain = nearestDomain(step.tree, gang, counted)
  return domain === undefined ? undefined : keepIn(step, gang, { domain, nodes: [] })
}

function keepIn(step: Step, gang: Gang, before: Omit<HeldNodes, 'gang'>): HeldNodes | undefined {
  const { domain } = before
  const { free, blocked } = nearestIn(step.tree, gang, { ...countedFor(step, gang), domain })
  const old = new Set(before.nodes)
  const busy = blocked.map(({ node }) => node)
  const wanted = [...free, ...busy.filter((node) => old.has(node)), ...busy.filter((node) => !old.has(node))]
  if (wanted.length < gang.nodes) return undefined
  return { gang: gang.id, domain, nodes: wanted.slice(0, gang.nodes).sort((one, two) => one - two) }
}

/** Starts a gang on unclaimed nodes, or says why not. */
function serve(step: Step, gang: Gang): void {
  const { tree, claims } = step
  const counted = countedFor(step, gang)
  const hidden = [...claims.keys()].filter((node) => at(counted.count.isHost, node) === 1)
  for (const node of hidden) setHost(tree, counted.count, { node, can: false })
  const spot = findSpot(tree, gang, counted)
  for (const node of hidden) setHost(tree, counted.count, { node, can: true })
  if (spot !== undefined) return start(step, gang, spot)
  const passed = hidden.length === 0 ? undefined : findSpot(tree, gang, counted)
  if (passed === undefined) step.waits.push({ kind: 'held-up', gang })
  else step.waits.push({ kind: 'behind', gang, others: claimants(claims, passed.nodes) })
}

function claimants(claims: ReadonlyMap<number, string>, nodes: readonly number[]): readonly string[] {
  return [...new Set(nodes.flatMap((node) => claims.get(node) ?? []))].sort()
}
