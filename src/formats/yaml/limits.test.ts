import { describe, expect, test } from 'vitest'
import { problemsOf } from './yaml.suite.ts'

const KB = 1024

describe('limits', () => {
  test('256 KB are read and one byte more is not', () => {
    const text = `a: ${'x'.repeat(256 * KB - 3)}`
    expect(problemsOf(text)).toEqual([])
    expect(problemsOf(Buffer.from(text))).toEqual([])
    for (const input of [`${text}x`, Buffer.from(`${text}x`)]) {
      expect(problemsOf(input)).toEqual([
        {
          code: 'YAML_TOO_LARGE',
          message: 'The file is too large: over 256 KB, or over 65,536 tokens.',
          hint: 'Put models and data in storage, and scripts in the image.',
          place: { file: 'f.yaml', line: 1, column: 1, length: 1 },
        },
      ])
    }
  })

  test('size counts bytes, not characters', () => {
    expect(problemsOf(`a: ${'é'.repeat(128 * KB - 1)}`)).toMatchObject([{ code: 'YAML_TOO_LARGE' }])
    expect(problemsOf(`a: ${'é'.repeat(128 * KB - 2)}`)).toEqual([])
  })

  test('65,536 words and signs are read and one more is not', () => {
    // Each comment and each line end is one; a key with its value and the signs around them are eight.
    const lines = '#\n'.repeat(32_764)
    expect(problemsOf(`${lines}a: b\n`)).toEqual([])
    expect(problemsOf(`${lines}\na: b\n`)).toMatchObject([{ code: 'YAML_TOO_LARGE', place: { line: 32_766 } }])
  })

  test('lists and maps go 32 deep and not 33', () => {
    const nested = (depth: number) => `a: ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`
    expect(problemsOf(nested(32))).toEqual([])
    expect(problemsOf(nested(33))).toEqual([
      {
        code: 'YAML_TOO_DEEP',
        message: 'Lists and maps are nested more than 32 levels deep.',
        hint: 'Look for brackets that are opened repeatedly, or for indentation that keeps growing.',
        place: { file: 'f.yaml', line: 1, column: 35, length: 1 },
      },
    ])
    expect(problemsOf(nested(32).replace('[]', '[x]'))).toEqual([])
  })

  test('indentation goes 32 deep and not 33', () => {
    const nested = (depth: number) => Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:`).join('\n')
    expect(problemsOf(`${nested(32)} x`)).toEqual([])
    expect(problemsOf(nested(33))).toMatchObject([{ code: 'YAML_TOO_DEEP', place: { line: 33 } }])
  })

  test.each(['[', '{', '- ', '? ', '{"a":', '[a: ', ': ', '[\n', '{a: '])(
    '%j again and again is refused, not followed',
    (open) => {
      expect(problemsOf(open.repeat(Math.floor((256 * KB) / open.length)))).toHaveLength(1)
    },
  )

  test.each([
    ['&x 1', 4],
    ['*x', 2],
  ])('an anchor or alias is refused: %s', (text, length) => {
    expect(problemsOf(`a: ${text}`)).toEqual([
      {
        code: 'YAML_ALIAS',
        message: 'Anchors and aliases are not allowed.',
        hint: 'Write the value itself. If it is text, put it in quotes.',
        place: { file: 'f.yaml', line: 1, column: 4, length: Math.min(length, 2) },
      },
    ])
  })

  test('signs of aliases and tags inside quotes and text are only text', () => {
    expect(problemsOf('a: "&x *y !z"\nb: x&y*z!\nc: |\n  &x\n  *y\n  !z\n# &x *y\n')).toEqual([])
  })

  test.each(['!!binary x', '!x y', '!x'])('a tag is refused: %s', (text) => {
    expect(problemsOf(`a: ${text}`)).toMatchObject([
      {
        code: 'YAML_TAG',
        message: 'Tags and directives are not allowed.',
        hint: 'Remove it. If it is text, put it in quotes.',
        place: { line: 1, column: 4 },
      },
    ])
  })

  test('a directive is refused', () => {
    expect(problemsOf('%YAML 1.1\n---\na: 1\n')).toMatchObject([
      { code: 'YAML_TAG', place: { line: 1, column: 1, length: 9 } },
    ])
  })

  test('a second document is refused', () => {
    expect(problemsOf('a: 1\n---\nb: 2\n')).toMatchObject([
      {
        code: 'YAML_MANY_DOCUMENTS',
        message: 'A second document starts here.',
        hint: 'Put each document into its own file.',
        place: { line: 2, column: 1, length: 1 },
      },
    ])
  })

  test.each(['', '\n\n', '# only this\n', '---\n', '   ', '\ufeff'])('%j is empty', (text) => {
    expect(problemsOf(text)).toEqual([
      {
        code: 'YAML_EMPTY',
        message: 'The file has no content.',
        hint: 'A manifest starts with: berth: v1',
        place: { file: 'f.yaml', line: 1, column: 1, length: 1 },
      },
    ])
  })

  test.each([
    ['- a', 'a list', 1],
    ['text here', 'text', 9],
    ['"text"', 'text', 6],
    ['null', 'text', 4],
  ])('%j is not a map', (text, found, length) => {
    expect(problemsOf(text)).toEqual([
      {
        code: 'VALUE_TYPE',
        message: `Expected a map of keys and values, found ${found}.`,
        hint: 'A file starts with a key, such as: berth: v1',
        place: { file: 'f.yaml', line: 1, column: 1, length },
      },
    ])
  })
})

describe('encoding', () => {
  const words = {
    code: 'YAML_ENCODING',
    message: 'This is not valid UTF-8 text.',
    hint: 'Save the file as UTF-8, without control characters.',
  }

  test('bad bytes are refused where they stand', () => {
    expect(problemsOf(Buffer.from('a: 1\nb: caf\xe9\n', 'latin1'))).toEqual([
      { ...words, place: { file: 'f.yaml', line: 2, column: 7, length: 1 } },
    ])
    expect(problemsOf(Buffer.from('a: 1', 'utf16le'))).toMatchObject([words])
  })

  test('half of a character is refused', () => {
    expect(problemsOf('a: \ud800')).toMatchObject([{ ...words, place: { line: 1, column: 4 } }])
  })

  test.each(['\u0000', '\u0002', '\u0007', '\u000b', '\u0018', '\u001b', '\u001f', '\u007f', '\u009f', '\ufffe', '\r'])(
    'control character %j is refused where it stands',
    (character) => {
      expect(problemsOf(`a: 1\nb: ${character}x`)).toEqual([
        { ...words, place: { file: 'f.yaml', line: 2, column: 4, length: 1 } },
      ])
    },
  )

  test.each(['\t', '\u0085', '\u00a0', '\u2028', '😀', '\ufffd'])('%j is text', (character) => {
    expect(problemsOf(`a: "x${character}x"`)).toEqual([])
  })
})
