import { describe, expect, test } from 'vitest'
import type { DocNode } from '../../core/document/document.ts'
import { problemsOf, rootOf } from './yaml.suite.ts'
import { readYaml } from './yaml.ts'

function plain(node: DocNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(plain)
  return node.entries.map(({ key, value }) => [key, plain(value)])
}

describe('a document', () => {
  test('holds file, lines and root', () => {
    const read = readYaml('a: 1\r\nb: 2\n', 'x.yaml')
    expect(read).toMatchObject({ document: { file: 'x.yaml', lines: ['a: 1', 'b: 2', ''], root: { kind: 'map' } } })
  })

  test('keeps values and their texts', () => {
    const root = rootOf('a: x\nb: 12.10\nc: "1"\nd: true\ne: null\nf: 0x1F\ng: yes\nh:\n')
    const scalars = root.kind === 'map' ? root.entries.map(({ value }) => value) : []
    expect(scalars.map((node) => (node.kind === 'scalar' ? [node.value, node.text] : []))).toEqual([
      ['x', 'x'],
      [12.1, '12.10'],
      ['1', '1'],
      [true, 'true'],
      [null, 'null'],
      [31, '0x1F'],
      ['yes', 'yes'],
      [null, ''],
    ])
  })

  test('marks keys, values, lists and maps', () => {
    expect(rootOf('key: value # why\nlist:\n  - one\n  - { a: 1 }\nflow: [1,\n  2]\n')).toEqual({
      kind: 'map',
      at: { line: 1, column: 1, length: 3 },
      entries: [
        {
          key: 'key',
          keyAt: { line: 1, column: 1, length: 3 },
          value: { kind: 'scalar', at: { line: 1, column: 6, length: 5 }, value: 'value', text: 'value' },
        },
        {
          key: 'list',
          keyAt: { line: 2, column: 1, length: 4 },
          value: {
            kind: 'list',
            at: { line: 3, column: 3, length: 1 },
            items: [
              { kind: 'scalar', at: { line: 3, column: 5, length: 3 }, value: 'one', text: 'one' },
              {
                kind: 'map',
                at: { line: 4, column: 5, length: 8 },
                entries: [
                  {
                    key: 'a',
                    keyAt: { line: 4, column: 7, length: 1 },
                    value: { kind: 'scalar', at: { line: 4, column: 10, length: 1 }, value: 1, text: '1' },
                  },
                ],
              },
            ],
          },
        },
        {
          key: 'flow',
          keyAt: { line: 5, column: 1, length: 4 },
          value: {
            kind: 'list',
            at: { line: 5, column: 7, length: 3 },
            items: [
              { kind: 'scalar', at: { line: 5, column: 8, length: 1 }, value: 1, text: '1' },
              { kind: 'scalar', at: { line: 6, column: 3, length: 1 }, value: 2, text: '2' },
            ],
          },
        },
      ],
    })
  })

  test('marks a value that was not written at its key', () => {
    const root = rootOf('a: 1\nempty:\nb: { c, d: }\n')
    expect(root).toMatchObject({
      entries: [
        {},
        { key: 'empty', value: { kind: 'scalar', value: null, text: '', at: { line: 2, column: 1, length: 5 } } },
        {
          value: {
            entries: [
              { key: 'c', value: { value: null, text: '', at: { line: 3, column: 6, length: 1 } } },
              { key: 'd', value: { value: null, text: '', at: { line: 3, column: 9, length: 1 } } },
            ],
          },
        },
      ],
    })
  })

  test('includes the quotes in a mark but not in the text', () => {
    expect(rootOf('a: "x y"')).toMatchObject({ entries: [{ value: { text: 'x y', at: { column: 4, length: 5 } } }] })
  })

  test('ends the mark of text over several lines with the first', () => {
    expect(rootOf('a: |\n  x\n  y\n')).toMatchObject({
      entries: [{ value: { text: 'x\ny\n', at: { line: 1, column: 4, length: 1 } } }],
    })
    expect(rootOf('a: one\n  two\n')).toMatchObject({
      entries: [{ value: { text: 'one two', at: { line: 1, column: 4, length: 3 } } }],
    })
  })

  test('takes JSON', () => {
    expect(plain(rootOf('{"a": [1, true, null, "x"], "b": {}}'))).toEqual([
      ['a', [1, true, null, 'x']],
      ['b', []],
    ])
  })

  test('takes a byte order mark, and one document between marks', () => {
    expect(plain(rootOf('\ufeffa: 1\n'))).toEqual([['a', 1]])
    expect(rootOf(new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x3a, 0x20, 0x31]))).toMatchObject({
      entries: [{ keyAt: { column: 1 } }],
    })
    expect(plain(rootOf('---\na: 1\n...\n'))).toEqual([['a', 1]])
  })

  test('has only text for keys', () => {
    expect(plain(rootOf('8000: a\ntrue: b\n"": c\n~: d\n'))).toEqual([
      ['8000', 'a'],
      ['true', 'b'],
      ['', 'c'],
      ['~', 'd'],
    ])
  })

  test('knows a pair in a list as a map with one key', () => {
    expect(rootOf('a: [b: 1]')).toMatchObject({
      entries: [{ value: { items: [{ kind: 'map', at: { column: 5, length: 4 }, entries: [{ key: 'b' }] }] } }],
    })
  })

  test('does not give keys such as __proto__ a meaning', () => {
    const root = rootOf('__proto__: { polluted: 1 }\nconstructor: x\n')
    expect(root.kind === 'map' && root.entries.map(({ key }) => key)).toEqual(['__proto__', 'constructor'])
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('keeps numbers as text that cannot be held exactly', () => {
    const texts = ['1e400', '-1e400', '9007199254740993', '99999999999999999999', '.inf', '-.inf', '.nan']
    expect(plain(rootOf(`a: [${texts.join(', ')}]`))).toEqual([['a', texts]])
    expect(plain(rootOf('a: [9007199254740991, -9007199254740991, 1e3, 0.5]'))).toEqual([
      ['a', [9007199254740991, -9007199254740991, 1000, 0.5]],
    ])
  })
})

