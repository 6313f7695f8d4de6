import { describe, expect, test } from 'vitest'
import { applied, isNothing, type WorkloadRecord } from './change.ts'
import {
  allIn,
  situation,
  at,
  job,
  recordOf,
  MINUTE_MS,
  NOW_MS,
  placed,
  service,
  slotIn,
  tagged,
  workloadOf,
} from './keep.suite.ts'
import type { Phase, Placement } from './placement.ts'
import { reconcile, type ReconcileResult } from './reconcile.ts'
import type { Situation } from './situation.ts'
import type { Workload } from './workload.ts'

/** `slot phase why` of everything that the change writes. */
function written({ change }: ReconcileResult): readonly string[] {
  return change.placements.map(({ order, phase, why }) => `${order.tag.slot} ${phase} ${why ?? ''}`).toSorted()
}

function places({ place }: ReconcileResult): readonly (readonly string[])[] {
  return place.map((group) => group.map(({ slot }) => slot))
}

function calls({ calls: wanted }: ReconcileResult): readonly string[] {
  return wanted.map(({ kind, slot }) => `${kind} ${slot}`)
}

function running(text: string, change: Partial<Workload> = {}): WorkloadRecord {
  const workload = workloadOf(text)
  return recordOf({ ...workload, ...change }, allIn(workload, 'running'))
}

/** One slot in a phase. */
function one(phase: Phase, change: Partial<Placement> = {}): WorkloadRecord {
  const workload = workloadOf(service())
  return recordOf(workload, [placed(workload, '0', phase, change)])
}

const DRAINING = situation({ provider: (name) => ({ isDraining: name === 'alpha', tokens: false }) })

describe('what has no place', () => {
  test('is to be placed, every slot of it', () => {
    const wanted = reconcile(recordOf(workloadOf(service(3))), situation())
    expect(places(wanted)).toEqual([['0'], ['1'], ['2']])
    expect(isNothing(wanted.change)).toBe(true)
  })

  test('is to be placed by gang, all of it', () => {
    expect(places(reconcile(recordOf(workloadOf(job('nodes: 3\n'))), situation()))).toEqual([['0.0', '0.1', '0.2']])
  })

  test.each(['reserved', 'unknown', 'starting', 'running', 'stopping'] as const)(
    'is not what is %s: no second epoch while the first may be billed',
    (phase) => {
      expect(places(reconcile(one(phase), situation()))).toEqual([])
    },
  )

  test('is what is gone', () => {
    expect(places(reconcile(one('gone'), situation()))).toEqual([['0']])
  })

  test('waits for the rest of its gang to be gone', () => {
    const workload = workloadOf(job('nodes: 2\n'))
    const record = recordOf(workload, [placed(workload, '0.0', 'gone'), placed(workload, '0.1', 'stopping')])
    expect(places(reconcile(record, situation()))).toEqual([])
  })

  test('waits until the pause after a failure is over, and asks to be woken then', () => {
    const record = { ...one('gone'), status: { ...one('gone').status, backoffUntilMs: NOW_MS + 5 } }
    expect(reconcile(record, situation())).toMatchObject({ place: [], wakeMs: NOW_MS + 5 })
    expect(places(reconcile(record, situation({ nowMs: NOW_MS + 5 })))).toEqual([['0']])
  })

  test('has another run to do while completions are missing', () => {
    const workload = workloadOf(job('completions: 2\n'))
    const done = placed(workload, '0', 'gone', { why: 'finished' })
    expect(places(reconcile(recordOf(workload, [done], { completed: [0] }), situation()))).toEqual([['0']])
  })

  test('stays so once the workload has ended', () => {
    const workload = workloadOf(job())
    const end = { state: 'done' as const, why: '', atMs: 1 }
    expect(reconcile(recordOf(workload, [placed(workload, '0', 'gone')], { end }), situation())).toMatchObject({
      place: [],
      calls: [],
      wakeMs: undefined,
    })
  })
})

