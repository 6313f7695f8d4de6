import fc from 'fast-check'
import { expect, test } from 'vitest'
import { choosePieces, type PieceStock } from './pieces.ts'
import { cases } from '../../base/laws.suite.ts'

const stock: fc.Arbitrary<PieceStock> = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 7 }),
    ones: fc.nat(3),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .filter(({ sizes, ones }) => sizes.length + ones > 0)
  .map(({ sizes, ones, share }) => {
    const all = sizes.reduce((sum, size) => sum + size, ones)
    return { sizes: sizes.sort((one, two) => two - one), ones, total: 1 + Math.floor(share * (all - 1)) }
  })

/** Every set of pieces that suffices, as sizes from large to small. */
function sufficient({ sizes, ones, total }: PieceStock): readonly (readonly number[])[] {
  const all = [...sizes, ...Array.from({ length: ones }, () => 1)]
  return Array.from({ length: 2 ** all.length }, (_, mask) => all.filter((_, index) => (mask >> index) & 1)).filter(
    (set) => set.reduce((sum, size) => sum + size, 0) >= total,
  )
}

function byCountThenSizes(one: readonly number[], two: readonly number[]): number {
  const first = one.findIndex((size, index) => size !== two[index])
  return one.length - two.length || (one[first] ?? 0) - (two[first] ?? 0)
}

test('the pieces are the fewest that suffice, and of those the smallest, the largest first', () => {
  fc.assert(
    fc.property(stock, (given) => {
      const { chosen, ones } = choosePieces(given)
      const used = [...chosen.map(({ index }) => given.sizes[index] ?? 0), ...Array.from({ length: ones }, () => 1)]
      expect(used).toEqual([...sufficient(given)].sort(byCountThenSizes)[0])
    }),
    cases(500),
  )
})

test('what is taken adds up, of different pieces, and only the last is taken in part', () => {
  fc.assert(
    fc.property(stock, (given) => {
      const { chosen, ones } = choosePieces(given)
      expect(chosen.reduce((sum, { size }) => sum + size, ones)).toBe(given.total)
      expect(new Set(chosen.map(({ index }) => index)).size).toBe(chosen.length)
      expect(ones).toBeLessThanOrEqual(given.ones)
      for (const { index, size } of ones > 0 ? chosen : chosen.slice(0, -1)) expect(size).toBe(given.sizes[index])
    }),
  )
})
