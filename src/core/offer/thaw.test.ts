import { describe, expect, test } from 'vitest'
import { cards, offer } from './offer.suite.ts'
import { freeze } from './snapshot.ts'
import { thaw } from './thaw.ts'

describe('thawing a snapshot', () => {
  test('gives back the offers it was made of, to the last fact', () => {
    const slice = { kind: 'mig', profile: '1g.10gb', gib: 10 } as const
    const share = { kind: 'share', profile: undefined, gib: 40 } as const
    const capacity = [
      offer(),
      offer({ instance: 'mig', gpu: cards({ slice, count: 7 }) }),
      offer({ instance: 'share', gpu: cards({ slice: share }), driver: undefined, cuda: undefined }),
      offer({
        instance: 'plain',
        gpu: undefined,
        driver: undefined,
        cuda: undefined,
        zone: undefined,
        stock: undefined,
      }),
      offer({ instance: 'node', capacity: 'owned', stock: { level: 'low', units: 2, seenAtMs: undefined } }),
      offer({ instance: 'spot', usdPerHour: undefined, quotaLeft: 3, residency: undefined, trust: undefined }),
    ]
    const byId = (one: { id: string }, two: { id: string }): number => (one.id < two.id ? -1 : 1)
    expect(thaw(freeze(capacity)).toSorted(byId)).toStrictEqual(capacity.toSorted(byId))
  })

  test('of a quarantined row gives back no more than was believed', () => {
    const [suspect] = thaw(freeze([offer({ quarantine: 'NAME_UNKNOWN' })]))
    expect(suspect).toMatchObject({
      id: 'alpha/eu-1/a/large',
      quarantine: 'NAME_UNKNOWN',
      gpu: undefined,
      cpu: undefined,
      driver: undefined,
      usdPerHour: 4,
    })
  })

  test('of nothing gives nothing', () => {
    expect(thaw(freeze([]))).toEqual([])
  })
})
