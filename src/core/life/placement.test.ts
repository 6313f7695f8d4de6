import { describe, expect, test } from 'vitest'
import { NOW_MS, placed, service, workloadOf } from './keep.suite.ts'
import { advance, isBilled, placementKey, type Phase } from './placement.ts'

const PHASES: readonly Phase[] = ['reserved', 'unknown', 'starting', 'running', 'stopping', 'gone']
const WORKLOAD = workloadOf(service())

/** Every legal step; whatever is not here is a bug. */
const LEGAL = new Set([
  ...['unknown', 'starting', 'stopping', 'gone'].map((to) => `reserved ${to}`),
  ...['starting', 'running', 'stopping', 'gone'].map((to) => `unknown ${to}`),
  ...['running', 'stopping', 'gone'].map((to) => `starting ${to}`),
  ...['stopping', 'gone'].map((to) => `running ${to}`),
  'stopping gone',
])

const STEPS = PHASES.flatMap((from) => PHASES.map((to) => [from, to] as const))

describe('a placement', () => {
  test.each(STEPS)('goes from %s to %s only if that is a legal step', (from, to) => {
    const step = () => advance(placed(WORKLOAD, '0', from), to, { sinceMs: NOW_MS })
    if (LEGAL.has(`${from} ${to}`)) expect(step()).toMatchObject({ phase: to, sinceMs: NOW_MS })
    else expect(step).toThrow(`0: ${from} -> ${to} is not a legal step`)
  })

  test('counts its tries anew in each phase, unless told otherwise', () => {
    const tired = placed(WORKLOAD, '0', 'starting', { tries: 9, nextTryMs: 8 })
    expect(advance(tired, 'stopping', { sinceMs: 1 })).toMatchObject({ tries: 0, nextTryMs: 0 })
    expect(advance(tired, 'stopping', { sinceMs: 1, tries: 2 })).toMatchObject({ tries: 2 })
  })

  test('may cost something until it is gone', () => {
    expect(PHASES.filter((phase) => isBilled(placed(WORKLOAD, '0', phase)))).toEqual(PHASES.slice(0, -1))
  })

  test('has the key of its slot', () => {
    expect(placementKey(placed(WORKLOAD, '0.1', 'running'))).toBe('default/demo/0.1')
  })
})
