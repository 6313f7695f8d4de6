import { describe, expect, test } from 'vitest'
import { greatestDivisor, lpText, Program } from './program.ts'

describe('a program', () => {
  test('is written in the LP format', () => {
    const program = new Program(10)
    const [one, two] = [program.variable(3), program.variable(1)]
    program.atMost(
      [
        { times: 2, of: one },
        { times: 3, of: two },
      ],
      7,
    )
    program.equal(
      [
        { times: 1, of: one },
        { times: -1, of: two },
      ],
      0,
    )
    const more = { terms: [{ times: 1, of: one }], relation: '>=', right: 1 } as const
    expect(lpText(program, [{ times: 5, of: one }], [more]).split('\n')).toEqual([
      'Maximize',
      ' sum: + 5 v0',
      'Subject To',
      ' + 2 v0 + 3 v1 <= 7',
      ' + 1 v0 - 1 v1 = 0',
      ' + 1 v0 >= 1',
      'Bounds',
      ' 0 <= v0 <= 3',
      ' 0 <= v1 <= 1',
      'General',
      ' v0',
      ' v1',
      'End',
      '',
    ])
  })

  test('has no rows that cannot be broken', () => {
    const program = new Program(10)
    const one = program.variable(3)
    program.atMost([{ times: 2, of: one }], 6)
    program.atMost([{ times: -2, of: one }], 0)
    program.atMost([], 0)
    expect(program.rows).toEqual([])
  })

  test('has rows with numbers as small as can be', () => {
    const program = new Program(10)
    const one = program.variable(9)
    program.atMost([{ times: 2048, of: one }], 10_000)
    program.equal([{ times: 4, of: one }], 6)
    expect(program.rows).toEqual([
      { terms: [{ times: 1, of: one }], relation: '<=', right: 4 },
      { terms: [{ times: 4, of: one }], relation: '=', right: 6 },
    ])
  })

  test('is too large with more variables than it may have, or when that is said of it', () => {
    const program = new Program(1)
    program.variable(1)
    expect(program.isTooLarge).toBe(false)
    program.variable(1)
    expect(program.isTooLarge).toBe(true)
    const other = new Program(1)
    other.giveUp()
    expect(other.isTooLarge).toBe(true)
  })

  test('has no variable that can only be nothing', () => {
    expect(() => new Program(1).variable(0)).toThrow('goes up to a whole number')
  })
})

test('the greatest divisor of some numbers', () => {
  expect(greatestDivisor([1000, 250, 100])).toBe(50)
  expect(greatestDivisor([-6, 9])).toBe(3)
  expect(greatestDivisor([7])).toBe(7)
  expect(greatestDivisor([])).toBe(0)
})