describe('scaling', () => {
  test('down stops exactly the surplus', () => {
    const wanted = reconcile(running(service(5), { scale: { '': 2 } }), situation())
    expect(written(wanted)).toEqual(['2', '3', '4'].map((slot) => `${slot} stopping scaled-down`))
    expect(places(wanted)).toEqual([])
  })

  test('up places exactly what is missing', () => {
    const wanted = reconcile(running(service(2), { scale: { '': 4 } }), situation())
    expect(places(wanted)).toEqual([['2'], ['3']])
    expect(written(wanted)).toEqual([])
  })

  test('to nothing stops everything', () => {
    expect(written(reconcile(running(service(2), { scale: { '': 0 } }), situation()))).toHaveLength(2)
  })

  test('of a role leaves the others alone', () => {
    const roles = 'berth: v1\nname: demo\nimage: a/b:1\nkind: service\nroles:\n'
    const role = (name: string) => `  ${name}: { resources: { gpu: { count: 1 } }, replicas: 2 }\n`
    const wanted = reconcile(running(roles + role('near') + role('far'), { scale: { far: 1 } }), situation())
    expect(written(wanted)).toEqual(['far-1 stopping scaled-down'])
  })
})

describe('what is not wanted any more', () => {
  test.each([
    ['reserved', 'gone'],
    ['unknown', 'stopping'],
    ['starting', 'stopping'],
    ['running', 'stopping'],
  ] as const)('and is %s is %s', (from, to) => {
    const record = one(from)
    expect(written(reconcile({ ...record, workload: { ...record.workload, want: 'removed' } }, situation()))).toEqual([
      `0 ${to} removed`,
    ])
  })

  test('is waited for while a call about it is under way', () => {
    const record = one('reserved')
    const wanted = reconcile(
      { ...record, workload: { ...record.workload, want: 'removed' } },
      situation({ isBusy: () => true }),
    )
    expect(written(wanted)).toEqual([])
    expect(wanted.change.forget).toBeUndefined()
    expect(calls(wanted)).toEqual([])
  })

  test('is forgotten once nothing of it can exist, and not before', () => {
    const removed = (phase: Phase) => ({
      ...one(phase),
      workload: { ...one(phase).workload, want: 'removed' as const },
    })
    for (const phase of ['unknown', 'starting', 'running', 'stopping'] as const) {
      expect(reconcile(removed(phase), situation()).change.forget).toBeUndefined()
    }
    expect(reconcile(removed('gone'), situation()).change).toMatchObject({
      forget: true,
      events: [{ kind: 'removed' }],
    })
    expect(reconcile(removed('reserved'), situation()).change.forget).toBe(true)
  })

  test('ends as stopped when it is stopped, once', () => {
    const record = one('running')
    const stopping = { ...record, workload: { ...record.workload, want: 'stopped' as const, generation: 2 } }
    const first = reconcile(stopping, situation())
    expect(first.change.status).toMatchObject({ generation: 2, end: { state: 'stopped', atMs: NOW_MS } })
    expect(written(first)).toEqual(['0 stopping stopped'])
    expect(isNothing(reconcile(applied(stopping, first.change), situation({ nowMs: NOW_MS + 9 })).change)).toBe(true)
  })

  test('is what an earlier workload of the same name left behind', () => {
    const record = one('running')
    const earlier = tagged(slotIn(record, '0'), { uid: 'u0' })
    const wanted = reconcile({ ...record, placements: new Map([['0', earlier]]) }, situation())
    expect(written(wanted)).toEqual(['0 stopping removed'])
    expect(places(wanted)).toEqual([])
  })

  test('keeps the end that the workload has: one that failed stays failed', () => {
    const workload = workloadOf(service(2, 'restart: { class: inference, max: 0 }\n'))
    const end = { state: 'failed' as const, why: 'exit code 1 after 0 restarts', atMs: 1 }
    const crashed = placed(workload, '0', 'gone', { why: 'exited' })
    const record = recordOf(workload, [crashed, placed(workload, '1', 'running')], { end })
    const after = applied(record, reconcile(record, situation()).change)
    expect(slotIn(after, '1').phase).toBe('stopping')
    expect(after.status.end).toEqual(end)
    expect(after.status.completed).toEqual([])
  })
})

