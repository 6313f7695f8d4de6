import { describe, expect, test } from 'vitest'
import { sized } from '../base/laws.suite.ts'
import { byKey, prefixKey, type Keyed } from './affinity.ts'
import { byLoad, byPrefix, play, type Trace } from './trace.suite.ts'

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

/** A replica works on eight requests at a time and remembers forty prefixes; a person thinks for ten seconds. */
const USUAL: Omit<Trace, 'seed'> = {
  replicas: 8,
  slots: 8,
  cached: 40,
  perSecond: 9,
  turnsMax: 10,
  thinkMs: 10_000,
  hitMs: 50,
  missMs: 400,
  answerMs: 800,
  requests: sized({ quick: 8000, whole: 20_000 }),
}
const SEEDS = Array.from({ length: sized({ quick: 5, whole: 10 }) }, (_, at) => at + 1)

describe('prefix affinity in conversations of several turns', () => {
  test.each<[string, Partial<Trace>]>([
    ['eight replicas that are busy for 80 % of the time', {}],
    ['six that work on four at a time', { perSecond: 3.6, replicas: 6, slots: 4, cached: 16 }],
    [
      'eight that work on 32 at a time',
      { perSecond: 39, slots: 32, cached: 160, requests: sized({ quick: 20_000, whole: 40_000 }) },
    ],
    ['eight that have too much to do', { perSecond: 10.2 }],
  ])('%s: at least twice the hits of least load, and at most 1.2 times its waiting', (_, change) => {
    const pairs = SEEDS.map((seed) => {
      const trace = { ...USUAL, ...change, seed }
      return { least: play(trace, byLoad), prefix: play(trace, byPrefix) }
    })
    // The hits of each; the waiting, of which one of 100 is a matter of luck, of all of them together.
    expect(Math.min(...pairs.map(({ least, prefix }) => prefix.hits / least.hits))).toBeGreaterThanOrEqual(2)
    const waited = (of: 'least' | 'prefix'): number => pairs.reduce((sum, pair) => sum + pair[of].waitP99Ms, 0)
    expect(waited('least')).toBeGreaterThan(0)
    expect(waited('prefix') / waited('least')).toBeLessThanOrEqual(1.2)
  })
})
