import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { atLeast } from '../../requirement/need/range.ts'
import type { Offer } from '../../offer/offer.ts'
import { passedOn } from './passed-on.ts'
import { planFor, sold, type Scene } from '../capacity.suite.ts'

const FALLBACK = { policy: { fallback: ['alpha', 'beta', 'gamma'] } }
const SOLD_OUT = { stock: { level: 'sold_out', units: undefined, seenAtMs: undefined } } as const

function passed(capacity: readonly Offer[], ...scenes: readonly Scene[]): readonly string[] {
  const plan = planFor(capacity, ...scenes)
  const ask = must(plan.asks.at(-1), 'an ask')
  return passedOn(ask, plan).map(({ provider, because }) => `${provider}: ${because}`)
}

describe('providers that were passed on the way down the fallback order', () => {
  test('are those before the one that was chosen', () => {
    const capacity = [sold('a', 1, SOLD_OUT), sold('c', 1, { provider: 'gamma' }), sold('d', 1, { provider: 'delta' })]
    expect(passed(capacity, FALLBACK)).toEqual(['alpha: sold out', 'beta: it offers nothing like it'])
    expect(passed(capacity.slice(0, 1), FALLBACK)).toEqual([])
    expect(passed([sold('a', 1), ...capacity.slice(1)], FALLBACK)).toEqual([])
    expect(passed(capacity)).toEqual([])
  })

  test('are all of them where only a provider outside the order was left', () => {
    expect(passed([sold('d', 1, { provider: 'delta' })], FALLBACK)).toEqual([
      'alpha: it offers nothing like it',
      'beta: it offers nothing like it',
      'gamma: it offers nothing like it',
    ])
  })

  test('are explained by the offer that came closest: fewest failures first', () => {
    const capacity = [
      sold('a both', 1, { health: 'failing', ...SOLD_OUT }),
      sold('b small', 1, { cpu: 8 }),
      sold('c', 1, { provider: 'beta' }),
    ]
    const scene = { ...FALLBACK, need: { cpu: atLeast(16) } }
    expect(passed(capacity, scene)).toEqual(['alpha: under 16 CPUs'])
    expect(passed([sold('z both', 1, { health: 'failing', ...SOLD_OUT }), ...capacity], scene)).toEqual([
      'alpha: under 16 CPUs',
    ])
  })

  test('are explained by the latest requirement among those that came equally close, and by the first offer of those', () => {
    const beta = sold('d', 1, { provider: 'beta' })
    const failing = { health: 'failing' } as const
    expect(passed([sold('a', 1, failing), sold('b', 1, SOLD_OUT), beta], FALLBACK)).toEqual(['alpha: sold out'])
    expect(passed([sold('b', 1, failing), sold('a', 1, SOLD_OUT), beta], FALLBACK)).toEqual(['alpha: sold out'])
    const few = { stock: { level: 'low', units: 1, seenAtMs: undefined } } as const
    const gang = { ...FALLBACK, need: { nodes: 2 } }
    expect(passed([sold('a', 1, few), sold('b', 1, SOLD_OUT), beta], gang)).toEqual(['alpha: fewer than 2 left'])
  })

  test('are none where some replica found a place with the first', () => {
    const capacity = [
      sold('a', 1, { stock: { level: 'low', units: 1, seenAtMs: undefined } }),
      sold('b', 1, { provider: 'beta' }),
    ]
    expect(passed(capacity, { ...FALLBACK, replicas: 2 })).toEqual([])
  })

  test('are not said to have nothing like it where an earlier role took the last', () => {
    const capacity = [
      sold('a', 1, { stock: { level: 'low', units: 1, seenAtMs: undefined } }),
      sold('b', 1, { provider: 'beta' }),
    ]
    expect(passed(capacity, { ...FALLBACK, role: 'one' }, { role: 'two' })).toEqual([
      'alpha: nothing that fits is left there',
    ])
  })
})
