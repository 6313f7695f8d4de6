import { describe, expect, test } from 'vitest'
import { noneOf, oneOf } from '../need/choice.ts'
import { inWords, loosened, need, NOW_MS, site } from './facts.suite.ts'
import { residency } from './residency.ts'

const ONLY_EU = need({ residency: oneOf(['eu']) })
const ELSEWHERE = site({ residency: 'us' })
const UNLABELLED = site({ residency: undefined })

describe('residency', () => {
  test('a site with a label that is allowed will do', () => {
    expect(residency.check(site({ residency: 'eu' }), ONLY_EU, NOW_MS)).toBeUndefined()
    expect(residency.check(site({ residency: 'eu' }), need({ residency: noneOf(['us']) }), NOW_MS)).toBeUndefined()
  })

  test('a site with another label is turned down', () => {
    const reason = residency.check(ELSEWHERE, ONLY_EU, NOW_MS)
    expect(reason).toEqual({ code: 'WRONG_RESIDENCY', wanted: 'eu', found: 'us' })
    expect(inWords(residency, reason)).toBe('not in eu (policy); clears: policy')
  })

  test('a site without a label is an unknown as soon as labels matter', () => {
    const reason = residency.check(UNLABELLED, ONLY_EU, NOW_MS)
    expect(reason).toEqual({ code: 'RESIDENCY_UNKNOWN', wanted: 'eu', found: undefined })
    expect(inWords(residency, reason)).toBe('does not say whether it is in eu; clears: policy')
    expect(residency.check(UNLABELLED, need({ residency: noneOf(['us']) }), NOW_MS)?.wanted).toBe('anything but us')
  })

  test('it says nothing where the policy leaves it open', () => {
    expect(residency.check(ELSEWHERE, need(), NOW_MS)).toBeUndefined()
    expect(residency.check(UNLABELLED, need(), NOW_MS)).toBeUndefined()
  })

  test('loosening admits one label at a time, in alphabetical order', () => {
    const refused = [ELSEWHERE, UNLABELLED, site({ residency: 'in' }), ELSEWHERE]
    expect(loosened(residency, ONLY_EU, refused)).toEqual([
      { change: 'policy.residency: [eu] -> [eu, in]', admits: [false, false, true, false] },
      { change: 'policy.residency: [eu] -> [eu, us]', admits: [true, false, false, true] },
    ])
  })
})
