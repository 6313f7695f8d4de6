import { describe, expect, test } from 'vitest'
import { noneOf, oneOf } from '../need/choice.ts'
import { inWords, loosened, need, NOW_MS, site } from './facts.suite.ts'
import { provider } from './provider.ts'

const ALPHA_ONLY = need({ provider: oneOf(['alpha']) })
const NOT_BETA = need({ provider: noneOf(['beta']) })
const BETA = site({ provider: 'beta' })
const GAMMA = site({ provider: 'gamma' })

describe('provider', () => {
  test('a provider that is allowed will do', () => {
    expect(provider.check(site(), ALPHA_ONLY, NOW_MS)).toBeUndefined()
    expect(provider.check(GAMMA, NOT_BETA, NOW_MS)).toBeUndefined()
    expect(provider.check(BETA, need(), NOW_MS)).toBeUndefined()
  })

  test('a provider that is not allowed, or denied, is turned down', () => {
    const reason = provider.check(BETA, ALPHA_ONLY, NOW_MS)
    expect(reason).toEqual({ code: 'PROVIDER_NOT_ALLOWED', wanted: 'alpha', found: 'beta' })
    expect(inWords(provider, reason)).toBe('its provider is not allowed by the policy; clears: policy')
    expect(provider.check(BETA, NOT_BETA, NOW_MS)?.wanted).toBe('anything but beta')
  })

  test('loosening admits one provider at a time, in alphabetical order', () => {
    expect(loosened(provider, ALPHA_ONLY, [GAMMA, BETA, BETA])).toEqual([
      { change: 'policy.providers: [alpha] -> [alpha, beta]', admits: [false, true, true] },
      { change: 'policy.providers: [alpha] -> [alpha, gamma]', admits: [true, false, false] },
    ])
    expect(loosened(provider, NOT_BETA, [BETA])).toEqual([
      { change: 'policy.providers: anything but beta -> anything', admits: [true] },
    ])
  })
})
