import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { documentOf } from './brief.suite.ts'
import { checkDocument } from './check.ts'
import { textAsWritten } from './traits.ts'

function check(shape: z.ZodRawShape, text: string): unknown {
  return checkDocument(z.strictObject(shape), documentOf(text))
}

describe('a good document', () => {
  test('becomes what the schema describes', () => {
    const shape = { a: z.string(), n: z.number(), l: z.array(z.boolean()), m: z.strictObject({ x: z.null() }) }
    expect(check(shape, 'a: text\nn: 1.5\nl: [true]\nm: { x: ~ }\n')).toEqual({
      value: { a: 'text', n: 1.5, l: [true], m: { x: null } },
    })
  })

  test('hands over texts as written where the schema asks for it', () => {
    const text = textAsWritten()
    const shape = {
      a: text,
      b: text.optional(),
      c: z.array(text),
      d: z.record(z.string(), text),
      e: z.union([z.array(z.int()), text]),
    }
    expect(check(shape, 'a: 12.10\nb: 0x1F\nc: [true, 1e3]\nd: { x: 1.0 }\ne: 007\n')).toEqual({
      value: { a: '12.10', b: '0x1F', c: ['true', '1e3'], d: { x: '1.0' }, e: '007' },
    })
    expect(check({ a: textAsWritten().transform((value) => `<${value}>`) }, 'a: 1.0')).toEqual({
      value: { a: '<1.0>' },
    })
    expect(check({ a: z.number() }, 'a: 12.10')).toEqual({ value: { a: 12.1 } })
  })

  test('may use any name for the entries of a record', () => {
    expect(check({ r: z.record(z.string(), z.int()) }, 'r: { constructor: 1, toString: 2 }')).toEqual({
      value: { r: { constructor: 1, toString: 2 } },
    })
  })
})

describe('the order of problems', () => {
  test('is that of the document', () => {
    const checked = checkDocument(z.strictObject({ a: z.int(), b: z.int() }), documentOf('b: x\na: y\n'))
    expect('problems' in checked && checked.problems.map(({ place }) => place?.line)).toEqual([1, 2])
  })
})
