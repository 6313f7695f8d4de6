import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cardWorth } from './card-prices.ts'
import { cases } from '../../base/laws.suite.ts'

const RUNS = cases(400)
const demands = fc.array(
  fc.record({ milli: fc.integer({ min: 1, max: 1000 }), count: fc.integer({ min: 1, max: 60 }) }),
  { minLength: 1, maxLength: 12 },
)
const pull = fc.double({ min: 0.2, max: 3, noNaN: true })

test('more of a card is never worth less; nothing is worth nothing, and all of it one', () => {
  fc.assert(
    fc.property(demands, pull, (asked, by) => {
      const worth = [...cardWorth(asked, by)]
      expect(worth).toHaveLength(1001)
      expect([worth[0], worth[1000]]).toEqual([0, 1])
      expect(worth.every((value, milli) => value >= (worth[milli - 1] ?? 0))).toBe(true)
    }),
    RUNS,
  )
})

test('two parts are never worth more apart than together', () => {
  fc.assert(
    fc.property(demands, pull, (asked, by) => {
      const worth = cardWorth(asked, by)
      const more: string[] = []
      for (let one = 0; one <= 1000; one += 10)
        for (let two = one; one + two <= 1000; two += 10) {
          const apart = (worth[one] ?? 0) + (worth[two] ?? 0)
          if (apart > (worth[one + two] ?? 0) + 1e-9) more.push(`${one} and ${two}`)
        }
      expect(more).toEqual([])
    }),
    RUNS,
  )
})

// Prices equal to the sizes are allowed, so the best prices earn at least as much; prices are found only roughly.
test('all that is asked for is worth about the room that it takes, or more', () => {
  fc.assert(
    fc.property(demands, pull, (asked, by) => {
      const worth = cardWorth(asked, by)
      const earned = asked.reduce((sum, { milli, count }) => sum + count * priceOf(worth, milli), 0)
      const taken = asked.reduce((sum, { milli, count }) => sum + (count * milli) / 1000, 0)
      expect(earned).toBeGreaterThanOrEqual(0.8 * taken)
    }),
    RUNS,
  )
})

test('only what is asked for more often than the rest decides, not by how much all is asked for', () => {
  fc.assert(
    fc.property(demands, pull, fc.integer({ min: 2, max: 9 }), (asked, by, times) => {
      const more = cardWorth(
        asked.map(({ milli, count }) => ({ milli, count: times * count })),
        by,
      )
      for (const [milli, value] of cardWorth(asked, by).entries()) expect(more[milli]).toBeCloseTo(value, 6)
    }),
    cases(60),
  )
})

/** What a card must have free to hold a size, rounded up as sizes are. */
function priceOf(worth: Float64Array, milli: number): number {
  return worth[Math.min(1000, Math.ceil(milli / 10) * 10)] ?? 0
}
