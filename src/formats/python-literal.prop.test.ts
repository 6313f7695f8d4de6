import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Literal } from './python-literal.ts'
import { parseLiteral } from './python-literal.ts'
import { cases } from '../core/base/laws.suite.ts'

const json = fc.jsonValue({ maxDepth: 4 })

function plain(value: Literal | undefined): unknown {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]))
  }
  return Array.isArray(value) ? value.map(plain) : value
}

/** As Python prints it. */
function repr(value: unknown): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${quote(key)}: ${repr(inner)}`)
      .join(', ')}}`
  }
  return String(value)
}

function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')
  return `'${escaped}'`
}

test('everything JSON can say is read, in the words of JSON and of Python', () => {
  fc.assert(
    fc.property(json, (value) => {
      // JSON knows no minus zero; the way through text takes it out.
      const expected: unknown = JSON.parse(JSON.stringify(value))
      expect(plain(parseLiteral(JSON.stringify(value)))).toEqual(expected)
      expect(plain(parseLiteral(repr(expected)))).toEqual(expected)
    }),
    cases(2000),
  )
})

test('no text makes it throw', () => {
  const fragment = fc.constantFrom('{', '}', '[', ']', '(', ')', ',', ':', "'", '"', '\\', 'x', 'u12', '1', 'None', ' ')
  const text = fc.oneof(
    fc.string(),
    fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, (t) => {
      parseLiteral(t)
    }),
    cases(5000),
  )
})
