import { expect, test } from 'vitest'
import { sourceOf } from '../source.ts'
import { knownCodes, usedCodes } from './codes.ts'

const INDEX = new Set(['KEY_UNKNOWN'])
const source = (text: string) => [sourceOf('src/store/a.ts', text)]

test.each(["f({ code: 'KEY_LOST', message })", "refuse('KEY_LOST', { a })", "this.refuse('KEY_LOST')"])(
  '%s gives a code that is not in the index',
  (text) => {
    expect(knownCodes(INDEX)(source(text))).toEqual(['src/store/a.ts:1 gives KEY_LOST, which is not in src/codes'])
    expect(knownCodes(INDEX)(source(text.replace('LOST', 'UNKNOWN')))).toEqual([])
  },
)

test('a variable of the environment and a test are no use of a code', () => {
  expect(knownCodes(INDEX)(source("cli.env('BERTH_URL')"))).toEqual([])
  expect(knownCodes(INDEX)([sourceOf('src/store/a.test.ts', "refuse('KEY_LOST')")])).toEqual([])
})

test('every code of the index is given by shipped code', () => {
  expect(usedCodes(INDEX)(source("refuse('KEY_UNKNOWN')"))).toEqual([])
  const others = [sourceOf('src/store/a.test.ts', "refuse('KEY_UNKNOWN')"), ...source('const a = { KEY_UNKNOWN: {} }')]
  expect(usedCodes(INDEX)(others)).toEqual(['KEY_UNKNOWN is in src/codes and never given'])
})
