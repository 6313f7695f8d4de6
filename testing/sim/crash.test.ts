import { describe, expect, test } from 'vitest'
import { sized } from '../../src/core/base/laws.suite.ts'
import { callsOf, crashAt, STORIES } from './crash.ts'

/** Into how many pieces each story is cut. */
const CUTS = sized({ quick: 4, whole: 12 })

// Every call of every story on ten seeds takes minutes: testing/sim/crash-run.ts does that. Here each story is cut at a spread of its calls.
describe.each(STORIES)('$name', (story) => {
  test('a crash before or after any call loses nothing, doubles nothing and leaks nothing', async () => {
    const seed = 3
    const calls = await callsOf(story, seed)
    expect(calls).toBeGreaterThan(20)
    const step = Math.ceil(calls / CUTS)
    const broken: string[] = []
    for (let call = 1; call <= calls; call += step) {
      for (const when of ['before', 'after'] as const) {
        const { violations } = await crashAt(story, seed, { call, when })
        broken.push(...violations.map(({ invariant, detail }) => `${when} call ${call}: ${invariant} ${detail}`))
      }
    }
    expect(broken).toEqual([])
  })
})