describe('gangs', () => {
  const GANG = workloadOf(job('nodes: 3\n'))
  const gang = (phase: Phase, change: Partial<Placement> = {}): WorkloadRecord =>
    recordOf(GANG, [placed(GANG, '0.0', 'running'), placed(GANG, '0.1', 'running'), placed(GANG, '0.2', phase, change)])

  test.each(['stopping', 'gone'] as const)('a member that is %s takes all others with it', (phase) => {
    expect(written(reconcile(gang(phase, { why: 'died' }), situation()))).toEqual([
      '0.0 stopping gang',
      '0.1 stopping gang',
    ])
  })

  test.each(['stopping', 'gone'] as const)('a member that finished (%s) takes no other member with it', (phase) => {
    expect(isNothing(reconcile(gang(phase, { why: 'finished' }), situation()).change)).toBe(true)
  })

  test('a member that was refused takes intents with it at once', () => {
    const record = recordOf(GANG, [
      placed(GANG, '0.0', 'reserved'),
      placed(GANG, '0.1', 'unknown'),
      placed(GANG, '0.2', 'gone', { why: 'refused' }),
    ])
    expect(written(reconcile(record, situation()))).toEqual(['0.0 gone gang', '0.1 stopping gang'])
  })

  test('a member that is missing breaks it, too', () => {
    const record = recordOf(GANG, [placed(GANG, '0.0', 'running'), placed(GANG, '0.1', 'running')])
    expect(written(reconcile(record, situation()))).toEqual(['0.0 stopping gang', '0.1 stopping gang'])
  })

  test('is let go when it has not come together after a quarter of an hour', () => {
    const reservedMs = NOW_MS - 15 * MINUTE_MS
    expect(written(reconcile(gang('starting', { reservedMs: reservedMs + 1 }), situation()))).toEqual([])
    const late = gang('starting', { reservedMs })
    expect(written(reconcile(late, situation()))).toHaveLength(3)
    const whole = gang('running', { reservedMs })
    expect(written(reconcile(whole, situation()))).toEqual([])
    // A new leader cuts the moment of what is on its way, and leaves alone what runs.
    const [one, ...others] = [...whole.placements.values()]
    const rest = others.map((placement) => ({ ...placement, phase: 'starting' as const, reservedMs: NOW_MS }))
    const taken = recordOf(whole.workload, [...(one === undefined ? [] : [one]), ...rest])
    expect(written(reconcile(taken, situation()))).toEqual([])
  })

  test('replicas of one machine have nothing to do with each other', () => {
    const workload = workloadOf(service(2))
    const record = recordOf(workload, [
      placed(workload, '0', 'running'),
      placed(workload, '1', 'gone', { why: 'died' }),
    ])
    expect(written(reconcile(record, situation()))).toEqual([])
  })
})

describe('max_duration', () => {
  const LIMITED = workloadOf(job('max_duration: 1h\n'))
  const startedMs = NOW_MS - 60 * MINUTE_MS

  test('ends a job at that moment, and asks to be woken for it', () => {
    const record = recordOf(LIMITED, [placed(LIMITED, '0', 'running')], { startedMs })
    const before = reconcile(record, situation({ nowMs: NOW_MS - 1 }))
    expect(before).toMatchObject({ wakeMs: NOW_MS })
    expect(written(before)).toEqual([])
    const after = reconcile(record, situation())
    expect(written(after)).toEqual(['0 stopping too-long'])
    expect(after.change.status?.end).toEqual({
      state: 'failed',
      why: 'ran longer than max_duration (3600 s)',
      atMs: NOW_MS,
    })
  })

  test('counts on when the manifest changes around a run that goes on', () => {
    const changed = { ...LIMITED, generation: 2 }
    const record = recordOf(changed, [placed(LIMITED, '0', 'running')], { startedMs, generation: 1 })
    expect(written(reconcile(record, situation()))).toEqual(['0 stopping too-long'])
  })

  test('ends a job as failed even when a call about it was under way', () => {
    const record = recordOf(LIMITED, [placed(LIMITED, '0', 'starting')], { startedMs })
    const busy = applied(record, reconcile(record, situation({ isBusy: () => true })).change)
    const after = applied(busy, reconcile(busy, situation()).change)
    expect(slotIn(after, '0').phase).toBe('stopping')
    expect(after.status.end?.state).toBe('failed')
  })
})

