import { describe, expect, test } from 'vitest'
import type { Offer } from '../offer/offer.ts'
import { domainOf, runnersUp } from './choose.ts'
import { askPlanFor, idAt, planFor, sold, type Scene } from './capacity.suite.ts'

/** `offer because`, replica by replica. */
function chosen(capacity: readonly Offer[], scene: Scene = {}): readonly string[] {
  const { choices, snapshot } = askPlanFor(capacity, scene)
  expect(choices.map((choice) => choice.replica)).toEqual(choices.map((_, index) => index))
  return choices.map((choice) => `${idAt(snapshot, choice.standing.row)} ${choice.because}`)
}

function stocked(units: number | undefined): Partial<Offer> {
  return { stock: { level: 'available', units, seenAtMs: undefined } }
}

describe('choosing without a spread', () => {
  test('puts every replica on the best, as long as stock is not counted', () => {
    expect(chosen([sold('a', 1), sold('b', 2)], { replicas: 3 })).toEqual(['a best', 'a best', 'a best'])
    expect(chosen([sold('a', 1)], { replicas: 0 })).toEqual([])
    expect(chosen([], { replicas: 2 })).toEqual([])
  })

  test('follows the fallback order, then the score, then the id, wherever the offers lie', () => {
    const capacity = [sold('a', 1), sold('b', 9, { provider: 'beta' }), sold('c', 8, { provider: 'beta', cpu: 8 })]
    expect(chosen(capacity, { policy: { fallback: ['beta'] } })).toEqual(['c best'])
    expect(chosen(capacity, { policy: { fallback: ['gamma', 'alpha'] } })).toEqual(['a best'])
    const ties = [sold('a', 5, { cpu: 8 }), sold('c', 1, { cpu: 8 }), sold('b', 1, { cpu: 9 })]
    expect(chosen(ties)).toEqual(['b best'])
    const dear = [sold('a', 5, { cpu: 8 }), sold('b', 1, { cpu: 9 }), sold('c', 3, { cpu: 10 })]
    expect(chosen(dear)).toEqual(['b best'])
  })

  test('goes on to the next when the best is used up, and says so', () => {
    const capacity = [sold('a', 1, stocked(2)), sold('b', 2, stocked(2)), sold('c', 3, { ...stocked(9), cpu: 8 })]
    expect(chosen(capacity, { replicas: 5 })).toEqual(['a best', 'a best', 'b full', 'b full', 'c full'])
  })

  test('stops when everything is used up', () => {
    expect(chosen([sold('a', 1, stocked(1)), sold('b', 2, stocked(1))], { replicas: 5 })).toEqual(['a best', 'b full'])
  })

  test('counts quota like stock, and the tighter of both', () => {
    expect(chosen([sold('a', 1, { ...stocked(3), quotaLeft: 1 }), sold('b', 2, { cpu: 8 })], { replicas: 2 })).toEqual([
      'a best',
      'b full',
    ])
    expect(chosen([sold('a', 1, { ...stocked(1), quotaLeft: 3 }), sold('b', 2, { cpu: 8 })], { replicas: 2 })).toEqual([
      'a best',
      'b full',
    ])
  })

  test('a quota that offers share is used up by all of them together', () => {
    const shared = { quotaLeft: 2, quota: 'instances' }
    const capacity = [sold('a', 1, { ...stocked(1), ...shared }), sold('b', 2, { ...stocked(9), ...shared, cpu: 8 })]
    expect(chosen(capacity, { replicas: 4 })).toEqual(['a best', 'b full'])
    const elsewhere = [...capacity, sold('c', 3, { provider: 'beta', ...shared })]
    expect(chosen(elsewhere, { replicas: 9 })).toEqual(['a best', 'b full', 'c full', 'c full'])
  })

  test('takes all machines of a gang from one offer', () => {
    const capacity = [sold('a', 1, stocked(3)), sold('b', 2, stocked(4)), sold('c', 3, stocked(1))]
    expect(chosen(capacity, { replicas: 4, need: { nodes: 2 } })).toEqual(['a best', 'b full', 'b full'])
  })
})

