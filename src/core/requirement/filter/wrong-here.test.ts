import { describe, expect, test } from 'vitest'
import { need, NOW_MS, site } from './facts.suite.ts'
import { wrongHere } from './wrong-here.ts'

describe('a place that called the workload wrong', () => {
  test('is not asked again: the provider, or one region of it', () => {
    expect(wrongHere.check(site(), need({ wrongAt: ['alpha'] }), NOW_MS)?.code).toBe('REFUSED_AS_WRONG')
    expect(wrongHere.check(site(), need({ wrongAt: ['alpha/eu-1'] }), NOW_MS)?.found).toBe('alpha')
    expect(wrongHere.check(site(), need({ wrongAt: ['alpha/us-1', 'beta'] }), NOW_MS)).toBeUndefined()
  })
})
