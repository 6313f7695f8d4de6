import { describe, expect, test } from 'vitest'
import { applied } from './change.ts'
import { allIn, situation, job, recordOf, NOW_MS, placed, service, slotIn, workloadOf } from './keep.suite.ts'
import { leave } from './leave.ts'
import { reconcile } from './reconcile.ts'
import { hasStood } from './stood.ts'
import type { Workload } from './workload.ts'

const WEB = workloadOf(service(2))
const OTHER = workloadOf(service(2, 'env: { A: b }\n'), { generation: 2 })
const LEFT = { to: 'gone', why: 'died', nowMs: NOW_MS, chance: 0.5 } as const

const up = (workload: Workload, slot: string, upMs = 0) => placed(workload, slot, 'running', { upMs })

describe('a version has stood', () => {
  test('once each of its slots has been up and well for a while at the same time', () => {
    const stood = (slots: readonly ReturnType<typeof up>[]) =>
      hasStood(WEB, { status: undefined, placements: slots }, NOW_MS)
    expect(stood([up(WEB, '0'), up(WEB, '1')])).toBe(true)
    expect(stood([up(WEB, '0'), up(WEB, '1', NOW_MS)])).toBe(false)
    expect(stood([up(WEB, '0'), { ...up(WEB, '1'), shape: 'before' }])).toBe(false)
    expect(stood([up(WEB, '0')])).toBe(false)
    expect(stood([up(WEB, '0'), { ...up(WEB, '1', NOW_MS), wellMs: NOW_MS }])).toBe(true)
    expect(hasStood(workloadOf(job()), { status: undefined, placements: [] }, NOW_MS)).toBeUndefined()
  })

  test('and that is remembered when a slot dies, and through other versions', () => {
    const record = recordOf(WEB, [up(WEB, '0'), up(WEB, '1')], { restarts: 2 })
    const died = applied(record, leave(record, slotIn(record, '0'), LEFT))
    expect(hasStood(WEB, { status: died.status, placements: [] }, NOW_MS)).toBe(true)
    const { change } = reconcile({ ...died, workload: OTHER }, situation())
    expect(change.status).toMatchObject({ generation: 2, restarts: 3, restartsBefore: 3 })
    expect(hasStood(OTHER, { status: change.status, placements: [] }, NOW_MS)).toBe(false)
    expect(hasStood(WEB, { status: change.status, placements: [] }, NOW_MS)).toBe(true)
  })

  test('and that is remembered when it is stopped', () => {
    const stopped = { ...WEB, generation: 2, want: 'stopped' } as const
    const record = {
      ...recordOf(
        WEB,
        allIn(WEB, 'running').map((one) => ({ ...one, upMs: 0 })),
      ),
      workload: stopped,
    }
    const { change } = reconcile(record, situation())
    expect(hasStood(WEB, { status: change.status, placements: [] }, NOW_MS)).toBe(true)
  })
})
