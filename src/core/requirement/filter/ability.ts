import type { Ability } from '../../offer/offer.ts'
import type { Filter } from './filter.ts'
import { no, type ReasonDoc } from '../reason.ts'

/** What defines a filter on one ability of a provider. */
export interface AbilityRule {
  readonly name: string
  readonly rank: number
  readonly ability: Ability
  readonly code: string
  readonly doc: Pick<ReasonDoc, 'why' | 'fix'>
  /** What the workload needs, and what this provider has instead, each in a few words. */
  readonly wanted: string
  readonly found: string
}

/**
 * A filter on something that not every provider can do. A provider that does not say is assumed able: if it is not, it
 * refuses the order, and the controller tries the next offer.
 */
export function abilityFilter({ name, rank, ability, code, doc, wanted, found }: AbilityRule): Filter<'site'> {
  return {
    name,
    rank,
    about: 'site',
    reasons: { [code]: { summary: () => found, clears: 'never', ...doc } },
    check(site, need) {
      if (!need.uses.includes(ability) || site.lacks?.includes(ability) !== true) return undefined
      return no(code, wanted, found)
    },
  }
}
