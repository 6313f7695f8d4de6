import { expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { assignInOrder, assignTogether, slicesTaken } from './assign.ts'
import { smallInstances } from './instances.suite.ts'
import { optimum } from './optimum.suite.ts'
import { migRules } from './rules.ts'
import { sized } from '../../base/laws.suite.ts'

test('on small instances nearly all work is placed that the exact optimum places', async () => {
  const instances = smallInstances(sized({ quick: 50, whole: 200 }), 1)
  const best = await optimum(instances)
  const placed = instances.map(({ model, cards, requests }) => {
    const rules = must(migRules(model), model)
    return {
      together: slicesTaken(rules, requests, assignTogether(rules, cards, requests)),
      inOrder: slicesTaken(rules, requests, assignInOrder(rules, cards, requests)),
    }
  })
  const bestSum = sum(best.map(({ slices }) => slices))
  for (const [index, { together, inOrder }] of placed.entries()) {
    expect(together).toBeLessThanOrEqual(best[index]?.slices ?? 0)
    expect(inOrder).toBeLessThanOrEqual(together)
  }
  expect(sum(placed.map(({ together }) => together)) / bestSum).toBeGreaterThanOrEqual(0.98)
  // One who must take whatever fits, before the next request is known, cannot come as close; see bench/mig.bench.ts.
  expect(sum(placed.map(({ inOrder }) => inOrder)) / bestSum).toBeGreaterThanOrEqual(0.96)
})

test('the exact optimum declines a small request for a large one', async () => {
  const [best] = await optimum([{ model: 'h100-sxm', cards: 1, requests: [0, 5, 3] }])
  expect(best).toEqual({ slices: 8, count: 1 })
})

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
