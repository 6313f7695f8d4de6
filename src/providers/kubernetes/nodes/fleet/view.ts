import type { HostFacts, OwnedFleet } from '../../../../core/fleet/owned-fleet.ts'
import type { Offer } from '../../../../core/offer/offer.ts'
import type { NodeTaint } from '../object/node-object.ts'

/** A cluster as its API server lists it, and what the settings of the provider say about it. */
export interface ClusterView {
  /** The provider's name on the platform. */
  readonly provider: string
  /** The name of the fleet, which is the region of its offers. */
  readonly region: string
  /** Items of a list of Nodes, as plain JSON. An object that cannot be read is left out and named in `left`. */
  readonly nodes: readonly unknown[]
  /** Pods of every namespace. A pod that is bound and has not ended holds what it requests. */
  readonly pods: readonly unknown[]
  /** ResourceSlices of any version; left out: the cluster does not serve them. */
  readonly slices?: readonly unknown[]
  /** ResourceClaims of every namespace: which devices of the slices are taken. */
  readonly claims?: readonly unknown[]
  /** The first entry that fits a node is its price; none: its cards cost nothing. */
  readonly prices?: readonly LabelPrice[]
  /** Keys of taints that our pods tolerate, beyond those that only keep other work away from accelerators. */
  readonly tolerated?: readonly string[]
  /** Who a pod is to us; undefined: somebody else's. Called for pods that hold something. */
  readonly ours?: (pod: unknown) => OurPod | undefined
  /** What the provider knows about every node: whether callers outside reach it, and the largest volume. */
  readonly host?: Partial<Pick<HostFacts, 'inbound' | 'volumeGib'>>
  readonly nowMs: number
}

/** One of our own pods: its attempt, and the cards that the engine chose for it where no claim names them. */
export interface OurPod {
  readonly attempt: string
  readonly cards?: readonly number[]
}

/** What the owner says that cards of some nodes cost. */
export interface LabelPrice {
  /** A label of the node, such as `nvidia.com/gpu.product`. */
  readonly label: string
  /** Its value, in which `*` stands for any text; left out: any value. */
  readonly value?: string
  readonly usdPerCardHour: number
}

/** What Berth makes of a cluster. */
export interface ClusterFleet {
  /** Nodes that can take work, in the order of their names, with everything that runs on them. */
  readonly fleet: OwnedFleet
  /** The offers of the fleet, priced. Fixed slices are offered only in the profiles that exist. */
  readonly offers: readonly Offer[]
  /** For each node of the fleet, what a pod has to say to get what the engine chose there. */
  readonly asks: ReadonlyMap<string, NodeAsk>
  /** Nodes that take no work, and why. */
  readonly left: readonly LeftNode[]
}

export interface LeftNode {
  readonly name: string
  readonly why: string
}

/** How a pod asks for accelerators of one node. */
export interface NodeAsk {
  /** Resource of a whole card, such as `nvidia.com/gpu`; undefined: whole cards cannot be had by a resource. */
  readonly whole: string | undefined
  /** Resource by MIG profile: `1g.10gb` → `nvidia.com/mig-1g.10gb`, or `nvidia.com/gpu` in the single strategy. */
  readonly slices: ReadonlyMap<string, string>
  /** Resource of one share of a card, and shares of a card. */
  readonly share: { readonly resource: string; readonly ofCard: number } | undefined
  /** By index of the card: the device of a ResourceSlice that a claim has to name. Empty: the node has no DRA cards. */
  readonly devices: readonly CardDevice[]
  /** Taints of the node that a pod has to tolerate, and that it may. */
  readonly tolerations: readonly NodeTaint[]
}

/** A card as a ResourceSlice names it. */
export interface CardDevice {
  readonly driver: string
  readonly pool: string
  readonly device: string
  /** What a selector pins; undefined: the driver does not publish one. */
  readonly uuid: string | undefined
  /** Devices that are slices of the card, by profile: those that exist, or those that it can be cut into. */
  readonly parts: readonly { readonly device: string; readonly profile: string | undefined }[]
}
