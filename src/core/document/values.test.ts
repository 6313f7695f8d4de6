import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { problemsIn as problemsUnder } from './brief.suite.ts'
import { textAsWritten } from './traits.ts'

function problemsIn(shape: z.ZodRawShape, text: string): readonly string[] {
  return problemsUnder(z.strictObject(shape), text)
}

describe('types', () => {
  test.each([
    [z.string(), '12', 'Expected text, found 12. | Put it in quotes: a: "12"'],
    [z.string(), 'true', 'Expected text, found true. | Put it in quotes: a: "true"'],
    [z.string(), '[x]', 'Expected text, found a list.'],
    [z.int(), '"4"', 'Expected a whole number, found text. | Write it without quotes: a: 4'],
    [z.int(), '"-4.5"', 'Expected a whole number, found text. | Write it without quotes: a: -4.5'],
    [z.int(), 'four', 'Expected a whole number, found text.'],
    [z.int(), '4x', 'Expected a whole number, found text.'],
    [z.int(), '4.5', 'Expected a whole number, found 4.5.'],
    [z.number().int(), '4.5', 'Expected a whole number, found 4.5.'],
    [z.number(), 'x', 'Expected a number, found text.'],
    [z.number(), '{}', 'Expected a number, found a map.'],
    [z.boolean(), 'yes', 'Expected true or false, found text.'],
    [z.array(z.int()), '1', 'Expected a list, found 1.'],
    [z.strictObject({}), '[]', 'Expected a map, found a list.'],
    [z.record(z.string(), z.int()), 'x', 'Expected a map, found text.'],
    [z.enum(['x', 'y']), '[x]', 'Expected one of x, y, found a list.'],
    [z.literal('x'), '{}', 'Expected `x`, found a map.'],
    [z.union([z.int(), z.array(z.int())]), 'x', 'Expected a whole number or a list, found text.'],
    [z.union([z.int(), z.int().min(2)]), 'x', 'Expected a whole number, found text.'],
    [textAsWritten({ word: 'a colour' }), '[]', 'Expected a colour, found a list.'],
    [z.int().meta({ examples: [4] }), 'x', 'Expected a whole number, found text. | For example: a: 4'],
    [
      z
        .int()
        .meta({ examples: [4] })
        .optional(),
      'x',
      'Expected a whole number, found text. | For example: a: 4',
    ],
    [
      z
        .int()
        .optional()
        .meta({ examples: [5] }),
      'x',
      'Expected a whole number, found text. | For example: a: 5',
    ],
    [z.int().min(1).default(1), 'x', 'Expected a whole number, found text.'],
    [z.lazy(() => z.int()), 'x', 'Expected a whole number, found text.'],
    [z.enum(['1', '2', '3', '4', '5', '6', '7', '8', '9']), '[]', 'Expected a known name, found a list.'],
  ])('%# %s', (schema, value, words) => {
    const [problem, ...more] = problemsIn({ a: schema }, `a: ${value}`)
    expect(more).toEqual([])
    expect(problem).toMatch(/^VALUE_TYPE 1:4\+\d+ /)
    expect(problem?.replace(/^.*?\] /, '')).toBe(words)
  })

  test('a key without a value is reported', () => {
    expect(problemsIn({ a: z.string() }, 'a:')).toEqual([
      'VALUE_TYPE 1:1+1 [] `a` has no value. | Write "" if it should be empty.',
    ])
    expect(problemsIn({ a: z.int() }, 'a: null')).toEqual(['VALUE_TYPE 1:4+4 [null] `a` has no value.'])
    expect(problemsIn({ a: z.int().meta({ examples: [3] }) }, 'a:')).toEqual([
      'VALUE_TYPE 1:1+1 [] `a` has no value. | For example: a: 3',
    ])
    expect(problemsIn({ a: z.array(z.int()) }, 'a: [1, ~]')).toEqual(['VALUE_TYPE 1:8+1 [~] This entry has no value.'])
  })

  test('a number that is too large is reported', () => {
    expect(problemsIn({ a: z.int() }, 'a: 99999999999999999999')).toEqual([
      'VALUE_RANGE 1:4+20 [99999999999999999999] This number is too large.',
    ])
    expect(problemsIn({ a: z.number().meta({ examples: [1] }) }, 'a: -1e400')).toEqual([
      'VALUE_RANGE 1:4+6 [-1e400] This number is too large. | For example: a: 1',
    ])
    expect(problemsIn({ a: z.string() }, 'a: [1e400]')).toEqual(['VALUE_TYPE 1:4+7 [] Expected text, found a list.'])
    expect(problemsIn({ a: z.int() }, 'a: .inf')).toEqual([
      'VALUE_TYPE 1:4+4 [.inf] Expected a whole number, found text.',
    ])
  })

  test('examples of list entries have no key', () => {
    const list = z.array(z.int().meta({ examples: [4] }))
    expect(problemsIn({ a: list }, 'a: [x]')).toEqual([
      'VALUE_TYPE 1:5+1 [x] Expected a whole number, found text. | For example: 4',
    ])
    expect(problemsIn({ a: z.array(z.string()) }, 'a: [1]')).toEqual([
      'VALUE_TYPE 1:5+1 [1] Expected text, found 1. | Put it in quotes: "1"',
    ])
  })
})