describe('choosing with a spread', () => {
  const capacity = [
    sold('a1', 1, { provider: 'alpha', region: 'eu' }),
    sold('a2', 2, { provider: 'alpha', region: 'us' }),
    sold('b1', 3, { provider: 'beta', region: 'eu' }),
    sold('c1', 4, { provider: 'gamma', region: 'eu' }),
  ]

  test('goes round the providers', () => {
    expect(chosen(capacity, { replicas: 4, spread: 'provider' })).toEqual([
      'a1 best',
      'b1 spread',
      'c1 spread',
      'a1 best',
    ])
  })

  test('goes round the regions, which are a provider’s own', () => {
    expect(chosen(capacity, { replicas: 5, spread: 'region' })).toEqual([
      'a1 best',
      'a2 spread',
      'b1 spread',
      'c1 spread',
      'a1 best',
    ])
  })

  test('goes round the zones, also inside a group', () => {
    const zones = [
      sold('a', 1, { zone: 'x' }),
      sold('b', 1, { zone: 'x' }),
      sold('c', 2, { zone: 'y' }),
      sold('d', 3, { zone: undefined }),
      sold('e', 4, { zone: 'x', region: 'us-1' }),
    ]
    expect(chosen(zones, { replicas: 5, spread: 'zone' })).toEqual([
      'a best',
      'c spread',
      'd spread',
      'e spread',
      'a best',
    ])
  })

  test('puts a second replica into a domain before a third into another', () => {
    const two = capacity.slice(0, 3)
    expect(chosen(two, { replicas: 5, spread: 'provider' })).toEqual([
      'a1 best',
      'b1 spread',
      'a1 best',
      'b1 spread',
      'a1 best',
    ])
  })

  test('passes domains that are used up', () => {
    const few = [
      sold('a', 1, { ...stocked(1), zone: 'x' }),
      sold('b', 2, { ...stocked(1), zone: 'y' }),
      sold('c', 3, { ...stocked(2), zone: 'z' }),
    ]
    const zones = ['a best', 'b spread', 'c spread', 'c spread']
    expect(chosen(few, { replicas: 9, spread: 'zone' })).toEqual(zones)
    const regions = few.map((one, index) => ({ ...one, region: `r${index}` }))
    expect(chosen(regions, { replicas: 9, spread: 'region' })).toEqual(zones)
  })

  test('takes one place where there is only one domain: the others wait for a second', () => {
    expect(chosen(capacity.slice(0, 1), { replicas: 2, spread: 'provider' })).toEqual(['a1 best'])
  })

  test('names domains by all that they lie in', () => {
    const { snapshot } = askPlanFor([sold('a', 1, { zone: 'z' })])
    const domains = (['none', 'provider', 'region', 'zone'] as const).map((spread) => domainOf(snapshot, 0, spread))
    expect(domains).toEqual(['', 'alpha', 'alpha/eu-1', 'alpha/eu-1/z'])
    expect(domainOf(askPlanFor([sold('a', 1)]).snapshot, 0, 'zone')).toBe('alpha/eu-1/')
  })
})

describe('asks of one workload', () => {
  test('share what there is', () => {
    const capacity = [sold('a', 1, stocked(2)), sold('b', 2, { cpu: 8 })]
    const { asks, snapshot } = planFor(capacity, { role: 'one', need: { nodes: 2 } }, { role: 'two' })
    expect(asks.map((ask) => ask.choices.map((choice) => idAt(snapshot, choice.standing.row)))).toEqual([['a'], ['b']])
    expect(asks[1]?.choices[0]?.because).toBe('best')
  })

  test('share zones too', () => {
    const capacity = [sold('a', 1, { ...stocked(1), zone: 'x' }), sold('b', 2, { ...stocked(1), zone: 'x' })]
    const { asks, snapshot } = planFor(capacity, { role: 'one' }, { role: 'two', spread: 'zone' })
    expect(asks.map((ask) => ask.choices.map((choice) => idAt(snapshot, choice.standing.row)))).toEqual([['a'], ['b']])
  })
})

describe('the runners-up', () => {
  const capacity = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id, index) => sold(id, 8 - index, { cpu: 8 + index }))
  const names = (offers: readonly Offer[], scene: Scene = {}): readonly string[] => {
    const { runnersUp: standings, snapshot } = askPlanFor(offers, scene)
    return standings.map((standing) => idAt(snapshot, standing.row))
  }

  test('are the five best that were not chosen, best first', () => {
    expect(names(capacity)).toEqual(['g', 'f', 'e', 'd', 'c'])
    expect(names(capacity.toReversed())).toEqual(['g', 'f', 'e', 'd', 'c'])
    expect(names(capacity.slice(0, 3))).toEqual(['b', 'a'])
  })

  test('follow the fallback order too', () => {
    const two = [...capacity, sold('z', 99, { provider: 'beta' })]
    expect(names(two, { policy: { fallback: ['alpha'] } })).toEqual(['g', 'f', 'e', 'd', 'c'])
    expect(names(two, { policy: { fallback: ['gamma', 'beta'] } })).toEqual(['h', 'g', 'f', 'e', 'd'])
    const late = [
      ...capacity.slice(0, 6),
      sold('y', 98, { provider: 'beta' }),
      sold('z', 99, { provider: 'beta', cpu: 9 }),
    ]
    expect(names(late, { policy: { fallback: ['beta'] } })).toEqual(['z', 'f', 'e', 'd', 'c'])
  })

  test('are in the same order however groups lie', () => {
    const rising = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id, index) => sold(id, index + 1, { cpu: 8 + index }))
    expect(names(rising)).toEqual(['b', 'c', 'd', 'e', 'f'])
    const mixed = [5, 3, 8, 1, 7, 2, 6, 4].map((usd, index) => sold(`${usd}`, usd, { cpu: 8 + index }))
    expect(names(mixed)).toEqual(['2', '3', '4', '5', '6'])
  })

  test('are one a group, and none of a group that was chosen', () => {
    expect(names([sold('a', 1), sold('b', 2), sold('c', 3, { cpu: 8 }), sold('d', 4, { cpu: 8 })])).toEqual(['c'])
    expect(names([sold('a', 1), sold('b', 2)])).toEqual([])
  })

  test('include what fits when nothing could be chosen', () => {
    expect(names([sold('a', 1)], { replicas: 0 })).toEqual(['a'])
  })

  test('can be as few as asked for', () => {
    const { snapshot, tally, ranking, choices } = askPlanFor(capacity)
    const best = (most: number) =>
      runnersUp(choices, { snapshot, tally, ranking, taken: new Map(), own: undefined }, most)
    expect(best(1).map((standing) => idAt(snapshot, standing.row))).toEqual(['g'])
    expect(best(0)).toEqual([])
    expect(best(100)).toHaveLength(7)
  })
})
