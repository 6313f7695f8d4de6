import { describe, expect, test } from 'vitest'
import type { Ability } from '../../offer/offer.ts'
import { inWords, need, NOW_MS, site } from './facts.suite.ts'
import type { Filter } from './filter.ts'

/** What holds for every filter about what a provider can do. */
export function abilityLaws(ability: Ability, filter: Filter<'site'>, code: string): void {
  describe(`what a provider cannot do: ${ability}`, () => {
    test('turns it down for a workload that asks for it', () => {
      const reason = filter.check(site({ lacks: [ability] }), need({ uses: [ability] }), NOW_MS)
      expect(reason?.code).toBe(code)
      expect(inWords(filter, reason)).toMatch(/provider.*; clears: never$/)
    })

    test('is nothing to a workload that does not, and nothing is held against a provider that says nothing', () => {
      expect(filter.check(site({ lacks: [ability] }), need(), NOW_MS)).toBeUndefined()
      expect(filter.check(site(), need({ uses: [ability] }), NOW_MS)).toBeUndefined()
    })
  })
}
