import { must } from '../../base/assert.ts'
import { REASONS } from '../../requirement/filter/all-filters.ts'
import { at, siteIn } from '../../offer/snapshot.ts'
import { refusalAt } from '../judge.ts'
import type { AskPlan, Plan } from '../plan.ts'
import { failing, firstFailing, type Band } from '../tally.ts'

/** A provider that the policy prefers, and why it was not used. */
export interface PassedOn {
  readonly provider: string
  readonly because: string
}

/** Providers before the chosen one in the fallback order, each with the reason that excluded its nearest offer. */
export function passedOn(ask: AskPlan, { snapshot, policy }: Plan): readonly PassedOn[] {
  const tier = Math.min(...ask.choices.map((choice) => choice.standing.tier))
  return policy.fallback.slice(0, Number.isFinite(tier) ? tier : 0).map((provider) => {
    const isThere = (band: Band): boolean => siteIn(snapshot, band.group).provider === provider
    if (ask.tally.fits.some(isThere)) return { provider, because: 'nothing that fits is left there' }
    const own = ask.tally.near.filter(isThere)
    return { provider, because: own.length === 0 ? 'it offers nothing like it' : explain(nearest(own), ask, snapshot) }
  })
}

/**
 * The band with the fewest failures. Of equals, the one whose failing requirement is checked last: it is the closest to
 * fitting.
 */
function nearest(bands: readonly Band[]): Band {
  const distance = (band: Band): number => failing(band).length * 1_000_000 - firstFailing(band).rank
  return bands.reduce((best, band) => (distance(band) < distance(best) ? band : best))
}

function explain(band: Band, { judgement, tally }: AskPlan, snapshot: Plan['snapshot']): string {
  const filter = firstFailing(band)
  const spot = { snapshot, group: band.group, row: at(tally.order.rows, band.from) }
  const reason = must(refusalAt(filter, spot, judgement), 'it refused before')
  return must(REASONS[reason.code], 'in the catalogue').summary(reason)
}
