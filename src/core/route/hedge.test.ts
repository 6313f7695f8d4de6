import { expect, test } from 'vitest'
import { HEDGES, Latencies } from './hedge.ts'
import { earned, spent, type RetryBudget } from './retry.ts'

test('a request is slow when it takes longer than the stated share of the last ones', () => {
  const latencies = new Latencies()
  for (let ms = 0; ms < 19; ms++) latencies.add(ms)
  expect(latencies.delayMs(0.95)).toBeUndefined()
  for (let ms = 19; ms < 100; ms++) latencies.add(ms)
  expect(latencies.delayMs(0.95)).toBe(95)
  expect(latencies.delayMs(0.5)).toBe(50)
  // What was long ago no longer counts.
  for (let at = 0; at < 256; at++) latencies.add(1000)
  expect(latencies.delayMs(0.5)).toBe(1000)
})

test('what is quick anyway is not hurried', () => {
  const latencies = new Latencies()
  for (let at = 0; at < 50; at++) latencies.add(0.2)
  expect(latencies.delayMs(0.95)).toBe(5)
})

test('at most a tenth of the requests have a second copy', () => {
  let budget: RetryBudget = { tokens: HEDGES.most }
  let hedges = 0
  for (let request = 0; request < 1000; request++) {
    budget = earned(budget, HEDGES)
    const left = spent(budget)
    if (left === undefined) continue
    budget = left
    hedges++
  }
  expect(hedges).toBeGreaterThan(90)
  expect(hedges).toBeLessThanOrEqual(120)
})
