import { describe, expect, test } from 'vitest'
import { expandName } from './names.ts'

function namesOf(text: string): readonly string[] | string {
  const expanded = expandName(text)
  return expanded.kind === 'names' ? [...expanded.names.each()] : `${expanded.message} ${expanded.hint}`
}

describe('a name of nodes', () => {
  test.each([
    ['dgx-001', ['dgx-001']],
    ['dgx-{1..3}', ['dgx-1', 'dgx-2', 'dgx-3']],
    ['dgx-{009..011}', ['dgx-009', 'dgx-010', 'dgx-011']],
    ['r{08..10}.rack', ['r08.rack', 'r09.rack', 'r10.rack']],
    ['{7..7}', ['7']],
    ['n-{0..2}', ['n-0', 'n-1', 'n-2']],
  ])('%s stands for %j', (text, names) => {
    expect(namesOf(text)).toEqual(names)
  })

  test('can be walked over again, and its length is known before', () => {
    const expanded = expandName('n-{00001..99999}')
    if (expanded.kind === 'wrong') throw new Error(expanded.message)
    expect(expanded.names.count).toBe(99_999)
    expect([...expanded.names.each()]).toHaveLength(99_999)
    expect([...expanded.names.each()].at(-1)).toBe('n-99999')
  })

  test.each([
    ['dgx-{12..1}', 'The range counts down, from 12 to 1. Write {1..12}.'],
    ['dgx-{1..999999999}', 'The range has more than 100000 nodes. '],
    ['dgx-[001-012]', 'This is not a range of nodes. For example: dgx-001, or dgx-{001..012} for twelve of them.'],
    ['dgx-{1..3}-{1..3}', 'This is not a range of nodes. '],
    ['dgx-{1,2}', 'This is not a range of nodes. '],
    ['two words', 'A name has letters, digits, dots, dashes and underscores. '],
    ['a/{1..2}', 'A name has letters, digits, dots, dashes and underscores. '],
    ['', 'A name has letters, '],
    ['-x', 'A name has letters, '],
  ])('%s is told what is wrong with it', (text, words) => {
    expect(namesOf(text)).toContain(words)
  })
})
