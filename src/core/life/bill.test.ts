import { expect, test } from 'vitest'
import { billKey, billOf, billsSince, openBillOf } from './bill.ts'
import { applied } from './change.ts'
import { NOW_MS, placed, recordOf, slotIn, workloadOf } from './keep.suite.ts'
import type { Placement } from './placement.ts'
import { settleLaunch } from './settle.ts'

const WORKLOAD = workloadOf(
  'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\n',
)
const RUNNING = { ...placed(WORKLOAD, '0', 'running'), instance: 'i-1', calledMs: NOW_MS - 3_600_000 }
const GONE = { ...RUNNING, phase: 'gone', why: 'scaled-down', sinceMs: NOW_MS } as const

test('a machine is billed from when its provider took the order until nothing of it exists', () => {
  const bill = billOf({ ...RUNNING, phase: 'stopping' }, GONE)
  expect(bill).toMatchObject({ instance: 'i-1', fromMs: NOW_MS - 3_600_000, toMs: NOW_MS, why: 'scaled-down' })
  expect(bill?.usdPerHour).toBe(RUNNING.reserved.usdPerHour)
})

test('what goes on, what was closed before, what never existed and what is free closes no bill', () => {
  expect(billOf(RUNNING, { ...RUNNING, phase: 'stopping' })).toBeUndefined()
  expect(billOf(GONE, GONE)).toBeUndefined()
  expect(billOf(undefined, GONE)).toBeUndefined()
  expect(billOf(RUNNING, { ...GONE, instance: undefined })).toBeUndefined()
  expect(openBillOf({ ...RUNNING, reserved: { gpus: 1, usdPerHour: 0 } })).toBeUndefined()
})

test('keys lie in the order of time, and after the key of any earlier moment', () => {
  const at = (toMs: number): string => billKey({ project: 'lab', toMs, attempt: 'a' })
  const keys = [0, 1, 35, 36, NOW_MS - 1, NOW_MS, NOW_MS * 2].map(at)
  expect(keys.toSorted()).toEqual(keys)
  expect(billsSince('lab', NOW_MS) < at(NOW_MS)).toBe(true)
  expect(billsSince('lab', NOW_MS) > at(NOW_MS - 1)).toBe(true)
})

test('what its provider says was created has a bill, though it told no name', () => {
  const stopped = (created: 'yes' | 'maybe'): Placement => {
    const record = recordOf(WORKLOAD, [placed(WORKLOAD, '0', 'reserved')])
    const fault = { class: 'SOLD_OUT', message: 'as they put it', created } as const
    const change = settleLaunch(record, slotIn(record, '0'), {
      answer: { ok: false, fault },
      nowMs: NOW_MS,
      chance: 0.5,
    })
    return slotIn(applied(record, change), '0')
  }
  const goneOf = (placement: Placement): Placement => ({ ...placement, phase: 'gone', sinceMs: NOW_MS + 60_000 })
  const left = stopped('yes')
  expect(left.phase).toBe('stopping')
  expect(openBillOf(left)).toMatchObject({ instance: '', fromMs: NOW_MS })
  expect(billOf(left, goneOf(left))).toMatchObject({ fromMs: NOW_MS, toMs: NOW_MS + 60_000, why: 'refused' })
  // Nothing was ever seen of it, and nobody said that there was anything.
  const unsure = stopped('maybe')
  expect(billOf(unsure, goneOf(unsure))).toBeUndefined()
  const seen = { ...unsure, instance: 'i-2' }
  expect(billOf(seen, goneOf(seen))).toMatchObject({ instance: 'i-2', fromMs: NOW_MS })
})