describe('keys', () => {
  test('given twice are refused, each time', () => {
    expect(problemsOf('a: 1\nb: { c: 1, c: 2, c: 3 }\na: 2\n')).toEqual([
      {
        code: 'KEY_DUPLICATE',
        message: 'The key is already used on line 2.',
        found: 'c',
        hint: 'Keep one of the two.',
        place: { file: 'f.yaml', line: 2, column: 12, length: 1 },
      },
      expect.objectContaining({
        message: 'The key is already used on line 2.',
        place: { file: 'f.yaml', line: 2, column: 18, length: 1 },
      }),
      expect.objectContaining({
        message: 'The key is already used on line 1.',
        place: { file: 'f.yaml', line: 3, column: 1, length: 1 },
      }),
    ])
  })

  test('are compared by what they say, not how they are quoted', () => {
    expect(problemsOf('a: 1\n"a": 2\n')).toMatchObject([{ code: 'KEY_DUPLICATE' }])
  })

  test('may be the same in different maps', () => {
    expect(problemsOf('a: { x: 1 }\nb: { x: 1 }\n')).toEqual([])
  })

  test('merge keys are refused', () => {
    expect(problemsOf('a:\n  <<: { b: 1 }\n')).toEqual([
      {
        code: 'YAML_ALIAS',
        message: 'Merge keys are not allowed.',
        found: '<<',
        hint: 'Write the keys wherever they are needed.',
        place: { file: 'f.yaml', line: 2, column: 3, length: 2 },
      },
    ])
  })
})

describe('problems', () => {
  test('come with the line they stand on', () => {
    expect(readYaml('a: 1\nb: [\n', 'f')).toMatchObject({ problems: [{ sourceLine: 'b: [' }] })
  })

  test('come in the order of the lines, and not without end', () => {
    const read = readYaml('b: { x: 1 }\na: { y: 1, y: 2 }\nb: 1\n', 'f')
    expect('problems' in read && read.problems.map(({ place }) => place?.line)).toEqual([2, 3])
    expect(problemsOf('a: 1\n'.repeat(200))).toHaveLength(101)
  })
})
