import { describe, expect, test } from 'vitest'
import { takenOver } from './boot.ts'
import { applied, isNothing, type WorkloadRecord } from './change.ts'
import {
  situation,
  HOUR_MS,
  job,
  recordOf,
  MINUTE_MS,
  NOW_MS,
  placed,
  SECOND_MS,
  service,
  slotIn,
  workloadOf,
} from './keep.suite.ts'
import type { Phase, Placement } from './placement.ts'
import { reconcile } from './reconcile.ts'
import type { Status } from './status.ts'

const DAY_MS = 24 * HOUR_MS
/** How far the clock of the last leader was ahead of ours. */
const AHEAD = [DAY_MS, -40 * DAY_MS, 400 * DAY_MS] as const

function taken(record: WorkloadRecord, chance = 0.5): WorkloadRecord {
  return applied(record, takenOver(record, { nowMs: NOW_MS, chance }))
}

function one(phase: Phase, change: Partial<Placement> = {}, text = service()): WorkloadRecord {
  const workload = workloadOf(text)
  return recordOf(workload, [placed(workload, workload.manifest.nodes > 1 ? '0.0' : '0', phase, change)])
}

describe('a workload that a new leader takes over', () => {
  test('is left as it is while nothing is under way', () => {
    for (const phase of ['running', 'starting', 'stopping', 'gone'] as const)
      expect(isNothing(takenOver(one(phase), { nowMs: NOW_MS, chance: 1 }))).toBe(true)
  })

  test('has creates of unknown outcome, and all waiting for absence begins again', () => {
    expect(slotIn(taken(one('reserved')), '0')).toMatchObject({ phase: 'unknown', calledMs: NOW_MS, nextTryMs: 0 })
    const unnamed = slotIn(taken(one('unknown', { absentMs: 5 })), '0')
    expect(unnamed).toMatchObject({ calledMs: NOW_MS, absentMs: undefined })
  })

  test.each(AHEAD)('waits for nothing that a wrong clock wrote down (%i ms ahead)', (aheadMs) => {
    const then = NOW_MS + aheadMs
    for (const phase of ['stopping', 'unknown'] as const) {
      const { nextTryMs } = slotIn(taken(one(phase, { nextTryMs: then }), 1), '0')
      expect(nextTryMs).toBeLessThanOrEqual(NOW_MS + 2 * SECOND_MS)
    }
    for (const failures of [1, 2, 50]) {
      const failing = recordOf(workloadOf(service()), [], { failures, backoffUntilMs: then })
      expect(taken(failing, 1).status.backoffUntilMs).toBeLessThanOrEqual(NOW_MS + 30 * SECOND_MS)
    }
  })

  test('repeats a stop soon, and keeps every other wait that can be true', () => {
    const atMs = NOW_MS + 50 * SECOND_MS
    const times = [0, 1].map((chance) => slotIn(taken(one('stopping', { nextTryMs: atMs }), chance), '0').nextTryMs)
    expect(times).toEqual([NOW_MS, NOW_MS + 2 * SECOND_MS])
    expect(slotIn(taken(one('unknown', { nextTryMs: atMs })), '0').nextTryMs).toBe(atMs)
    const backoffUntilMs = NOW_MS + 250 * SECOND_MS
    const failing = recordOf(workloadOf(service()), [], { failures: 6, backoffUntilMs })
    expect(taken(failing).status.backoffUntilMs).toBe(backoffUntilMs)
  })

  test.each(AHEAD)('waits no longer than the longest of its kind (written %i ms ahead)', (aheadMs) => {
    const then = NOW_MS + aheadMs
    const stopping = slotIn(taken(one('stopping', { nextTryMs: then, calledMs: then, sinceMs: then })), '0')
    expect(stopping.nextTryMs).toBeLessThanOrEqual(NOW_MS + MINUTE_MS + SECOND_MS)
    expect(Math.max(stopping.calledMs, stopping.sinceMs)).toBeLessThanOrEqual(NOW_MS)
    const waiting = { sinceMs: then, code: 'SOLD_OUT', text: 'none', nextLookMs: then }
    const status: Partial<Status> = { backoffUntilMs: then, waiting, startedMs: then }
    const { status: after } = taken(recordOf(workloadOf(service()), [], status))
    expect(after.backoffUntilMs).toBeLessThanOrEqual(NOW_MS + 5 * MINUTE_MS)
    expect(after.waiting?.nextLookMs).toBeLessThanOrEqual(NOW_MS + 40 * SECOND_MS)
    expect(Math.max(after.waiting?.sinceMs ?? 0, after.startedMs ?? 0)).toBeLessThanOrEqual(NOW_MS)
  })

  test.each(AHEAD)('counts the time of a gang that was only reserved from now (%i ms ahead)', (aheadMs) => {
    const two = workloadOf(job('nodes: 2\n'))
    const reservedMs = NOW_MS + aheadMs - SECOND_MS
    const members = ['0.0', '0.1'].map((slot) => placed(two, slot, 'reserved', { reservedMs }))
    const times = [...taken(recordOf(two, members)).placements.values()].map((member) => member.reservedMs)
    expect(times).toEqual([NOW_MS, NOW_MS])
  })

  test.each(AHEAD)('does not end a job, a gang or a start because of a clock (%i ms ahead)', (aheadMs) => {
    const then = NOW_MS + aheadMs
    const started = recordOf(
      workloadOf(job('max_duration: 2h\n')),
      [placed(workloadOf(job()), '0', 'running', { upMs: then })],
      { startedMs: then, ran: { ms: HOUR_MS, atMs: then } },
    )
    expect(reconcile(taken(started), situation()).change.status?.end).toBeUndefined()
    expect(taken(started).status.ran).toEqual({ ms: HOUR_MS, atMs: NOW_MS })
    const two = workloadOf(job('nodes: 2\n'))
    const change = { reservedMs: then, sinceMs: then }
    const gang = recordOf(
      two,
      ['0.0', '0.1'].map((slot) => placed(two, slot, 'starting', change)),
    )
    expect(reconcile(taken(gang), situation()).change.placements).toEqual([])
    expect(reconcile(taken(one('starting', { sinceMs: then })), situation()).change.placements).toEqual([])
  })

  test('counts what a job has run on from where the last leader had written it down', () => {
    const workload = workloadOf(job('max_duration: 2h\n'))
    const ran = { ms: HOUR_MS, atMs: NOW_MS - 30 * MINUTE_MS }
    const record = recordOf(workload, [placed(workload, '0', 'running')], { startedMs: NOW_MS - 3 * HOUR_MS, ran })
    const after = taken(record)
    const endOf = (nowMs: number) => reconcile(after, situation({ nowMs })).change.status?.end?.state
    expect([endOf(NOW_MS + HOUR_MS - 1), endOf(NOW_MS + HOUR_MS)]).toEqual([undefined, 'failed'])
    const marked = reconcile(after, situation({ nowMs: NOW_MS + 10 * MINUTE_MS })).change.status?.ran
    expect(marked).toEqual({ ms: HOUR_MS + 10 * MINUTE_MS, atMs: NOW_MS + 10 * MINUTE_MS })
  })

  test('of an earlier version counts from when it started', () => {
    const workload = workloadOf(job('max_duration: 2h\n'))
    const record = recordOf(workload, [placed(workload, '0', 'running')], { startedMs: NOW_MS - HOUR_MS })
    expect(taken(record).status.ran).toEqual({ ms: HOUR_MS, atMs: NOW_MS })
  })
})
