import { describe, expect, test } from 'vitest'
import { isNothing, type WorkloadRecord } from './change.ts'
import { situation, recordOf, MINUTE_MS, NOW_MS, placed, SECOND_MS, service, workloadOf } from './keep.suite.ts'
import type { Phase, Placement } from './placement.ts'
import { reconcile, type ReconcileResult } from './reconcile.ts'

function calls({ calls: wanted }: ReconcileResult): readonly string[] {
  return wanted.map(({ kind, slot }) => `${kind} ${slot}`)
}

/** One slot in a phase. */
function one(phase: Phase, change: Partial<Placement> = {}): WorkloadRecord {
  const workload = workloadOf(service())
  return recordOf(workload, [placed(workload, '0', phase, change)])
}

describe('calls', () => {
  test('are made for what each phase needs', () => {
    const kinds = (['reserved', 'unknown', 'starting', 'running', 'stopping', 'gone'] as const).map((phase) =>
      calls(reconcile(one(phase), situation())).join(),
    )
    expect(kinds).toEqual(['launch 0', '', 'describe 0', '', 'stop 0', ''])
  })

  const TOKENS = situation({ provider: () => ({ isDraining: false, tokens: true }) })

  test('repeat a launch only where a token makes that safe, and only until it was refused', () => {
    expect(calls(reconcile(one('unknown'), TOKENS))).toEqual(['launch 0'])
    expect(calls(reconcile(one('unknown', { replayed: true }), TOKENS))).toEqual([])
    expect(calls(reconcile(one('unknown'), situation()))).toEqual([])
    expect(calls(reconcile(one('unknown'), situation({ provider: () => undefined })))).toEqual([])
  })

  test.each(['reserved', 'stopping'] as const)('wait for their time: %s', (phase) => {
    const record = one(phase, { nextTryMs: NOW_MS + 7 })
    expect(reconcile(record, situation())).toMatchObject({ calls: [], wakeMs: NOW_MS + 7 })
    expect(calls(reconcile(record, situation({ nowMs: NOW_MS + 7 })))).toHaveLength(1)
  })

  test('are not made while one is under way', () => {
    expect(calls(reconcile(one('stopping'), situation({ isBusy: (slot) => slot === '0' })))).toEqual([])
  })

  test('ask for what starts again after a while, and sooner while it is young', () => {
    const again = (ageMs: number): number => {
      const record = one('starting', { sinceMs: NOW_MS - ageMs })
      return (reconcile(record, situation({ lookedMs: () => NOW_MS })).wakeMs ?? 0) - NOW_MS
    }
    expect([again(SECOND_MS), again(20 * SECOND_MS), again(14 * MINUTE_MS)]).toEqual([1000, 5000, 10_000])
  })

  test('leave what starts to the lists of a provider that tells of changes, and ask only after half a minute', () => {
    const provider = () => ({ isDraining: false, tokens: true, watched: true })
    const record = one('starting', { sinceMs: NOW_MS })
    expect(reconcile(record, situation({ provider }))).toMatchObject({ calls: [], wakeMs: NOW_MS + 30 * SECOND_MS })
    const later = situation({ provider, nowMs: NOW_MS + 30 * SECOND_MS })
    expect(calls(reconcile(record, later))).toEqual(['describe 0'])
    const looked = situation({ provider, lookedMs: () => NOW_MS })
    expect(reconcile(record, looked)).toMatchObject({ calls: [], wakeMs: NOW_MS + 30 * SECOND_MS })
  })

  test('come only after what is to be written is written', () => {
    const record = one('running')
    const wanted = reconcile({ ...record, workload: { ...record.workload, want: 'removed' } }, situation())
    expect(calls(wanted)).toEqual(['stop 0'])
    expect(isNothing(wanted.change)).toBe(false)
  })
})
