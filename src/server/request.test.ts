import { expect, expectTypeOf, test } from 'vitest'
import type { RouteReply } from '../api/call.ts'
import { exact, type Unsaid } from './request.ts'

const info: RouteReply<'info'> = { version: '1', owner: 'o', leader: true, term: 1, store: 'memory', now_ms: 1 }

// These are proofs for the compiler; running them only shows that they are there.
test('a handler may reply with exactly what the schema of its route has', () => {
  const right = { info: async () => ({ body: info }) }
  expect(exact<typeof right, Unsaid<typeof right>>(right)).toBe(right)
})

test('a field that the schema does not have is named, at any depth', () => {
  const flat = { info: async () => ({ body: { ...info, more: 1 } }) }
  expectTypeOf<Unsaid<typeof flat>>().toEqualTypeOf<'info: more'>()
  const deep = { secrets: async () => ({ body: { items: [{ name: 'a', version: 1, created_ms: 1, more: 1 }] } }) }
  expectTypeOf<Unsaid<typeof deep>>().toEqualTypeOf<'secrets: items.more'>()
  const stream = { logs: async () => lines() }
  expectTypeOf<Unsaid<typeof stream>>().toEqualTypeOf<'logs: more'>()
})

async function* lines() {
  yield { id: '1', data: { slot: '0', stream: 'out' as const, text: 'a', more: 1 } }
}
