import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { problemsIn as problemsUnder } from './brief.suite.ts'
import type { IssueParams } from './traits.ts'

function problemsIn(shape: z.ZodRawShape, text: string): readonly string[] {
  return problemsUnder(z.strictObject(shape), text)
}

describe('ranges', () => {
  test.each([
    [z.int().max(5), '6', 'The number must be at most 5.'],
    [z.int().min(5), '4', 'The number must be at least 5.'],
    [z.number().lt(5), '5', 'The number must be less than 5.'],
    [z.number().positive(), '0', 'The number must be more than 0.'],
    [z.string().max(2), 'abc', 'This must have at most 2 characters.'],
    [z.string().min(2), 'a', 'This must have at least 2 characters.'],
    [z.string().min(1), '""', 'This must have at least 1 character.'],
    [z.array(z.int()).min(1), '[]', 'This must have at least 1 entry.'],
    [z.array(z.int()).max(2), '[1, 2, 3]', 'This must have at most 2 entries.'],
  ])('%# %s: %s', (schema, value, message) => {
    const [problem] = problemsIn({ a: schema }, `a: ${value}`)
    expect(problem).toMatch(/^VALUE_RANGE 1:4/)
    expect(problem?.replace(/^.*?\] /, '')).toBe(message)
  })

  test('values at the limit are fine', () => {
    expect(problemsIn({ a: z.int().min(5).max(5) }, 'a: 5')).toEqual([])
  })

  test('show an example where there is one', () => {
    expect(
      problemsIn(
        {
          a: z
            .int()
            .max(5)
            .meta({ examples: [3] }),
        },
        'a: 6',
      ),
    ).toEqual(['VALUE_RANGE 1:4+1 [6] The number must be at most 5. | For example: a: 3'])
  })
})

describe('forms', () => {
  test('the words of the schema are used, with its example', () => {
    const even = z
      .string()
      .regex(/^(..)*$/, 'This must be even.')
      .meta({ examples: ['xy'] })
    expect(problemsIn({ a: even }, 'a: x')).toEqual(['VALUE_INVALID 1:4+1 [x] This must be even. | For example: a: xy'])
    expect(problemsIn({ a: z.number().multipleOf(2, 'This must be even.') }, 'a: 3')).toEqual([
      'VALUE_INVALID 1:4+1 [3] This must be even.',
    ])
  })

  test('names of a record are checked at the name', () => {
    const record = z.record(z.string().regex(/^[a-z]+$/, 'Names are lower case.'), z.int())
    expect(problemsIn({ r: record }, 'r:\n  ok: 1\n  BAD: 2\n')).toEqual([
      'VALUE_INVALID 3:3+3 [BAD] Names are lower case.',
    ])
  })

  test('names of a record may be too long', () => {
    const record = z.record(z.string().max(3), z.int())
    expect(problemsIn({ r: record }, 'r: { abc: 1, abcd: 2 }')).toEqual([
      'VALUE_INVALID 1:14+4 [abcd] A name has at most 3 characters.',
    ])
  })

  test('custom issues carry their own code, hint and side', () => {
    const refuse = (params: IssueParams | undefined) =>
      z.strictObject({}).check((context) => {
        context.issues.push({
          code: 'custom',
          input: context.value,
          message: 'No.',
          ...(params && { params: { ...params } }),
        })
      })
    expect(problemsIn({ a: refuse({ code: 'VALUE_CONFLICT', hint: 'Do.', at: 'key' }) }, 'a: {}')).toEqual([
      'VALUE_CONFLICT 1:1+1 [a] No. | Do.',
    ])
    expect(problemsIn({ a: refuse({ hint: 'Do.' }) }, 'a: {}')).toEqual(['VALUE_INVALID 1:4+2 [] No. | Do.'])
    expect(problemsIn({ a: refuse(undefined) }, 'a: {}')).toEqual(['VALUE_INVALID 1:4+2 [] No.'])
    expect(
      problemsIn(
        {
          a: z
            .string()
            .refine(() => false, 'No.')
            .meta({ examples: ['y'] }),
        },
        'a: x',
      ),
    ).toEqual(['VALUE_INVALID 1:4+1 [x] No. | For example: a: y'])
  })
})
