import { describe, expect, test } from 'vitest'
import type { Refusal } from './offer.ts'
import { offer } from './offer.suite.ts'
import { stateOf } from './state.ts'

function refusal(change: Partial<Refusal> = {}): Refusal {
  return { provider: 'alpha', region: undefined, instance: undefined, why: 'fault', atMs: 10, untilMs: 20, ...change }
}

describe('the state of an offer', () => {
  test('is what the source says of its present condition', () => {
    const stock = { level: 'low', units: 3, seenAtMs: 5 } as const
    expect(stateOf(offer({ stock, quotaLeft: 7, health: 'degraded' }), [])).toStrictEqual({
      stock: 'low',
      units: 3,
      seenAtMs: 5,
      quotaLeft: 7,
      health: 'degraded',
      startSeconds: 60,
      reliability: 0.99,
      egressUsdPerGib: 0.1,
      refusedWhy: undefined,
      refusedAtMs: undefined,
      refusedUntilMs: undefined,
      refusals: 0,
    })
    expect(stateOf(offer({ stock: undefined }), [])).toMatchObject({
      stock: undefined,
      units: undefined,
      seenAtMs: undefined,
    })
  })

  test('remembers a refusal of its provider, region and instance, as far as the refusal names them', () => {
    const scopes: readonly (readonly [Partial<Refusal>, number])[] = [
      [{}, 1],
      [{ provider: 'beta' }, 0],
      [{ region: 'eu-1' }, 1],
      [{ region: 'us-1' }, 0],
      [{ instance: 'large' }, 1],
      [{ instance: 'small' }, 0],
      [{ region: 'eu-1', instance: 'large' }, 1],
      [{ region: 'us-1', instance: 'large' }, 0],
    ]
    for (const [scope, count] of scopes)
      expect(stateOf(offer(), [refusal(scope)]).refusals, JSON.stringify(scope)).toBe(count)
  })

  test('keeps the refusal that holds longest and counts all', () => {
    const longest = refusal({ why: 'quota', atMs: 1, untilMs: 30 })
    const memory = [refusal(), longest, refusal({ untilMs: 29, atMs: 15 }), refusal({ provider: 'beta', untilMs: 99 })]
    const kept = { refusedWhy: 'quota', refusedAtMs: 1, refusedUntilMs: 30, refusals: 3 }
    expect(stateOf(offer(), memory)).toMatchObject(kept)
    expect(stateOf(offer(), memory.toReversed())).toMatchObject(kept)
  })

  test('of refusals that hold equally long keeps the latest, and of equally late ones always the same', () => {
    const late = [refusal({ atMs: 11, why: 'fault' }), refusal({ atMs: 10, why: 'sold-out' })]
    const same = [refusal({ why: 'sold-out' }), refusal({ why: 'fault' }), refusal({ why: 'quota' })]
    for (const turned of [late, late.toReversed()]) expect(stateOf(offer(), turned).refusedWhy).toBe('fault')
    for (const turned of [same, same.toReversed()]) expect(stateOf(offer(), turned).refusedWhy).toBe('sold-out')
  })
})
