import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offer } from '../offer/offer.suite.ts'
import type { WorkloadRecord } from './change.ts'
import { Hostile, type Turn } from './hostile.suite.ts'
import { bindInput, clusters, job, recordOf, service, SETTLE_MS, workloadOf } from './keep.suite.ts'
import { isBilled } from './placement.ts'
import { usageOf } from './bind/usage.ts'
import { cases } from '../base/laws.suite.ts'

const SERVICES = [
  workloadOf(service(2)),
  workloadOf(service(2), { scale: { '': 1 } }),
  workloadOf(service(3)),
  workloadOf(service(2).replace('app:1', 'app:2')),
  workloadOf(service(2), { want: 'stopped' }),
]
const CLUSTERS = [
  workloadOf(clusters(1, 2)),
  workloadOf(clusters(1, 3)),
  workloadOf(clusters(1, 2), { want: 'stopped' }),
  workloadOf(clusters(1, 2).replace('app:1', 'app:2')),
]
const JOBS = [
  workloadOf(job('nodes: 2\n')),
  workloadOf(job('nodes: 3\n')),
  workloadOf(job('nodes: 2\n'), { want: 'stopped' }),
  workloadOf(job('nodes: 2\n').replace('app:1', 'app:2')),
]
const turn: fc.Arbitrary<Turn> = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant('look' as const) },
    { weight: 5, arbitrary: fc.constant('answer' as const) },
    { weight: 3, arbitrary: fc.constant('list' as const) },
    { weight: 3, arbitrary: fc.constant('pass' as const) },
    { weight: 1, arbitrary: fc.constant('end' as const) },
    { weight: 1, arbitrary: fc.constant('user' as const) },
  ),
  dice: fc.nat(1e6),
})
const schedule = fc.array(turn, { minLength: 20, maxLength: 150, size: 'max' })
const RUNS = cases(200)

function hostile(workloads: typeof SERVICES, tokens: boolean): Hostile {
  const [first = workloadOf(service())] = workloads
  return new Hostile(recordOf(first), { capacity: bindInput([offer()]), settleMs: SETTLE_MS, tokens, workloads })
}

/** Whatever exists is the present attempt of its slot, and that is not taken for gone. */
function checkBilling(world: Hostile): void {
  const { alive, record } = world
  for (const { order } of alive) {
    const now = record.placements.get(order.tag.slot)
    expect(now?.order.tag.attempt).toBe(order.tag.attempt)
    expect(now !== undefined && isBilled(now)).toBe(true)
  }
  expect(new Set(alive.map(({ order }) => order.tag.slot)).size).toBe(alive.length)
  expect(usageOf(record.placements.values()).gpus).toBeGreaterThanOrEqual(2 * alive.length)
}

/** No step leads out of `stopping` but to `gone`, and none to the next epoch but from there, or from a mere intent. */
function checkStep(before: WorkloadRecord, after: WorkloadRecord): void {
  for (const [slot, now] of after.placements) {
    const then = before.placements.get(slot)
    if (then === undefined || then === now) continue
    if (then.order.tag.attempt !== now.order.tag.attempt) {
      // An intent that nobody was called about is given up and made anew in one change.
      expect(['reserved', 'gone']).toContain(then.phase)
      expect(now.order.tag.epoch).toBe(then.order.tag.epoch + 1)
      expect(now.phase).toBe('reserved')
    } else if (then.phase === 'stopping') expect(['stopping', 'gone']).toContain(now.phase)
    else if (then.phase === 'gone') expect(now.phase).toBe('gone')
  }
  const lost = [...before.placements.keys()].filter((slot) => !after.placements.has(slot))
  expect(lost).toEqual([])
}

describe.each([
  ['a service without tokens', SERVICES, false],
  ['a service with tokens', SERVICES, true],
  ['a service of gangs with tokens', CLUSTERS, true],
  ['a gang without tokens', JOBS, false],
  ['a gang with tokens', JOBS, true],
] as const)('%s, whatever a provider and a user do', (_, workloads, tokens) => {
  test('is billed once a slot, and only for what is known of', () => {
    fc.assert(
      fc.property(schedule, (turns) => {
        const world = hostile([...workloads], tokens)
        for (const next of turns) {
          const before = world.record
          world.take(next)
          checkStep(before, world.record)
          checkBilling(world)
        }
      }),
      RUNS,
    )
  })
})
