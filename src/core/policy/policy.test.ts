import { describe, expect, test } from 'vitest'
import type { Config, Policy } from './policy.ts'
import { choosePolicy, DEFAULT_POLICY, OBJECTIVES } from './policy.ts'

const PRODUCTION: Policy = {
  ...DEFAULT_POLICY,
  name: 'production',
  objective: 'balanced',
  weights: OBJECTIVES.balanced,
}
const RESEARCH: Policy = { ...DEFAULT_POLICY, name: 'research', spot: 'allowed' }
const CONFIG: Config = { providers: [], policies: [RESEARCH, PRODUCTION], defaultPolicy: 'production', projects: [] }

describe('choosing a policy', () => {
  test('finds the one that is named', () => {
    expect(choosePolicy(CONFIG, 'research')).toEqual({ policy: RESEARCH })
  })

  test('takes the default of the platform when none is named', () => {
    expect(choosePolicy(CONFIG, undefined)).toEqual({ policy: PRODUCTION })
  })

  test('takes the built-in one when there is no infrastructure file', () => {
    expect(choosePolicy(undefined, undefined)).toEqual({ policy: DEFAULT_POLICY })
    expect(choosePolicy(undefined, 'default')).toEqual({ policy: DEFAULT_POLICY })
    expect(choosePolicy({ ...CONFIG, defaultPolicy: 'default' }, undefined)).toEqual({ policy: DEFAULT_POLICY })
  })

  test('prefers a policy that the platform itself called default', () => {
    const own = { ...RESEARCH, name: 'default' }
    expect(choosePolicy({ ...CONFIG, policies: [own] }, 'default')).toEqual({ policy: own })
  })

  test('names what there is, and the nearest of it, when there is no such policy', () => {
    expect(choosePolicy(CONFIG, 'prodution')).toEqual({
      problem: {
        code: 'POLICY_UNKNOWN',
        message: 'There is no policy called prodution.',
        found: 'prodution',
        hint: 'Did you mean production? Policies here: default, production, research.',
      },
    })
  })

  test('suggests nothing when nothing is near', () => {
    expect(choosePolicy({ ...CONFIG, policies: [] }, 'cheap')).toEqual({
      problem: {
        code: 'POLICY_UNKNOWN',
        message: 'There is no policy called cheap.',
        found: 'cheap',
        hint: 'Policies here: default.',
      },
    })
  })

  test('asks for the infrastructure file where none was read', () => {
    expect(choosePolicy(undefined, 'cheap')).toEqual({
      problem: {
        code: 'POLICY_UNKNOWN',
        message: 'The manifest names the policy cheap, but there is no infrastructure file that could define it.',
        found: 'cheap',
        hint: 'Pass --config FILE, add a berth.config.yaml here, or leave `policy` out of the manifest.',
      },
    })
  })

  test('lists a policy called default once', () => {
    const config = { ...CONFIG, policies: [{ ...RESEARCH, name: 'default' }] }
    expect(choosePolicy(config, 'x')).toMatchObject({ problem: { hint: 'Policies here: default.' } })
  })
})

describe('objectives', () => {
  test.each(Object.entries(OBJECTIVES))('%s shares out a whole', (_, weights) => {
    const sum = Object.values(weights).reduce((total, weight) => total + weight, 0)
    expect(sum).toBeCloseTo(1, 9)
  })

  test('weigh what their name says most', () => {
    expect(OBJECTIVES.cheapest).toEqual({ price: 1 })
    expect(OBJECTIVES['fastest-start']).toEqual({ start: 0.7, stock: 0.2, price: 0.1 })
    expect(OBJECTIVES['most-reliable']).toEqual({ reliability: 0.6, stock: 0.3, price: 0.1 })
    expect(OBJECTIVES.balanced).toEqual({
      price: 0.45,
      start: 0.15,
      stock: 0.15,
      reliability: 0.15,
      surplus: 0.05,
      egress: 0.05,
    })
  })
})

test('the built-in policy is cheap and cautious, and never accepts an unknown residency or trust', () => {
  expect(DEFAULT_POLICY).toEqual({
    name: 'default',
    objective: 'cheapest',
    weights: { price: 1 },
    spot: 'asked',
    usdPerHourMax: undefined,
    residency: undefined,
    providersAllowed: undefined,
    providersDenied: [],
    trust: undefined,
    fallback: [],
    unknownAccepted: ['driver', 'cuda', 'disk', 'storage', 'network', 'health', 'stock', 'quota', 'topology'],
  })
})
