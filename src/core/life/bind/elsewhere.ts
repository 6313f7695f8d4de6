import type { Ask, AskPlan, Plan } from '../../place/plan.ts'
import { failing } from '../../place/tally.ts'

/** The places that rejected a role as invalid; undefined: the workload has no roles. */
export type WrongAt = (role: string | undefined) => readonly string[]

/** A decision that avoids the places that rejected the workload as invalid, unless no other place could ever take it. */
export function decideElsewhere(asks: readonly Ask[], wrongAt: WrongAt, decide: (asks: readonly Ask[]) => Plan): Plan {
  const elsewhere = asks.map((ask): Ask => {
    const places = wrongAt(ask.role).toSorted()
    return places.length === 0 ? ask : { ...ask, need: { ...ask.need, wrongAt: places } }
  })
  const plan = decide(elsewhere)
  return plan.asks.some(isWrongEverywhere) ? decide(asks) : plan
}

/**
 * Whether every place that could ever take it has rejected it. Then those places are tried again until the restarts run out.
 */
function isWrongEverywhere({ ask, tally }: AskPlan): boolean {
  if (ask.need.wrongAt.length === 0 || tally.fits.length > 0) return false
  return !tally.near.some((band) => failing(band).every(({ name }) => PASSING.has(name)))
}

/** Requirements that can be met later, when other work ends or time passes. */
const PASSING: ReadonlySet<string> = new Set(['stock', 'quota', 'health'])
