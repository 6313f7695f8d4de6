import { describe, expect, test } from 'vitest'
import {
  admitting,
  ANYTHING,
  chooses,
  isAnything,
  listChoice,
  meetChoices,
  noneOf,
  oneOf,
  printChoice,
} from './choice.ts'
import { CHOICES } from './algebra.ts'

describe('a choice', () => {
  test('keeps its words sorted and unique', () => {
    expect(oneOf(['b', 'a', 'b'])).toEqual({ not: false, values: ['a', 'b'] })
    expect(noneOf(['b', 'a', 'b'])).toEqual({ not: true, values: ['a', 'b'] })
  })

  test('admits its words, or all but its words', () => {
    expect(['a', 'b', 'c'].map((word) => chooses(oneOf(['a', 'b']), word))).toEqual([true, true, false])
    expect(['a', 'b', 'c'].map((word) => chooses(noneOf(['a', 'b']), word))).toEqual([false, false, true])
    expect(chooses(ANYTHING, 'a')).toBe(true)
    expect(chooses(oneOf([]), 'a')).toBe(false)
  })

  test('meets another of either kind in what both admit', () => {
    expect(meetChoices(oneOf(['a', 'b']), oneOf(['b', 'c']))).toEqual(oneOf(['b']))
    expect(meetChoices(oneOf(['a', 'b']), noneOf(['b', 'c']))).toEqual(oneOf(['a']))
    expect(meetChoices(noneOf(['b', 'c']), oneOf(['a', 'b']))).toEqual(oneOf(['a']))
    expect(meetChoices(noneOf(['b']), noneOf(['a', 'b']))).toEqual(noneOf(['a', 'b']))
    expect(meetChoices(ANYTHING, ANYTHING)).toEqual(ANYTHING)
  })

  test('covers a choice that admits nothing more', () => {
    expect(CHOICES.covers(oneOf(['a', 'b']), oneOf(['a']))).toBe(true)
    expect(CHOICES.covers(oneOf(['a']), oneOf(['a', 'b']))).toBe(false)
    expect(CHOICES.covers(oneOf(['a']), oneOf([]))).toBe(true)
    expect(CHOICES.covers(noneOf(['a']), oneOf(['b']))).toBe(true)
    expect(CHOICES.covers(noneOf(['a']), oneOf(['a', 'b']))).toBe(false)
    expect(CHOICES.covers(noneOf(['a']), noneOf(['a', 'b']))).toBe(true)
    expect(CHOICES.covers(noneOf(['a', 'b']), noneOf(['a']))).toBe(false)
    expect(CHOICES.covers(oneOf(['a', 'b']), noneOf(['a', 'b']))).toBe(false)
    expect(CHOICES.covers(oneOf([]), ANYTHING)).toBe(false)
  })

  test('is anything only when it excludes nothing', () => {
    expect([ANYTHING, noneOf([]), noneOf(['a']), oneOf([]), oneOf(['a'])].map(isAnything)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  test('reads like a sentence', () => {
    expect(printChoice(oneOf(['hopper', 'ada']))).toBe('ada or hopper')
    expect(printChoice(noneOf(['aws']))).toBe('anything but aws')
    expect(printChoice(noneOf(['aws', 'gcp']))).toBe('anything but aws or gcp')
    expect(printChoice(ANYTHING)).toBe('anything')
    expect(printChoice(oneOf([]))).toBe('nothing')
  })

  test('lists its words as files do, and says in words what it excludes', () => {
    expect([oneOf(['b', 'a']), oneOf([]), noneOf(['a', 'b']), ANYTHING].map(listChoice)).toEqual([
      '[a, b]',
      '[]',
      'anything but a or b',
      'anything',
    ])
  })

  test('can admit one word more', () => {
    expect(admitting(oneOf(['b']), 'a')).toEqual(oneOf(['a', 'b']))
    expect(admitting(noneOf(['a', 'b']), 'a')).toEqual(noneOf(['b']))
    expect(admitting(ANYTHING, 'a')).toEqual(ANYTHING)
  })
})
