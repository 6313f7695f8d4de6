import { describe, expect, test } from 'vitest'
import { Dice } from '../base/dice.ts'
import { byKey, prefixKey, type Keyed } from './affinity.ts'
import { leastLoaded } from './balance.ts'

const replicas = (count: number, load = 0): Keyed[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${at}.a`, load, sinceMs: 0 }))
const CHANCE = { nowMs: 1e6, dice: 0, isAllowed: () => true }
const KEYS = Array.from({ length: 400 }, (_, at) => `session ${at}`)

describe('by key', () => {
  test('keys are spread, and a replica that goes moves only its own', () => {
    const before = KEYS.map((key) => byKey(replicas(8), key, CHANCE)?.id)
    const counts = replicas(8).map(({ id }) => before.filter((one) => one === id).length)
    expect(Math.min(...counts)).toBeGreaterThan(20)
    const after = KEYS.map((key) => byKey(replicas(8).slice(0, 7), key, CHANCE)?.id)
    expect(after.every((id, at) => id === before[at] || before[at] === '7.a')).toBe(true)
  })

  test('one that is overloaded is passed over', () => {
    const home = byKey(replicas(4), 'k', CHANCE)?.id
    const busy = replicas(4, 2).map((one) => (one.id === home ? { ...one, load: 9 } : one))
    expect(byKey(busy, 'k', CHANCE)?.id).not.toBe(home)
    expect(byKey([], 'k', CHANCE)).toBeUndefined()
  })
})

test('a conversation keeps its key, and another has another', () => {
  const say = (...texts: readonly string[]) =>
    JSON.stringify({ model: 'm', messages: texts.map((content) => ({ content })) })
  expect(prefixKey(say('be kind', 'hello'))).toBe(prefixKey(say('be kind', 'hello', 'hi', 'and now?')))
  expect(prefixKey(say('be kind', 'hello'))).not.toBe(prefixKey(say('be kind', 'good day')))
  expect(prefixKey('{"prompt":"once upon"}')).toBe('once upon')
  expect(prefixKey('no json')).toBe('no json')
})

/** Conversations of several turns at once; each replica remembers the last few conversations it has seen. */
function trace(choose: (all: readonly Keyed[], key: string, dice: number) => Keyed | undefined) {
  const dice = new Dice(7)
  const all = Array.from({ length: 8 }, (_, at) => ({ id: `${at}.a`, load: 0, sinceMs: 0, seen: [] as string[] }))
  const under: { readonly id: string; readonly until: number }[] = []
  const queues: number[] = []
  let hits = 0
  for (let now = 0; now < 20_000; now++) {
    for (const { id } of under.filter(({ until }) => until === now))
      for (const one of all) if (one.id === id) one.load--
    const key = `conversation ${Math.floor(now / 2000) * 40 + dice.roll(40)}`
    const chosen = all.find(({ id }) => id === choose(all, key, dice.next())?.id)
    if (chosen === undefined) continue
    if (chosen.seen.includes(key)) hits++
    chosen.seen = [key, ...chosen.seen.filter((one) => one !== key)].slice(0, 8)
    queues.push(chosen.load)
    chosen.load++
    under.push({ id: chosen.id, until: now + 10 + dice.roll(30) })
    if (under.length > 400) under.splice(0, under.length - 200)
  }
  return { hits, queue: queues.toSorted((one, two) => one - two)[Math.floor(queues.length * 0.99)] ?? 0 }
}

test('prefix affinity hits at least twice as often as least load, at nearly the same queue', () => {
  const least = trace((all, _, dice) => leastLoaded(all, { nowMs: 1e6, dice }))
  const keyed = trace((all, key, dice) => byKey(all, key, { nowMs: 1e6, dice, isAllowed: () => true }))
  expect(keyed.hits).toBeGreaterThan(2 * least.hits)
  expect(keyed.queue).toBeLessThanOrEqual(Math.ceil(1.2 * least.queue))
})
