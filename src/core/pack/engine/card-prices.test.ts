import { describe, expect, test } from 'vitest'
import { Dice } from '../../base/dice.ts'
import { cardWorth, type ShareDemand } from './card-prices.ts'

const PULL = 0.35

describe('what is free of a card', () => {
  test('is worth its size when nothing is known to be asked for', () => {
    expect(worthAt([], [0, 1, 250, 999, 1000])).toEqual([0, 0.001, 0.25, 0.999, 1])
    const nothing = [
      { milli: 0, count: 7 },
      { milli: 300, count: 0 },
    ]
    expect(worthAt(nothing, [0, 300, 700])).toEqual([0, 0.3, 0.7])
  })

  test('is worth the whole card as soon as a size fits that no second piece could lie beside', () => {
    expect(worthAt([{ milli: 600, count: 3 }], [0, 400, 599, 600, 1000])).toEqual([0, 0, 0, 1, 1])
    expect(worthAt([{ milli: 1000, count: 3 }], [0, 999, 1000])).toEqual([0, 0, 1])
  })

  test('is worth one piece after another of the only size there is', () => {
    const [none, third, still, two, three] = worthAt([{ milli: 330, count: 9 }], [329, 330, 659, 660, 990])
    expect(none).toBe(0)
    expect(third).toBeCloseTo(1 / 3, 2)
    expect(still).toBe(third)
    expect(two).toBeCloseTo(2 / 3, 2)
    expect(three).toBe(1)
  })

  test('is worth nothing where it is too small for all that is asked for', () => {
    expect(worthAt([{ milli: 320, count: 1 }, HALF], [319, 100, 0])).toEqual([0, 0, 0])
  })

  test('rounds sizes up to hundredths: what does not quite fit is not said to fit', () => {
    const [below, at] = worthAt([{ milli: 601, count: 1 }], [609, 610])
    expect([below, at]).toEqual([0, 1])
  })
})

describe('two sizes that fill a card together', () => {
  const pair = (large: number, small: number): readonly ShareDemand[] => [
    { milli: 650, count: large },
    { milli: 320, count: small },
  ]

  test('share its worth about as they share the card', () => {
    const [large = 0, small = 0] = worthAt(pair(5, 5), [650, 320])
    expect(large + small).toBeCloseTo(1, 2)
    expect(Math.abs(large - 0.67)).toBeLessThan(0.12)
    expect(Math.abs(small - 0.33)).toBeLessThan(0.12)
  })

  test('the one that is plentiful is worth less, the one that many wait for more', () => {
    const [scarce = 0] = worthAt(pair(5, 50), [650])
    const [even = 0] = worthAt(pair(5, 5), [650])
    const [many = 0, left = 1] = worthAt(pair(50, 5), [650, 320])
    expect(scarce).toBeLessThan(even)
    expect(even).toBeLessThan(many)
    expect(left).toBeLessThan(0.1)
  })

  test('leave a remainder beside them that is worth nothing', () => {
    const [alone, more, both] = worthAt(pair(5, 5), [650, 960, 970])
    expect(more).toBe(alone)
    expect(both).toBe(1)
  })
})

test('a half is worth a half even beside sizes that waste the rest', () => {
  const [half] = worthAt([{ milli: 600, count: 5 }, HALF], [500])
  expect(half).toBeCloseTo(0.5, 2)
})

// Cards that are cut without waste: the demands cannot earn more than those cards, and the right prices earn as much.
test('demands that fill cards exactly are worth the cards that they fill, but for a percent', () => {
  const parts = Array.from({ length: 400 }, (_, seed) => {
    const { demands, cards } = cutWithoutWaste(new Dice(seed))
    const worth = cardWorth(demands, PULL)
    return demands.reduce((sum, { milli, count }) => sum + count * (worth[milli] ?? 0), 0) / cards
  })
  expect(Math.max(...parts)).toBeLessThan(1 + 1e-9)
  expect(Math.min(...parts)).toBeGreaterThan(0.9)
  expect(parts.reduce((sum, part) => sum + part, 0) / parts.length).toBeGreaterThan(0.99)
})

/** A few ways to cut a card, each used on some cards. */
function cutWithoutWaste(dice: Dice): { readonly demands: readonly ShareDemand[]; readonly cards: number } {
  const counts = new Map<number, number>()
  let cards = 0
  for (let way = 0; way < 1 + dice.roll(5); way++) {
    const count = 1 + dice.roll(20)
    cards += count
    for (let left = 1000; left > 0;) {
      const milli = Math.min(left, 10 * (1 + dice.roll(60)))
      counts.set(milli, (counts.get(milli) ?? 0) + count)
      left -= milli
    }
  }
  const demands = [...counts].map(([milli, count]) => ({ milli, count }))
  return { demands: demands.sort((one, two) => two.milli - one.milli), cards }
}

const HALF = { milli: 500, count: 5 }

function worthAt(demands: readonly ShareDemand[], millis: readonly number[]): readonly (number | undefined)[] {
  const worth = cardWorth(demands, PULL)
  return millis.map((milli) => worth[milli])
}
