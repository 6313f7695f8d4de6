import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { must } from '../base/assert.ts'
import { OBJECTIVES } from '../policy/policy.ts'
import { NOW_MS } from '../requirement/filter/facts.suite.ts'
import type { Offer } from '../offer/offer.ts'
import { compareStandings, scoresOf, winningPrice, type RankedOffer } from './rank.ts'
import { askPlanFor, idAt, sold, type Scene } from './capacity.suite.ts'
import { cases } from '../base/laws.suite.ts'

const RUNS = cases(2_000)

type Ranked = ReturnType<typeof ranked>

/** Every offer that fits, best first. */
function ranked(capacity: readonly Offer[], scene: Scene = {}) {
  const { snapshot, tally, ranking } = askPlanFor(capacity, scene)
  const standings = tally.fits
    .flatMap((band) =>
      Array.from({ length: band.to - band.from }, (_, step) => ranking.standing(band, band.from + step)),
    )
    .sort((one, two) => compareStandings(one, two, snapshot))
  const named = new Map(standings.map((standing) => [idAt(snapshot, standing.row), standing]))
  return { snapshot, ranking, ids: [...named.keys()], of: (id: string) => must(named.get(id), `${id} fits`) }
}

function price({ ranking, of }: Ranked, winner: string, loser: string): number | undefined {
  return winningPrice(ranking, { winner: of(winner), loser: of(loser) })
}

const BALANCED = { policy: { weights: OBJECTIVES.balanced } }

describe('ranking', () => {
  test('goes by the provider’s place in the fallback order first; those not listed come last, together', () => {
    const capacity = [
      sold('a', 1, { provider: 'alpha' }),
      sold('b', 2, { provider: 'beta' }),
      sold('c', 3, { provider: 'gamma' }),
      sold('d', 0.5, { provider: 'delta' }),
    ]
    const { ids, of } = ranked(capacity, { policy: { fallback: ['gamma', 'beta'] } })
    expect(ids).toEqual(['c', 'b', 'd', 'a'])
    expect(['c', 'b', 'd', 'a'].map((id) => of(id).tier)).toEqual([0, 1, 2, 2])
    expect(ranked(capacity).ids).toEqual(['d', 'a', 'b', 'c'])
  })

  test('goes by score next, then by price, then by id', () => {
    const capacity = [
      sold('a', 2, { startSeconds: 10 }),
      sold('b', 1, { startSeconds: 10, cpu: 8 }),
      sold('d', 1, { startSeconds: 10 }),
      sold('c', 1, { startSeconds: 10, cpu: 9 }),
      sold('e', 9, { startSeconds: 5 }),
    ]
    expect(ranked(capacity, { policy: { weights: { start: 1 } } }).ids).toEqual(['e', 'b', 'c', 'd', 'a'])
  })

  test('weighs scores as the policy says, and only those it names', () => {
    const capacity = [sold('a', 2), sold('b', 4, { startSeconds: 180 })]
    const { of } = ranked(capacity, { policy: { weights: { price: 3, start: 1, egress: 0, stock: -5, charm: 9 } } })
    expect(of('a').score).toBeCloseTo((3 * 1 + 0.5) / 4, 12)
    expect(of('b').score).toBeCloseTo((3 * 0.5 + 0.25) / 4, 12)
    expect(ranked(capacity, { policy: { weights: {} } }).of('a').score).toBe(0)
  })

  test('measures prices against the cheapest that fits and time against now', () => {
    const { ranking } = ranked([sold('a', 2), sold('b', 3, { cpu: 8 }), sold('c', 0.1, { gpu: undefined })])
    expect(ranking.field).toMatchObject({ usdPerHourMin: 2, nowMs: NOW_MS })
    expect(ranked([]).ranking.field.usdPerHourMin).toBe(Number.POSITIVE_INFINITY)
  })

  test('tells every score by name', () => {
    const { snapshot, ranking, of } = ranked([sold('a', 2), sold('b', 4, { startSeconds: 180, reliability: 0.5 })])
    expect(scoresOf(snapshot, ranking, of('b'))).toEqual({
      price: 0.5,
      start: 0.25,
      stock: 1,
      reliability: 0.5,
      surplus: 1,
      egress: 0.5,
    })
  })

  test('an offer ties with itself and with nothing else', () => {
    const { snapshot, of } = ranked([sold('a', 1), sold('b', 1)])
    expect(compareStandings(of('a'), of('a'), snapshot)).toBe(0)
    expect(compareStandings(of('a'), of('b'), snapshot)).toBe(-1)
    expect(compareStandings(of('b'), of('a'), snapshot)).toBe(1)
  })

  test('of two offers prefers one, and the other way round the other', () => {
    const weights = { start: 1 }
    const capacity = [
      sold('a', 1, { startSeconds: 10 }),
      sold('b', 2, { startSeconds: 10 }),
      sold('c', 2, { startSeconds: 20 }),
      sold('d', 2, { startSeconds: 20, provider: 'beta' }),
    ]
    const { snapshot, of } = ranked(capacity, { policy: { weights, fallback: ['alpha'] } })
    for (const [better, worse] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'd'],
    ] as const) {
      expect(compareStandings(of(better), of(worse), snapshot)).toBeLessThan(0)
      expect(compareStandings(of(worse), of(better), snapshot)).toBeGreaterThan(0)
    }
  })
})

