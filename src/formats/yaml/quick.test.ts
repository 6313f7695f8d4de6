import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sourceOf } from '../source.ts'
import { quickDocument } from './quick.ts'
import { readCarefully } from './yaml.ts'

const EXAMPLES = readdirSync('examples', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.yaml'))
  .map((path) => readFileSync(`examples/${path}`, 'utf8'))
  .filter((text) => text.length < 4000)

/** Whether the quick reader answered; then both must have, and the same. */
function compare(text: string): boolean {
  const source = sourceOf(text, 'f')
  const quick = quickDocument(source)
  if (quick === undefined) return false
  expect({ text, document: quick }).toEqual({ text, ...readCarefully(source) })
  return true
}

describe('the quick reader', () => {
  test('answers for most manifests, and as the careful one does', () => {
    const answered = EXAMPLES.filter(compare).length
    expect(EXAMPLES.length).toBeGreaterThan(10)
    expect(answered / EXAMPLES.length).toBeGreaterThan(0.6)
  })

  test.each([
    ['a: 1\nb:\n  c: [x, { d: "e f" }, -m, --port]\n  g: {}\n'],
    ['a:\n- b\n- c: 1\n  d:\n    - e\n\n# comment\nf: http://x:8000/y # more\n'],
    ["a: 'it is'\nb: 10.0.0.1\nc: 80Gi\nd: true\ne: a=b c:d $(x)\n"],
  ])('answers %j', (text) => {
    expect(compare(text)).toBe(true)
  })

  test.each([
    ['something that goes on below its line', 'a: b\n  c\n'],
    ['a block of text', 'a: |\n  b\n'],
    ['a key that is given twice', 'a: 1\na: 2\n'],
    ['a key that is given twice in braces', 'a: { b: 1, b: 2 }\n'],
    ['what YAML takes for nothing', 'a: null\n'],
    ['a value that is not there', 'a:\nb: 1\n'],
    ['numbers of other kinds', 'a: 0x10\n'],
    ['escapes', 'a: "\\n"\n'],
    ['quotes in quotes', "a: 'b''c'\n"],
    ['anchors', 'a: &b c\n'],
    ['several documents', 'a: 1\n---\nb: 2\n'],
    ['a list at the top', '- a\n'],
    ['tabs', 'a:\tb\n'],
    ['letters that are not ASCII', 'a: é\n'],
    ['nothing', ''],
    ['a depth that nobody writes', Array.from({ length: 40 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')],
    ['brackets that go on and on', `a: ${'['.repeat(40)}b${']'.repeat(40)}\n`],
  ])('leaves %s to the careful one', (_, text) => {
    expect(quickDocument(sourceOf(text, 'f'))).toBeUndefined()
  })

  test('answers the same or not at all, whatever is done to a manifest', () => {
    const bits = [' ', '  ', '\n', '\n  ', '- ', '-', ':', ': ', '#', ' #', ',', '{', '}', '[', ']', '"', "'", '\\', '~', 'null', '1', '.5', '1e3', '|', '&a', '!x', '? ', '<<: ', 'é', '\t', '---', '"a" b', "''", '--a', '-1', 'a: b', '  \n'] // prettier-ignore
    let state = 7
    const below = (limit: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return Math.floor((state / 2 ** 32) * limit)
    }
    let answered = 0
    for (let round = 0; round < 3000; round++) {
      let text = EXAMPLES[below(EXAMPLES.length)] ?? ''
      for (let change = below(3); change >= 0; change--) {
        const at = below(text.length + 1)
        text = text.slice(0, at) + (below(4) === 0 ? '' : (bits[below(bits.length)] ?? '')) + text.slice(at + below(3))
      }
      if (compare(text)) answered++
    }
    expect(answered).toBeGreaterThan(200)
  })
})
