import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scaleBetween, scaleOver, thin, type Point } from './curve-scale.ts'

describe('an axis', () => {
  test.each([
    [[0, 96.3], 5, { from: 0, to: 100, ticks: [0, 20, 40, 60, 80, 100] }],
    [[90.2, 96.3], 6, { from: 90, to: 98, ticks: [90, 92, 94, 96, 98] }],
    [[0, 0.3], 3, { from: 0, to: 0.3, ticks: [0, 0.1, 0.2, 0.3] }],
    [[-3, 3], 3, { from: -4, to: 4, ticks: [-4, -2, 0, 2, 4] }],
    [[7], 1, { from: 7, to: 8, ticks: [7, 8] }],
    [[], 1, { from: 0, to: 1, ticks: [0, 1] }],
  ])('over %j has round marks', (values, marks, scale) => {
    expect(scaleOver(values, marks)).toEqual(scale)
  })

  test('holds its values and never has many more marks than asked for', () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(value, fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (from, width) => {
        const scale = scaleBetween(from, from + width, 6)
        expect(scale.from).toBeLessThanOrEqual(from + width * 1e-6)
        expect(scale.to).toBeGreaterThanOrEqual(from + width * (1 - 1e-6))
        expect(scale.ticks.length).toBeGreaterThanOrEqual(3)
        expect(scale.ticks.length).toBeLessThanOrEqual(9)
        expect(scale.ticks).toEqual(scale.ticks.toSorted((one, two) => one - two))
      }),
    )
  })
})

describe('a thinned curve', () => {
  const noisy: readonly Point[] = Array.from({ length: 10_000 }, (_, x) => [x, (x * 7919) % 101])

  test('has few points', () => {
    expect(thin(noisy, 50, { from: 0, to: 10_000 }).length).toBeLessThanOrEqual(200)
  })

  test('keeps both ends, the lowest and the highest value, and the order', () => {
    const spiked = noisy.map(([x, y]): Point => [x, x === 4711 ? 500 : x === 42 ? -500 : y])
    const kept = thin(spiked, 50, { from: 0, to: 10_000 })
    expect(kept[0]).toEqual(spiked[0])
    expect(kept.at(-1)).toEqual(spiked.at(-1))
    expect(kept).toContainEqual([4711, 500])
    expect(kept).toContainEqual([42, -500])
    expect(kept).toEqual(kept.toSorted(([one], [two]) => one - two))
  })

  test('is the curve itself where that is short', () => {
    const short: readonly Point[] = [
      [0, 1],
      [5, 2],
      [5, 3],
    ]
    expect(thin(short, 50, { from: 0, to: 5 })).toEqual(short)
  })
})
