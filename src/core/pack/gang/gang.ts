import type { Request, Tenant } from '../../fleet/fleet.ts'
import type { Within } from '../../manifest/manifest.ts'
import type { Domain, HostCount } from '../../fleet/domain-tree.ts'

/** Workers that run together or not at all, each on a node of its own. */
export interface Gang {
  readonly id: string
  /** Workers, and so nodes; at least 1. */
  readonly nodes: number
  /** What each worker asks of its node. */
  readonly request: Request
  /** All workers in one domain of this level. A gang of one is near to itself and knows no bound. */
  readonly within: Within | undefined
}

/** How the nodes of a fleet look to a worker of one gang. Both answers must stay the same while a gang is placed. */
export interface HostView {
  /** Whether the node could host one worker now. */
  canHost(node: number): boolean
  /** How well it would be used by one; higher is better. Asked only of nodes that can host. */
  score(node: number): number
  /** Who is in the way; left out: nobody knows, and a gang that waits is told less. */
  readonly tenancy?: Tenancy
}

/** A view of the hosts of a fleet, and a count that agrees with it. */
export interface Counted {
  readonly view: HostView
  readonly count: HostCount
}

/** What runs in a fleet, as far as it keeps workers of one gang away. */
export interface Tenancy {
  /** Whether the node could host one worker once what runs there has ended. No where that will never happen. */
  wouldHost(node: number): boolean
  tenantsOn(node: number): readonly Tenant[]
}

/** Where all workers of a gang can go. Nothing is held for it: whoever takes it takes all of it. */
export interface GangSpot {
  readonly kind: 'fits'
  /** Indices of nodes; neighbours in the list are near to each other. */
  readonly nodes: readonly number[]
  /** The narrowest domain that can hold the gang, or one of them; for a gang of one, the narrowest its node is in. */
  readonly domain: Domain
}
