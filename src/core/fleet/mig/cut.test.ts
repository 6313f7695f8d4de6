import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { cutOf, maskOf, slicesOf } from './cut.ts'
import { migRules } from './rules.ts'

const H200 = must(migRules('h200-sxm'), 'h200-sxm')
const RTX_PRO = must(migRules('rtx-pro-6000-server'), 'rtx-pro-6000-server')

describe('a slice in the words of the driver', () => {
  test('is counted in memory slices on most cards', () => {
    expect(cutOf(H200, 3, 4)).toEqual({ kind: 'slice', profile: '3g.71gb', start: 4 })
  })

  test('is counted in twelfths of an RTX PRO 6000', () => {
    expect(cutOf(RTX_PRO, 0, 3)).toEqual({ kind: 'slice', profile: '1g.24gb', start: 9 })
    expect(cutOf(RTX_PRO, 1, 2)).toEqual({ kind: 'slice', profile: '2g.48gb', start: 6 })
  })

  test.each([H200, RTX_PRO])('comes back as the memory slices it was made of', (rules) => {
    for (const [profile, { starts, size }] of rules.profiles.entries())
      for (const start of starts)
        expect(slicesOf(rules, cutOf(rules, profile, start))).toBe((2 ** size - 1) * 2 ** start)
  })

  test.each([
    ['1g.10gb', 0],
    ['3g.71gb', 2],
    ['4g.71gb', 4],
    ['1g.18gb', 7],
    ['1g.18gb', -1],
  ])('cannot be %s at %i on an H200', (profile, start) => {
    expect(slicesOf(H200, { profile, start })).toBeUndefined()
  })

  test('cannot lie between the quarters of an RTX PRO 6000', () => {
    expect(slicesOf(RTX_PRO, { profile: '1g.24gb', start: 1 })).toBeUndefined()
    expect(slicesOf(RTX_PRO, { profile: '1g.24gb', start: 12 })).toBeUndefined()
  })
})

describe('slices of one card', () => {
  test('make a mask', () => {
    const cuts = [
      { profile: '3g.71gb', start: 4 },
      { profile: '1g.18gb', start: 0 },
    ]
    expect(maskOf(H200, cuts)).toBe(0b1111_0001)
    expect(maskOf(H200, [])).toBe(0)
  })

  test('cannot overlap', () => {
    const cuts = [
      { profile: '3g.71gb', start: 4 },
      { profile: '1g.35gb', start: 6 },
    ]
    expect(maskOf(H200, cuts)).toBeUndefined()
  })

  test('are all of its own kinds', () => {
    expect(maskOf(H200, [{ profile: '1g.10gb', start: 0 }])).toBeUndefined()
  })
})
