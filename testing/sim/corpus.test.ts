import { expect, test } from 'vitest'
import corpus from './corpus.json' with { type: 'json' }
import type { Scenario } from './scenario.ts'
import { simulate } from './simulate.ts'

// Every schedule that ever broke something, whole, so that no change of how schedules are drawn can lose it.
test.each(corpus)('$found stays mended', async ({ scenario }) => {
  // It was written from a scenario; what JSON leaves out is undefined.
  const { violations } = await simulate(scenario as unknown as Scenario)
  expect(violations).toEqual([])
})
