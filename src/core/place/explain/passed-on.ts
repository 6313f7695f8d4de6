import { must } from '../../base/assert.ts'
import { REASONS } from '../../requirement/filter/all-filters.ts'
import { at, siteIn } from '../../offer/snapshot.ts'
import { refusalAt } from '../judge.ts'
import type { AskPlan, Plan } from '../plan.ts'
import { failing, firstFailing, type Band } from '../tally.ts'

/** A provider that the policy would rather have used, and why it could not. */
export interface PassedOn {
  readonly provider: string
  readonly because: string
}

/** Providers that come before the chosen one in the fallback order, each with what kept its nearest offer out. */
export function passedOn(ask: AskPlan, { snapshot, policy }: Plan): readonly PassedOn[] {
  const tier = Math.min(...ask.choices.map((choice) => choice.standing.tier))
  return policy.fallback.slice(0, Number.isFinite(tier) ? tier : 0).map((provider) => {
    const isThere = (band: Band): boolean => siteIn(snapshot, band.group).provider === provider
    if (ask.tally.fits.some(isThere)) return { provider, because: 'no more of it left there' }
    const own = ask.tally.near.filter(isThere)
    return { provider, because: own.length === 0 ? 'nothing like it there' : explain(nearest(own), ask, snapshot) }
  })
}

/** The band with the fewest failures; of those, the one that fails the latest requirement, which is closest to a yes. */
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
