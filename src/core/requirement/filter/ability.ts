import type { Ability } from '../../offer/offer.ts'
import { no, type Filter, type ReasonDoc } from './filter.ts'

/** What it takes to demand that a provider is able to do something. */
export interface AbilityRule {
  readonly name: string
  readonly rank: number
  readonly ability: Ability
  readonly code: string
  readonly doc: Pick<ReasonDoc, 'why' | 'fix'>
  /** What the workload has that asks for it, and what is found instead: both in a few words. */
  readonly wanted: string
  readonly found: string
}

/**
 * A filter for one thing that providers can do or not. A provider that says nothing is believed able: what it cannot do
 * after all it refuses, and the search goes on elsewhere.
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
