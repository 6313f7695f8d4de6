import { describe, expect, test } from 'vitest'
import { applied, isNothing, joined, NOTHING } from './change.ts'
import { recordOf, placed, service, slotIn, workloadOf } from './keep.suite.ts'

const WORKLOAD = workloadOf(service(2))
const KEPT = recordOf(WORKLOAD, [placed(WORKLOAD, '0', 'running')])
const EVENT = { kind: 'healthy', facts: { slot: '0', epoch: 1 } } as const
const REFUSAL = { provider: 'a', region: undefined, instance: undefined, why: 'quota', atMs: 1, untilMs: 2 } as const

describe('a change', () => {
  test('replaces the placements it names and no others, and does not touch what it was made from', () => {
    const after = applied(KEPT, { placements: [placed(WORKLOAD, '1', 'reserved')], events: [] })
    expect([...after.placements.keys()]).toEqual(['0', '1'])
    expect(slotIn(after, '0')).toBe(slotIn(KEPT, '0'))
    expect([...KEPT.placements.keys()]).toEqual(['0'])
    expect(after.status).toBe(KEPT.status)
  })

  test('and the next one are one, in which the later word counts', () => {
    const first = { placements: [placed(WORKLOAD, '0', 'running'), placed(WORKLOAD, '1', 'running')], events: [EVENT] }
    const second = { placements: [placed(WORKLOAD, '0', 'stopping')], status: KEPT.status, events: [EVENT] }
    const both = joined(first, { ...second, refusals: [REFUSAL] })
    expect(both.placements.map(({ order, phase }) => `${order.tag.slot} ${phase}`)).toEqual(['1 running', '0 stopping'])
    expect(both).toMatchObject({ status: KEPT.status, refusals: [REFUSAL], events: [EVENT, EVENT] })
    expect(joined(second, NOTHING).status).toBe(KEPT.status)
    expect(joined({ ...NOTHING, forget: true }, NOTHING).forget).toBe(true)
    expect(joined(NOTHING, { ...NOTHING, forget: true }).forget).toBe(true)
  })

  test('is nothing only if nothing is written', () => {
    expect(isNothing(joined(NOTHING, NOTHING))).toBe(true)
    expect(isNothing({ ...NOTHING, placements: [slotIn(KEPT, '0')] })).toBe(false)
    expect(isNothing({ ...NOTHING, events: [EVENT] })).toBe(false)
    expect(isNothing({ ...NOTHING, status: KEPT.status })).toBe(false)
    expect(isNothing({ ...NOTHING, refusals: [REFUSAL] })).toBe(false)
    expect(isNothing({ ...NOTHING, forget: true })).toBe(false)
  })
})
