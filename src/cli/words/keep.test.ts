import { describe, expect, test } from 'vitest'
import { NOW_MS } from '../harness.suite.ts'
import { viewOf } from '../../core/life/view/summary.ts'
import { placed, service, workloadOf } from '../../core/life/keep.suite.ts'
import { withDrained } from '../../core/life/view/drained.ts'
import type { Placement } from '../../core/life/placement.ts'
import { FRESH_STATUS, type Status } from '../../core/life/status.ts'
import { ago, sinceShort, slotState, stateText, until } from './keep.ts'
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
  const view = (text: string, change: Partial<Placement> = {}, status?: Status) => {
    const workload = workloadOf(text)
    return viewOf(workload, { status, placements: [placed(workload, '0', 'running', change)] })
  }

  test('says that it leaves what is drained, or that it stays there', () => {
    const isDraining = (provider: string): boolean => provider === 'alpha'
    const text = (more: string, is = isDraining) => stateText(withDrained(view(service(1, more)), is), NOW_MS)
    expect(text('migration: { on: [drain] }\n')).toBe('serving, leaving alpha (drained)')
    expect(text('')).toBe('serving, stays on alpha (drained; migration.on has no drain)')
    expect(text('', () => false)).toBe('serving')
  })

  test('of what serves says what its successor waits for', () => {
    const waiting = { sinceMs: 0, code: 'HOST_FULL', text: 'n0 is full', nextLookMs: 0 }
    const status = { ...FRESH_STATUS, uid: 'u1', generation: 1, waiting }
    expect(stateText(view(service(), {}, status), NOW_MS)).toBe('serving: n0 is full')
  })

  test('of a replica that was ready before is not that it is not ready yet', () => {
    const [sick] = view(service(), { healthy: false, wellMs: 5, sinceMs: NOW_MS }).slots
    const [fresh] = view(service(), { healthy: false, sinceMs: NOW_MS }).slots
    expect([sick, fresh].map((slot) => slot && slotState(slot, NOW_MS))).toEqual([
      'running, no longer passes its health check (no answer with status 2xx)',
      'running, not ready yet',
    ])
  })

  test('of what cannot be stopped says why', () => {
    const workload = { ...workloadOf(service()), want: 'stopped' as const }
    const placements = [placed(workload, '0', 'running')]
    const known = { status: undefined, placements, isConfigured: () => false }
    expect(stateText(viewOf(workload, known), NOW_MS)).toMatch(
      /^stopping: it cannot be stopped: its provider .* is not configured/,
    )
  })
})
