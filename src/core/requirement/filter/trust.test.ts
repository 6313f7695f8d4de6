import { describe, expect, test } from 'vitest'
import { noneOf, oneOf } from '../need/choice.ts'
import { inWords, loosened, need, NOW_MS, site } from './facts.suite.ts'
import { trust } from './trust.ts'

const ONLY_SECURE = need({ trust: oneOf(['secure']) })
const ELSEWHERE = site({ trust: 'zeta' })
const UNLABELLED = site({ trust: undefined })

describe('trust', () => {
  test('a site with a label that is allowed will do', () => {
    expect(trust.check(site({ trust: 'secure' }), ONLY_SECURE, NOW_MS)).toBeUndefined()
    expect(trust.check(site({ trust: 'secure' }), need({ trust: noneOf(['zeta']) }), NOW_MS)).toBeUndefined()
  })

  test('a site with another label is turned down', () => {
    const reason = trust.check(ELSEWHERE, ONLY_SECURE, NOW_MS)
    expect(reason).toEqual({ code: 'WRONG_TRUST', wanted: 'secure', found: 'zeta' })
    expect(inWords(trust, reason)).toBe('not in trust domain secure (policy); clears: policy')
  })

  test('a site without a label is an unknown as soon as labels matter', () => {
    const reason = trust.check(UNLABELLED, ONLY_SECURE, NOW_MS)
    expect(reason).toEqual({ code: 'TRUST_UNKNOWN', wanted: 'secure', found: undefined })
    expect(inWords(trust, reason)).toBe('does not say whether it is in trust domain secure; clears: policy')
    expect(trust.check(UNLABELLED, need({ trust: noneOf(['zeta']) }), NOW_MS)?.wanted).toBe('anything but zeta')
  })

  test('it says nothing where the policy leaves it open', () => {
    expect(trust.check(ELSEWHERE, need(), NOW_MS)).toBeUndefined()
    expect(trust.check(UNLABELLED, need(), NOW_MS)).toBeUndefined()
  })

  test('loosening admits one label at a time, in alphabetical order', () => {
    const refused = [ELSEWHERE, UNLABELLED, site({ trust: 'community' }), ELSEWHERE]
    expect(loosened(trust, ONLY_SECURE, refused)).toEqual([
      { change: 'policy.trust: [secure] -> [community, secure]', admits: [false, false, true, false] },
      { change: 'policy.trust: [secure] -> [secure, zeta]', admits: [true, false, false, true] },
    ])
  })
})
