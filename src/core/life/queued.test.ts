import { describe, expect, test } from 'vitest'
import { applied, isNothing, type WorkloadRecord } from './change.ts'
import { see } from './evidence.ts'
import type { Instance } from './call/instance.ts'
import {
  evidenceOf,
  HOUR_MS,
  instanceOf,
  job,
  MINUTE_MS,
  NOW_MS,
  placed,
  recordOf,
  SECOND_MS,
  service,
  situation,
  slotIn,
  tagged,
  workloadOf,
} from './keep.suite.ts'
import { isQueued, type Phase, type Placement } from './placement.ts'
import { reconcile } from './reconcile.ts'
import { viewOf } from './view/summary.ts'

const SERVICE = workloadOf(service())
const GANG = workloadOf(job('nodes: 2\n'))
const QUEUED = { sinceMs: NOW_MS - 9 * HOUR_MS, reason: 'Priority' }

function shown(before: Placement, instance: Partial<Instance>): Placement {
  const record = recordOf(SERVICE, [before])
  const change = see(record, before, evidenceOf(instanceOf(before, instance)))
  return change === 'look' ? before : slotIn(applied(record, change), '0')
}

function one(phase: Phase, change: Partial<Placement> = {}): Placement {
  return placed(SERVICE, '0', phase, change)
}

describe('a replica in the queue of its provider', () => {
  test('is known as queued, with the reason and since when', () => {
    const queued = shown(one('starting'), { state: 'queued', reason: 'Resources' })
    expect(queued).toMatchObject({ phase: 'starting', queued: { sinceMs: NOW_MS, reason: 'Resources' } })
    expect(isQueued(queued)).toBe(true)
    const later = shown({ ...queued, queued: QUEUED }, { state: 'queued', reason: 'next in line' })
    expect(later.queued).toEqual({ sinceMs: QUEUED.sinceMs, reason: 'next in line' })
    expect(shown(one('unknown'), { state: 'queued', reason: 'Resources' })).toMatchObject({
      phase: 'starting',
      queued: { reason: 'Resources' },
    })
  })

  test('is told once, with the reason', () => {
    const tell = (before: Placement, reason: string): unknown => {
      const change = see(
        recordOf(SERVICE, [before]),
        before,
        evidenceOf(instanceOf(before, { state: 'queued', reason })),
      )
      return change === 'look' ? change : change.events
    }
    const facts = { slot: '0', epoch: 1, provider: 'alpha', reason: 'Resources' }
    expect(tell(one('starting'), 'Resources')).toEqual([{ kind: 'queued', facts }])
    expect(tell(one('unknown'), 'Resources')).toMatchObject([{ kind: 'adopted' }, { kind: 'queued', facts }])
    expect(tell(one('starting', { queued: QUEUED }), 'next in line')).toEqual([])
  })

  test('stays queued while the provider cannot tell its state', () => {
    expect(isQueued(shown(one('starting', { queued: QUEUED }), { state: 'unclear' }))).toBe(true)
  })

  test('is never late, slow or a failure, however long it waits', () => {
    const waits = one('starting', { queued: QUEUED, sinceMs: NOW_MS - 9 * HOUR_MS })
    expect(isNothing(reconcile(recordOf(SERVICE, [waits]), situation()).change)).toBe(true)
    const starts = one('starting', { sinceMs: NOW_MS - 9 * HOUR_MS })
    expect(reconcile(recordOf(SERVICE, [starts]), situation()).change.placements).toMatchObject([{ why: 'late' }])
  })

  test('begins its start when it leaves the queue', () => {
    const starts = shown(one('starting', { queued: QUEUED, sinceMs: QUEUED.sinceMs }), { state: 'starting' })
    expect(starts).toMatchObject({ phase: 'starting', sinceMs: NOW_MS, queued: { ...QUEUED, untilMs: NOW_MS } })
    expect(isQueued(starts)).toBe(false)
    expect(isNothing(reconcile(recordOf(SERVICE, [starts]), situation()).change)).toBe(true)
    const up = shown(one('starting', { queued: QUEUED }), { state: 'up' })
    expect(up).toMatchObject({ phase: 'running', queued: { untilMs: NOW_MS } })
  })

  test('is asked about every half minute', () => {
    const record = recordOf(SERVICE, [one('starting', { queued: QUEUED })])
    const { wakeMs, calls } = reconcile(record, situation({ lookedMs: () => NOW_MS }))
    expect([calls, (wakeMs ?? 0) - NOW_MS]).toEqual([[], 30 * SECOND_MS])
  })

  test('runs on if it has run before: a queue says nothing about work that was up', () => {
    expect(shown(one('running'), { state: 'queued', reason: 'requeued' })).toMatchObject({ phase: 'running' })
  })
})

