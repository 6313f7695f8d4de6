import type { Policy } from '../policy/policy.ts'
import type { Reserve, Spread } from '../manifest/manifest.ts'
import type { Need } from '../requirement/need/need.ts'
import type { Snapshot } from '../offer/snapshot.ts'
import type { Choice } from './choose.ts'
import { offersIn } from './explain/shadows.ts'
import type { Judgement } from './judge.ts'
import type { OwnHints } from './own/hint.ts'
import type { ReservePlan } from './own/reserve.ts'
import type { Ranking } from './rank.ts'
import type { Tally } from './tally.ts'

/** One kind of machine a workload asks for: the workload itself, or one of its roles. */
export interface Ask {
  /** Name of the role; undefined for a workload without roles. */
  readonly role: string | undefined
  readonly need: Need
  readonly replicas: number
  /** The numbers of these replicas in the workload; left out: from 0 on. */
  readonly numbers?: readonly number[] | undefined
  readonly spread: Spread
  /** Room to keep free for more replicas. */
  readonly reserve?: Reserve | undefined
  /** Domains (see `domainAt`) of replicas that already run: the spread counts them, too. */
  readonly placed?: readonly string[]
  /** What the user agreed to pay; left out: nothing was agreed. */
  readonly ceiling?: Ceiling | undefined
}

/**
 * The price that the user agreed to for one role. A place that would exceed it by more than the tolerance is not taken, be it
 * the price of a single replica or of all of them together.
 */
export interface Ceiling {
  /** Of the dearest replica that the user was shown. */
  readonly replicaUsd: number
  /** Of all replicas together. */
  readonly totalUsd: number
  readonly replicas: number
  /** What replicas that were placed under this agreement cost already. */
  readonly spentUsd: number
  /** 0.05: five percent more is still as agreed. */
  readonly tolerance: number
}

/** A limit or an agreed price that keeps replicas without a place. */
export type Held =
  | {
      readonly code: 'QUOTA_PROJECT'
      readonly project: string
      readonly isOfFile?: true
      readonly gpusMax: number
      /** With the replicas that have their place. */
      readonly gpusUsed: number
      /** For the replicas without a place. */
      readonly gpusNeeded: number
    }
  | {
      readonly code: 'BUDGET_PROJECT'
      readonly project: string
      readonly isOfFile?: true
      readonly usdPerHourMax: number
      readonly usdPerHourUsed: number
      readonly usdPerHourNeeded: number
    }
  | {
      readonly code: 'PRICE_NOT_AGREED'
      readonly role: string | undefined
      /** Whether one replica is too dear, or all of them together. */
      readonly of: 'replica' | 'all'
      readonly replicas: number
      readonly agreedUsd: number
      readonly nowUsd: number
      readonly tolerance: number
    }

/** What one workload asks, under its policy. */
export interface DecisionInput {
  readonly workload: string
  readonly asks: readonly Ask[]
  readonly policy: Policy
  readonly nowMs: number
  /** Spots in a fleet to take instead of the engine's choice. */
  readonly hints?: OwnHints
  /** The image that is to run. It is only shown; it decides nothing. */
  readonly image?: string
}

/** The choices for one workload, with the evidence that they were made from. `explain` says the rest. */
export interface Plan {
  readonly workload: string
  readonly policy: Policy
  readonly fits: boolean
  readonly snapshot: Snapshot
  readonly asks: readonly AskPlan[]
  /** The limit or the agreed price that keeps replicas without a place which capacity would allow; undefined: none does. */
  readonly held: Held | undefined
  readonly decided: Decisions
  readonly image?: string
}

/** What was decided, and what had been decided before. The same questions over the same snapshot always give the same plan. */
export interface Decisions {
  readonly input: DecisionInput
  readonly before: Decisions | undefined
}

export interface AskPlan {
  readonly ask: Ask
  /** Exactly what would be bound, replica by replica. */
  readonly choices: readonly Choice[]
  /** Undefined when capacity has a place for every replica. */
  readonly shortage: Shortage | undefined
  readonly judgement: Judgement
  readonly tally: Tally
  readonly ranking: Ranking
  /** Undefined: none is requested, or there is no fleet to keep it in. */
  readonly reserve: ReservePlan | undefined
}

/** Why some replicas have no place. */
export type Shortage = 'nothing-fits' | 'not-enough-left' | 'one-domain-only'

/** Offers that fit an ask. */
export function fitCount(ask: AskPlan): number {
  return ask.tally.fits.reduce((sum, band) => sum + band.to - band.from, 0)
}

/** Offers that were considered. */
export function offerCount(plan: Plan): number {
  return offersIn(plan.snapshot)
}
