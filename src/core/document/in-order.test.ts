import { describe, expect, test } from 'vitest'
import type { Problem } from '../base/problem.ts'
import { inOrder } from './in-order.ts'

describe('the order', () => {
  const at = (line: number, column: number, code: Problem['code'] = 'VALUE_TYPE'): Problem => ({
    code,
    message: `${line}:${column}`,
    place: { file: 'f', line, column, length: 1 },
  })

  test('is by line, column and code', () => {
    const problems = [at(2, 1), at(1, 9), at(1, 2, 'VALUE_TYPE'), at(1, 2, 'KEY_UNKNOWN'), at(1, 2, 'VALUE_TYPE')]
    expect(inOrder(problems).map(({ code, message }) => `${message} ${code}`)).toEqual([
      '1:2 KEY_UNKNOWN',
      '1:2 VALUE_TYPE',
      '1:2 VALUE_TYPE',
      '1:9 VALUE_TYPE',
      '2:1 VALUE_TYPE',
    ])
  })

  test('puts problems without a place first', () => {
    const nowhere: Problem = { code: 'VALUE_TYPE', message: 'nowhere' }
    expect(inOrder([at(1, 1), nowhere])).toEqual([nowhere, at(1, 1)])
  })

  test('ends after a hundred and says so', () => {
    const problems = Array.from({ length: 103 }, (_, index) => at(index + 1, 1))
    expect(inOrder(problems.slice(0, 100))).toHaveLength(100)
    const cut = inOrder(problems)
    expect(cut).toHaveLength(101)
    expect(cut[100]).toEqual({
      code: 'PROBLEMS_TOO_MANY',
      message: 'There are 3 more problems after these.',
      hint: 'Fix these first, and run the command again.',
      place: { file: 'f', line: 101, column: 1, length: 1 },
    })
    expect(inOrder(problems.map(({ code, message }) => ({ code, message })))[100]).not.toHaveProperty('place')
  })
})
