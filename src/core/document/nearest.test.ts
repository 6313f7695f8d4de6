import { describe, expect, test } from 'vitest'
import { editDistance, nearest } from './nearest.ts'

describe('edit distance', () => {
  test.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'ab', 1],
    ['abc', 'abcd', 1],
    ['abc', 'acb', 1],
    ['image', 'imgae', 1],
    ['abcd', 'badc', 2],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
  ])('%j to %j takes %d', (from, into, distance) => {
    expect(editDistance(from, into, 9)).toBe(distance)
    expect(editDistance(into, from, 9)).toBe(distance)
  })

  test('stops counting at the limit', () => {
    expect(editDistance('abcdef', 'uvwxyz', 4)).toBe(4)
    expect(editDistance('a', 'abcdef', 3)).toBe(3)
    expect(editDistance('abc', 'abd', 1)).toBe(1)
  })
})

describe('the nearest word', () => {
  const words = ['image', 'command', 'checkpoint', 'min_vram', 'min_compute_capability', 'cpu']

  test.each([
    ['imgae', 'image'],
    ['chekpoint', 'checkpoint'],
    ['minVram', 'min_vram'],
    ['min-vram', 'min_vram'],
    ['Min VRAM', 'min_vram'],
    ['min.vram', 'min_vram'],
    ['MIN_VRAM', 'min_vram'],
    ['cpus', 'cpu'],
  ])('to %s is %s', (word, near) => {
    expect(nearest(word, words)).toBe(near)
  })

  test('is none when nothing is near', () => {
    expect(nearest('zzz', words)).toBeUndefined()
    expect(nearest('cmmnd', words)).toBeUndefined()
    expect(nearest('', words)).toBeUndefined()
    expect(nearest('x'.repeat(300), words)).toBeUndefined()
    expect(nearest('image', [])).toBeUndefined()
  })

  test('short words must match, longer ones may be off by one, two or three', () => {
    expect(nearest('ab', ['ac'])).toBeUndefined()
    expect(nearest('AB', ['ab'])).toBe('ab')
    expect(nearest('abc', ['abd'])).toBe('abd')
    expect(nearest('abcde', ['abxye'])).toBeUndefined()
    expect(nearest('abcdef', ['abxyef'])).toBe('abxyef')
    expect(nearest('abcdef', ['xyzdef'])).toBeUndefined()
    expect(nearest('abcdefghijk', ['xyzdefghijk'])).toBeUndefined()
    expect(nearest('abcdefghijkl', ['xyzdefghijkl'])).toBe('xyzdefghijkl')
    expect(nearest('abcdefghijkl', ['wxyzefghijkl'])).toBeUndefined()
  })

  test('prefers the nearer one, and the first of two as near', () => {
    expect(nearest('abcdef', ['abcxyf', 'abcdex'])).toBe('abcdex')
    expect(nearest('abcdef', ['abcdex', 'abcdey'])).toBe('abcdex')
  })
})
