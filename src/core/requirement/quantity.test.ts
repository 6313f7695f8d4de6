import { describe, expect, test } from 'vitest'
import { atLeast } from './need/range.ts'
import { quantity } from './quantity.ts'

const doc = { summary: () => 'x', clears: 'never', why: 'Because.', fix: 'Do.' } as const

const width = quantity<{ readonly width?: number }>({
  tooLittle: { code: 'TOO_NARROW', doc },
  notKnown: { code: 'WIDTH_UNKNOWN', doc },
  found: (facts) => facts.width,
  print: (value) => `${value}m`,
})

describe('one quantity', () => {
  test('is enough, too little, or unknown', () => {
    expect(width.reasons).toEqual({ TOO_NARROW: doc, WIDTH_UNKNOWN: doc })
    expect(width.check(atLeast(9), { width: 9 }, 1)).toBeUndefined()
    expect(width.check(atLeast(9), { width: 8 }, 1)).toEqual({ code: 'TOO_NARROW', wanted: '9m', found: '8m' })
    expect(width.check(atLeast(9), {}, 1)).toEqual({ code: 'WIDTH_UNKNOWN', wanted: '9m', found: undefined })
    expect(width.check(atLeast(undefined), {}, 1)).toBeUndefined()
    expect(width.miss?.(atLeast(10), { width: 8 })).toBe(0.2)
    expect(width.miss?.(atLeast(10), {})).toBeUndefined()
  })

  test('proposes no step that would pass anyway, that asks for nothing, or that cannot be printed', () => {
    const found = [9, 10, 0, 0.0009, 8.9999].map((value) => ({ width: value }))
    expect(width.loosen?.(atLeast(9), found)).toEqual([
      { from: '9m', to: '8.999m', wanted: atLeast(8.999), share: (9 - 8.999) / 9 },
    ])
  })

  test('proposes nothing where nothing was asked', () => {
    expect(width.loosen?.(atLeast(undefined), [{ width: 1 }])).toEqual([])
  })
})
