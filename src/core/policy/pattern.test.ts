import { describe, expect, test } from 'vitest'
import { fitsPattern } from './pattern.ts'

describe('a pattern', () => {
  test.each([
    ['eu-north1', 'eu-north1'],
    ['eu-*', 'eu-north1'],
    ['eu-*', 'eu-'],
    ['*-1', 'us-east-1'],
    ['*', ''],
    ['*', 'anything'],
    ['**', 'anything'],
    ['a*c', 'ac'],
    ['a*c', 'abcbc'],
    ['*b*', 'abc'],
    ['gpu-*-8x*', 'gpu-h100-8x-128'],
    ['a*ab*b', 'aababb'],
    ['EU-*', 'eu-north1'],
    ['eu-*', 'EU-NORTH1'],
    ['', ''],
    ['a.c', 'a.c'],
  ])('%s fits %s', (pattern, text) => {
    expect(fitsPattern(pattern, text)).toBe(true)
  })

  test.each([
    ['eu-north1', 'eu-north2'],
    ['eu-north1', 'eu-north11'],
    ['eu-*', 'us-east'],
    ['*-1', 'us-east-2'],
    ['*-1', 'us-east-11'],
    ['a*a', 'a'],
    ['ab*ba', 'aba'],
    ['a*b*c', 'acb'],
    ['a*bb*b', 'abb'],
    ['', 'a'],
    ['a.c', 'abc'],
  ])('%s does not fit %s', (pattern, text) => {
    expect(fitsPattern(pattern, text)).toBe(false)
  })
})
