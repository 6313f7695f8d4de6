import { fitCount, offerCount, type AskPlan, type Plan } from '../../place/plan.ts'
import { passedOver } from '../../place/explain/explain.ts'
import { countReasons } from '../../place/explain/reasons.ts'
import { listingAt } from '../../offer/snapshot.ts'

/**
 * The evidence behind a choice, in short. It is kept with the placement so that it can be shown for as long as the placement
 * lasts.
 */
export interface Decision {
  readonly atMs: number
  readonly policy: string
  /** Offers that were considered, and how many of them fitted. */
  readonly candidates: number
  readonly fitting: number
  /** Offers turned down by reason, the most frequent; each offer under its first reason. */
  readonly refused: Readonly<Record<string, number>>
  /** The best offer that was not taken; left out: there was none. */
  readonly runnerUp?: { readonly offer: string; readonly usdPerHour: number }
  /** The provider runs a program of the host and ignores the image. */
  readonly imageUnused?: true
}

const REASONS_KEPT = 6

/** All replicas of one ask share the same evidence. */
const known = new WeakMap<AskPlan, Omit<Decision, 'imageUnused'>>()

/** The evidence for an ask of a plan. */
export function decisionOf(ask: AskPlan, plan: Plan): Omit<Decision, 'imageUnused'> {
  const before = known.get(ask)
  if (before !== undefined) return before
  const reasons = countReasons(plan.snapshot, ask.judgement, ask.tally).filter(({ first }) => first > 0)
  const [next] = passedOver(ask, plan, 1)
  const decision = {
    atMs: ask.judgement.nowMs,
    policy: plan.policy.name,
    candidates: offerCount(plan),
    fitting: fitCount(ask),
    refused: Object.fromEntries(reasons.slice(0, REASONS_KEPT).map(({ code, first }) => [code, first])),
    ...(next && { runnerUp: { offer: listingAt(plan.snapshot, next.row).id, usdPerHour: next.usdPerHour } }),
  }
  known.set(ask, decision)
  return decision
}
