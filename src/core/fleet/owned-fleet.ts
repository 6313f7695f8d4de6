import type { Fleet, Request, Tenant } from './fleet.ts'
import type { HostArch } from '../hardware/gpu.ts'

/** Machines of our own that take part in decisions: each node has offers, and the engine packs them. */
export interface OwnedFleet {
  readonly provider: string
  /** The name of the fleet: the region of its offers. */
  readonly region: string
  readonly fleet: Fleet
  readonly tenants: readonly Tenant[]
  /** What usually comes, by what ran when the fleet was read; left out: judged by its tenants. */
  readonly usual?: readonly { readonly request: Request; readonly count: number }[]
  /** All members of a gang share one node here; left out: each has its own node. */
  readonly gangs?: 'one-node'
}

/** What an offer states about a node beyond what packing needs. Undefined means unknown. */
export interface HostFacts {
  readonly hostArch: HostArch | undefined
  readonly driver: string | undefined
  readonly cuda: string | undefined
  readonly inbound: boolean | undefined
  readonly volumeGib: number | undefined
}

export const UNKNOWN_HOST: HostFacts = {
  hostArch: undefined,
  driver: undefined,
  cuda: undefined,
  inbound: undefined,
  volumeGib: undefined,
}
