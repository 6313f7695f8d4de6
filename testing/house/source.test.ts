import { describe, expect, test } from 'vitest'
import { functionsOf, importsOf, parametersOf, sourceOf, type SourceFile } from './source.suite.ts'

/** A source file with this text. */
function source(text: string): SourceFile {
  return sourceOf('src/core/x.ts', text)
}

describe('what the house rules look at', () => {
  test('is code, not what stands in strings, comments and regular expressions', () => {
    const { code } = source(
      "const a = 'any' // any\nconst b = `any ${1}`\n/* any\nany */ const c = /any/g\nlet d: any\n",
    )
    expect(code.match(/any/g)).toHaveLength(1)
    expect(code.split('\n')[4]).toBe('let d: any')
  })

  test('a division is no regular expression', () => {
    expect(source('const a = b / any / c').code).toContain('any')
  })

  test('every kind of import', () => {
    const text =
      "import { a } from './a.ts'\nimport type {\n  B,\n} from '../b.ts'\nexport { c } from './c.ts'\nimport 'd'\nawait import('node:e')\n"
    expect(importsOf(source(text))).toEqual(['./a.ts', '../b.ts', './c.ts', 'd', 'node:e'])
  })

  test('the length of functions, of whichever form', () => {
    const body = '  x()\n'.repeat(60)
    const texts = [
      `function a() {\n${body}}\n`,
      `export const a = (b: string) => {\n${body}}\n`,
      `export function a(\n  b: string,\n): void {\n${body}}\n`,
      `const o = {\n  check(a, b) {\n${body}  },\n}\n`,
    ]
    expect(texts.map((text) => functionsOf(source(text))[0]?.lines)).toEqual([62, 62, 64, 62])
  })

  test('what is no function is not measured', () => {
    expect(functionsOf(source('const a = {\n  b: 1,\n}\nif (x) {\n  y()\n}\n'))).toEqual([])
  })

  test('the number of parameters', () => {
    const counts = (text: string): readonly number[] => parametersOf(source(text)).map(({ count }) => count)
    expect(counts('function a(): void {\n}')).toEqual([0])
    expect(counts('function a(b: Map<string, number>, { c, d }: E, f = [1, 2]) {\n}')).toEqual([3])
    expect(counts('function a(\n  b: string,\n  c: string,\n  d: string,\n  e: string,\n) {\n}')).toEqual([4])
    expect(counts('const a = (b, c, d, e) => b')).toEqual([4])
    expect(counts('const a = (b: (x: number) => void, c: string): void => b')).toContain(2)
    expect(counts('const o = {\n  check(a, b, c, d) {\n  },\n}')).toEqual([4])
  })
})
