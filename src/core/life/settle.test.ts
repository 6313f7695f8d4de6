import { describe, expect, test } from 'vitest'
import { must } from '../base/assert.ts'
import { applied } from './change.ts'
import type { Fault, FaultClass } from './call/fault.ts'
import { recordOf, NOW_MS, placed, SECOND_MS, service, slotIn, workloadOf } from './keep.suite.ts'
import type { Phase, Placement } from './placement.ts'
import { settleLaunch, settleStop, type LaunchAnswer, type StopAnswer } from './settle.ts'

const WORKLOAD = workloadOf(service())
const TAKEN: LaunchAnswer = { ok: true, value: { instance: 'i-9', usdPerHour: 4 } }

function no(name: FaultClass, more: Partial<Fault> = {}): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { class: name, message: 'as they put it', ...more } }
}

function launched(phase: Phase, answer: LaunchAnswer, change: Partial<Placement> = {}) {
  const record = recordOf(WORKLOAD, [placed(WORKLOAD, '0', phase, change)])
  const settled = settleLaunch(record, slotIn(record, '0'), { answer, nowMs: NOW_MS, chance: 0.5 })
  return { change: settled, after: applied(record, settled), placement: slotIn(applied(record, settled), '0') }
}

function stopped(answer: StopAnswer, change: Partial<Placement> = {}) {
  const record = recordOf(WORKLOAD, [placed(WORKLOAD, '0', 'stopping', change)])
  const settled = settleStop(record, slotIn(record, '0'), { answer, nowMs: NOW_MS, chance: 0.5 })
  return { change: settled, placement: slotIn(applied(record, settled), '0') }
}

