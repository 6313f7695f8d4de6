import { describe, expect, test } from 'vitest'
import { cardsOf, countCards, lowestCard, lowestCards, maskOf } from './card-mask.ts'

describe('sets of cards as bits', () => {
  test('are counted', () => {
    const sets = Array.from({ length: 2 ** 12 }, (_, set) => set)
    const counted = sets.map((set) => [...set.toString(2)].filter((bit) => bit === '1').length)
    expect(sets.map(countCards)).toEqual(counted)
    expect(countCards(2 ** 31 - 1)).toBe(31)
  })

  test('turn into cards and back', () => {
    expect(cardsOf(0b1010_0001)).toEqual([0, 5, 7])
    expect(maskOf([7, 0, 5])).toBe(0b1010_0001)
    expect(cardsOf(0)).toEqual([])
    expect(lowestCard(0b1010_0000)).toBe(5)
  })

  test('give their lowest cards, or none when there are too few', () => {
    expect(lowestCards(0b1011_0100, 3)).toBe(0b11_0100)
    expect(lowestCards(0b1011_0100, 4)).toBe(0b1011_0100)
    expect(lowestCards(0b1011_0100, 5)).toBe(0)
    expect(lowestCards(0b1011_0100, 0)).toBe(0)
    expect(lowestCards(2 ** 31 - 1, 31)).toBe(2 ** 31 - 1)
  })
})
