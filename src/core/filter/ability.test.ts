import { describe, expect, test } from 'vitest'
import type { Ability } from '../offer/offer.ts'
import { inWords, need, NOW_MS, site } from './facts.suite.ts'
import type { Filter } from './filter.ts'
import { gangs } from './gangs.ts'
import { images } from './images.ts'
import { objectStorage } from './object-storage.ts'
import { secrets } from './secrets.ts'
import { volumes } from './volumes.ts'
import { wrongHere } from './wrong-here.ts'

const CASES: readonly (readonly [Ability, Filter<'site'>, string])[] = [
  ['images', images, 'NO_IMAGES'],
  ['volumes', volumes, 'NO_VOLUMES'],
  ['object-storage', objectStorage, 'NO_OBJECT_STORAGE'],
  ['secrets', secrets, 'NO_SECRETS'],
  ['gangs', gangs, 'NO_RENDEZVOUS'],
]

describe.each(CASES)('what a provider cannot do: %s', (ability, filter, code) => {
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

describe('a place that called the workload wrong', () => {
  test('is not asked again: the provider, or one region of it', () => {
    expect(wrongHere.check(site(), need({ wrongAt: ['alpha'] }), NOW_MS)?.code).toBe('REFUSED_AS_WRONG')
    expect(wrongHere.check(site(), need({ wrongAt: ['alpha/eu-1'] }), NOW_MS)?.found).toBe('alpha')
    expect(wrongHere.check(site(), need({ wrongAt: ['alpha/us-1', 'beta'] }), NOW_MS)).toBeUndefined()
  })
})
