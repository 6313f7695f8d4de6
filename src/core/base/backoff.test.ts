import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aboutMs, doublingMs, type Backoff } from './backoff.ts'
import { cases } from './laws.suite.ts'

const chance = fc.double({ min: 0, max: 1, noNaN: true })
const backoff: fc.Arbitrary<Backoff> = fc
  .record({
    firstMs: fc.integer({ min: 1, max: 10_000 }),
    times: fc.integer({ min: 1, max: 1000 }),
    surely: fc.constantFrom(0, 0.5),
  })
  .map(({ firstMs, times, surely }) => ({ firstMs, mostMs: firstMs * times, surely }))

describe('a wait that doubles', () => {
  test('doubles up to the longest', () => {
    const way: Backoff = { firstMs: 100, mostMs: 1000, surely: 0.5 }
    expect([0, 1, 2, 3, 4, 5000].map((failures) => doublingMs(way, failures, 1))).toEqual([
      100, 200, 400, 800, 1000, 1000,
    ])
    expect([0, 1, 4].map((failures) => doublingMs(way, failures, 0))).toEqual([50, 100, 500])
    expect(doublingMs({ ...way, surely: 0 }, 4, 0)).toBe(0)
  })

  test('never gets shorter, and stays within its bounds, whatever the failures', () => {
    fc.assert(
      fc.property(backoff, fc.integer({ min: -5, max: 2000 }), chance, (way, failures, part) => {
        const waitMs = doublingMs(way, failures, part)
        expect(waitMs).toBeGreaterThanOrEqual(way.firstMs * way.surely)
        expect(waitMs).toBeLessThanOrEqual(way.mostMs)
        expect(doublingMs(way, failures + 1, part)).toBeGreaterThanOrEqual(waitMs)
      }),
      cases(300),
    )
  })
})

test('about so long is up to a share more or less', () => {
  expect([0, 0.5, 1].map((part) => aboutMs(1000, 0.1, part))).toEqual([900, 1000, 1100])
})
