import { describe, expect, test } from 'vitest'
import { packageOf, referencesOf, sourceOf, type Source } from './source.ts'

/** A source file with this text. */
function source(text: string): Source {
  return sourceOf('src/core/base/x.ts', text)
}

describe('what the house rules look at', () => {
  test('every kind of import, in order, with its line', () => {
    const text = [
      "import { a } from './a.ts'",
      "import type {\n  B,\n} from '../b.ts'",
      "export { c } from './c.ts'",
      "export * from './d.ts'",
      "import 'e'",
      "await import('node:f')",
      "type G = import('./g.ts').G",
    ].join('\n')
    expect(source(text).imports).toEqual([
      { written: './a.ts', target: 'src/core/base/a.ts', line: 1 },
      { written: '../b.ts', target: 'src/core/b.ts', line: 4 },
      { written: './c.ts', target: 'src/core/base/c.ts', line: 5 },
      { written: './d.ts', target: 'src/core/base/d.ts', line: 6 },
      { written: 'e', target: undefined, line: 7 },
      { written: 'node:f', target: undefined, line: 8 },
      { written: './g.ts', target: 'src/core/base/g.ts', line: 9 },
    ])
  })

  test('imports in strings and comments are none', () => {
    expect(source("const a = \"import './a.ts'\" // import './b.ts'").imports).toEqual([])
  })

  test('comments, with the lines they stand on', () => {
    const text = "/** One.\n * Two. */\nconst a = '// none' // three → 3\n  // four\n"
    expect(source(text).comments).toEqual([
      { text: '* One.\n * Two. ', line: 1, lastLine: 2, isAlone: true },
      { text: ' three → 3', line: 3, lastLine: 3, isAlone: false },
      { text: ' four', line: 4, lastLine: 4, isAlone: true },
    ])
  })

  test('names that are looked up, neither keys nor members', () => {
    const text = 'a.b; ({ c: d, e }); class F { g = h; i() {} }; interface J { k: L; m(): void }; n[o]'
    expect(referencesOf(source(text)).map(({ name }) => name)).toEqual(['a', 'd', 'e', 'F', 'h', 'J', 'L', 'n', 'o'])
  })

  test('lines are counted in letters, whatever the letters are', () => {
    const found = source("const a = '→ é 🚢'\nlet b: any\n")
    expect(found.nodes('TSAnyKeyword').map(({ start }) => found.lineAt(start))).toEqual([2])
  })

  test('what is shipped: neither tests nor what they lean on, and nothing outside src', () => {
    const paths = ['src/a/x.ts', 'src/a/x.test.ts', 'src/a/x.suite.ts', 'testing/a/x.ts']
    expect(paths.map((path) => sourceOf(path, '').isShipped)).toEqual([true, false, false, false])
  })

  test('a file that cannot be parsed is named', () => {
    expect(() => source('const = 1')).toThrow('src/core/base/x.ts cannot be parsed')
  })

  test('packages by their name', () => {
    expect(['zod', 'yaml/inside', '@a/b/c', 'node:fs'].map(packageOf)).toEqual(['zod', 'yaml', '@a/b', 'node:fs'])
  })
})
