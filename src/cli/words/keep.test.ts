import { describe, expect, test } from 'vitest'
import { NOW_MS } from '../harness.suite.ts'
import { viewOf } from '../../core/life/view/summary.ts'
import { placed, service, workloadOf } from '../../core/life/keep.suite.ts'
import { ago, sinceShort, stateText, until } from './keep.ts'
import { lasting, plain } from '../../core/base/words.ts'

describe('times', () => {
  test.each([
    [-5, '0 s'],
    [41_000, '41 s'],
    [89_400, '89 s'],
    [90_000, '2 min'],
    [12 * 60_000, '12 min'],
    [3 * 3_600_000, '3 h'],
    [50 * 3_600_000, '2 d'],
  ])('%i ms last %s', (ms, text) => {
    expect(lasting(ms)).toBe(text)
  })

  test('are relative up to a day, then dates', () => {
    expect(ago(NOW_MS - 86_399_000, NOW_MS)).toBe('24 h ago')
    expect(ago(NOW_MS - 86_400_000, NOW_MS)).toBe('2026-11-14 10:05')
    expect(ago(NOW_MS + 5000, NOW_MS)).toBe('now')
    expect(sinceShort(NOW_MS - 86_400_000, NOW_MS)).toBe('2026-11-14')
    expect(until(NOW_MS + 40_000, NOW_MS)).toBe('in 40 s')
    expect(until(NOW_MS + 5 * 86_400_000, NOW_MS)).toBe('on 2026-11-20')
    expect(until(NOW_MS - 1, NOW_MS)).toBe('now')
  })

  test('that are not known are said to be', () => {
    expect(ago(undefined, NOW_MS)).toBe('never')
    expect(sinceShort(undefined, NOW_MS)).toBe('?')
  })
})

describe('plain', () => {
  test('keeps what others wrote on one line, without what steers a terminal', () => {
    expect(plain('a\r\nb\u001b[31mc\u009b2Jd')).toBe('a b [31mc 2Jd')
  })
})

describe('the state', () => {
  test('of what cannot be stopped says why', () => {
    const workload = { ...workloadOf(service()), want: 'stopped' as const }
    const placements = [placed(workload, '0', 'running')]
    const known = { status: undefined, placements, isConfigured: () => false }
    expect(stateText(viewOf(workload, known), NOW_MS)).toMatch(
      /^stopping: it cannot be stopped: its provider .* is not configured/,
    )
  })
})
