import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Secret } from '../ports/secret.ts'
import { scrubber } from './scrubber.ts'

function knowing(...values: readonly string[]) {
  const known = scrubber()
  for (const value of values) known.learn(new Secret(value))
  return known
}

const VALUE = 'p@ss wörd/+"1'

describe('a scrubber', () => {
  test.each<[string, string]>([
    ['as it is', VALUE],
    ['inside JSON', JSON.stringify({ a: VALUE }).slice(6, -2)],
    ['in an address', encodeURIComponent(VALUE)],
    ['in an address, small', encodeURIComponent(VALUE).replace(/%../g, (sign) => sign.toLowerCase())],
    ['in a form', new URLSearchParams({ a: VALUE }).toString().slice(2)],
    ['in Base64', Buffer.from(VALUE).toString('base64')],
    ['in Base64 for addresses', Buffer.from(VALUE).toString('base64url')],
    ['in hexadecimal digits', Buffer.from(VALUE).toString('hex')],
    ['in large hexadecimal digits', Buffer.from(VALUE).toString('hex').toUpperCase()],
  ])('hides a value %s', (_, form) => {
    const text = knowing(VALUE).scrub(`before ${form} after`)
    expect(text).toMatch(/^before \*\*\*=* after$/)
  })

  test('hides a value inside a longer Base64 text, wherever it begins', () => {
    for (const user of ['', 'a', 'ab', 'abc', 'abcd']) {
      const header = Buffer.from(`${user}:${VALUE}:tail`).toString('base64')
      const text = knowing(VALUE).scrub(`Authorization: Basic ${header}`)
      expect(text).toContain('***')
      expect(Buffer.from(text.split(' ')[2] ?? '', 'base64').toString()).not.toContain('wörd')
    }
  })

  test('hides the lines of a value that has several', () => {
    const pem = '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----\n'
    const text = knowing(pem).scrub(`1 MIIEvQIBADANBgkq\n2 hkiG9w0BAQEFAASC\n${pem}`)
    expect(text).not.toContain('MIIE')
    expect(text).not.toContain('hkiG')
  })

  test('hides every value, every time, also where they overlap', () => {
    expect(knowing('abcd', 'cdef').scrub('abcdef abcd-cdef abcdabcd')).toBe('*** ***-*** ******')
    expect(knowing('token', 'token-long').scrub('token-long token')).toBe('*** ***')
  })

  test('leaves text alone that holds none', () => {
    expect(knowing(VALUE).scrub('nothing to see')).toBe('nothing to see')
    expect(scrubber().scrub(VALUE)).toBe(VALUE)
  })

  test('does not hide values under four characters: they are everywhere', () => {
    expect(knowing('abc', '1', '').scrub('abc 1 2')).toBe('abc 1 2')
  })

  test('lets no known value through, whatever stands around it', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 12 })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.array(fc.string()), (values, situation) => {
        const text = situation.flatMap((one, at) => [one, values[at % values.length] ?? '']).join('')
        const clean = knowing(...values).scrub(text)
        // The stars themselves may complete a value that is made of stars.
        for (const one of values) if (!one.includes('*')) expect(clean.split('***').join('\n')).not.toContain(one)
      }),
    )
  })

  test('is quick with many values', () => {
    const known = knowing(...Array.from({ length: 2000 }, (_, at) => `secret-number-${at}-of-many`))
    const line = `${'nothing to see here '.repeat(50)}secret-number-1999-of-many`
    expect(known.scrub(line).endsWith('***')).toBe(true)
  })
})
