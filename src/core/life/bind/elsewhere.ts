import type { Ask, AskPlan, Plan } from '../../place/plan.ts'
import { failing } from '../../place/tally.ts'

/** Where a role was called wrong; undefined: the workload has no roles. */
export type WrongAt = (role: string | undefined) => readonly string[]

/** A decision that passes by the places which called the workload wrong, unless no other one would ever do. */
export function decideElsewhere(asks: readonly Ask[], wrongAt: WrongAt, decide: (asks: readonly Ask[]) => Plan): Plan {
  const elsewhere = asks.map((ask): Ask => {
    const places = wrongAt(ask.role).toSorted()
    return places.length === 0 ? ask : { ...ask, need: { ...ask.need, wrongAt: places } }
  })
  const plan = decide(elsewhere)
  return plan.asks.some(isWrongEverywhere) ? decide(asks) : plan
}

/** Whether every place that would ever do has called it wrong: then they are asked again, until it is told so. */
function isWrongEverywhere({ ask, tally }: AskPlan): boolean {
  if (ask.need.wrongAt.length === 0 || tally.fits.length > 0) return false
  return !tally.near.some((band) => failing(band).every(({ name }) => PASSING.has(name)))
}

/** Requirements that are met again when something ends or time passes. */
const PASSING: ReadonlySet<string> = new Set(['stock', 'quota', 'health'])
