import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fingerprint } from './hash.ts'

function ofText(...texts: readonly string[]): string {
  const print = fingerprint()
  for (const text of texts) print.text(text)
  return print.digest()
}

function ofWords(...words: readonly number[]): string {
  const print = fingerprint()
  print.words(Uint32Array.from(words))
  return print.digest()
}

describe('a fingerprint', () => {
  test('is the same on every machine and in every version', () => {
    expect(fingerprint().digest()).toBe('811da1ab9e33715d')
    expect(ofText('berth')).toBe('35f2566abf1a1f9e')
    expect(ofWords(1, 2, 3)).toBe('56cf5bf1362fba7f')
    expect(ofWords(0xffff_ffff)).toBe('f9f2f026a8b3f499')
  })

  test('has sixteen hexadecimal digits', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(ofText(text)).toMatch(/^[0-9a-f]{16}$/)
      }),
    )
  })

  test('does not change by being read', () => {
    const print = fingerprint()
    print.text('a')
    const once = print.digest()
    expect(print.digest()).toBe(once)
  })

  test('distinguishes texts that are equal when joined', () => {
    const prints = [ofText('ab', 'c'), ofText('a', 'bc'), ofText('abc'), ofText('abc', ''), ofText('cab')]
    expect(new Set(prints).size).toBe(prints.length)
  })

  test('distinguishes words by value and by place', () => {
    const prints = [ofWords(), ofWords(0), ofWords(0, 0), ofWords(1), ofWords(1, 2), ofWords(2, 1), ofWords(2 ** 31)]
    expect(new Set(prints).size).toBe(prints.length)
  })
})