describe('choices', () => {
  test('few are listed in the message', () => {
    expect(problemsIn({ a: z.enum(['red', 'green']) }, 'a: blue')).toEqual([
      'VALUE_INVALID 1:4+4 [blue] `blue` is not one of red, green.',
    ])
    expect(problemsIn({ a: z.enum(['red', 'green']) }, 'a: gren')).toEqual([
      'VALUE_INVALID 1:4+4 [gren] `gren` is not one of red, green. | Did you mean green?',
    ])
    expect(problemsIn({ a: z.literal('v1') }, 'a: v2')).toEqual(['VALUE_INVALID 1:4+2 [v2] `v2` is not `v1`.'])
  })

  test('many are listed in the hint', () => {
    const eight = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg', 'hh'] as const
    expect(problemsIn({ a: z.enum(eight) }, 'a: zz')).toEqual([
      'VALUE_INVALID 1:4+2 [zz] `zz` is not one of aa, bb, cc, dd, ee, ff, gg, hh.',
    ])
    expect(problemsIn({ a: z.enum([...eight, 'iii']) }, 'a: zz')).toEqual([
      'VALUE_INVALID 1:4+2 [zz] `zz` is not known here. | Known: aa, bb, cc, dd, ee, ff, gg, hh, iii.',
    ])
    expect(problemsIn({ a: z.enum([...eight, 'iii']) }, 'a: iij')).toEqual([
      'VALUE_INVALID 1:4+3 [iij] `iij` is not known here. | Did you mean iii?',
    ])
  })

  test('a union answers for the branch that takes this type of value', () => {
    const union = z.union([z.enum(['x', 'y']), z.array(z.enum(['x', 'y'])), z.strictObject({ n: z.int() })])
    expect(problemsIn({ a: union }, 'a: z')).toEqual(['VALUE_INVALID 1:4+1 [z] `z` is not one of x, y.'])
    expect(problemsIn({ a: union }, 'a: [x, z]')).toEqual(['VALUE_INVALID 1:8+1 [z] `z` is not one of x, y.'])
    expect(problemsIn({ a: union }, 'a: { n: q, m: 1 }')).toEqual([
      'VALUE_TYPE 1:9+1 [q] Expected a whole number, found text.',
      'KEY_UNKNOWN 1:12+1 [m] No such key here. | Keys here: n.',
    ])
    expect(problemsIn({ a: union }, 'a: {}')).toEqual(['KEY_MISSING 1:1+1 [] `n` is missing in `a`.'])
    expect(problemsIn({ a: union }, 'b: 1')).toContain('KEY_MISSING 1:1+1 [] `a` is missing.')
  })

  test('a union inside a union is seen through', () => {
    const union = z.union([z.union([z.int(), z.boolean()]), z.array(z.int())])
    expect(problemsIn({ a: union }, 'a: x')).toEqual([
      'VALUE_TYPE 1:4+1 [x] Expected a whole number or true or false or a list, found text.',
    ])
    expect(problemsIn({ a: union }, 'a: [x]')).toEqual(['VALUE_TYPE 1:5+1 [x] Expected a whole number, found text.'])
  })

  test('of several branches that could be meant the one with the fewest mistakes speaks', () => {
    const union = z.union([z.strictObject({ a: z.int(), b: z.int() }), z.strictObject({ a: z.int() })])
    expect(problemsIn({ u: union }, 'u: { a: x }')).toEqual([
      'VALUE_TYPE 1:9+1 [x] Expected a whole number, found text.',
    ])
  })
})
