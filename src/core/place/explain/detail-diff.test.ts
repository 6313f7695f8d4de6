import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffDetails } from './detail-diff.ts'
import { cases } from '../../base/laws.suite.ts'

describe('diffDetails', () => {
  test('equal data has no changes', () => {
    expect(diffDetails({ a: [1, { b: null }] }, { a: [1, { b: null }] }, 9)).toEqual([])
  })

  test('names the way to each value that differs', () => {
    const from = { a: 1, list: [{ x: 'one', y: 2 }, 5], gone: true }
    const to = { a: 2, list: [{ x: 'two', y: 2 }, 5, 6], come: null }
    expect(diffDetails(from, to, 9)).toEqual([
      { path: 'a', from: 1, to: 2 },
      { path: 'list[0].x', from: 'one', to: 'two' },
      { path: 'list[2]', from: undefined, to: 6 },
      { path: 'gone', from: true, to: undefined },
      { path: 'come', from: undefined, to: null },
    ])
  })

  test('a list is no object, and neither is nothing', () => {
    expect(diffDetails({ a: [] }, { a: {} }, 9)).toEqual([{ path: 'a', from: [], to: {} }])
    expect(diffDetails({ a: null }, { a: {} }, 9)).toEqual([{ path: 'a', from: null, to: {} }])
    expect(diffDetails({ a: {} }, { a: null }, 9)).toEqual([{ path: 'a', from: {}, to: null }])
  })

  test('a key without a value is a key that is not there', () => {
    expect(diffDetails({ a: undefined }, {}, 9)).toEqual([])
  })

  test('plain values are compared as they are', () => {
    expect(diffDetails(1, 2, 9)).toEqual([{ path: '', from: 1, to: 2 }])
    expect(diffDetails([1], [2], 9)).toEqual([{ path: '[0]', from: 1, to: 2 }])
  })

  test('stops after as many as are wanted', () => {
    expect(diffDetails([1, 2, 3], [4, 5, 6], 2).map(({ path }) => path)).toEqual(['[0]', '[1]'])
  })

  test('finds something exactly where the JSON differs', () => {
    const data = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)))
    fc.assert(
      fc.property(data, data, (one, two) => {
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(two))
        expect(diffDetails(one, two, 1)).toHaveLength(same ? 0 : 1)
      }),
      cases(500),
    )
  })
})

/** Keys in order: objects that differ in the order of their keys alone are equal. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).toSorted(([one], [two]) => (one < two ? -1 : 1))
  return { object: entries.map(([key, part]) => [key, sorted(part)]) }
}
