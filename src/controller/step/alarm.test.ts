import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Alarm } from './alarm.ts'
import { cases } from '../../core/base/laws.suite.ts'

describe('an alarm', () => {
  test('wakes each workload once, at the earliest of its times', () => {
    const alarm = new Alarm()
    alarm.set('a', 20)
    alarm.set('a', 10)
    alarm.set('a', 30)
    alarm.set('b', 15)
    expect(alarm.nextMs).toBe(10)
    expect(alarm.due(9)).toEqual([])
    expect(alarm.due(10)).toEqual(['a'])
    expect(alarm.nextMs).toBe(15)
    expect(alarm.due(100)).toEqual(['b'])
    expect([alarm.due(1000), alarm.nextMs]).toEqual([[], undefined])
  })

  test('forgets no workload and is never late, whatever is set when', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), inMs: fc.nat(50), passMs: fc.nat(30) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const alarm = new Alarm()
        const wanted = new Map<string, number>()
        let nowMs = 0
        for (const { key, inMs, passMs } of steps) {
          alarm.set(key, nowMs + inMs)
          wanted.set(key, Math.min(nowMs + inMs, wanted.get(key) ?? Number.POSITIVE_INFINITY))
          const earliest = Math.min(...wanted.values())
          expect(alarm.nextMs ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(earliest)
          nowMs += passMs
          const due = [...wanted].filter(([, atMs]) => atMs <= nowMs).map(([name]) => name)
          expect(alarm.due(nowMs).toSorted()).toEqual(due.toSorted())
          for (const name of due) wanted.delete(name)
        }
      }),
      cases(300),
    )
  })
})
