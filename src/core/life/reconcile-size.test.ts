import { describe, expect, test } from 'vitest'
import { allIn, situation, recordOf, service, workloadOf } from './keep.suite.ts'
import { reconcile } from './reconcile.ts'
import { cpuMs } from '../base/cpu.suite.ts'

describe('ten thousand slots', () => {
  /** What the processor had to do for it: time on the wall says little on a busy machine. */
  function costMs(work: () => void): number {
    const before = cpuMs()
    work()
    return cpuMs() - before
  }

  test('leave in one turn of moderate length', () => {
    const workload = workloadOf(service(10_000), { want: 'stopped' })
    const record = recordOf(workload, allIn(workloadOf(service(10_000)), 'running'))
    expect(costMs(() => expect(reconcile(record, situation()).change.placements).toHaveLength(10_000))).toBeLessThan(
      1000,
    )
  })

  test('that have no place are looked at again in a moment', () => {
    const record = recordOf(workloadOf(service(10_000)))
    expect(reconcile(record, situation()).place).toHaveLength(10_000)
    const cost = costMs(() => {
      for (let time = 0; time < 50; time++) reconcile(record, situation())
    })
    expect(cost / 50).toBeLessThan(4)
  })
})
