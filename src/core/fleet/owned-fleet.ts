import type { Fleet, Tenant } from './fleet.ts'
import type { HostArch } from '../hardware/gpu.ts'

/** Machines of one's own that take part in decisions: each node gives offers, and the engine packs them. */
export interface OwnedFleet {
  readonly provider: string
  /** What the fleet is called: the region of its offers. */
  readonly region: string
  readonly fleet: Fleet
  readonly tenants: readonly Tenant[]
  /** All members of a gang share a node here, instead of having one each; left out: one each. */
  readonly gangs?: 'one-node'
}

/** What an offer says of a node beyond what it takes to pack it. Undefined is unknown. */
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
