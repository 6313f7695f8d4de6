import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { giveSlice, takeSlice, type PrecutCard } from './precut.ts'
import { migRules } from './rules.ts'

const RULES = must(migRules('a100-80-sxm'), 'a100-80-sxm')
const ONE = 0
const TWO = 2
const THREE = 3
const SEVEN = 5

describe('on a card that was cut beforehand', () => {
  const card: PrecutCard = {
    used: 0b0000_0011,
    spare: [
      { profile: ONE, start: 6 },
      { profile: ONE, start: 4 },
    ],
  }

  test('a slice of just this profile is used again, the first one of them', () => {
    const found = takeSlice(RULES, card, ONE)
    expect(found).toEqual({
      card: { used: 0b0001_0011, spare: [{ profile: ONE, start: 6 }] },
      start: 4,
      by: 'reuse',
    })
  })

  test('another profile is cut beside all that exists, in use or not', () => {
    expect(takeSlice(RULES, card, TWO)).toEqual({
      card: { used: 0b0000_1111, spare: card.spare },
      start: 2,
      by: 'cut',
    })
  })

  test('slices in use are left alone, and so are free ones beside them', () => {
    expect(takeSlice(RULES, card, THREE)).toBeUndefined()
    expect(takeSlice(RULES, card, SEVEN)).toBeUndefined()
  })

  test('with nothing in use all is cut anew, when there is no other way', () => {
    const idle = { ...card, used: 0 }
    expect(takeSlice(RULES, idle, THREE)).toMatchObject({ start: 0, by: 'cut' })
    expect(takeSlice(RULES, idle, SEVEN)).toEqual({ card: { used: 0b1111_1111, spare: [] }, start: 0, by: 'recut' })
  })

  test('a slice that is given back stays for the next', () => {
    const taken = must(takeSlice(RULES, card, TWO), 'it fits').card
    const left = giveSlice(RULES, taken, { profile: TWO, start: 2 })
    expect(left).toEqual({ used: card.used, spare: [...card.spare, { profile: TWO, start: 2 }] })
    expect(takeSlice(RULES, left, TWO)?.by).toBe('reuse')
  })

  test('slices that overlap are a bug of whoever reported them', () => {
    const overlapping = { used: 0b0001_0000, spare: [{ profile: ONE, start: 4 }] }
    expect(() => takeSlice(RULES, overlapping, TWO)).toThrow('slices of one card do not overlap')
  })
})
