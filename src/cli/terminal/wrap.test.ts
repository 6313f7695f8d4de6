import { expect, test } from 'vitest'
import { wrap } from './wrap.ts'

test('breaks between words, at the last that fits', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrap('one two three', 6)).toEqual(['one', 'two', 'three'])
  expect(wrap('one two three', 13)).toEqual(['one two three'])
})

test('a word that is too long keeps a line to itself', () => {
  expect(wrap('a incomprehensible b', 5)).toEqual(['a', 'incomprehensible', 'b'])
})

test('nothing is one empty line', () => {
  expect(wrap('', 5)).toEqual([''])
})
