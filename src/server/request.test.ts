import { expect, test } from 'vitest'
import type { RouteReply } from '../api/call.ts'
import { exact, type Unsaid } from './request.ts'

type Info = RouteReply<'info'>
const info: Info = { version: '1', owner: 'o', leader: true, term: 1, store: 'memory', now_ms: 1 }

// These are proofs for the compiler; running them only shows that they are there.
test('a handler may reply with exactly what the schema of its route has', () => {
  const right = { info: async () => ({ body: info }) }
  expect(exact<typeof right, Unsaid<typeof right>>(right)).toBe(right)
})

test('a field that the schema does not have is an error, at any depth', () => {
  const more = { info: async () => ({ body: { ...info, more: 1 } }) }
  // @ts-expect-error -- `more` is not in the schema.
  const flat = exact<typeof more, Unsaid<typeof more>>(more)
  const page = { items: [{ name: 'a', version: 1, created_ms: 1, more: 1 }] }
  const deep = { secrets: async () => ({ body: page }) }
  // @ts-expect-error -- `items.more` is not in the schema.
  const inList = exact<typeof deep, Unsaid<typeof deep>>(deep)
  expect([flat, inList]).toEqual([more, deep])
})
