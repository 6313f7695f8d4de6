import { describe, expect, test } from 'vitest'
import { NaiveController } from './naive.suite.ts'
import { drawScenario } from './scenario.ts'
import { simulate } from './simulate.ts'

describe('the simulated world', () => {
  test('the same seed gives the same run to the last call', async () => {
    const runs = [0, 1].map(() => simulate(drawScenario(7), { make: (deps) => new NaiveController(deps), trace: true }))
    const [one, two] = await Promise.all(runs)
    expect(one?.events).toBeGreaterThan(10)
    expect(one).toEqual(two)
  })

  test('a controller that launches first and writes it down later is caught', async () => {
    const outcomes = await Promise.all(
      [1, 2, 3].map((seed) => simulate(drawScenario(seed), { make: (deps) => new NaiveController(deps) })),
    )
    expect(outcomes.flatMap(({ violations }) => violations.map(({ invariant }) => invariant))).toContain('intent')
  })
})
