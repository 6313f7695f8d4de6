import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { documentOf, problemsIn as problemsUnder } from './brief.suite.ts'
import { checkUncut } from './check.ts'
import { traits } from './traits.ts'

function problemsIn(shape: z.ZodRawShape, text: string): readonly string[] {
  return problemsUnder(z.strictObject(shape), text)
}

describe('keys', () => {
  const inner = z.strictObject({ depth: z.int().optional(), width: z.int().optional() })
  const shape = {
    name: z.string(),
    box: inner.optional(),
    boxes: z.array(inner).optional(),
    named: z.record(z.string(), z.strictObject({ inside: inner.optional() })).optional(),
    colour: z
      .string()
      .optional()
      .register(traits, { also: ['paint'] }),
  }

  test('that are missing are reported at the key around them', () => {
    expect(
      problemsIn({ name: z.string(), at: z.strictObject({ x: z.int().meta({ examples: [7] }) }) }, 'at: {}'),
    ).toEqual([
      'KEY_MISSING 1:1+2 [] `name` is missing.',
      'KEY_MISSING 1:1+2 [] `x` is missing in `at`. | For example: x: 7',
    ])
    expect(problemsIn({ l: z.array(z.strictObject({ x: z.int() })) }, 'l:\n  - {}\n')).toEqual([
      'KEY_MISSING 2:5+2 [] `x` is missing.',
    ])
  })

  test('that are misspelt get the nearest', () => {
    expect(problemsIn(shape, 'name: x\ncolor: red\n')).toEqual([
      'KEY_UNKNOWN 2:1+5 [color] No such key here. | Did you mean colour?',
    ])
  })

  test('that are misspelt are not missing as well', () => {
    expect(problemsIn(shape, 'nmae: x\n')).toEqual(['KEY_UNKNOWN 1:1+4 [nmae] No such key here. | Did you mean name?'])
    expect(problemsIn({ a: z.strictObject({ name: z.string() }), name: z.string() }, 'a: { nmae: x }')).toEqual([
      'KEY_MISSING 1:1+1 [] `name` is missing.',
      'KEY_UNKNOWN 1:6+4 [nmae] No such key here. | Did you mean name?',
    ])
  })

  test('that go by another name get the one that is used here', () => {
    expect(problemsIn(shape, 'name: x\npaint: red\n')).toEqual([
      'KEY_UNKNOWN 2:1+5 [paint] No such key here. | Did you mean colour?',
    ])
  })

  test('that belong elsewhere are sent there', () => {
    expect(problemsIn(shape, 'name: x\ndepth: 1\n')).toEqual([
      'KEY_MISPLACED 2:1+5 [depth] `depth` does not belong here. | It belongs under box.',
    ])
    expect(problemsIn(shape, 'name: x\nbox: { colour: red }\n')).toEqual([
      'KEY_MISPLACED 2:8+6 [colour] `colour` does not belong here. | It belongs at the top level.',
    ])
  })

  test('that belong further in are sent to the place nearest to them', () => {
    expect(problemsIn(shape, 'name: x\nnamed: { one: { depth: 1 } }\n')).toEqual([
      'KEY_MISPLACED 2:17+5 [depth] `depth` does not belong here. | It belongs under named.one.inside.',
    ])
    const list = z.array(z.strictObject({ inside: inner.optional() })).optional()
    expect(problemsIn({ list, box: inner.optional() }, 'list: [{ depth: 1 }]')).toEqual([
      'KEY_MISPLACED 1:10+5 [depth] `depth` does not belong here. | It belongs under list[0].inside.',
    ])
  })

  test('that are misspelt and belong elsewhere get both', () => {
    expect(problemsIn(shape, 'name: x\ndepht: 1\n')).toEqual([
      'KEY_UNKNOWN 2:1+5 [depht] No such key here. | Did you mean depth? It belongs under box.',
    ])
  })

  test('that resemble no key get the list of keys', () => {
    expect(problemsIn(shape, 'name: x\nbox: { zzzz: 1 }\n')).toEqual([
      'KEY_UNKNOWN 2:8+4 [zzzz] No such key here. | Keys here: depth, width.',
    ])
    expect(problemsIn({ e: z.strictObject({}) }, 'e: { zz: 1 }')).toEqual(['KEY_UNKNOWN 1:6+2 [zz] No such key here.'])
  })

  test('that are long or disturbing are printed with care', () => {
    expect(problemsIn({}, `"${'k'.repeat(70)}": 1`)).toEqual([
      `KEY_UNKNOWN 1:1+72 [${'k'.repeat(60)}…] No such key here.`,
    ])
    expect(problemsIn({}, '"\\e[1m": 1')).toEqual(['KEY_UNKNOWN 1:1+7 [\\u{1b}[1m] No such key here.'])
  })

  test('called __proto__ are refused everywhere', () => {
    const words = '[__proto__] `__proto__` cannot be used as a key. | Remove it.'
    expect(problemsIn({ r: z.record(z.string(), z.unknown()) }, 'r: { __proto__: 1, l: [{ __proto__: 2 }] }')).toEqual([
      `KEY_UNKNOWN 1:6+9 ${words}`,
      `KEY_UNKNOWN 1:26+9 ${words}`,
    ])
    expect(problemsIn({}, '__proto__: { __proto__: 1 }')).toEqual([`KEY_UNKNOWN 1:1+9 ${words}`])
  })

  test('get suggestions up to a hundred', () => {
    const text = Array.from({ length: 102 }, (_, index) => `colou${index}: 1`).join('\n')
    const checked = checkUncut(z.strictObject({ colour: z.int().optional() }), documentOf(text))
    const hints = 'problems' in checked ? checked.problems.map(({ hint }) => hint) : []
    expect(hints).toHaveLength(102)
    expect(hints.filter((hint) => hint !== undefined)).toHaveLength(100)
    expect(hints[100]).toBeUndefined()
  })
})
