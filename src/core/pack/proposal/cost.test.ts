import { describe, expect, test } from 'vitest'
import { addCosts, costOf, mayStop, NO_COST, priceOf, RESTART_GPU_SECONDS } from './cost.ts'
import { asks, saved, tenant, UNSAVED } from './proposal.suite.ts'

const QUARTER = (): number => 0.25

describe('what a stop costs', () => {
  test('inference: a restart and no work', () => {
    expect(costOf(tenant('a', 'n0:0,1'), QUARTER)).toEqual({ lostGpuSeconds: 0, restarts: 1 })
  })

  test.each([
    ['n0:0,1,2,3', 400],
    ['n0:0', 100],
    ['n0:0,1/250', 50],
    ['n0:0@1g.10gb+0', 25],
  ])('training on %s loses the seconds since its checkpoint on every card: %d', (place, lost) => {
    expect(costOf(tenant('a', place, saved(100)), QUARTER)).toEqual({ lostGpuSeconds: lost, restarts: 1 })
  })

  test('training without cards loses cores, of which 64 count as one card', () => {
    const cpu = tenant('a', 'n0:', { ...saved(100), request: asks(0, undefined, { cpuMilli: 32_000 }) })
    expect(costOf(cpu, QUARTER).lostGpuSeconds).toBe(50)
  })

  test('training that has just saved loses nothing but the restart', () => {
    expect(costOf(tenant('a', 'n0:0', saved(0)), QUARTER)).toEqual({ lostGpuSeconds: 0, restarts: 1 })
  })

  test('training without a checkpoint may not be stopped', () => {
    expect(mayStop(tenant('a', 'n0:0', UNSAVED))).toBe(false)
    expect(mayStop(tenant('a', 'n0:0', saved(0)))).toBe(true)
    expect(mayStop(tenant('a', 'n0:0'))).toBe(true)
  })
})

describe('costs together', () => {
  test('add up', () => {
    const one = { lostGpuSeconds: 3, restarts: 1 }
    expect(addCosts([one, { lostGpuSeconds: 4, restarts: 2 }])).toEqual({ lostGpuSeconds: 7, restarts: 3 })
    expect(addCosts([])).toEqual(NO_COST)
  })

  test('are compared by lost work, and a restart counts as a minute of one card', () => {
    expect(RESTART_GPU_SECONDS).toBe(60)
    expect(priceOf({ lostGpuSeconds: 1.5, restarts: 2 })).toBe(121_500)
    expect(priceOf(NO_COST)).toBe(0)
  })

  test('are whole numbers', () => {
    expect(priceOf({ lostGpuSeconds: 1 / 3, restarts: 0 })).toBe(333)
  })
})
