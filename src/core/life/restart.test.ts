import { describe, expect, test } from 'vitest'
import { offer } from '../offer/offer.suite.ts'
import { eventText } from '../event/text.ts'
import { applied } from './change.ts'
import { allIn, bindInput, NOW_MS, placed, recordOf, service, situation, workloadOf } from './keep.suite.ts'
import { keptInPlace } from './in-place.ts'
import { moved } from './move.ts'
import type { Placement } from './placement.ts'
import { reconcile } from './reconcile.ts'
import { groupsWanted } from './slots.ts'
import { viewOf } from './view/summary.ts'
import type { Workload } from './workload.ts'

const BEFORE = workloadOf(service(2))
const RESTARTED: Workload = { ...BEFORE, generation: 2, restartedIn: 2 }
const OLD = allIn(BEFORE, 'running', { generation: 1 })

function fresh(slot: string, change: Partial<Placement> = {}): Placement {
  return placed(RESTARTED, slot, 'running', { generation: 2, ...change })
}

describe('a restart', () => {
  test('replaces what was placed before it, one replica after the other', () => {
    expect(reconcile(recordOf(BEFORE, OLD), situation()).move).toBeUndefined()
    expect(reconcile(recordOf(RESTARTED, OLD), situation()).move).toEqual({ group: '0', why: 'replaced' })
    const half = recordOf(RESTARTED, [fresh('0'), ...OLD.slice(1)])
    expect(reconcile(half, situation()).move).toEqual({ group: '1', why: 'replaced' })
  })

  test('may begin with another replica while there is no place for the first', () => {
    expect(reconcile(recordOf(RESTARTED, OLD), situation()).orElse).toEqual([{ group: '1', why: 'replaced' }])
  })

  test('waits until the fresh replica has proven itself', () => {
    const half = recordOf(RESTARTED, [fresh('0', { upMs: NOW_MS }), ...OLD.slice(1)])
    expect(reconcile(half, situation()).move).toBeUndefined()
  })

  test('is over once every replica is of its generation or a later one', () => {
    expect(reconcile(recordOf(RESTARTED, [fresh('0'), fresh('1')]), situation()).move).toBeUndefined()
    const later = { ...RESTARTED, generation: 5 }
    expect(reconcile(recordOf(later, [fresh('0'), fresh('1', { generation: 4 })]), situation()).move).toBeUndefined()
  })

  test('also replaces what a version placed that wrote no generations', () => {
    const [first, second] = allIn(BEFORE, 'running')
    const record = recordOf(
      RESTARTED,
      [first, second].filter((one) => one !== undefined),
    )
    expect(reconcile(record, situation()).move?.group).toBe('0')
  })

  test('keeps nothing in place, though the manifest is the same', () => {
    const input = bindInput([offer()])
    const slots = groupsWanted(RESTARTED).get('0') ?? []
    expect(keptInPlace(recordOf(RESTARTED, OLD), slots, input)).toBeUndefined()
    const record = recordOf(RESTARTED, OLD)
    const change = moved(record, { group: '0', why: 'replaced' }, input)
    expect(change.placements).toMatchObject([{ phase: 'reserved', order: { tag: { slot: '0.b' } } }])
    const full = moved(
      record,
      { group: '0', why: 'replaced' },
      {
        ...input,
        limits: { ...input.limits, gpusMax: 2 },
        usage: { gpus: 2, usdPerHour: 4 },
      },
    )
    expect(full.placements).toMatchObject([{ phase: 'stopping', why: 'replaced' }])
    const [event] = full.events
    expect(event).toMatchObject({ kind: 'replaced', facts: { restart: true } })
    expect(applied(record, full).placements.get('1')?.phase).toBe('running')
  })

  test('names no keys of a change that was taken back before', () => {
    const past = [3, 2].map((generation) => ({ generation, text: '', atMs: 0, keys: ['image'] }))
    const record = recordOf({ ...RESTARTED, past }, OLD)
    const full = { gpusMax: 2, usdPerHourMax: undefined, workloadsMax: undefined }
    const input = bindInput([offer()], { limits: full, usage: { gpus: 2, usdPerHour: 4 } })
    const [event] = moved(record, { group: '0', why: 'replaced' }, input).events
    expect(event).toMatchObject({ kind: 'replaced', facts: { restart: true } })
    expect(event?.facts).not.toHaveProperty('keys')
  })

  test('shows how far it is', () => {
    const view = viewOf(RESTARTED, { status: undefined, placements: [fresh('0'), ...OLD.slice(1)] })
    expect([view.ready, view.updated]).toEqual([2, 1])
    expect(view.slots.map(({ current }) => current)).toEqual([true, false])
  })
})

test('the event of a replica that makes way says that it is a restart', () => {
  const facts = { slot: '0', epoch: 1, provider: 'north', why: 'replaced', exit: '', restart: true } as const
  const text = eventText({ atMs: 0, project: 'p', subject: 'workload/w', kind: 'replaced', facts })
  expect(text).toBe('0 on north makes way for a fresh attempt, because a restart was asked for')
})
