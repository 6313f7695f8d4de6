import { describe, expect, test } from 'vitest'
import { markOf, placeAt, sourceOf } from './source.ts'

describe('a source', () => {
  test('is cut at line ends of both kinds', () => {
    const source = sourceOf('ab\r\nc\n\nd', 'f')
    expect(source.lines).toEqual(['ab', 'c', '', 'd'])
    expect(source.starts).toEqual([0, 4, 6, 7])
  })

  test('counts lines and columns from one', () => {
    const source = sourceOf('ab\ncdef\n', 'f')
    expect(markOf(source, 0, 2)).toEqual({ line: 1, column: 1, length: 2 })
    expect(markOf(source, 3, 5)).toEqual({ line: 2, column: 1, length: 2 })
    expect(markOf(source, 5, 6)).toEqual({ line: 2, column: 3, length: 1 })
    expect(markOf(source, 8, 8)).toEqual({ line: 3, column: 1, length: 1 })
  })

  test('ends a mark at the end of its first line, without the spaces there', () => {
    const source = sourceOf('abc  \ndef', 'f')
    expect(markOf(source, 1, 9)).toEqual({ line: 1, column: 2, length: 2 })
  })

  test('never has a mark without length', () => {
    expect(markOf(sourceOf('', 'f'), 0, 0)).toEqual({ line: 1, column: 1, length: 1 })
    expect(markOf(sourceOf('ab', 'f'), 2, 2)).toEqual({ line: 1, column: 3, length: 1 })
  })

  test('finds the line of the first and the last character of each line', () => {
    const source = sourceOf(Array.from({ length: 9 }, () => 'xy').join('\n'), 'f')
    for (let line = 1; line <= 9; line++) {
      const start = (line - 1) * 3
      expect(markOf(source, start, start + 1)).toMatchObject({ line, column: 1 })
      expect(markOf(source, start + 2, start + 3)).toMatchObject({ line, column: 3 })
    }
  })

  test('names its file in places', () => {
    expect(placeAt(sourceOf('ab', 'x.yaml'), 0, 2)).toEqual({ file: 'x.yaml', line: 1, column: 1, length: 2 })
  })
})
