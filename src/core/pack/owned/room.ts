import type { FleetNode, Request, Spot, Tenant } from '../../fleet/fleet.ts'
import type { DomainTree } from '../../fleet/domain-tree.ts'
import type { OwnedFleet } from '../../fleet/owned-fleet.ts'
import type { NodeUse } from '../../fleet/use.ts'
import { FleetPacking, type PackingOptions, type Scores } from './packing.ts'
import { usualOf } from './usual.ts'

/**
 * What is left of a fleet while a plan is made, after what runs there and what the plan has placed so far. The engine says
 * how good a node is for a request and which of its cards to take.
 */
export class FleetRoom {
  readonly owned: OwnedFleet
  readonly #packing: FleetPacking
  readonly #planned = new Set<Tenant>()

  constructor(owned: OwnedFleet, engine?: PackingOptions['engine']) {
    this.owned = owned
    this.#packing = (engine === undefined ? KEPT.get(owned) : undefined) ?? packingOf(owned, engine)
    if (engine === undefined) KEPT.set(owned, this.#packing)
    this.#packing.lend(this)
  }

  /** Changes only with the fleet: what was worked out for one packing holds for it alone. */
  get packing(): FleetPacking {
    return this.#packing
  }

  get tree(): DomainTree {
    return this.#packing.tree
  }

  nodeAt(node: number): FleetNode {
    return this.#packing.nodeAt(node)
  }

  /** How good a node is for a request now, higher is better; minus infinity if it does not fit. */
  score(request: Request, node: number): number {
    return this.#packing.score(request, node)
  }

  scores(request: Request): Scores {
    return this.#packing.scores(request)
  }

  /** Places a request on a node that has room for it. */
  take(name: string, request: Request, node: number): Spot {
    const spot = this.#packing.place(node, request)
    const tenant = plannedTenant(name, request, spot)
    this.#packing.placed(tenant)
    this.#packing.tried(tenant, this)
    this.#planned.add(tenant)
    return spot
  }

  /** Places a request at a spot that is known to be free. */
  lodge(name: string, request: Request, spot: Spot): Spot {
    const tenant = plannedTenant(name, request, spot)
    this.#packing.add(tenant)
    this.#packing.tried(tenant, this)
    this.#planned.add(tenant)
    return spot
  }

  /** What is left of a node. */
  useAt(node: number): NodeUse {
    return this.#packing.useAt(node)
  }

  tenantsOn(node: number): readonly Tenant[] {
    return this.#packing.tenantsOn(node)
  }

  /** What the plan itself has placed. */
  get planned(): ReadonlySet<Tenant> {
    return this.#planned
  }

  /** Everything that runs or would run, by node. */
  allTenants(): readonly Tenant[] {
    return this.#packing.allTenants()
  }
}

/**
 * A fleet whose packing is kept between decisions. Its tenants are those of the packing at the time of reading, so it is for
 * one decision after the other, never for later.
 */
export function keptFleet(owned: Omit<OwnedFleet, 'tenants'>, packing: FleetPacking): OwnedFleet {
  const kept: OwnedFleet = {
    ...owned,
    get tenants() {
      return packing.allTenants()
    },
  }
  KEPT.set(kept, packing)
  return kept
}

/** What would leave a fleet. */
interface Leaving {
  readonly fleet: OwnedFleet
  readonly gone: readonly Tenant[]
}

/** Looks at fleets as they would be without some of their tenants, which are there again afterwards. */
export function whileGone<T>(parts: readonly Leaving[], look: () => T): T {
  const [first, ...others] = parts
  if (first === undefined) return look()
  const { fleet, gone } = first
  if (gone.length === 0) return whileGone(others, look)
  const packing = KEPT.get(fleet) ?? packingOf(fleet)
  KEPT.set(fleet, packing)
  packing.lend(undefined)
  for (const tenant of gone) packing.remove(tenant)
  try {
    return whileGone(others, look)
  } finally {
    packing.lend(undefined)
    for (const tenant of gone) packing.add(tenant)
  }
}

/** Plans over the same fleet, one after the other, share its packing: each finds it as what runs there has left it. */
const KEPT = new WeakMap<OwnedFleet, FleetPacking>()

/** A packing of a fleet with all that runs there. */
export function packingOf({ fleet, tenants, usual }: OwnedFleet, engine?: PackingOptions['engine']): FleetPacking {
  const options = { usual: usual ?? usualOf(fleet, tenants), ...(engine && { engine }) }
  const packing = new FleetPacking(fleet, options)
  for (const tenant of tenants) packing.add(tenant)
  return packing
}

/** Work that does not run yet has no known cost of stopping, so stopping it is never proposed. */
function plannedTenant(name: string, request: Request, spot: Spot): Tenant {
  return { name, request, spot, priority: 0, restart: 'training', checkpointAgeS: undefined }
}
