import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import type { DocNode } from '../../document/document.ts'
import { nodeAt } from '../../document/look-up.ts'
import { asScalar, numberOf, plainKey, textOf, textsIn, unique, valueIn, wordsOf } from './rule.ts'

describe('asScalar', () => {
  test.each([
    ['/models', '/models'],
    ['ghcr.io/acme/vllm:0.22@sha256', 'ghcr.io/acme/vllm:0.22@sha256'],
    ['a', 'a'],
    ['my cluster', '"my cluster"'],
    ['a: b', '"a: b"'],
    ['[x', '"[x"'],
    ['a, b', '"a, b"'],
    ['', '""'],
    ['-x', '"-x"'],
    ['x\ny', '"x\\\\ny"'],
    ['x'.repeat(59), 'x'.repeat(59)],
    ['x'.repeat(60), `"${'x'.repeat(60)}"`],
    ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
  ])('%j can be pasted as %s', (text, written) => expect(asScalar(text)).toBe(written))
})

describe('values', () => {
  test('texts are trimmed, and what is not text is left out', () => {
    expect(textsIn(node('[" a ", "", ~, 3, true, [x], { y: z }]'))).toEqual(['a', '3', 'true'])
    expect(textsIn(node('x'))).toEqual(['x'])
    expect(textsIn(node('{ a: b }'))).toEqual([])
    expect(textsIn(undefined)).toEqual([])
    expect(textOf(node('" "'))).toBeUndefined()
    expect(textOf(node('[a]'))).toBeUndefined()
    expect(textOf(undefined)).toBeUndefined()
  })

  test.each([
    ['4', 4],
    ['"4"', 4],
    ['2.5', 2.5],
    ['4x', undefined],
    ['x4', undefined],
    ['4.', undefined],
    ['-4', undefined],
    ['[4]', undefined],
  ])('%s as a number is %s', (text, number) => expect(numberOf(node(text))).toBe(number))

  test('keys are found whatever their case', () => {
    expect(textOf(valueIn(node('{ GpuCount: 4 }'), 'x gpu_count'))).toBe('4')
    expect(valueIn(node('{ gpu: 4 }'), 'gpu_count')).toBeUndefined()
    expect(valueIn(node('[gpu]'), 'gpu')).toBeUndefined()
    expect(valueIn(undefined, 'gpu')).toBeUndefined()
  })
})

test('words and keys', () => {
  expect(wordsOf('  a\n b  c ')).toEqual(['a', 'b', 'c'])
  expect(wordsOf('')).toEqual([])
  expect(plainKey('Instance-Type_X')).toBe('instancetypex')
  expect(unique(['b', 'a', 'b'])).toEqual(['b', 'a'])
})

function node(text: string): DocNode | undefined {
  const read = readYaml(`value: ${text}`, 'x.yaml')
  return 'document' in read ? nodeAt(read.document, ['value']) : undefined
}
