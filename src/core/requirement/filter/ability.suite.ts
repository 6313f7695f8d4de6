import { describe, expect, test } from 'vitest'
import type { Ability } from '../../offer/offer.ts'
import { inWords, need, NOW_MS, site } from './facts.suite.ts'
import { ABILITIES } from './abilities.ts'
import type { Filter } from './filter.ts'

/** What holds for every filter on an ability of a provider. */
export function abilityLaws(ability: Ability, filter: Filter<'site'>, code: string): void {
  describe(`a provider without ${ability}`, () => {
    test('turns the provider down for a workload that uses it', () => {
      const reason = filter.check(site({ lacks: [ability] }), need({ uses: [ability] }), NOW_MS)
      expect(reason?.code).toBe(code)
      expect(inWords(filter, reason)).toMatch(/provider.*; clears: never$/)
      expect(ABILITIES.has(filter.name)).toBe(true)
    })

    test('passes for a workload that does not use it, and where the provider does not say', () => {
      expect(filter.check(site({ lacks: [ability] }), need(), NOW_MS)).toBeUndefined()
      expect(filter.check(site(), need({ uses: [ability] }), NOW_MS)).toBeUndefined()
    })
  })
}
