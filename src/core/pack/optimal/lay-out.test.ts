import { expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { migRules } from '../../fleet/mig/rules.ts'
import { layOut } from './lay-out.ts'

const RULES = must(migRules('h100-sxm'), 'h100-sxm')
const [TENTH, QUARTER, HALF] = [0, 2, 3]

test('slices are laid beside those that are there', () => {
  expect(layOut(RULES, 0b0000_0001, [HALF])).toEqual([4])
  expect(layOut(RULES, 0, [HALF, HALF])).toEqual([0, 4])
  expect(layOut(RULES, 0, [])).toEqual([])
})

test('in the order in which they were asked for', () => {
  expect(layOut(RULES, 0b0000_1111, [TENTH, QUARTER])).toEqual([6, 4])
})

test('so that what is left is most useful: a half stays free for a half', () => {
  expect(layOut(RULES, 0, [TENTH, TENTH])).toEqual([4, 5])
})

test('and nowhere when they do not fit', () => {
  expect(layOut(RULES, 0b0001_0001, [HALF])).toBeUndefined()
  expect(layOut(RULES, 0, [HALF, HALF, TENTH])).toBeUndefined()
})
