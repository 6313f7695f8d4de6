import { must } from '../../base/assert.ts'
import { termsOf } from '../../requirement/need/price.ts'
import { at, groupOf, listingIn, rowCount } from '../../offer/snapshot.ts'
import { rowsOf } from '../choose.ts'
import { refusalAt } from '../judge.ts'
import { describeOffer, type OfferReport } from './offer-report.ts'
import type { AskPlan, Plan } from '../plan.ts'
import { shadowsOf } from './shadows.ts'
import { failing, fits, verdictOf, type Verdict } from '../tally.ts'

/** The verdict on one offer, for people and scripts that want to know about each. */
export interface OfferVerdict {
  readonly role: string | undefined
  readonly verdict: 'taken' | 'passed over' | 'refused'
  readonly offer: OfferReport
  readonly score: number | undefined
  readonly reasons: readonly {
    readonly code: string
    readonly requirement: string
    readonly wanted: string
    readonly found: string | undefined
  }[]
}

/** Every offer with its verdict and all its reasons, row by row. */
export function* describeVerdicts(plan: Plan): Iterable<OfferVerdict> {
  for (const ask of plan.asks) {
    const taken = new Set(ask.choices.flatMap(rowsOf))
    const shadows = shadowsOf(plan.snapshot, ask.judgement)
    for (let row = 0; row < rowCount(plan.snapshot); row++)
      if (!shadows.has(row)) yield describe(row, ask, { plan, taken })
  }
}

function describe(
  row: number,
  ask: AskPlan,
  { plan, taken }: { plan: Plan; taken: ReadonlySet<number> },
): OfferVerdict {
  const { snapshot } = plan
  const { judgement, tally } = ask
  const group = groupOf(snapshot, row)
  const listing = listingIn(snapshot, group, row)
  const verdict = verdictOf(snapshot, judgement, row)
  const position = tally.order.rows.indexOf(row, at(snapshot.groups.start, group))
  const price = at(tally.order.usdPerHour, position)
  const sale = {
    usdPerHour: Number.isNaN(price) ? undefined : price,
    terms: termsOf(listing.price, judgement.need.market),
  }
  const band = { group, from: position, to: position + 1, ...verdict }
  return {
    role: ask.ask.role,
    verdict: !fits(verdict) ? 'refused' : taken.has(row) ? 'taken' : 'passed over',
    offer: describeOffer(listing, sale),
    score: fits(verdict) ? ask.ranking.standing(band, position).score : undefined,
    reasons: reasons(verdict, { group, row }, { ask, plan }),
  }
}

interface Place {
  readonly group: number
  readonly row: number
}

function reasons(verdict: Verdict, place: Place, { ask, plan }: { ask: AskPlan; plan: Plan }): OfferVerdict['reasons'] {
  return failing(verdict).map((filter) => {
    const spot = { snapshot: plan.snapshot, ...place }
    const { code, wanted, found } = must(refusalAt(filter, spot, ask.judgement), 'it refused before')
    return { code, requirement: filter.name, wanted, found }
  })
}
