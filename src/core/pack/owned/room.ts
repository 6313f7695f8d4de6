import { assert, must } from '../../base/assert.ts'
import type { Packer } from '../engine/packer.ts'
import { ReferencePacker } from '../engine/reference.ts'
import { DEFAULT_POLICY_NAME, POLICIES } from '../engine/registry.ts'
import { useOf, type NodeUse } from '../../fleet/use.ts'
import type { FleetNode, Request, Spot, Tenant } from '../../fleet/fleet.ts'
import { domainTree, type DomainTree } from '../../fleet/domain-tree.ts'
import type { OwnedFleet } from '../../fleet/owned-fleet.ts'
import { spotIn, viewFor, viewsOf, type View, type Views } from './views.ts'

/**
 * What is left of a fleet while a plan is made, after what runs there and what the plan has placed so far. The engine says
 * how good a node is for a request and which of its cards to take.
 */
export class FleetRoom {
  readonly owned: OwnedFleet
  readonly #tenants: Map<number, Tenant[]>
  readonly #uses = new Map<number, NodeUse>()
  readonly #views: Views
  readonly #packer: Packer
  /** Cards that are used up in views without divisions, as `view card`. */
  readonly #gone = new Set<string>()
  readonly #planned = new Set<Tenant>()
  #tree: DomainTree | undefined

  constructor(owned: OwnedFleet) {
    const { fleet, tenants } = owned
    this.owned = owned
    this.#views = viewsOf(fleet)
    this.#packer = new ReferencePacker(this.#views.fleet, {
      policy: must(POLICIES[DEFAULT_POLICY_NAME], 'the default policy is registered'),
    })
    this.#tenants = new Map()
    for (const tenant of tenants) {
      this.#note(tenant)
      for (const view of this.#viewsOf(tenant.spot.node)) this.#occupy(view, tenant)
    }
  }

  get tree(): DomainTree {
    return (this.#tree ??= domainTree(this.owned.fleet))
  }

  nodeAt(node: number): FleetNode {
    return must(this.owned.fleet.nodes[node], 'a node of the fleet')
  }

  /** How good a node is for a request now, higher is better; minus infinity if it does not fit. */
  score(request: Request, node: number): number {
    const view = viewFor(this.#viewsOf(node), request)
    if (view === undefined) return Number.NEGATIVE_INFINITY
    return this.#packer.score(this.#packer.kinds.of(request), view.index)
  }

  /** Places a request on a node that has room for it. */
  take(name: string, request: Request, node: number): Spot {
    const views = this.#viewsOf(node)
    const view = must(viewFor(views, request), 'a node that was scored')
    const placed = this.#packer.placeAmong(this.#packer.kinds.of(request), [view.index])
    assert(placed === view.index, `${name} fits on ${this.nodeAt(node).id}`)
    const { cards, taken } = this.#packer.lastSpot()
    const spot = { node, cards: cards.map((card) => must(view.cards[card], 'a card of the view')), taken }
    const tenant = plannedTenant(name, request, spot)
    for (const other of views) {
      if (other === view) this.#markGone(view, spot.cards)
      else this.#occupy(other, tenant)
    }
    this.#note(tenant)
    this.#planned.add(tenant)
    return spot
  }

  /** Places a request at a spot that is known to be free. */
  lodge(name: string, request: Request, spot: Spot): Spot {
    const tenant = plannedTenant(name, request, spot)
    for (const view of this.#viewsOf(spot.node)) this.#occupy(view, tenant)
    this.#note(tenant)
    this.#planned.add(tenant)
    return spot
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

  tenantsOn(node: number): readonly Tenant[] {
    return this.#tenants.get(node) ?? []
  }

  /** What the plan itself has placed. */
  get planned(): ReadonlySet<Tenant> {
    return this.#planned
  }

  /** Everything that runs or would run, by node. */
  allTenants(): readonly Tenant[] {
    return [...this.#tenants.values()].flat()
  }

  #viewsOf(node: number): readonly View[] {
    return must(this.#views.of[node], 'a node of the fleet')
  }

  #note(tenant: Tenant): void {
    const { node } = tenant.spot
    const there = this.#tenants.get(node)
    if (there === undefined) this.#tenants.set(node, [tenant])
    else there.push(tenant)
    this.#uses.delete(node)
  }

  /** A failing card is full already, whatever is still on it. */
  #occupy(view: View, { request, spot }: Tenant): void {
    const { cards, diskMib } = this.nodeAt(spot.node)
    const sound = spot.cards.filter(
      (card) => cards[card]?.health !== 'failing' && !this.#gone.has(`${view.index} ${card}`),
    )
    // If the size of the disk is not known it counts as none, so nothing can be taken of it.
    const held = diskMib === undefined ? { ...request, diskMib: 0 } : request
    this.#packer.occupy(held, spotIn(view, { ...spot, cards: sound }))
    this.#markGone(view, sound)
  }

  #markGone({ index, parts }: View, cards: readonly number[]): void {
    if (parts === 'none') for (const card of cards) this.#gone.add(`${index} ${card}`)
  }
}

/** Work that does not run yet has no known cost of stopping, so stopping it is never proposed. */
function plannedTenant(name: string, request: Request, spot: Spot): Tenant {
  return { name, request, spot, priority: 0, restart: 'training', checkpointAgeS: undefined }
}
