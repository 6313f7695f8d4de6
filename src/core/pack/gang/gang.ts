import type { Request, Tenant } from '../../fleet/fleet.ts'
import type { Within } from '../../manifest/manifest.ts'
import type { Domain, HostCount } from '../../fleet/domain-tree.ts'

/** Workers that run together or not at all, each on its own node. */
export interface Gang {
  readonly id: string
  /** Workers, and so nodes; at least 1. */
  readonly nodes: number
  /** What each worker asks of its node. */
  readonly request: Request
  /** All workers must be in one domain of this level. It does not matter for a gang of one. */
  readonly within: Within | undefined
}

/** The nodes of a fleet as a worker of one gang sees them. Both answers must stay the same while a gang is placed. */
export interface HostView {
  /** Whether the node could host one worker now. */
  canHost(node: number): boolean
  /** How well the node would be used by a worker; higher is better. Only called for nodes that can host. */
  score(node: number): number
  /** What is in the way; left out: not known, and the gang's report says less. */
  readonly tenancy?: Tenancy
}

/** A view of the hosts of a fleet, and a matching count. */
export interface Counted {
  readonly view: HostView
  readonly count: HostCount
}

/** What runs in a fleet and blocks workers of one gang. */
export interface Tenancy {
  /** Whether the node could host one worker once the work there has ended. False if that work never ends. */
  wouldHost(node: number): boolean
  tenantsOn(node: number): readonly Tenant[]
}

/** Where all workers of a gang can go. Nothing is reserved: a caller that takes the spot takes all of it. */
export interface GangSpot {
  readonly kind: 'fits'
  /** Indices of nodes; neighbours in the list are near each other. */
  readonly nodes: readonly number[]
  /** The narrowest domain, or one of them, that can hold the gang; for a gang of one, the narrowest domain of its node. */
  readonly domain: Domain
}
