import { describe, expect, test } from 'vitest'
import { need, NOW_MS, site } from './facts.suite.ts'
import { wrongHere } from './wrong-here.ts'

describe('a provider that rejected the workload as invalid', () => {
  test('is not asked again, in all of its regions or in one', () => {
    expect(wrongHere.check(site(), need({ wrongAt: ['alpha'] }), NOW_MS)?.code).toBe('REFUSED_AS_WRONG')
    expect(wrongHere.check(site(), need({ wrongAt: ['alpha/eu-1'] }), NOW_MS)?.found).toBe('alpha')
    expect(wrongHere.check(site(), need({ wrongAt: ['alpha/us-1', 'beta'] }), NOW_MS)).toBeUndefined()
  })
})
