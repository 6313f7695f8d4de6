import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../core/base/laws.suite.ts'
import { nextTurn } from '../ports/turn.ts'
import { jsonOf } from './json.ts'

async function written(body: unknown): Promise<string> {
  const json = jsonOf(body)
  return typeof json === 'string' ? json : text(json)
}

test('what is written in pieces reads as what is written at once', async () => {
  const entry = fc.oneof(fc.string(), fc.constant(undefined), fc.constant(null), fc.record({ a: fc.string() }))
  const list = fc.array(entry, { maxLength: 3 }).map((few) => Array.from({ length: 501 }, (_, at) => few[at] ?? at))
  const body = fc.dictionary(fc.string(), fc.oneof(entry, list, fc.array(fc.integer())))
  await fc.assert(
    fc.asyncProperty(body, async (one) => {
      expect(await written(one)).toBe(JSON.stringify(one))
    }),
    cases(2_000),
  )
})

test('others get their turn between two pieces of a long list', async () => {
  const writing = { isDone: false, turns: 0 }
  const done = written({ slots: Array.from({ length: 20_000 }, (_, at) => ({ slot: `${at}` })) }).then(
    () => (writing.isDone = true),
  )
  for (; !writing.isDone; writing.turns++) await nextTurn()
  await done
  expect(writing.turns).toBeGreaterThan(20)
})
