import { describe, expect, test } from 'vitest'
import { applied, type Change, type WorkloadRecord } from './change.ts'
import {
  allIn,
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
import type { Situation } from './situation.ts'
import { settleLaunch } from './settle.ts'
import type { Status } from './status.ts'

const HEALTH = 'ports: [{ name: http, port: 80, health: /well }]\n'
const OLD = { shape: 'of the version before' }
const NO = { class: 'BAD_REQUEST', message: 'There is no program nosuchprog on this host.' } as const

/** The one provider has called it wrong before. */
const KNOWN = { refusedBy: { generation: 1, places: [{ at: 'alpha', why: NO.message }] } }

/** Three replicas in the middle of a roll-out: 0 is of the new version, the others serve. */
function rolling(phase: Phase, change: Partial<Placement> = {}, status: Partial<Status> = {}): WorkloadRecord {
  const workload = workloadOf(service(3, HEALTH))
  const others = ['1', '2'].map((slot) => placed(workload, slot, 'running', { ...OLD, healthy: true }))
  return recordOf(workload, [placed(workload, '0', phase, change), ...others], status)
}

function refuse(record: WorkloadRecord): Change {
  return settleLaunch(record, slotIn(record, '0'), { answer: { ok: false, fault: NO }, nowMs: NOW_MS, chance: 0.5 })
}

const kindsOf = ({ events }: Change): readonly string[] => events.map(({ kind }) => kind)

describe('a version that is refused', () => {
  test('ends its roll-out at the fifth time: what serves goes on, and nothing more is placed or moved', () => {
    expect(refuse(rolling('reserved', {}, { failures: 3, ...KNOWN })).status).toMatchObject({ end: undefined })
    const fifth = refuse(rolling('reserved', {}, { failures: 4, ...KNOWN }))
    expect(fifth.status).toMatchObject({ end: undefined, stalled: { why: NO.message, groups: ['0'] } })
    expect(kindsOf(fifth)).toEqual(['refused', 'gave-up'])
    const after = applied(rolling('reserved', {}, { failures: 4, ...KNOWN }), fifth)
    const wanted = reconcile(after, situation({ nowMs: NOW_MS + HOUR_MS }))
    expect([wanted.change.placements, wanted.place, wanted.move, wanted.calls]).toEqual([[], [], undefined, []])
  })

  test('heals when the old one is wanted again: what has its shape stays, the empty slot is filled', () => {
    const stalled = applied(
      rolling('reserved', {}, { failures: 4, ...KNOWN }),
      refuse(rolling('reserved', {}, { failures: 4, ...KNOWN })),
    )
    const workload = { ...stalled.workload, generation: 2 }
    const back = allIn(workload, 'running').slice(1)
    const healed = { ...recordOf(workload, [slotIn(stalled, '0'), ...back]), status: stalled.status }
    const wanted = reconcile(healed, situation())
    expect(wanted.change.status).toMatchObject({ generation: 2, failures: 0 })
    expect(wanted.change.status?.stalled).toBeUndefined()
    expect([wanted.change.placements, wanted.move]).toEqual([[], undefined])
    expect(wanted.place.flat().map(({ slot }) => slot)).toEqual(['0'])
  })

  test('is tried in a slot that the world has emptied, and given up there at the first failure', () => {
    const stalled = { generation: 1, why: NO.message, atMs: NOW_MS, groups: ['0'] }
    const record = rolling('gone', { why: 'refused' }, { failures: 5, stalled, ...KNOWN })
    const died = applied(record, { placements: [{ ...slotIn(record, '1'), phase: 'gone', why: 'died' }], events: [] })
    expect(
      reconcile(died, situation())
        .place.flat()
        .map(({ slot }) => slot),
    ).toEqual(['1'])
    const again = applied(died, { placements: [placed(record.workload, '1', 'reserved')], events: [] })
    const answer = { ok: false, fault: NO } as const
    const refused = settleLaunch(again, slotIn(again, '1'), { answer, nowMs: NOW_MS, chance: 0 })
    expect(refused.status?.stalled?.groups).toEqual(['0', '1'])
  })

  test('fails the workload once nothing of it is left, with what was wrong', () => {
    const stalled = { generation: 1, why: NO.message, atMs: NOW_MS, groups: ['0', '1', '2'] }
    const workload = workloadOf(service(3))
    const gone = (status: Partial<Status>) => recordOf(workload, allIn(workload, 'gone'), status)
    const { change } = reconcile(gone({ stalled }), situation())
    expect(change.status?.end?.why).toBe(`no replica is up any more: ${NO.message}`)
    expect(kindsOf(change)).toEqual(['failed'])
    expect(reconcile(gone({ stalled: { ...stalled, groups: ['0'] } }), situation()).change.status).toBeUndefined()
  })
})

describe('a version that is not ready', () => {
  const lateBy = (ms: number): Partial<Placement> => ({ upMs: NOW_MS - 15 * MINUTE_MS - ms, healthy: false })

  test('ends its roll-out after a quarter of an hour without an answer on its health path', () => {
    expect(reconcile(rolling('running', lateBy(-1)), situation()).change.status).toBeUndefined()
    const { change, move } = reconcile(rolling('running', lateBy(0)), situation())
    expect(change.status?.stalled).toMatchObject({
      groups: [],
      why: '0 does not answer with 2xx at /well, 15 min after it came up',
    })
    expect([kindsOf(change), change.placements, move]).toEqual([['stalled'], [], undefined])
  })

  test('goes on once it answers after all', () => {
    const stalled = reconcile(rolling('running', lateBy(0)), situation()).change.status
    const record = rolling('running', { ...lateBy(0), healthy: true, wellMs: NOW_MS }, stalled)
    const after = applied(record, reconcile(record, situation()).change)
    expect(after.status.stalled).toBeUndefined()
    expect(reconcile(after, situation({ nowMs: NOW_MS + 10 * SECOND_MS })).move).toMatchObject({ group: '1' })
  })

  test('ends its roll-out when it is said to be on its way for as long, and says so once', () => {
    const starting = { sinceMs: NOW_MS - 15 * MINUTE_MS }
    const { change } = reconcile(rolling('starting', starting), situation())
    expect(change.status?.stalled?.why).toBe('0 is still starting after 15 min')
    expect(kindsOf(change)).toEqual(['stalled', 'slow'])
    const after = applied(rolling('starting', starting), change)
    expect(reconcile(after, situation({ nowMs: NOW_MS + 1 })).change.events).toEqual([])
  })

  test('is nothing where no other version stands, or for what was well before', () => {
    const workload = workloadOf(service(3, HEALTH))
    const ill = recordOf(workload, allIn(workload, 'running', lateBy(0)))
    expect(reconcile(ill, situation()).change.status).toBeUndefined()
    expect(reconcile(rolling('running', { ...lateBy(0), wellMs: 1 }), situation()).change.status).toBeUndefined()
  })
})

describe('the next replica is touched only once the last one works', () => {
  const move = (change: Partial<Placement>, afterMs = 0): string | undefined =>
    reconcile(rolling('running', change), situation({ nowMs: NOW_MS + afterMs })).move?.group

  test('for ten seconds, and healthy', () => {
    const well = { upMs: NOW_MS - MINUTE_MS, healthy: true, wellMs: NOW_MS }
    expect([move(well, 9_999), move(well, 10_000)]).toEqual([undefined, '1'])
    expect(reconcile(rolling('running', well), situation()).wakeMs).toBe(NOW_MS + 10_000)
    expect(move({ ...well, healthy: false }, HOUR_MS)).toBeUndefined()
  })

  test('or for a minute, where its health cannot be checked', () => {
    expect([move({ upMs: NOW_MS }, 59_999), move({ upMs: NOW_MS }, 60_000)]).toEqual([undefined, '1'])
  })
})

describe('a start that takes too long', () => {
  const late = (sinceMs: number, change: Partial<Situation> = {}) => {
    const workload = workloadOf(job())
    return reconcile(recordOf(workload, [placed(workload, '0', 'starting', { sinceMs })]), situation(change)).change
  }

  test('is ended after an hour and begun again, as a failure', () => {
    const change = late(NOW_MS - HOUR_MS)
    expect(change.placements).toMatchObject([{ phase: 'stopping', why: 'late' }])
    expect(change.status).toMatchObject({ failures: 1, restarts: 1 })
    expect(change.status?.trouble?.text).toBe('did not start: it was not up within 60 min')
    expect(late(NOW_MS - HOUR_MS + 1).placements).toMatchObject([{ phase: 'starting', slow: true }])
  })

  test('is left alone when the provider has said nothing since: what is not known proves nothing', () => {
    const unheard = { startingMs: () => NOW_MS - HOUR_MS - 1 }
    expect(late(NOW_MS - 2 * HOUR_MS + MINUTE_MS, unheard).placements.map(({ phase }) => phase)).toEqual(['starting'])
    expect(late(NOW_MS - HOUR_MS, { startingMs: () => undefined }).placements).toEqual([])
    expect(late(NOW_MS - HOUR_MS, { isBusy: () => true }).placements.map(({ phase }) => phase)).not.toContain(
      'stopping',
    )
  })
})