describe('the answer to a launch', () => {
  test.each(['reserved', 'unknown'] as const)('that took the order makes %s into starting, with its name', (phase) => {
    const { placement, change } = launched(phase, TAKEN, { tries: 3, nextTryMs: NOW_MS })
    expect(placement).toMatchObject({ phase: 'starting', instance: 'i-9', calledMs: NOW_MS, sinceMs: NOW_MS })
    expect(placement).toMatchObject({ tries: 0, nextTryMs: 0 })
    expect(change.events).toEqual([
      { kind: 'launched', facts: { slot: '0', epoch: 1, attempt: 'a-0-1', provider: 'alpha', instance: 'i-9' } },
    ])
  })

  test('that comes when it was seen or told to leave changes nothing but when it was called', () => {
    for (const answer of [TAKEN, no('SOLD_OUT'), no('AMBIGUOUS'), no('RATE_LIMIT'), no('BAD_REQUEST')]) {
      for (const phase of ['starting', 'running', 'stopping'] as const) {
        const { placement, change } = launched(phase, answer, { instance: 'i-1' })
        expect(placement).toMatchObject({ phase, instance: 'i-1', calledMs: NOW_MS })
        expect([change.events, change.status, change.refusals]).toEqual([[], undefined, undefined])
      }
    }
  })

  test('at exactly the ceiling is kept, and a cent above is ended again', () => {
    expect(launched('reserved', TAKEN).placement.phase).toBe('starting')
    const dear = launched('reserved', { ok: true, value: { instance: 'i-9', usdPerHour: 4.01 } }).placement
    expect(dear).toMatchObject({ phase: 'stopping', why: 'too-expensive', instance: 'i-9' })
  })

  test('with a price that was only quoted is held to the first price that is told', () => {
    const quoted = { instance: 'i-9', usdPerHour: 4, isQuoted: true }
    expect(launched('reserved', { ok: true, value: quoted }).placement).toMatchObject({
      phase: 'starting',
      unpriced: true,
    })
    expect(launched('reserved', TAKEN).placement.unpriced).toBeUndefined()
  })

  test('that cannot be understood keeps the reservation, counts as a call, and is reported', () => {
    const { placement, change } = launched('reserved', no('AMBIGUOUS'))
    expect(placement).toMatchObject({ phase: 'unknown', calledMs: NOW_MS, tries: 1, absentMs: undefined })
    expect(placement.nextTryMs).toBeGreaterThan(NOW_MS)
    expect(placement.reserved).toEqual({ gpus: 2, usdPerHour: 4 })
    expect(change.events.map(({ kind }) => kind)).toEqual(['unknown'])
  })

  test('that cannot be understood again restarts the proof of absence', () => {
    const before = { absentMs: NOW_MS - SECOND_MS, calledMs: 5, tries: 2 }
    const { placement, change } = launched('unknown', no('AMBIGUOUS'), before)
    expect(placement).toMatchObject({ phase: 'unknown', absentMs: undefined, calledMs: NOW_MS, tries: 3 })
    expect(change.events).toEqual([])
  })

  test('that says "too fast" waits at least as long as asked, and leaves the intent as it is', () => {
    const { placement, change } = launched('reserved', no('RATE_LIMIT', { retryAfterMs: 90_000 }))
    expect(placement).toMatchObject({ phase: 'reserved', tries: 1, nextTryMs: NOW_MS + 90_000 })
    expect(change.events).toEqual([])
    const soon = launched('reserved', no('RATE_LIMIT', { retryAfterMs: 1 })).placement
    expect(soon.nextTryMs).toBeGreaterThanOrEqual(NOW_MS + SECOND_MS)
  })

  test('that refuses says why and until when it is remembered', () => {
    const { change } = launched('reserved', no('SOLD_OUT'))
    expect(change.events).toEqual([
      {
        kind: 'refused',
        facts: {
          slot: '0',
          epoch: 1,
          attempt: 'a-0-1',
          provider: 'alpha',
          region: 'eu-1',
          instance: 'large',
          class: 'SOLD_OUT',
          message: 'as they put it',
          until: NOW_MS + 180_000,
        },
      },
    ])
  })

  test.each(['SOLD_OUT', 'QUOTA', 'AUTH', 'BAD_REQUEST', 'TRANSIENT'] as const)(
    'that refuses a repetition with %s says nothing about the first call',
    (name) => {
      const { placement, change } = launched('unknown', no(name), { absentMs: NOW_MS - 1 })
      expect(placement).toMatchObject({ phase: 'unknown', replayed: true, absentMs: undefined, calledMs: NOW_MS })
      expect(change.refusals ?? []).toEqual([])
    },
  )

  test('that calls the order wrong is remembered for this version, so that another place is tried at once', () => {
    const { status } = launched('reserved', no('BAD_REQUEST')).after
    const places = [{ at: 'alpha', why: 'as they put it', sinceMs: NOW_MS }]
    expect(status).toMatchObject({ failures: 0, end: undefined, backoffUntilMs: 0 })
    expect(status.refusedBy).toEqual({ generation: 1, places })
    const regional = launched('reserved', no('BAD_REQUEST', { scope: 'region' })).after.status
    expect(regional.refusedBy?.places).toMatchObject([{ at: 'alpha/eu-1', why: 'as they put it' }])
  })

  test('that calls the order wrong while another one is on its way says it once, and counts no failure', () => {
    const record = recordOf(workloadOf(service(2)), [
      placed(WORKLOAD, '0', 'reserved'),
      placed(WORKLOAD, '1', 'reserved'),
    ])
    const answer = { answer: no('BAD_REQUEST'), nowMs: NOW_MS, chance: 0.5 }
    const { status } = settleLaunch(record, slotIn(record, '0'), answer)
    const between = { ...record, status: must(status, 'a status') }
    const second = settleLaunch(between, slotIn(between, '1'), { ...answer, nowMs: NOW_MS + 5000 })
    expect(second.status).toEqual(status)
    expect(status).toMatchObject({ failures: 0, end: undefined })
  })

  test('that calls the order wrong once more backs off, and ends the workload at the fifth time', () => {
    const refusedBy = { generation: 1, places: [{ at: 'alpha', why: 'as they put it' }] }
    const again = recordOf(WORKLOAD, [placed(WORKLOAD, '0', 'reserved')], { refusedBy })
    const first = settleLaunch(again, slotIn(again, '0'), { answer: no('BAD_REQUEST'), nowMs: NOW_MS, chance: 0.5 })
    expect(first.status).toMatchObject({ failures: 1, end: undefined })
    expect(first.status?.backoffUntilMs).toBeGreaterThan(NOW_MS)
    const record = recordOf(WORKLOAD, [placed(WORKLOAD, '0', 'reserved')], { failures: 3, refusedBy })
    const fourth = settleLaunch(record, slotIn(record, '0'), { answer: no('BAD_REQUEST'), nowMs: NOW_MS, chance: 0.5 })
    expect(fourth.status).toMatchObject({ failures: 4, end: undefined })
    const late = recordOf(WORKLOAD, [placed(WORKLOAD, '0', 'reserved')], { failures: 4, refusedBy })
    const fifth = settleLaunch(late, slotIn(late, '0'), { answer: no('BAD_REQUEST'), nowMs: NOW_MS, chance: 0.5 })
    expect(fifth.status?.end).toEqual({ state: 'failed', why: 'refused as invalid: as they put it', atMs: NOW_MS })
  })

  test('that calls the order wrong ends work at once that is not to be restarted', () => {
    const refusedBy = { generation: 1, places: [{ at: 'alpha', why: 'as they put it' }] }
    const manifest = { ...WORKLOAD.manifest, restart: { ...WORKLOAD.manifest.restart, max: 0 } }
    const once = { ...WORKLOAD, manifest }
    const record = recordOf(once, [placed(once, '0', 'reserved')], { refusedBy })
    const first = settleLaunch(record, slotIn(record, '0'), { answer: no('BAD_REQUEST'), nowMs: NOW_MS, chance: 0.5 })
    expect(first.status?.end).toMatchObject({ state: 'failed' })
  })

  test('that refuses for the world counts no failure of the workload', () => {
    expect(launched('reserved', no('SOLD_OUT')).after.status).toMatchObject({ failures: 0, backoffUntilMs: 0 })
  })
})