describe('moves', () => {
  const MOVABLE = 'migration: { on: [drain] }\n'
  const move = (record: WorkloadRecord, surroundings: Situation = DRAINING): string | undefined => {
    const wanted = reconcile(record, surroundings).move
    return wanted && `${wanted.group} ${wanted.why}`
  }

  test('are made for a drain only where the policy of the workload allows it', () => {
    expect(move(running(service(2)))).toBeUndefined()
    expect(move(running(service(2, MOVABLE)))).toBe('0 drained')
    expect(move(running(service(2, MOVABLE)), situation())).toBeUndefined()
  })

  test('are made from the provider that drains, and from no other', () => {
    const record = running(service(2, MOVABLE))
    const elsewhere = at(slotIn(record, '0'), { provider: 'beta' })
    expect(move({ ...record, placements: new Map(record.placements).set('0', elsewhere) })).toBe('1 drained')
  })

  test('are made when the shape changed, and not for a new scale', () => {
    const image = service(2).replace('app:1', 'app:2')
    const changed = workloadOf(image)
    const record = recordOf(changed, allIn(workloadOf(service(2)), 'running'))
    expect(move(record, situation())).toBe('0 replaced')
    // It could not be stopped where nobody can be asked to.
    expect(move(record, situation({ provider: () => undefined }))).toBeUndefined()
    expect(move(running(service(2), { scale: { '': 2 }, generation: 1 }), situation())).toBeUndefined()
  })

  test.each(['reserved', 'unknown', 'starting', 'stopping', 'gone'] as const)(
    'wait while another slot is %s',
    (phase) => {
      const record = running(service(2, MOVABLE))
      const other = at(placed(record.workload, '1', phase), { provider: 'beta' })
      expect(move({ ...record, placements: new Map(record.placements).set('1', other) })).toBeUndefined()
    },
  )

  test('wait while a slot has no placement at all', () => {
    expect(move(running(service(2, MOVABLE), { scale: { '': 3 } }))).toBeUndefined()
  })

  test('stop at the first that is ill in its new place', () => {
    const changed = workloadOf(service(2).replace('app:1', 'app:2'))
    const old = placed(workloadOf(service(2)), '1', 'running')
    const fresh = (healthy: boolean | undefined) => placed(changed, '0', 'running', { healthy })
    expect(move(recordOf(changed, [fresh(false), old]), situation())).toBeUndefined()
    expect(move(recordOf(changed, [fresh(true), old]), situation())).toBe('1 replaced')
    expect(move(recordOf(changed, [fresh(undefined), old]), situation())).toBe('1 replaced')
  })

  test('need not wait for what is itself to be moved', () => {
    const workload = workloadOf(service(1, MOVABLE))
    expect(move(recordOf(workload, [placed(workload, '0', 'starting')]))).toBe('0 drained')
  })

  test('do not happen after the end', () => {
    const record = running(service(1, MOVABLE))
    const end = { state: 'failed' as const, why: '', atMs: 1 }
    expect(move({ ...record, status: { ...record.status, end } })).toBeUndefined()
  })
})

describe('a clean sheet', () => {
  test('is given to a changed manifest, with its history', () => {
    const record = running(service(), { generation: 2 })
    const status = { ...record.status, generation: 1, failures: 9, restarts: 4, lostSeconds: 8, backoffUntilMs: 1e15 }
    const { change } = reconcile({ ...record, status }, situation())
    expect(change.status).toMatchObject({ generation: 2, failures: 0, restarts: 4, lostSeconds: 8, backoffUntilMs: 0 })
  })

  test('is given to a workload of the same name, without any history', () => {
    const record = running(service())
    const { change } = reconcile({ ...record, status: { ...record.status, uid: 'u0', restarts: 4 } }, situation())
    expect(change.status).toMatchObject({ uid: 'u1', restarts: 0 })
  })
})
