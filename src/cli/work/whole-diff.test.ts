import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffText, wholeDiff } from './whole-diff.ts'

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'))

describe('wholeDiff', () => {
  test('holds both texts, whole and in order', () => {
    fc.assert(
      fc.property(text, text, (from, into) => {
        const lines = wholeDiff(from, into)
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
    fc.assert(fc.property(text, (one) => wholeDiff(one, one).every(({ kind }) => kind === 'same')))
  })

  test('two texts of very many lines are compared in bounded time and memory', () => {
    const text = (letter: string): string => Array.from({ length: 60_000 }, (_, at) => `${letter}${at}`).join('\n')
    const lines = wholeDiff(`same\n${text('a')}\nend`, `same\n${text('b')}\nend`)
    expect(lines).toHaveLength(120_002)
    expect([lines[0]?.kind, lines[1]?.kind, lines.at(-2)?.kind, lines.at(-1)?.kind]).toEqual([
      'same',
      'gone',
      'new',
      'same',
    ])
  })

  test('changes as little as possible', () => {
    expect(wholeDiff('a\nb\nc', 'a\nx\nc').map(({ kind }) => kind)).toEqual(['same', 'gone', 'new', 'same'])
  })
})

describe('diffText', () => {
  test('shows changes with three lines around them and counts the rest', () => {
    const before = Array.from({ length: 20 }, (_, at) => `line ${at}`)
    const after = before.with(10, 'other')
    expect(diffText(wholeDiff(before.join('\n'), after.join('\n')))).toEqual([
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
