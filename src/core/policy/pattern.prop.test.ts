import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitsPattern } from './pattern.ts'
import { cases } from '../base/laws.suite.ts'

test('a pattern fits exactly what the regular expression with the same stars matches', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 })
  fc.assert(
    fc.property(letters, text, (pattern, text) => {
      const expression = new RegExp(`^${pattern.replaceAll(/\*+/g, '.*')}$`)
      expect(fitsPattern(pattern, text)).toBe(expression.test(text))
    }),
    cases(5000),
  )
})