describe('the price at which a loser would tie', () => {
  test('is the winner’s when nothing but the price counts', () => {
    expect(price(ranked([sold('a', 2), sold('b', 4)]), 'a', 'b')).toBeCloseTo(2, 12)
  })

  test('is lower when the winner is better otherwise too', () => {
    const scene = { policy: { weights: { price: 1, start: 1 } } }
    const capacity = [sold('a', 2), sold('b', 4, { startSeconds: 180 })]
    // The winner leads by a quarter in start; at 1.5 the loser sets the lowest price and the winner falls to 0.75.
    expect(price(ranked(capacity, scene), 'a', 'b')).toBeCloseTo(1.5, 12)
  })

  test('is above the winner’s when the winner is worse otherwise', () => {
    const scene = { policy: { weights: { price: 1, start: 0.5 } } }
    const capacity = [sold('a', 2, { startSeconds: 180 }), sold('b', 4)]
    expect(price(ranked(capacity, scene), 'a', 'b')).toBeCloseTo(2 / 0.875, 12)
  })

  test('does not exist for a provider that is tried later, nor where the price counts nothing or too little', () => {
    const later = [sold('a', 2), sold('b', 4, { provider: 'beta' })]
    expect(price(ranked(later, { policy: { fallback: ['alpha'] } }), 'a', 'b')).toBeUndefined()
    const slow = [sold('a', 2), sold('b', 2, { startSeconds: 6_000 })]
    for (const weights of [{ start: 1 }, { start: 1, price: 0 }, { start: 1, price: -1 }, { start: 1, price: 0.1 }])
      expect(price(ranked(slow, { policy: { weights } }), 'a', 'b')).toBeUndefined()
  })

  test('is its own where it ranks higher already and only has no more left', () => {
    const tiers = ranked([sold('a', 2), sold('b', 4, { provider: 'beta' })], { policy: { fallback: ['beta'] } })
    expect(price(tiers, 'a', 'b')).toBe(4)
    expect(price(ranked([sold('a', 2), sold('b', 4)]), 'b', 'a')).toBe(2)
    const scene = { policy: { weights: { start: 1 } } }
    expect(price(ranked([sold('a', 2, { startSeconds: 120 }), sold('b', 4)], scene), 'a', 'b')).toBe(4)
  })

  test('among equal scores is the lower price of both', () => {
    const scene = { policy: { weights: { start: 1 } } }
    expect(price(ranked([sold('a', 2), sold('b', 4)], scene), 'a', 'b')).toBe(2)
    expect(price(ranked([sold('a', 2), sold('b', 2)]), 'a', 'b')).toBe(2)
  })

  test('is a number even where machines cost nothing', () => {
    const free = [sold('a', 0), sold('b', 0, { startSeconds: 180 }), sold('c', 3)]
    expect(price(ranked(free), 'a', 'b')).toBe(0)
    expect(price(ranked(free), 'a', 'c')).toBe(0)
    expect(price(ranked(free, { policy: { weights: { price: 1, start: 1 } } }), 'a', 'b')).toBeUndefined()
    expect(price(ranked(free, { policy: { weights: { price: 1, start: 1 } } }), 'a', 'c')).toBe(0)
  })

  test('really ties: with that price the loser scores as high as the winner', () => {
    const usd = fc.constantFrom(0.5, 1, 1.5, 2, 4, 10)
    const facts = fc.record({
      startSeconds: fc.constantFrom(undefined, 10, 60, 600),
      reliability: fc.constantFrom(undefined, 0.5, 0.99),
      egressUsdPerGib: fc.constantFrom(0, 0.1),
    })
    fc.assert(
      fc.property(usd, usd, usd, facts, facts, (one, two, three, first, second) => {
        const capacity = (loser: number): readonly Offer[] => [
          sold('a', one, first),
          sold('b', loser, { ...second, cpu: 8 }),
          sold('c', three, { cpu: 9, reliability: 0, startSeconds: 6_000 }),
        ]
        const before = ranked(capacity(two), BALANCED)
        const [winner, loser] = before.ids.indexOf('a') < before.ids.indexOf('b') ? ['a', 'b'] : ['b', 'a']
        if (winner !== 'a') return
        const wins = price(before, winner, loser)
        const scores = (usdPerHour: number): readonly RankedOffer[] => {
          const { of } = ranked(capacity(usdPerHour), BALANCED)
          return [of(winner), of(loser)]
        }
        const [still, never] = scores(wins ?? 0.000_001).map((standing) => standing.score)
        if (wins === undefined) expect(never).toBeLessThan(still ?? 0)
        else if (before.of('a').score > before.of('b').score) expect(never).toBeCloseTo(still ?? 0, 9)
      }),
      RUNS,
    )
  })
})
