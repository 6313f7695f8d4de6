import { describe, expect, test } from 'vitest'
import type { Literal } from './python-literal.ts'
import { LITERAL_CHARS_MAX, LITERAL_DEPTH_MAX, parseLiteral } from './python-literal.ts'

/** Maps as plain entries, so that tests can be read. */
function plain(value: Literal | undefined): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]))
  return Array.isArray(value) ? value.map(plain) : value
}

const list = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

const read = (text: string) => plain(parseLiteral(text))

describe('a literal', () => {
  test('is a dict of Python, of JSON, or of both at once', () => {
    const value = { Gpus: [{ Name: 'L4', Manufacturer: null, Count: 1, MemoryInfo: { SizeInMiB: 24 } }] }
    expect(
      read("{'Gpus': [{'Name': 'L4', 'Manufacturer': None, 'Count': 1, 'MemoryInfo': {'SizeInMiB': 24}}]}"),
    ).toEqual(value)
    expect(read('{"Gpus":[{"Name":"L4","Manufacturer":null,"Count":1,"MemoryInfo":{"SizeInMiB":24}}]}')).toEqual(value)
    expect(
      read("{'Gpus': [{'Name': 'L4', 'Manufacturer': null, 'Count': 1, 'MemoryInfo': {'SizeInMiB': 24}}]}"),
    ).toEqual(value)
  })

  test('is a word of either language', () => {
    expect(['None', 'null', 'True', 'true', 'False', 'false'].map(read)).toEqual([null, null, true, true, false, false])
  })

  test('is a number', () => {
    expect(['0', '-1', '+2', '1.5', '.5', '2.', '1e3', '1E-2', '-2.5e+1'].map(read)).toEqual([
      0, -1, 2, 1.5, 0.5, 2, 1000, 0.01, -25,
    ])
  })

  test('is a list or a tuple, with or without a last comma', () => {
    expect(read('[]')).toEqual([])
    expect(read('()')).toEqual([])
    expect(read('{}')).toEqual({})
    expect(read('[1, 2,]')).toEqual([1, 2])
    expect(read('(1, "a")')).toEqual([1, 'a'])
    expect(read("{'a': 1,}")).toEqual({ a: 1 })
    expect(read(' [ 1 ,\n\t2\r] ')).toEqual([1, 2])
  })

  test('is a string in either quote', () => {
    expect(read(`'it"s'`)).toBe('it"s')
    expect(read(`"it's"`)).toBe("it's")
    expect(read('""')).toBe('')
  })

  test('has escapes', () => {
    expect(read(String.raw`'\n\t\r\b\f\/\\\'\"'`)).toBe('\n\t\r\b\f/\\\'"')
    expect(read(String.raw`'\x41\u00e9\U0001F600'`)).toBe('Aé😀')
  })

  test('has keys of text or numbers; the last of two equal ones counts', () => {
    expect(read("{1: 'a', 'b': 2}")).toEqual({ 1: 'a', b: 2 })
    expect(read("{'a': 1, 'a': 2}")).toEqual({ a: 2 })
  })

  test('keeps dangerous keys as what they are', () => {
    const value = parseLiteral("{'__proto__': {'polluted': True}, 'constructor': 1}")
    expect(value instanceof Map ? [...value.keys()] : value).toEqual(['__proto__', 'constructor'])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe('no literal', () => {
  test.each([
    ['nothing', ''],
    ['blanks', '  '],
    ['a bare word', 'V100'],
    ['a call', "__import__('os')"],
    ['two values', '1 2'],
    ['an open list', '[1'],
    ['an open dict', "{'a': 1"],
    ['an open string', "'a"],
    ['a string over two lines', "'a\nb'"],
    ['a missing colon', "{'a' 1}"],
    ['a missing value', "{'a': }"],
    ['a missing comma', '[1 2]'],
    ['a missing comma in a dict', "{'a': 1 'b': 2}"],
    ['two commas', '[1,,2]'],
    ['a leading comma', '[,1]'],
    ['a wrong bracket', '[1)'],
    ['a list as a key', '{[1]: 2}'],
    ['a word as a key', '{None: 2}'],
    ['no number', '1.2.3'],
    ['a sign alone', '-'],
    ['infinity', '1e999'],
    ['nan', 'nan'],
    ['an unknown escape', String.raw`'\q'`],
    ['an escape at the end', "'\\"],
    ['a short escape', String.raw`'\x4'`],
    ['an escape that is no number', String.raw`'\u00zz'`],
    ['a character that does not exist', String.raw`'\U00110000'`],
  ])('is %s', (_, text) => {
    expect(parseLiteral(text)).toBeUndefined()
  })

  test('is a text that is too long or too deep', () => {
    expect(parseLiteral(list(LITERAL_DEPTH_MAX + 1))).toBeDefined()
    expect(parseLiteral(list(LITERAL_DEPTH_MAX + 2))).toBeUndefined()
    expect(parseLiteral(list(30_000))).toBeUndefined()
    expect(parseLiteral("{'a':".repeat(30) + '1' + '}'.repeat(30))).toBeUndefined()
    expect(parseLiteral(`'${'a'.repeat(LITERAL_CHARS_MAX - 2)}'`)).toBeDefined()
    expect(parseLiteral(`'${'a'.repeat(LITERAL_CHARS_MAX - 1)}'`)).toBeUndefined()
  })
})
