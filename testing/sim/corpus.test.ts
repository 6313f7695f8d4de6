import { expect, test } from 'vitest'
import { sized } from '../../src/core/base/laws.suite.ts'
import corpus from './corpus.json' with { type: 'json' }
import type { Scenario } from './scenario.ts'
import { simulate } from './simulate.ts'

/** The small run tries every third. */
const KEPT = corpus.filter((_, at) => at % sized({ quick: 3, whole: 1 }) === 0)

// Every schedule that ever broke something, whole, so that no change of how schedules are drawn can lose it.
test.each(KEPT)('$found stays mended', async ({ scenario }) => {
  // It was written from a scenario; what JSON leaves out is undefined.
  const { violations } = await simulate(scenario as unknown as Scenario)
  expect(violations).toEqual([])
})
