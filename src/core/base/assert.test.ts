import { describe, expect, test } from 'vitest'
import { assert, must } from './assert.ts'

describe('asserting', () => {
  test('lets what is true pass', () => {
    expect(() => assert(true, 'fine')).not.toThrow()
    expect(() => assert(1, 'fine')).not.toThrow()
  })

  test('fails with its message on what is not', () => {
    expect(() => assert(false, 'two and two are four')).toThrow(new Error('assertion failed: two and two are four'))
    expect(() => assert(0, 'not zero')).toThrow('assertion failed: not zero')
  })
})

describe('a look-up that cannot miss', () => {
  test('gives the value, however empty it is', () => {
    expect([must(0, 'there'), must('', 'there'), must(false, 'there')]).toEqual([0, '', false])
  })

  test('fails on nothing', () => {
    expect(() => must(undefined, 'the list has a first')).toThrow('assertion failed: the list has a first')
    expect(() => must(null, 'the list has a first')).toThrow('assertion failed: the list has a first')
  })
})