describe('a gang in the queue of its provider', () => {
  const OLD = { reservedMs: NOW_MS - 9 * HOUR_MS, sinceMs: NOW_MS - 9 * HOUR_MS }

  function gang(first: Placement, second: Placement): WorkloadRecord {
    return recordOf(GANG, [first, second])
  }

  const queued = (slot: string): Placement => placed(GANG, slot, 'starting', { ...OLD, queued: QUEUED })

  test('waits as long as it takes while no member holds a machine', () => {
    expect(isNothing(reconcile(gang(queued('0.0'), queued('0.1')), situation()).change)).toBe(true)
  })

  test('gives up machines that wait for the rest too long', () => {
    const held = (ms: number): Placement => placed(GANG, '0.0', 'running', { ...OLD, upMs: NOW_MS - ms })
    expect(isNothing(reconcile(gang(held(14 * MINUTE_MS), queued('0.1')), situation()).change)).toBe(true)
    const late = reconcile(gang(held(15 * MINUTE_MS), queued('0.1')), situation())
    expect(late.change.placements.map(({ phase, why }) => [phase, why])).toEqual([
      ['stopping', 'gang'],
      ['stopping', 'gang'],
    ])
  })

  test('has its whole time to form after it leaves the queue', () => {
    const left = { ...OLD, queued: { ...QUEUED, untilMs: NOW_MS - 14 * MINUTE_MS }, sinceMs: NOW_MS - 14 * MINUTE_MS }
    const members = gang(placed(GANG, '0.0', 'starting', left), placed(GANG, '0.1', 'starting', left))
    expect(isNothing(reconcile(members, situation()).change)).toBe(true)
  })

  test('has the time that its provider states', () => {
    const told = { ...OLD, slow: true as const }
    const members = gang(placed(GANG, '0.0', 'starting', told), placed(GANG, '0.1', 'starting', told))
    const given = (gangWithinMs: number) =>
      reconcile(members, situation({ provider: () => ({ isDraining: false, tokens: false, gangWithinMs }) })).change
    expect(given(9 * HOUR_MS).placements).toHaveLength(2)
    expect(isNothing(given(9 * HOUR_MS + 1))).toBe(true)
  })
})

describe('calls for a gang whose provider takes all of it at once', () => {
  const GROUPS = { provider: () => ({ isDraining: false, tokens: true, groups: true }) }

  function calls(phases: readonly Phase[], change: Parameters<typeof situation>[0] = {}): readonly string[] {
    const members = phases.map((phase, rank) => placed(GANG, `0.${rank}`, phase, { why: undefined }))
    const wanted = reconcile(recordOf(GANG, members), situation({ ...GROUPS, ...change }))
    return wanted.calls.map(({ kind, slot, mates }) => [kind, slot, ...(mates ?? [])].join(' '))
  }

  test('are one launch of all members, by rank', () => {
    expect(calls(['reserved', 'reserved'])).toEqual(['launch 0.0 0.1'])
    expect(calls(['unknown', 'unknown'])).toEqual(['launch 0.0 0.1'])
    expect(calls(['starting', 'unknown'])).toEqual(['describe 0.0', 'launch 0.0 0.1'])
    expect(calls(['starting', 'running'])).toEqual(['describe 0.0'])
  })

  test('are not made while a call about a member is under way', () => {
    expect(calls(['reserved', 'reserved'], { isBusy: (slot) => slot === '0.1' })).toEqual([])
  })

  test('repeat a launch only with tokens', () => {
    expect(
      calls(['unknown', 'unknown'], { provider: () => ({ isDraining: false, tokens: false, groups: true }) }),
    ).toEqual([])
  })

  test('are single launches where the provider does not', () => {
    expect(calls(['reserved', 'reserved'], { provider: () => ({ isDraining: false, tokens: true }) })).toEqual([
      'launch 0.0',
      'launch 0.1',
    ])
  })
})

describe('a workload whose replicas are queued', () => {
  const view = (...placements: readonly Placement[]) =>
    viewOf(workloadOf(service(placements.length)), {
      status: recordOf(SERVICE).status,
      placements: placements.map((each, index) => tagged(each, { slot: `${index}` })),
    })

  test('is queued, and each replica says for what and since when', () => {
    const { state, slots } = view(one('starting', { queued: QUEUED }))
    expect(state).toBe('queued')
    expect(slots[0]?.queued).toEqual({ since_ms: QUEUED.sinceMs, reason: 'Priority' })
  })

  test('is starting once one of them starts, and serving or degraded as ever', () => {
    expect(view(one('starting', { queued: QUEUED }), one('starting')).state).toBe('starting')
    expect(view(one('starting', { queued: QUEUED }), one('running')).state).toBe('degraded')
    const left = view(one('starting', { queued: { ...QUEUED, untilMs: NOW_MS } }))
    expect([left.state, left.slots[0]?.queued]).toEqual(['starting', undefined])
  })
})
