import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { placed, service, workloadOf } from '../keep.suite.ts'
import { FRESH_STATUS } from '../status.ts'
import { readBody, VERSION_PREFIX, writeBody } from './body.ts'
import { checkOf } from './check.ts'
import type { RowFormat } from './format.ts'
import { ROW_FORMATS } from './formats.ts'

/** Once `{ a }`, then `{ b }`, now `{ b, c }`. */
const SCHEMA = z.object({ b: z.number(), c: z.string().optional() })
const FORMAT: RowFormat = {
  version: 3,
  schema: SCHEMA,
  check: checkOf(SCHEMA),
  upgrades: [({ a, ...rest }) => ({ ...rest, b: a }), (body) => ({ ...body, c: 'new' })],
}

describe('a body', () => {
  test('without a version is of the first, and goes through every upgrade', () => {
    expect(readBody('{"a":1}', FORMAT)).toEqual({ kind: 'read', body: { b: 1, c: 'new' } })
    expect(readBody('{"v":1,"a":1}', FORMAT)).toEqual({ kind: 'read', body: { b: 1, c: 'new' } })
  })

  test('goes through the upgrades that come after its own version', () => {
    expect(readBody('{"v":2,"b":2}', FORMAT)).toEqual({ kind: 'read', body: { b: 2, c: 'new' } })
    expect(readBody('{"v":3,"b":2}', FORMAT)).toEqual({ kind: 'read', body: { b: 2 } })
  })

  test('keeps keys that the schema does not know', () => {
    expect(readBody('{"v":3,"b":2,"d":[4]}', FORMAT)).toEqual({ kind: 'read', body: { b: 2, d: [4] } })
  })

  test('of a version that is not known is told from one that cannot be read', () => {
    expect(readBody('{"v":4,"e":true}', FORMAT)).toEqual({ kind: 'newer', version: 4 })
    const damaged = ['', '{"v":3,', 'null', '7', '[]', '{"v":3}', '{"v":"3","b":1}', '{"v":0,"b":1}', '{"v":2.5,"b":1}']
    for (const text of damaged) expect([text, readBody(text, FORMAT)]).toEqual([text, { kind: 'unreadable' }])
  })

  test('whose upgrade fails cannot be read', () => {
    const fails = { ...FORMAT, upgrades: [() => z.never().parse(1), (body: object) => ({ ...body })] }
    expect(readBody('{"a":1}', fails)).toEqual({ kind: 'unreadable' })
  })

  test('is written with its version in front, and without one while there is only the first', () => {
    expect(writeBody({ b: 1 }, FORMAT)).toBe('{"v":3,"b":1}')
    expect(writeBody({}, FORMAT)).toBe('{"v":3}')
    expect(writeBody({ a: 1 }, { version: 1 })).toBe('{"a":1}')
    expect(writeBody({ b: 1 }, FORMAT).startsWith(VERSION_PREFIX)).toBe(true)
  })
})

const WORKLOAD = workloadOf(service(2))
const ROWS = {
  workload: WORKLOAD,
  placement: placed(WORKLOAD, '0', 'running'),
  status: { ...FRESH_STATUS, uid: 'u', generation: 1 },
} as const

describe.each(['workload', 'placement', 'status'] as const)('a row of kind %s', (kind) => {
  const format = ROW_FORMATS[kind]
  const body = ROWS[kind]

  test('comes back as it was written', () => {
    const back = readBody(writeBody(body, format), format)
    expect(back).toEqual({ kind: 'read', body: JSON.parse(JSON.stringify(body)) })
  })

  test.each(Object.keys(JSON.parse(JSON.stringify(body))))('cannot be read where %s is something else', (key) => {
    const text = writeBody({ ...body, [key]: ['nonsense', 7] }, format)
    expect(readBody(text, format)).toEqual({ kind: 'unreadable' })
  })
})
