import { describe, expect, test } from 'vitest'
import { ALL_FILTERS, FILTER_NAMES, FILTERS, REASONS } from './all-filters.ts'

const CODES = ALL_FILTERS.flatMap((filter) => Object.keys(filter.reasons))

describe('all filters together', () => {
  test('have distinct ranks and are sorted by them', () => {
    const ranks = ALL_FILTERS.map((filter) => filter.rank)
    expect(ranks).toEqual([...new Set(ranks)].sort((one, two) => one - two))
    expect(ALL_FILTERS.length).toBeGreaterThanOrEqual(27)
    expect(FILTER_NAMES).toEqual(ALL_FILTERS.map((filter) => filter.name))
  })

  test('have distinct names and codes', () => {
    expect(new Set(FILTER_NAMES).size).toBe(FILTER_NAMES.length)
    expect(new Set(CODES).size).toBe(CODES.length)
    expect(CODES.filter((code) => !/^[A-Z]+(_[A-Z]+)*$/.test(code))).toEqual([])
  })

  test('are listed by what they look at, in the same order', () => {
    const listed = Object.values(FILTERS).flat()
    expect(listed).toHaveLength(ALL_FILTERS.length)
    for (const about of ['machine', 'site', 'state', 'price'] as const)
      expect(FILTERS[about]).toEqual(ALL_FILTERS.filter((filter) => filter.about === about))
  })

  test('only two look at the price: counting relies on verdicts that change at the ceiling and at the allowed terms only', () => {
    expect(FILTERS.price.map((filter) => filter.name)).toEqual(['market', 'price'])
  })

  test('quarantine comes first among machines, so that no other filter judges a suspect row', () => {
    expect(FILTERS.machine[0]?.name).toBe('quarantine')
    expect(ALL_FILTERS.filter((filter) => filter.final).map((filter) => filter.name)).toEqual(['quarantine', 'gpu'])
  })

  test('every reason is in the catalogue, and explained in full sentences', () => {
    expect(Object.keys(REASONS)).toEqual(CODES)
    for (const [code, { why, fix, clears }] of Object.entries(REASONS)) {
      expect(why, code).toMatch(/^[A-Z`].*\.$/)
      expect(fix, code).toMatch(/^[A-Z`].*\.$/)
      expect(['never', 'capacity', 'time', 'policy'], code).toContain(clears)
    }
  })
})
