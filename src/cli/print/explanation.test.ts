import { expect, test } from 'vitest'
import { placed, service, workloadOf } from '../../core/life/keep.suite.ts'
import { viewOf } from '../../core/life/view/summary.ts'
import { NOW_MS } from '../harness.suite.ts'
import { printExplanation } from './explanation.ts'

const WORKLOAD = workloadOf(service())
const DECISION = {
  atMs: NOW_MS - 3_600_000,
  policy: 'default',
  candidates: 1200,
  fitting: 3,
  refused: { NO_GPU: 1000, VRAM_TOO_SMALL: 197 },
  runnerUp: { offer: 'beta/eu-1/large', usdPerHour: 5.5 },
}

function explained(prices: Readonly<Record<string, number>>, phase: 'running' | 'gone' = 'running'): string {
  const running = placed(WORKLOAD, '0', phase, { decision: DECISION })
  const workload = viewOf(WORKLOAD, { status: undefined, placements: [running] })
  const explanation = { workload, plan: undefined, refusals: [], events: [], prices_now: prices }
  return printExplanation(explanation, { nowMs: NOW_MS, all: 'one-screen' })
}

test('what runs says why it is there, why not elsewhere, and the price then and now', () => {
  const text = explained({ 0: 4.2 })
  expect(text).toContain('0 is there because: the best that fits, of 3 that fit among 1,200 offers, 60 min ago')
  expect(text).toContain('$4.00/h then, $4.20/h now; next best beta/eu-1/large at $5.50/h')
  expect(text).toContain('turned down: 1,000 NO_GPU, 197 VRAM_TOO_SMALL')
})

test('says what is no longer offered', () => {
  expect(explained({})).toContain('$4.00/h then, not offered now')
})

test('what is gone is not said to be there', () => {
  expect(explained({}, 'gone')).not.toContain('is there because')
})
