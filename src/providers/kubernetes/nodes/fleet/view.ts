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
  /** A scheduler gives out parts of whole cards of NVIDIA. */
  readonly isDivisible?: boolean
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
  /** Whole cards can be asked for in parts. */
  readonly isDivisible?: boolean
  /** How a claim gets its cards; undefined: the node has none that claims get. */
  readonly claims: ClaimAsk | undefined
  /** Taints of the node that a pod has to tolerate, and that it may. */
  readonly tolerations: readonly NodeTaint[]
}

/** How a ResourceClaim asks for cards of one node. */
export interface ClaimAsk {
  /** By index of the card. */
  readonly cards: readonly CardDevice[]
  /** Whole cards, slices that exist (`cut`), or whole cards that are cut for a claim (`cuttable`). */
  readonly form: 'whole' | 'cut' | 'cuttable'
  /** What near cards have in common, the nearest first; empty: every card is as near as any other. */
  readonly ties: readonly DeviceTie[]
}

/** A card as a ResourceSlice names it, in the words of selectors. Undefined means that the driver does not say. */
export interface CardDevice {
  readonly driver: string
  readonly pool: string
  readonly device: string
  /** What tells it from the other cards of its node: its uuid, or its address on the bus. */
  readonly mark: DeviceMark | undefined
  /** What its slices have in common, and those of other cards do not. */
  readonly ofParts: DeviceMark | undefined
  readonly product: DeviceMark | undefined
  readonly memoryMib: number | undefined
  /** Only where the driver publishes it as a version. */
  readonly driverVersion: DeviceMark | undefined
  /** Devices that are slices of the card, by profile: those that exist, or those that it can be cut into. */
  readonly parts: readonly { readonly device: string; readonly profile: string | undefined }[]
}

/** An attribute with its domain, and its value. */
export interface DeviceMark {
  readonly attribute: string
  readonly value: string
}

/** An attribute that near cards share, and its value for each card. */
export interface DeviceTie {
  readonly attribute: string
  readonly values: readonly (string | undefined)[]
}
