import { describe, expect, test } from 'vitest'
import { matches, parseSelector } from './selector.ts'

const LABELS = { team: 'ml', stage: 'test', 'acme.com/owner': 'ada' }

describe('a selector', () => {
  test.each([
    ['team=ml', true],
    ['team==ml', true],
    ['team=ml,stage=test', true],
    ['team=ml, stage != prod', true],
    ['team=ml,stage!=test', false],
    ['team', true],
    ['gpu', false],
    ['gpu!=h100', true],
    ['acme.com/owner=ada', true],
    ['constructor', false],
  ])('%s holds: %s', (text, holds) => {
    const selector = parseSelector(text)
    if (selector === undefined) throw new Error('it is a selector')
    expect(matches(LABELS, selector)).toBe(holds)
  })

  test('nothing has labels that are not there', () => {
    expect(matches(undefined, parseSelector('team!=ml') ?? [])).toBe(true)
    expect(matches(undefined, parseSelector('team=ml') ?? [])).toBe(false)
  })

  test.each(['', ',', '=ml', 'team=ml,', 'te am=ml', 'team=a=b', '!team'])('%j is none', (text) => {
    expect(parseSelector(text)).toBeUndefined()
  })
})
