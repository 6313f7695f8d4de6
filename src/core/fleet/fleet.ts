import type { Layout } from './layout.ts'

/** Machines that somebody owns, as they stand: what the engine packs. Undefined is unknown and never taken for fine. */
export interface Fleet {
  readonly nodes: readonly FleetNode[]
}

export interface FleetNode {
  /** Ties between nodes are broken by it. */
  readonly id: string
  /** Id of the cards' model in the hardware table, or the owner's word for it; undefined: no cards. */
  readonly model: string | undefined
  readonly cpuMilli: number
  readonly memoryMib: number
  readonly diskMib: number | undefined
  readonly cards: readonly FleetCard[]
  /** How its cards are wired; undefined: nobody knows, and no card is nearer to another than to a third. */
  readonly layout: Layout | undefined
  readonly domains: Domains
}

export interface FleetCard {
  /** Nothing is placed on a card that is `failing`. */
  readonly health: 'ok' | 'degraded' | 'failing' | undefined
  /** What smaller than a card can be had of it, because somebody enforces it: nothing, a share, or MIG slices. */
  readonly parts: 'none' | 'share' | 'mig'
}

/** What a node has in common with others, from the widest to the narrowest. */
export interface Domains {
  readonly zone: string | undefined
  readonly fabric: string | undefined
  readonly rack: string | undefined
  readonly nvlinkDomain: string | undefined
}

/** What is asked of one node. */
export interface Request {
  readonly cpuMilli: number
  readonly memoryMib: number
  readonly diskMib: number
  /** Cards; 0: none. */
  readonly count: number
  /** How much of each card. */
  readonly part: CardPart
  /** Models that will do; undefined: every one. */
  readonly models: readonly string[] | undefined
}

export type CardPart =
  | { readonly kind: 'whole' }
  /** A thousand is a card. */
  | { readonly kind: 'share'; readonly milli: number }
  /** The smallest MIG slice with this much memory; the whole of a card that cannot be cut. */
  | { readonly kind: 'slice'; readonly vramGib: number }

/** Where a request came to lie. */
export interface Spot {
  /** Index into the fleet's nodes. */
  readonly node: number
  /** Indices of cards, ascending. */
  readonly cards: readonly number[]
  /** What was taken of each card, where it is less than all of it. */
  readonly taken: { readonly kind: 'share'; readonly milli: number } | CutSlice | undefined
}

/** A MIG slice at its position, in the driver's own terms. */
export interface CutSlice {
  readonly kind: 'slice'
  /** `1g.10gb` */
  readonly profile: string
  readonly start: number
}

/** Something that runs in a fleet, and what it would cost to move it. */
export interface Tenant {
  readonly name: string
  readonly request: Request
  readonly spot: Spot
  readonly priority: number
  /** What a restart costs: next to nothing, or the work since the last checkpoint. */
  readonly restart: 'inference' | 'training'
  /** Seconds since the last checkpoint; undefined: there is none. */
  readonly checkpointAgeS: number | undefined
}
