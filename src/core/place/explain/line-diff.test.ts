import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffLines, type LineChange } from './line-diff.ts'
import { cases } from '../../base/laws.suite.ts'

/** Changes as `-2 text`, `+3 text`. */
function diff(from: string, into: string): readonly string[] {
  return diffLines(from, into).map(({ kind, line, text }) => `${kind === 'added' ? '+' : '-'}${line} ${text}`)
}

describe('diffLines', () => {
  test('equal texts have no changes', () => {
    expect(diff('', '')).toEqual([])
    expect(diff('a\nb\n', 'a\nb\n')).toEqual([])
  })

  test('a line end at the end of the file is no line', () => {
    expect(diff('a\nb', 'a\nb\n')).toEqual([])
    expect(diff('a\n', 'a\n\n')).toEqual(['+2 '])
  })

  test('a changed line is taken out and put in, each with its own number', () => {
    expect(diff('a\nb\nc\n', 'a\nx\nc\n')).toEqual(['-2 b', '+2 x'])
    expect(diff('a\nb\nc\n', 'new\na\nc\n')).toEqual(['+1 new', '-2 b'])
  })

  test('lines at either end', () => {
    expect(diff('', 'a\n')).toEqual(['+1 a'])
    expect(diff('a\n', '')).toEqual(['-1 a'])
    expect(diff('b\n', 'a\nb\nc\n')).toEqual(['+1 a', '+3 c'])
    expect(diff('a\nb\nc\n', 'b\n')).toEqual(['-1 a', '-3 c'])
  })

  test('repeated lines are matched once each', () => {
    expect(diff('a\na\nb\n', 'a\nb\nb\n')).toEqual(['-2 a', '+2 b'])
    expect(diff('x\na\nx\n', 'a\na\n')).toEqual(['-1 x', '-3 x', '+2 a'])
  })

  test('finds the longest part that stayed', () => {
    expect(diff('1\na\nb\nc\n2\n', '3\nb\nc\na\n4\n')).toEqual(['-1 1', '-2 a', '+1 3', '-5 2', '+4 a', '+5 4'])
  })

  test('parts too large to compare are given whole', () => {
    const lines = (letter: string): string => Array.from({ length: 2001 }, (_, at) => `${letter}${at}\n`).join('')
    const changes = diffLines(`same\n${lines('a')}b7\nend\n`, `same\n${lines('b')}end\n`)
    expect(changes).toHaveLength(2002 + 2001)
    expect(changes[0]).toEqual({ kind: 'removed', line: 2, text: 'a0' })
    expect(changes.at(-1)).toEqual({ kind: 'added', line: 2002, text: 'b2000' })
  })

  test('taking out and putting in gives the other text, and no more is changed than must be', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
    fc.assert(
      fc.property(text, text, (one, two) => {
        const changes = diffLines(toText(one), toText(two))
        expect(apply(one, changes)).toEqual(two)
        expect(changes).toHaveLength(one.length + two.length - 2 * longestShared(one, two))
      }),
      cases(2000),
    )
  })
})

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function apply(lines: readonly string[], changes: readonly LineChange[]): readonly string[] {
  const removed = new Set(changes.filter(({ kind }) => kind === 'removed').map(({ line }) => line))
  const kept = lines.filter((_, at) => !removed.has(at + 1))
  for (const { line, text } of changes.filter(({ kind }) => kind === 'added')) kept.splice(line - 1, 0, text)
  return kept
}

/** Plain recursion, to compare with. */
function longestShared(one: readonly string[], two: readonly string[]): number {
  const known = new Map<string, number>()
  const from = (left: number, right: number): number => {
    if (left === one.length || right === two.length) return 0
    const key = `${left},${right}`
    const found =
      known.get(key) ??
      (one[left] === two[right]
        ? 1 + from(left + 1, right + 1)
        : Math.max(from(left + 1, right), from(left, right + 1)))
    known.set(key, found)
    return found
  }
  return from(0, 0)
}
