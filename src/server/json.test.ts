import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../core/base/laws.suite.ts'
import { costliestTurnMs } from '../core/base/cpu.suite.ts'
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

test('a long list holds up nobody', async () => {
  const slots = Array.from({ length: 20_000 }, (_, at) => ({ slot: `${at}`, phases: Array(20).fill('running') }))
  await written({ slots })
  const wholeMs = await costliestTurnMs(Promise.resolve().then(() => JSON.stringify({ slots })))
  expect(await costliestTurnMs(written({ slots }))).toBeLessThan(wholeMs / 2)
})
