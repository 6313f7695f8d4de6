import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareKeys, endOfPrefix, positionOf, rangeOf } from './keys.ts'

const text = fc.string({
  unit: fc.constantFrom('a', 'b', '/', '\u007f', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'),
})

describe('compareKeys', () => {
  test('is the order of UTF-8 bytes, which databases use', () => {
    fc.assert(
      fc.property(text, text, (one, two) => {
        expect(Math.sign(compareKeys(one, two))).toBe(Buffer.compare(Buffer.from(one), Buffer.from(two)))
      }),
    )
  })
})

describe('endOfPrefix', () => {
  test('nothing with the prefix comes at or after it, nothing without comes between', () => {
    fc.assert(
      fc.property(text, text, (prefix, key) => {
        const end = endOfPrefix(prefix)
        const isWithin = compareKeys(key, prefix) >= 0 && (end === undefined || compareKeys(key, end) < 0)
        expect(isWithin).toBe(key.startsWith(prefix))
      }),
    )
  })

  test.each([
    ['', undefined],
    ['\u{10ffff}', undefined],
    ['a\u{10ffff}', 'b'],
    ['\ud7ff', '\ue000'],
  ])('of %j is %j', (prefix, end) => {
    expect(endOfPrefix(prefix)).toBe(end)
  })
})

describe('rangeOf', () => {
  test('begins at whichever is later, the prefix or what comes after', () => {
    expect(rangeOf({ prefix: 'b', after: 'a', limit: 1 })).toEqual({ from: 'b', isAfter: false, until: 'c' })
    expect(rangeOf({ prefix: 'b', after: 'b1', limit: 1 })).toEqual({ from: 'b1', isAfter: true, until: 'c' })
    expect(rangeOf({ limit: 1 })).toEqual({ from: '', isAfter: true, until: undefined })
  })
})

describe('positionOf', () => {
  test.each([
    ['a', 0],
    ['b', 0],
    ['c', 1],
    ['d', 1],
    ['e', 2],
  ])('of %j among b and d is %i', (key, position) => {
    expect(positionOf(['b', 'd'], key)).toBe(position)
  })
})
