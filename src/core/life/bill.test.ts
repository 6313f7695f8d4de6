import { expect, test } from 'vitest'
import { billKey, billOf, billsSince, openBillOf } from './bill.ts'
import { NOW_MS, placed, workloadOf } from './keep.suite.ts'

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
