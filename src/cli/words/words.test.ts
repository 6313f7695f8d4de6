import { expect, test } from 'vitest'
import { changeWords } from './words.ts'

test('a long list that only grows shows just what is new', () => {
  const before = '[cuda, driver, health, stock, quota]'
  expect(changeWords('policy.unknown.accept', before, before.replace(']', ', interconnect]'))).toEqual([
    'policy.unknown.accept: +1: interconnect',
    'in addition to the 5 there',
  ])
})

test.each([
  ['[hopper]', '[hopper, ampere]', 'arch: [hopper, ampere]', 'instead of [hopper]'],
  ['[a, b, c, d]', '[a, b, e]', 'arch: [a, b, e]', 'instead of [a, b, c, d]'],
  ['nothing', '4', 'arch: 4', ''],
  ['', 'any', 'arch: any', ''],
])('%s to %s is shown in full', (from, to, change, instead) => {
  expect(changeWords('arch', from, to)).toEqual([change, instead])
})