describe('the answer to a stop', () => {
  test('that it is gone ends a placement whose instance has a name', () => {
    const { placement, change } = stopped({ ok: true, value: { gone: true } }, { why: 'drained' })
    expect(placement).toMatchObject({ phase: 'gone', why: 'drained', sinceMs: NOW_MS })
    expect(change.events.map(({ kind }) => kind)).toEqual(['stopped'])
  })

  test('that it is gone proves nothing about an instance whose name was never heard', () => {
    const { placement } = stopped({ ok: true, value: { gone: true } }, { instance: undefined })
    expect(placement).toMatchObject({ phase: 'stopping', tries: 1 })
    expect(placement.nextTryMs).toBeGreaterThan(NOW_MS)
  })

  test('that it has begun is asked for again within some seconds, however often', () => {
    const { placement } = stopped({ ok: true, value: { gone: false } }, { tries: 50 })
    expect(placement).toMatchObject({ phase: 'stopping', tries: 51 })
    expect(placement.nextTryMs - NOW_MS).toBeLessThanOrEqual(10 * SECOND_MS)
  })

  test.each(['AUTH', 'TRANSIENT', 'BAD_REQUEST', 'QUOTA', 'AMBIGUOUS'] as const)(
    'that fails with %s is tried again later, for ever',
    (name) => {
      const { placement } = stopped(no(name), { tries: 1000 })
      expect(placement).toMatchObject({ phase: 'stopping', tries: 1001 })
      expect(placement.nextTryMs).toBeGreaterThan(NOW_MS)
      expect(placement.nextTryMs - NOW_MS).toBeLessThanOrEqual(61 * SECOND_MS)
    },
  )
})
