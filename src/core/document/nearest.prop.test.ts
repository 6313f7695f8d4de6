import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from './nearest.ts'
import { cases } from '../base/laws.suite.ts'

const RUNS = cases(2000)
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })

test('the distance is nothing exactly for equal words, and the same both ways', () => {
  fc.assert(
    fc.property(word, word, (one, two) => {
      const distance = editDistance(one, two, 99)
      expect(distance === 0).toBe(one === two)
      expect(editDistance(two, one, 99)).toBe(distance)
      expect(distance).toBeLessThanOrEqual(Math.max(one.length, two.length))
      expect(distance).toBeGreaterThanOrEqual(Math.abs(one.length - two.length))
    }),
    RUNS,
  )
})

test('one edit is a distance of one', () => {
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom('x', ''), (text, at, into) => {
      const cut = text.length === 0 ? 0 : at % text.length
      const edited = text.slice(0, cut) + into + text.slice(into === '' ? cut + 1 : cut)
      expect(editDistance(text, edited, 99)).toBe(text === edited ? 0 : 1)
    }),
    RUNS,
  )
})
