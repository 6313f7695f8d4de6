import { describe, expect, test } from 'vitest'
import { choosePieces } from './pieces.ts'

describe('choosePieces', () => {
  test.each([
    ['as few as possible', { sizes: [8, 5, 3, 2], ones: 0, total: 12 }, [8, 4], 0],
    ['large ones stay whole where smaller ones are as few', { sizes: [8, 8, 5, 5, 4], ones: 0, total: 10 }, [5, 5], 0],
    ['what is left over is left in the smallest', { sizes: [9, 6, 5], ones: 0, total: 10 }, [6, 4], 0],
    ['then the second is as small as possible', { sizes: [9, 6, 6, 4], ones: 0, total: 10 }, [6, 4], 0],
    ['a single one is the smallest piece', { sizes: [8, 2], ones: 3, total: 9 }, [8], 1],
    ['single ones are used when pieces run out', { sizes: [3, 2], ones: 3, total: 8 }, [3, 2], 3],
    ['single ones alone', { sizes: [], ones: 4, total: 3 }, [], 3],
    ['everything', { sizes: [2, 1], ones: 1, total: 4 }, [2, 1], 1],
  ])('%s', (_, stock, sizes, ones) => {
    const pieces = choosePieces(stock)
    expect(pieces.chosen.map(({ size }) => size)).toEqual(sizes)
    expect(pieces.ones).toBe(ones)
  })

  test('of pieces of one size the later are taken', () => {
    expect(choosePieces({ sizes: [4, 4, 4], ones: 0, total: 6 }).chosen).toEqual([
      { index: 1, size: 4 },
      { index: 2, size: 2 },
    ])
  })

  test('asking for more than there is is a bug', () => {
    expect(() => choosePieces({ sizes: [2], ones: 1, total: 4 })).toThrow('4 cannot be had of 3')
  })
})
