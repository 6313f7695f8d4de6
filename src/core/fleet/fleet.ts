import type { Layout } from './layout.ts'

/** Machines of our own in their current state: what the engine packs. Undefined means unknown, and never counts as fine. */
export interface Fleet {
  readonly nodes: readonly FleetNode[]
}

export interface FleetNode {
  /** Breaks ties between nodes. */
  readonly id: string
  /** Id of the cards' model in the hardware table, or the owner's name for it; undefined: no cards. */
  readonly model: string | undefined
  readonly cpuMilli: number
  readonly memoryMib: number
  readonly diskMib: number | undefined
  readonly cards: readonly FleetCard[]
  /** How its cards are wired; undefined: not known, and all cards count as equally near. */
  readonly layout: Layout | undefined
  readonly domains: Domains
}

export interface FleetCard {
  /** Nothing is placed on a `failing` card. */
  readonly health: 'ok' | 'degraded' | 'failing' | undefined
  /** Which parts of a card can be used separately because the provider enforces it: none, a share, or MIG slices. */
  readonly parts: 'none' | 'share' | 'mig'
}

/** What a node shares with others, from the widest to the narrowest. */
export interface Domains {
  readonly zone: string | undefined
  readonly fabric: string | undefined
  readonly rack: string | undefined
  readonly nvlinkDomain: string | undefined
}

/** What a piece of work asks of one node. */
export interface Request {
  readonly cpuMilli: number
  readonly memoryMib: number
  readonly diskMib: number
  /** Cards; 0: none. */
  readonly count: number
  /** How much of each card. */
  readonly part: CardPart
  /** Models that will do; undefined: any. */
  readonly models: readonly string[] | undefined
}

export type CardPart =
  | { readonly kind: 'whole' }
  /** A whole card is 1000. */
  | { readonly kind: 'share'; readonly milli: number }
  /** The smallest MIG slice with this much memory; a whole card where cards cannot be cut. */
  | { readonly kind: 'slice'; readonly vramGib: number }

/** Where a request was placed. */
export interface Spot {
  /** Index into the fleet's nodes. */
  readonly node: number
  /** Indices of cards, ascending. */
  readonly cards: readonly number[]
  /** What was taken of each card, if less than all of it. */
  readonly taken: { readonly kind: 'share'; readonly milli: number } | CutSlice | undefined
}

/** A MIG slice and its position, in the terms of the driver. */
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
