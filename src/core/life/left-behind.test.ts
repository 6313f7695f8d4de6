import { describe, expect, test } from 'vitest'
import { applied } from './change.ts'
import { createdBy, FAULTS, type Fault, type FaultClass } from './call/fault.ts'
import { job, NOW_MS, placed, recordOf, service, situation, slotIn, workloadOf } from './keep.suite.ts'
import type { Phase } from './placement.ts'
import { reconcile } from './reconcile.ts'
import { settleLaunch, settleMate } from './settle.ts'

const CLASSES = Object.keys(FAULTS).map((name) => name as FaultClass)
const REFUSING = CLASSES.filter((name) => FAULTS[name].outcome === 'refused')
const WORKLOAD = workloadOf(service())
const GANG = workloadOf(job('nodes: 3\n'))

function fault(name: FaultClass, more: Partial<Fault> = {}): Fault {
  return { class: name, message: 'as they put it', ...more }
}

function after(phase: Phase, refusal: Fault) {
  const record = recordOf(WORKLOAD, [placed(WORKLOAD, '0', phase)])
  const reply = { answer: { ok: false, fault: refusal }, nowMs: NOW_MS, chance: 0.5 } as const
  const change = settleLaunch(record, slotIn(record, '0'), reply)
  return { change, record: applied(record, change), placement: slotIn(applied(record, change), '0') }
}

test('whether something was created is as the fault says, and else as is usual for its class', () => {
  expect(CLASSES.filter((name) => createdBy(fault(name)) !== 'no')).toEqual(['AMBIGUOUS'])
  expect(createdBy(fault('SOLD_OUT', { created: 'yes' }))).toBe('yes')
  expect(createdBy(fault('AMBIGUOUS', { created: 'no' }))).toBe('maybe')
})

describe('a refusal that leaves something behind', () => {
  test.each(REFUSING)('with %s is ended before the slot is placed again', (name) => {
    for (const created of ['maybe', 'yes'] as const) {
      const { record, placement, change } = after('reserved', fault(name, { created, instance: 'i-left' }))
      expect(placement).toMatchObject({ phase: 'stopping', why: 'refused', instance: 'i-left', calledMs: NOW_MS })
      expect(change.events.map(({ kind }) => kind)).toContain('refused')
      const next = reconcile(record, situation({ nowMs: NOW_MS + 1 }))
      expect(next.place).toEqual([])
      expect(next.calls).toEqual([{ kind: 'stop', slot: '0' }])
    }
  })

  test('is remembered like any other refusal', () => {
    const { change } = after('reserved', fault('SOLD_OUT', { created: 'yes' }))
    expect(change.refusals).toMatchObject([{ why: 'sold-out', untilMs: NOW_MS + 180_000 }])
  })

  test('without a name is proven gone by lists alone', () => {
    const { placement } = after('reserved', fault('SOLD_OUT', { created: 'maybe' }))
    expect(placement).toMatchObject({ phase: 'stopping', instance: undefined, absentMs: undefined })
  })

  test('of a repeated launch is ended, too', () => {
    expect(after('unknown', fault('QUOTA', { created: 'yes' })).placement.phase).toBe('stopping')
    expect(after('unknown', fault('QUOTA', { created: 'no' })).placement).toMatchObject({ phase: 'unknown' })
  })

  test('of a rate limit is ended, and not only waited for', () => {
    expect(after('reserved', fault('RATE_LIMIT', { created: 'yes' })).placement.phase).toBe('stopping')
    expect(after('reserved', fault('RATE_LIMIT')).placement.phase).toBe('reserved')
    const { change, record } = after('reserved', fault('RATE_LIMIT', { created: 'yes', retryAfterMs: 90_000 }))
    expect(change.refusals).toMatchObject([{ untilMs: NOW_MS + 90_000 }])
    expect(record.status).toMatchObject({ failures: 0, backoffUntilMs: 0 })
  })
})

describe('the launch of a whole gang', () => {
  const reply = (answer: Parameters<typeof settleLaunch>[2]['answer']) => ({ answer, nowMs: NOW_MS, chance: 0.5 })

  function settled(phase: Phase, refusal: Fault) {
    let record = recordOf(
      GANG,
      ['0.0', '0.1', '0.2'].map((slot) => placed(GANG, slot, phase)),
    )
    for (const [rank, slot] of ['0.0', '0.1', '0.2'].entries()) {
      const settle = rank === 0 ? settleLaunch : settleMate
      record = applied(record, settle(record, slotIn(record, slot), reply({ ok: false, fault: refusal })))
    }
    const seen = [...record.placements.values()].map(({ phase: now, why }) => `${now} ${why ?? ''}`.trim())
    return { seen, failures: record.status.failures, refusedBy: record.status.refusedBy?.places.length }
  }

  test('that is refused is accounted for once', () => {
    expect(settled('reserved', fault('SOLD_OUT')).seen).toEqual(['gone refused', 'gone gang', 'gone gang'])
    const wrong = settled('reserved', fault('BAD_REQUEST'))
    expect(wrong).toEqual({ seen: ['gone refused', 'gone gang', 'gone gang'], failures: 0, refusedBy: 1 })
  })

  test('that leaves something behind ends all of it', () => {
    const { seen } = settled('reserved', fault('SOLD_OUT', { created: 'maybe' }))
    expect(seen).toEqual(['stopping refused', 'stopping gang', 'stopping gang'])
  })

  test('whose outcome is not known is unknown for every member', () => {
    expect(settled('reserved', fault('AMBIGUOUS')).seen).toEqual(['unknown', 'unknown', 'unknown'])
    expect(settled('unknown', fault('SOLD_OUT')).seen).toEqual(['unknown', 'unknown', 'unknown'])
    expect(settled('reserved', fault('RATE_LIMIT')).seen).toEqual(['reserved', 'reserved', 'reserved'])
  })
})
