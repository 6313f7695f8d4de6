import { assert, must } from '../../base/assert.ts'
import { domainTree, type DomainTree } from '../../fleet/domain-tree.ts'
import type { Fleet, FleetNode, Request, Spot, Tenant } from '../../fleet/fleet.ts'
import { useOf, type NodeUse } from '../../fleet/use.ts'
import { FastPacker } from '../engine/fast.ts'
import type { Kind } from '../engine/kinds.ts'
import type { Packer, PackerOptions } from '../engine/packer.ts'
import { DEFAULT_POLICY_NAME, POLICIES } from '../engine/registry.ts'
import type { Usual } from './usual.ts'
import { spotIn, viewFor, viewsOf, type View, type Views } from './views.ts'

/** How a fleet is packed. */
export interface PackingOptions {
  /** What usually comes: the policy weighs remainders by it. */
  readonly usual: Usual
  /** Left out: the fast engine. */
  readonly engine?: (fleet: Fleet, options: PackerOptions) => Packer
}

/** How good each view of a node is for one kind of work. `seen`: how far it has read the log of changes. */
interface Rates {
  readonly kind: Kind
  readonly rates: Float64Array
  seen: number
}

/** More kinds than this at once are not kept; a log that is longer than this is not read, but everything rated again. */
const KINDS_KEPT = 256
const LOG_MAX = 8192

/**
 * A fleet with everything that runs there, as the engine sees it. It lasts from decision to decision: whatever comes, goes or
 * is tried changes one node, and only that node is rated again. In whatever order things came and went, its state is that
 * of a packing made anew from what runs.
 */
export class FleetPacking {
  readonly fleet: Fleet
  readonly #views: Views
  readonly #packer: Packer
  readonly #tenants = new Map<number, Tenant[]>()
  readonly #uses = new Map<number, NodeUse>()
  /** By view without divisions: the cards that are used up, as bits. */
  readonly #gone: Int32Array
  /** Views that changed, in order; entries before `start` are dropped. */
  readonly #log: number[] = []
  #logStart = 0
  readonly #kinds = new WeakMap<Request, Kind>()
  readonly #rated = new Map<Kind, Rates>()
  #tree: DomainTree | undefined
  #borrower: object | undefined
  readonly #tried: Tenant[] = []

  constructor(fleet: Fleet, { usual, engine = fastEngine }: PackingOptions) {
    this.fleet = fleet
    this.#views = viewsOf(fleet)
    const policy = must(POLICIES[DEFAULT_POLICY_NAME], 'the default policy is registered')
    this.#packer = engine(this.#views.fleet, { policy, history: usual })
    this.#gone = new Int32Array(this.#views.fleet.nodes.length)
  }

