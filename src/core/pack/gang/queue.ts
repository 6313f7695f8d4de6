import { at, countHosts, setHost, type DomainTree, type HostCount } from '../../fleet/domain-tree.ts'
import type { Gang, GangSpot, HostView, Tenancy } from './gang.ts'
import { nearestDomain, nearestIn } from './holdup.ts'
import { findSpot } from './place-gang.ts'

/** Gangs that wait. A gang in it holds nothing; at most one of them has nodes kept free for it. */
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

/** Nodes that nobody but one gang may use anew. What runs there runs on; when the last of it ends, the gang starts. */
export interface HeldNodes {
  /** Id of the gang. */
  readonly gang: string
  /** Number of the domain in the tree. */
  readonly domain: number
  /** As many as the gang has workers, ascending. */
  readonly nodes: readonly number[]
}

/** What a step looks at. */
export interface QueueMoment {
  readonly nowMs: number
  /** How long others may pass a gang before nodes are kept for it. */
  readonly patienceMs: number
  /** Gangs that ask the same may be given the same view: then its hosts are counted once. */
  viewOf(gang: Gang): QueueView
}

export interface QueueView extends HostView {
  readonly tenancy: Tenancy
}

export interface QueueStep {
  readonly queue: GangQueue
  /** To be carried out, each of them whole. */
  readonly starts: readonly GangStart[]
  /** Every gang that goes on waiting, and why. */
  readonly waits: readonly Wait[]
}

interface GangStart {
  readonly gang: Gang
  readonly spot: GangSpot
}

type Wait =
  /** No domain can hold it: `placeGang` says what is in the way. */
  | { readonly kind: 'held-up'; readonly gang: Gang }
  /** It would fit, but for nodes that are kept for other gangs or were given to them in this step. */
  | { readonly kind: 'behind'; readonly gang: Gang; readonly others: readonly string[] }

/**
 * Decides which gangs start now. The gang for which nodes are kept goes first, then the others by priority and arrival,
 * and whoever fits may pass who does not. Nodes are kept for one gang at a time, the one that has waited longest beyond
 * its patience, until it starts: so two gangs never wait for each other's nodes, and none is passed for ever.
 * A node is given away once a step; call again to use what is left of it.
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
  /** Nodes that are spoken for, and by which gang. */
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

/** Starts the gang whose turn it is to have nodes kept, or keeps them; a gang that could never run gets no turn. */
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

/** Every view is counted once a step, as it is without the claims of others. */
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
 * The nodes to keep: those that are free, then those kept before, then those that are the least costly to clear. The
 * domain stays the same while it can hold the gang, so that what was drained for it is not given up.
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

/** Starts a gang on nodes that nobody else has spoken for, or says why not. */
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
