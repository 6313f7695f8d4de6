import { expect, test } from 'vitest'
import { PASS_MOST, Turnstile } from './turnstile.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const reader = { name: 'reader', role: 'reader', projects: ['a'] } as const
const admin = { name: 'root', role: 'admin', projects: ['*'] } as const

test('hundreds of requests of one caller are begun over several turns, in their order, and no other waits for them', async () => {
  const turnstile = new Turnstile()
  const begun: number[] = []
  const passing = Array.from({ length: PASS_MOST * 3 }, async (_, at) => {
    await turnstile.pass(reader)
    begun.push(at)
  })
  expect(turnstile.pass(admin)).toBeUndefined()
  expect(turnstile.pass({ ...reader, name: 'other' })).toBeUndefined()
  await Promise.resolve()
  const counts = [begun.length]
  while (begun.length < PASS_MOST * 3) {
    const before = begun.length
    await turn()
    counts.push(begun.length - before)
  }
  await Promise.all(passing)
  expect(Math.max(...counts)).toBeLessThanOrEqual(PASS_MOST)
  expect(begun).toEqual(begun.toSorted((one, other) => one - other))
})

test('a new request queues behind waiting ones of the same caller', async () => {
  const turnstile = new Turnstile()
  const begun: string[] = []
  for (let at = 0; at < PASS_MOST * 2 + 1; at++) void turnstile.pass(reader)?.then(() => begun.push('first'))
  await turn()
  await turn()
  void turnstile.pass(reader)?.then(() => begun.push('late'))
  for (let at = 0; at < 5; at++) await turn()
  expect(begun.indexOf('late') === -1 || begun.at(-1) === 'late').toBe(true)
  expect(begun.filter((one) => one === 'first')).toHaveLength(PASS_MOST + 1)
})
