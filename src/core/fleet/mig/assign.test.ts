import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { assignInOrder, assignTogether, choosePlace, slicesTaken } from './assign.ts'
import { migRules } from './rules.ts'

const RULES = must(migRules('h100-sxm'), 'h100-sxm')
const [ONE, HALF, WHOLE] = [0, 3, 5]

describe('a slice goes to', () => {
  test('the card that loses least: one that is cut already', () => {
    expect(choosePlace(RULES, [0, 0b0001_0000, 0], ONE)).toEqual({ card: 1, start: 5 })
  })

  test('the first of equal cards', () => {
    expect(choosePlace(RULES, [0b1111_1111, 0, 0], WHOLE)).toEqual({ card: 1, start: 0 })
  })

  test('no card without room', () => {
    expect(choosePlace(RULES, [0b0000_0001, 0b1000_0000], WHOLE)).toBeUndefined()
    expect(choosePlace(RULES, [], ONE)).toBeUndefined()
  })
})

describe('requests that come one by one', () => {
  test('are taken when they fit, whatever comes later', () => {
    const requests = [ONE, WHOLE, HALF]
    const places = assignInOrder(RULES, 1, requests)
    expect(places.map((place) => place !== undefined)).toEqual([true, false, true])
    expect(slicesTaken(RULES, requests, places)).toBe(5)
  })
})

describe('requests that wait together', () => {
  test('are placed the largest first where that puts more memory to use', () => {
    const requests = [ONE, WHOLE, HALF]
    const places = assignTogether(RULES, 1, requests)
    expect(places).toEqual([undefined, { card: 0, start: 0 }, undefined])
    expect(slicesTaken(RULES, requests, places)).toBe(8)
  })

  test('keep their order where it does not', () => {
    const requests = [HALF, HALF, WHOLE]
    expect(assignTogether(RULES, 1, requests)).toEqual(assignInOrder(RULES, 1, requests))
  })
})
