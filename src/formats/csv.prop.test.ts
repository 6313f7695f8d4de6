import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from './csv.ts'
import { cases } from '../core/base/laws.suite.ts'

const field = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', '"', '\n', '\r'), maxLength: 6 })
const table = fc.integer({ min: 2, max: 5 }).chain((width) => {
  const row = fc.array(field, { minLength: width, maxLength: width })
  return fc.array(row, { minLength: 1, maxLength: 8 })
})
const newline = fc.constantFrom('\n', '\r\n')

function print(rows: readonly (readonly string[])[], newline: string): string {
  return rows.map((row) => row.map(quote).join(',')).join(newline)
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

test('a table printed as CSV reads back the same', () => {
  fc.assert(
    fc.property(table, newline, fc.boolean(), (rows, newline, isClosed) => {
      const read = readCsv(print(rows, newline) + (isClosed ? newline : ''))
      expect([read.header, ...[...read.rows()].map((row) => row.fields)]).toEqual(rows)
      expect([...read.rows()].every((row) => row.fault === undefined)).toBe(true)
    }),
    cases(2000),
  )
})

test('any text is read to its end, line numbers only go up, and none is beyond the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r') }), (text) => {
      let last = 0
      for (const row of readCsv(text).rows()) {
        expect(row.line).toBeGreaterThan(last)
        last = row.line
      }
      expect(last).toBeLessThanOrEqual(text.split('\n').length)
    }),
    cases(2000),
  )
})