  get tree(): DomainTree {
    return (this.#tree ??= domainTree(this.fleet))
  }

  /**
   * Lends the packing to one plan; undefined: to none. What an earlier plan tried is taken back, and that plan may not use it
   * any more.
   */
  lend(borrower: object | undefined): void {
    this.#borrower = borrower
    for (let tenant = this.#tried.pop(); tenant !== undefined; tenant = this.#tried.pop()) this.remove(tenant)
  }

  /** What the current borrower has placed counts only until the packing is lent again. */
  tried(tenant: Tenant, borrower: object): void {
    assert(this.#borrower === borrower, 'a plan uses a fleet until another plan does')
    this.#tried.push(tenant)
  }

  nodeAt(node: number): FleetNode {
    return must(this.fleet.nodes[node], 'a node of the fleet')
  }

  tenantsOn(node: number): readonly Tenant[] {
    return this.#tenants.get(node) ?? []
  }

  /** Everything that runs, by node. */
  allTenants(): readonly Tenant[] {
    return [...this.#tenants.values()].flat()
  }

  /** What is left of a node. */
  useAt(node: number): NodeUse {
    const known = this.#uses.get(node)
    if (known !== undefined) return known
    const tenants = this.tenantsOn(node).map((tenant) => ({ ...tenant, spot: { ...tenant.spot, node: 0 } }))
    const use = must(useOf({ nodes: [this.nodeAt(node)] }, tenants)[0], 'one use a node')
    this.#uses.set(node, use)
    return use
  }

  /** How often anything has changed: scores hold until it does. */
  get changes(): number {
    return this.#logStart + this.#log.length
  }

  /** Something runs at its spot. */
  add(tenant: Tenant): void {
    for (const view of this.#viewsOf(tenant.spot.node)) this.#occupy(view, tenant)
    this.#note(tenant)
  }

  /** It does not run any more. */
  remove(tenant: Tenant): void {
    const { node } = tenant.spot
    const left = this.tenantsOn(node).filter((each) => each !== tenant)
    assert(left.length < this.tenantsOn(node).length, `${tenant.name} runs on ${this.nodeAt(node).id}`)
    if (left.length === 0) this.#tenants.delete(node)
    else this.#tenants.set(node, left)
    for (const view of this.#viewsOf(node)) {
      this.#packer.clear(view.index)
      this.#gone[view.index] = 0
      for (const each of left) this.#occupy(view, each)
    }
    this.#changed(node)
  }

  /** Places a request on a node that has room for it, at the best spot there. */
  place(node: number, request: Request): Spot {
    const views = this.#viewsOf(node)
    const view = must(viewFor(views, request), 'a node that was rated')
    const placed = this.#packer.placeAmong(this.#kindOf(request), [view.index])
    assert(placed === view.index, `a request fits on ${this.nodeAt(node).id}`)
    const { cards, taken } = this.#packer.lastSpot()
    return { node, cards: cards.map((card) => must(view.cards[card], 'a card of the view')), taken }
  }

  /** Notes what `place` has put there. */
  placed(tenant: Tenant): void {
    const views = this.#viewsOf(tenant.spot.node)
    const own = viewFor(views, tenant.request)
    for (const view of views) {
      if (view === own) this.#markGone(view, tenant.spot.cards)
      else this.#occupy(view, tenant)
    }
    this.#note(tenant)
  }

  /** How good a node is for a request now, higher is better; minus infinity if it does not fit. */
  score(request: Request, node: number): number {
    const view = viewFor(this.#viewsOf(node), request)
    return view === undefined ? NO_ROOM : this.#packer.score(this.#kindOf(request), view.index)
  }

  /** The same for many nodes: rates by view, in which only what has changed is rated again, and what each pool costs. */
  scores(request: Request): Scores {
    const { kind, rates } = this.#upToDate(this.#kindOf(request))
    const prices = Float64Array.from(this.#packer.pools, (_, pool) =>
      kind.on[pool] === undefined ? 0 : this.#packer.price(kind, pool),
    )
    return { rates, prices }
  }

  /** The view in which a request for a node is judged, and its pool; -1: there is none. */
  viewOf(node: number, request: Request): { readonly view: number; readonly pool: number } {
    const view = viewFor(this.#viewsOf(node), request)
    return view === undefined ? NO_VIEW : { view: view.index, pool: this.#packer.poolOf(view.index) }
  }

  #kindOf(request: Request): Kind {
    const known = this.#kinds.get(request)
    if (known !== undefined) return known
    const kind = this.#packer.kinds.of(request)
    this.#kinds.set(request, kind)
    return kind
  }

  #upToDate(kind: Kind): Rates {
    let known = this.#rated.get(kind)
    if (known === undefined && this.#rated.size >= KINDS_KEPT) this.#rated.clear()
    if (known === undefined) {
      known = { kind, rates: new Float64Array(this.#views.fleet.nodes.length), seen: -1 }
      this.#rated.set(kind, known)
    }
    if (known.seen < this.#logStart) this.#packer.rateAll(kind, known.rates)
    else
      for (let at = known.seen - this.#logStart; at < this.#log.length; at++) {
        const view = this.#log[at] ?? 0
        known.rates[view] = this.#packer.rate(kind, view)
      }
    known.seen = this.changes
    return known
  }

  #viewsOf(node: number): readonly View[] {
    return must(this.#views.of[node], 'a node of the fleet')
  }

  #note(tenant: Tenant): void {
    const { node } = tenant.spot
    const there = this.#tenants.get(node)
    if (there === undefined) this.#tenants.set(node, [tenant])
    else there.push(tenant)
    this.#changed(node)
  }

  #changed(node: number): void {
    this.#uses.delete(node)
    for (const { index } of this.#viewsOf(node)) this.#log.push(index)
    if (this.#log.length < LOG_MAX) return
    this.#logStart += this.#log.length
    this.#log.length = 0
  }

  /** A failing card is full already, whatever is still on it. */
  #occupy(view: View, { request, spot }: Tenant): void {
    const { cards, diskMib } = this.nodeAt(spot.node)
    const gone = this.#gone[view.index] ?? 0
    const sound = spot.cards.filter((card) => cards[card]?.health !== 'failing' && (gone & (1 << card)) === 0)
    // If the size of the disk is not known it counts as none, so nothing can be taken of it.
    const held = diskMib === undefined ? { ...request, diskMib: 0 } : request
    this.#packer.occupy(held, spotIn(view, { ...spot, cards: sound }))
    this.#markGone(view, sound)
  }

  #markGone({ index, parts }: View, cards: readonly number[]): void {
    if (parts !== 'none') return
    for (const card of cards) this.#gone[index] = (this.#gone[index] ?? 0) | (1 << card)
  }
}

/** How good nodes are for a request: the rate of a view, less the price of its pool. */
export interface Scores {
  readonly rates: Float64Array
  readonly prices: Float64Array
}

const NO_ROOM = Number.NEGATIVE_INFINITY
const NO_VIEW = { view: -1, pool: -1 }

function fastEngine(fleet: Fleet, options: PackerOptions): Packer {
  return new FastPacker(fleet, options)
}
