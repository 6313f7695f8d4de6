import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { backoffMs, describeMs, lookAgainMs, retryMs } from './pace.ts'
import { cases } from '../../base/laws.suite.ts'

const chance = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
const count = fc.integer({ min: 0, max: 1e6 })

describe('waits', () => {
  test('are whole, at least half a second long, and bounded, however often something fails', () => {
    fc.assert(
      fc.property(count, chance, (tries, part) => {
        const waits = [retryMs(tries, part), backoffMs(tries, part), lookAgainMs(part), describeMs(tries, part)]
        const most = [61_000, 300_000, 40_000, 12_500]
        waits.forEach((waitMs, index) => {
          expect(Number.isInteger(waitMs)).toBe(true)
          expect(waitMs).toBeGreaterThanOrEqual(500)
          expect(waitMs).toBeLessThanOrEqual(most[index] ?? 0)
        })
      }),
      cases(500),
    )
  })

  test('grow from try to try and never fall', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50 }), chance, (tries, part) => {
        expect(retryMs(tries + 1, part)).toBeGreaterThanOrEqual(retryMs(tries, part))
        expect(backoffMs(tries + 1, part)).toBeGreaterThanOrEqual(backoffMs(tries, part))
      }),
      cases(300),
    )
  })

  test('differ by chance, so that retries do not synchronise', () => {
    for (const wait of [(part: number) => retryMs(5, part), (part: number) => backoffMs(5, part), lookAgainMs]) {
      expect(wait(0.9)).toBeGreaterThan(wait(0.1) * 1.2)
    }
  })

  test('double from a second to a minute, and from ten seconds to five minutes', () => {
    expect([0, 1, 2, 5, 6, 60].map((tries) => retryMs(tries, 1))).toEqual([2000, 3000, 5000, 33_000, 61_000, 61_000])
    expect([0, 1, 2, 5, 6, 60].map((failures) => backoffMs(failures, 1))).toEqual([
      10_000, 10_000, 20_000, 160_000, 300_000, 300_000,
    ])
  })
})
