import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffLines, diffText } from './line-diff.ts'

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'))

describe('diffLines', () => {
  test('holds both texts, whole and in order', () => {
    fc.assert(
      fc.property(text, text, (from, into) => {
        const lines = diffLines(from, into)
        const side = (kind: string): string =>
          lines
            .filter((line) => line.kind === 'same' || line.kind === kind)
            .map((line) => line.text)
            .join('\n')
        expect(side('gone')).toBe(from.replace(/\n$/, ''))
        expect(side('new')).toBe(into.replace(/\n$/, ''))
      }),
    )
  })

  test('a text and itself differ in nothing', () => {
    fc.assert(fc.property(text, (one) => diffLines(one, one).every(({ kind }) => kind === 'same')))
  })

  test('changes as little as possible', () => {
    expect(diffLines('a\nb\nc', 'a\nx\nc').map(({ kind }) => kind)).toEqual(['same', 'gone', 'new', 'same'])
  })
})

describe('diffText', () => {
  test('shows changes with three lines around them and counts the rest', () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`)
    const after = before.with(10, 'other')
    expect(diffText(diffLines(before.join('\n'), after.join('\n')))).toEqual([
      '  ... 7 the same',
      '  line 7',
      '  line 8',
      '  line 9',
      '- line 10',
      '+ other',
      '  line 11',
      '  line 12',
      '  line 13',
      '  ... 6 the same',
    ])
  })
})
