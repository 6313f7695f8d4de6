import { describe, expect, test } from 'vitest'
import type { Problem } from '../base/problem.ts'
import { documentOf } from './brief.suite.ts'
import { entryAt, foundText, keyMarkAt, markAt, nodeAt, placeOf, printable, sourced } from './look-up.ts'

const document = documentOf('a:\n  b: [x, { c: 1 }]\nd: text\n')

describe('a path', () => {
  test('leads to a node', () => {
    expect(nodeAt(document, [])).toBe(document.root)
    expect(nodeAt(document, ['a', 'b', 0])).toMatchObject({ text: 'x' })
    expect(nodeAt(document, ['a', 'b', 1, 'c'])).toMatchObject({ value: 1 })
  })

  test.each([[['x']], [['a', 'x']], [['a', 0]], [['a', 'b', 2]], [['a', 'b', 'c']], [['d', 'e']], [['x', 'y', 'z']]])(
    'may lead nowhere: %j',
    (path) => {
      expect(nodeAt(document, path)).toBeUndefined()
    },
  )

  test('leads to an entry when it ends with a key that is there', () => {
    expect(entryAt(document, ['a', 'b'])?.keyAt).toEqual({ line: 2, column: 3, length: 1 })
    expect(entryAt(document, ['a', 'b', 1, 'c'])?.key).toBe('c')
    expect(entryAt(document, ['a', 'b', 0])).toBeUndefined()
    expect(entryAt(document, ['a', 'x'])).toBeUndefined()
    expect(entryAt(document, ['d', 'x'])).toBeUndefined()
    expect(entryAt(document, [])).toBeUndefined()
  })
})

test.each([1, 16, 17, 200])('a map of %d keys finds each of them', (count) => {
  const keys = Array.from({ length: count }, (_, index) => `k${index}`)
  const wide = documentOf(keys.map((key) => `${key}: ${key}`).join('\n'))
  expect(keys.map((key) => nodeAt(wide, [key]))).toMatchObject(keys.map((text) => ({ text })))
  expect(nodeAt(wide, ['other'])).toBeUndefined()
  expect(nodeAt(wide, ['constructor'])).toBeUndefined()
})

describe('marks', () => {
  test('of values', () => {
    expect(markAt(document, ['a', 'b', 0])).toEqual({ line: 2, column: 7, length: 1 })
    expect(markAt(document, ['d'])).toEqual({ line: 3, column: 4, length: 4 })
  })

  test('of what is missing are those of the key around it', () => {
    expect(markAt(document, ['a', 'x'])).toEqual({ line: 1, column: 1, length: 1 })
    expect(markAt(document, ['a', 'b', 'x'])).toEqual({ line: 2, column: 3, length: 1 })
    expect(markAt(document, ['x'])).toEqual(document.root.at)
  })

  test('of keys, and of items that have none', () => {
    expect(keyMarkAt(document, ['a', 'b'])).toEqual({ line: 2, column: 3, length: 1 })
    expect(keyMarkAt(document, ['a', 'b', 1])).toEqual({ line: 2, column: 10, length: 8 })
    expect(keyMarkAt(document, ['a', 'x', 'y'])).toEqual({ line: 1, column: 1, length: 1 })
    expect(keyMarkAt(document, [])).toEqual(document.root.at)
  })

  test('become places', () => {
    expect(placeOf(document, { line: 2, column: 3, length: 4 })).toEqual({
      file: 'f.yaml',
      line: 2,
      column: 3,
      length: 4,
    })
  })
})

describe('source lines', () => {
  const place = { file: 'f.yaml', line: 2, column: 3, length: 1 }
  const problem: Problem = { code: 'VALUE_TYPE', message: 'x', place }

  test('are put beside problems', () => {
    expect(sourced([problem], document)).toEqual([{ ...problem, sourceLine: '  b: [x, { c: 1 }]' }])
  })

  test('are left out when they are too long to look at', () => {
    const lines = ['x'.repeat(240), 'x'.repeat(241)]
    const second = { ...problem, place: { ...place, line: 2 } }
    const first = { ...problem, place: { ...place, line: 1 } }
    expect(sourced([first, second], { lines })).toEqual([{ ...first, sourceLine: lines[0] }, second])
  })

  test('are left out when there are none, and when they contain a secret or unprintable text', () => {
    const lost = { ...problem, place: { ...place, line: 99 } }
    const nowhere: Problem = { code: 'VALUE_TYPE', message: 'x' }
    const secret: Problem = { ...problem, code: 'SECRET_VALUE' }
    const garbled: Problem = { ...problem, code: 'YAML_ENCODING' }
    expect(sourced([lost, nowhere, secret, garbled], document)).toEqual([lost, nowhere, secret, garbled])
  })
})

describe('found text', () => {
  test('is that of scalars only', () => {
    expect(foundText(documentOf('a: "x y"').root)).toBeUndefined()
    expect(foundText({ kind: 'scalar', at: { line: 1, column: 1, length: 1 }, value: 1.1, text: '1.10' })).toBe('1.10')
  })

  test('is cut after sixty characters', () => {
    expect(printable('x'.repeat(60))).toBe('x'.repeat(60))
    expect(printable('x'.repeat(61))).toBe(`${'x'.repeat(60)}…`)
  })

  test('spells out what would disturb a terminal', () => {
    expect(printable('a\nb')).toBe('a\\nb')
    expect(printable('\u001b[31m\u202e\u0007\u2028')).toBe('\\u{1b}[31m\\u{202e}\\u{7}\\u{2028}')
    expect(printable(`${'x'.repeat(59)}😀`)).toBe(`${'x'.repeat(59)}\\u{d83d}…`)
    expect(printable('ünï 😀')).toBe('ünï 😀')
  })
})
