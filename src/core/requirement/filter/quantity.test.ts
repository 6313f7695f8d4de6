import { describe, expect, test } from 'vitest'
import { atLeast } from '../need/range.ts'
import { loosened, machine, need, NOW_MS } from './facts.suite.ts'
import { quantityFilter } from './quantity.ts'

const doc = { summary: () => 'x', clears: 'never', why: 'Because.', fix: 'Do.' } as const

const width = quantityFilter({
  name: 'width',
  rank: 7,
  key: 'resources.width',
  tooLittle: { code: 'TOO_NARROW', doc },
  notKnown: { code: 'WIDTH_UNKNOWN', doc },
  wanted: (asked, { capacity }) => (capacity === 'owned' ? undefined : asked.cpu),
  found: (subject) => subject.cpu,
  print: (value) => `${value}m`,
  withRange: (asked, range) => ({ ...asked, cpu: range }),
})

describe('a filter for one quantity', () => {
  test('keeps the name, the rank and the reasons', () => {
    expect(width).toMatchObject({ name: 'width', rank: 7, about: 'machine' })
    expect(width.reasons).toEqual({ TOO_NARROW: doc, WIDTH_UNKNOWN: doc })
  })

  test('passes machines it does not apply to and proposes nothing for them', () => {
    const owned = machine({ capacity: 'owned', cpu: 1 })
    expect(width.check(owned, need({ cpu: atLeast(9) }), NOW_MS)).toBeUndefined()
    expect(loosened(width, need({ cpu: atLeast(9) }), [owned])).toEqual([])
  })

  test('proposes no step that would pass anyway, that asks for nothing, or that cannot be printed', () => {
    const asked = need({ cpu: atLeast(9) })
    const machines = [9, 10, 0, 0.0009, 8.9999].map((cpu) => machine({ cpu }))
    expect(loosened(width, asked, machines).map(({ change }) => change)).toEqual(['resources.width: 9m -> 8.999m'])
  })

  test('proposes nothing where nothing was asked', () => {
    expect(loosened(width, need(), [machine({ cpu: 1 })])).toEqual([])
  })
})
