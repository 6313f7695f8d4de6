import { describe, expect, test } from 'vitest'
import { sourceOf, type Rule } from '../source.ts'
import {
  noAny,
  noBang,
  noDefault,
  noEnum,
  noNamespace,
  noPrefixedInterface,
  provedCasts,
  uniqueTypeNames,
} from './types.ts'

const source = (text: string) => [sourceOf('src/store/a.ts', text)]

test.each<[string, Rule, string, string]>([
  ['any', noAny, 'let a: readonly any[]', "let a = 'any' // any"],
  ['any in brackets', noAny, 'const a = new Map<string, any>()', 'let any: unknown'],
  ['enum', noEnum, 'enum A { B }', "type A = 'b'"],
  ['!', noBang, 'const a = b!.c', 'const a = !b.c'],
  ['! at the end', noBang, 'f(a![0]!)', "f('a!')"],
  ['a namespace', noNamespace, 'declare namespace A {}', "declare module 'fastify' {}"],
  ['an I in front', noPrefixedInterface, 'interface IStore {}', 'interface Item {}'],
])('there is no %s', (_, rule, wrong, right) => {
  expect(rule(source(wrong)).length).toBeGreaterThan(0)
  expect(rule(source(right))).toEqual([])
})

describe('switch', () => {
  test('has no default', () => {
    expect(noDefault(source("switch (a) { case 'one': break; default: break }"))).toEqual([
      'src/store/a.ts:1 is a default',
    ])
    expect(noDefault(source("switch (a) { case 'one': break }"))).toEqual([])
  })

  test('over letters cannot list them all', () => {
    expect(noDefault(source("switch (a) { case '\\n': break; default: break }"))).toEqual([])
  })
})

describe('as', () => {
  test.each([
    'const a = b as C',
    'const a = b as unknown as C',
    "const a = '// proved' as C",
    'const b = 1 // about b\nconst a = b as C',
    'const a = <C>b',
  ])('needs a comment: %s', (text) => {
    expect(provedCasts(source(text)).length).toBeGreaterThan(0)
  })

  test.each([
    'const a = b as C // It was made above.',
    '// It was made above.\nconst a = b as C',
    '/**\n * It was made above.\n */\nconst a = b as C',
    "const a = ['b'] as const",
    "import { b as c } from './b.ts'",
    'export { b as c }',
    "const a = 'as C'",
  ])('is fine: %s', (text) => {
    expect(provedCasts(source(text))).toEqual([])
  })
})

test('the name of an exported type has one meaning', () => {
  const one = sourceOf('src/store/a.ts', 'export interface Row {}')
  for (const text of ['export type Row = 1', 'export class Row {}', 'export interface Row {}']) {
    const wrong = 'src/store/a.ts and src/api/b.ts both export a type Row'
    expect(uniqueTypeNames([one, sourceOf('src/api/b.ts', text)])).toEqual([wrong])
    expect(uniqueTypeNames([one, sourceOf('src/api/b.suite.ts', text)])).toEqual([])
  }
  for (const text of ['interface Row {}', "export type { Row } from '../store/a.ts'", 'export const Row = 1']) {
    expect(uniqueTypeNames([one, sourceOf('src/api/b.ts', text)])).toEqual([])
  }
})
