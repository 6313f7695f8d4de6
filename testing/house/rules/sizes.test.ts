import { describe, expect, test } from 'vitest'
import { sourceOf } from '../source.ts'
import { fileLength, functionLength, parameterCount } from './sizes.ts'

const source = (text: string) => [sourceOf('src/store/a.ts', text)]

test('a file has 400 lines at most', () => {
  expect(fileLength(source('a()\n'.repeat(400)))).toEqual([])
  expect(fileLength(source('a()\n'.repeat(401)))).toEqual(['src/store/a.ts has 401 lines'])
})

describe('a function has 60 lines at most', () => {
  const body = (lines: number): string => '  x()\n'.repeat(lines)

  test.each([
    (lines: number) => `function a() {\n${body(lines)}}\n`,
    (lines: number) => `export const a = (b: string) => {\n${body(lines)}}\n`,
    (lines: number) => `const o = {\n  check(a, b) {\n${body(lines)}  },\n}\n`,
    (lines: number) => `class A {\n  check(a, b) {\n${body(lines)}  }\n}\n`,
    (lines: number) => `class A {\n  constructor() {\n${body(lines)}}}\n`,
    // Indentation does not matter.
    (lines: number) => `    function a() {\n${body(lines)}  }\n`,
  ])('in the form of %s', (written) => {
    expect(functionLength(source(written(58)))).toEqual([])
    expect(functionLength(source(written(60)))).toHaveLength(1)
  })

  test('a list of values is none, and the blocks of a test are left out', () => {
    expect(functionLength(source(`const a = [\n${'  1,\n'.repeat(80)}]`))).toEqual([])
    expect(functionLength([sourceOf('src/store/a.test.ts', `test(() => {\n${body(80)}})`)])).toEqual([])
  })
})

test.each([
  'function a(b: string, c: string, d: string, e: string) {}',
  'const a = (b, c, d, e) => b',
  'const o = { check(a, b, c, d) {} }',
  'class A { constructor(a, b, c, d) {} }',
  'interface A { check(a: 1, b: 2, c: 3, d: 4): void }',
  'type A = (a: 1, b: 2, c: 3, d: 4) => void',
])('%s takes too many', (text) => {
  expect(parameterCount(source(text))).toEqual(['src/store/a.ts:1 takes 4 parameters'])
})

test('three parameters are fine, whatever is inside them', () => {
  expect(parameterCount(source('function a(b: Map<string, number>, { c, d }: E, f = [1, 2, 3, 4]) {}'))).toEqual([])
  expect(parameterCount(source('a(1, 2, 3, 4, 5)'))).toEqual([])
})
