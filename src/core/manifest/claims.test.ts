import { describe, expect, test } from 'vitest'
import { readYaml } from '../../formats/yaml/yaml.ts'
import type { Problem } from '../base/problem.ts'
import { unclaimed, unspoken } from './claims.ts'

function problem(code: Problem['code'], line: number, column: number): Problem {
  return { code, message: `${code} ${line}:${column}`, place: { file: 'f', line, column, length: 1 } }
}

function left(text: string, problems: readonly Problem[], claims: readonly Problem[]): readonly string[] {
  const read = readYaml(text, 'f')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return unclaimed(problems, claims, read.document).map(({ message }) => message)
}

const TEXT = 'a:\n  b: 1\n  c: [x, { d: 2 }]\ne: 3\n'

describe('a claim', () => {
  test('on a key covers the key, its value and all inside', () => {
    const problems = [
      problem('KEY_UNKNOWN', 3, 3),
      problem('VALUE_TYPE', 3, 6),
      problem('VALUE_TYPE', 3, 7),
      problem('VALUE_TYPE', 3, 15),
    ]
    expect(left(TEXT, problems, [problem('MANIFEST_COUPLED', 3, 3)])).toEqual([])
  })

  test('covers nothing beside it', () => {
    const problems = [
      problem('KEY_UNKNOWN', 2, 3),
      problem('VALUE_TYPE', 2, 6),
      problem('KEY_UNKNOWN', 4, 1),
      problem('VALUE_TYPE', 1, 1),
    ]
    expect(left(TEXT, problems, [problem('MANIFEST_COUPLED', 3, 3)])).toEqual(problems.map(({ message }) => message))
  })

  test('on the first key of a map does not cover the other keys', () => {
    const problems = [problem('VALUE_TYPE', 2, 6), problem('KEY_UNKNOWN', 3, 3)]
    expect(left(TEXT, problems, [problem('MANIFEST_COUPLED', 2, 3)])).toEqual(['KEY_UNKNOWN 3:3'])
  })

  test('on a value covers it and all inside, but not its key', () => {
    const problems = [problem('VALUE_TYPE', 3, 3), problem('VALUE_TYPE', 3, 6), problem('VALUE_TYPE', 3, 12)]
    expect(left(TEXT, problems, [problem('MANIFEST_COUPLED', 3, 6)])).toEqual(['VALUE_TYPE 3:3'])
    expect(left('a: {}\n', [problem('VALUE_TYPE', 1, 4)], [problem('MANIFEST_COUPLED', 1, 4)])).toEqual([])
  })

  test('makes up for an unknown key that holds nothing else', () => {
    const claim = [problem('MANIFEST_COUPLED', 2, 3)]
    expect(left('a:\n  b: 1\n', [problem('KEY_UNKNOWN', 1, 1)], claim)).toEqual([])
    expect(left('a:\n  b: 1\n  c: 2\n', [problem('KEY_UNKNOWN', 1, 1)], claim)).toEqual(['KEY_UNKNOWN 1:1'])
  })

  test('does not make up for a key that is misspelt', () => {
    const misspelt = { ...problem('KEY_UNKNOWN', 1, 1), hint: 'Did you mean resources?' }
    expect(left('a:\n  b: 1\n', [misspelt], [problem('MANIFEST_COUPLED', 2, 3)])).toEqual(['KEY_UNKNOWN 1:1'])
  })

  test('does not make up for what is missing', () => {
    expect(left(TEXT, [problem('KEY_MISSING', 1, 1)], [problem('MANIFEST_COUPLED', 1, 1)])).toEqual(['KEY_MISSING 1:1'])
  })

  test('without a place covers nothing', () => {
    const claim: Problem = { code: 'MANIFEST_COUPLED', message: 'x' }
    expect(left(TEXT, [problem('VALUE_TYPE', 1, 1)], [claim])).toEqual(['VALUE_TYPE 1:1'])
  })
})

describe('a stronger problem', () => {
  test('silences others at the very same spot', () => {
    const problems = [problem('VALUE_TYPE', 1, 2), problem('VALUE_TYPE', 1, 3), problem('VALUE_TYPE', 2, 2)]
    expect(unspoken(problems, [problem('VALUE_CONFLICT', 1, 2)])).toEqual(problems.slice(1))
  })

  test('leaves what is missing, and is not one if it is about something missing', () => {
    const missing = problem('KEY_MISSING', 1, 1)
    expect(unspoken([missing], [problem('VALUE_CONFLICT', 1, 1)])).toEqual([missing])
    const unknown = problem('KEY_UNKNOWN', 1, 1)
    expect(unspoken([unknown], [missing])).toEqual([unknown])
  })
})
