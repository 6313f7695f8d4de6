import { describe, expect, test } from 'vitest'
import { applied, type WorkloadRecord } from './change.ts'
import type { Exit } from './call/exit.ts'
import {
  allIn,
  HOUR_MS,
  job,
  recordOf,
  MINUTE_MS,
  NOW_MS,
  placed,
  SECOND_MS,
  service,
  slotIn,
  workloadOf,
} from './keep.suite.ts'
import { exitText, leave, type Departure } from './leave.ts'
import type { Leaving, Placement } from './placement.ts'
import type { Status } from './status.ts'

const CRASH: Exit = { kind: 'code', code: 1 }
const CHECKPOINT = 'checkpoint: { path: /save, every: 10m }\n'

/** Slot 0 leaves. */
function left(record: WorkloadRecord, departure: Partial<Departure>, slot = '0'): WorkloadRecord {
  const whole = { to: 'stopping', why: 'exited', nowMs: NOW_MS, chance: 0.5, ...departure } as const
  return applied(record, leave(record, slotIn(record, slot), whole))
}

function running(text: string, change: Partial<Placement> = {}, status: Partial<Status> = {}): WorkloadRecord {
  const workload = workloadOf(text)
  return recordOf(workload, allIn(workload, 'running', change), status)
}

describe('failures', () => {
  test('of its own are counted and answered with a growing pause', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 9].map((failures) => {
      const { status } = left(running(service(), { upMs: NOW_MS - 9 * SECOND_MS }, { failures }), { exit: CRASH })
      expect(status).toMatchObject({ failures: failures + 1, restarts: 1 })
      return (status.backoffUntilMs - NOW_MS) / SECOND_MS
    })
    expect(pauses).toEqual([7.5, 15, 30, 60, 120, 225, 225])
  })

  test.each([
    [1, [0, 15, 30, 60]],
    [3, [0, 0, 0, 60]],
  ])('what served is started again at once, as often as there are replicas (%i)', (replicas, expected) => {
    const pauses = [0, 1, 2, 3].map((failures) => {
      const record = running(service(replicas), { upMs: NOW_MS - 10 * SECOND_MS }, { failures })
      return (left(record, { exit: CRASH }).status.backoffUntilMs - NOW_MS) / SECOND_MS
    })
    expect(pauses).toEqual(expected)
  })

  test('that are answered at once shorten no pause that another replica has', () => {
    const pause = { failures: 1, backoffUntilMs: NOW_MS + 5 * SECOND_MS }
    const { status } = left(running(service(3), { upMs: NOW_MS - 10 * SECOND_MS }, pause), { exit: CRASH })
    expect(status.backoffUntilMs).toBe(NOW_MS + 5 * SECOND_MS)
  })

  test.each([{ kind: 'preempted' }, { kind: 'machine' }, undefined] as const)(
    'of the world (%j) cost a restart and no pause',
    (exit) => {
      const why = exit?.kind === 'preempted' ? 'preempted' : 'died'
      const { status } = left(running(service(), {}, { failures: 2 }), { why, exit })
      expect(status).toMatchObject({ failures: 2, restarts: 1, backoffUntilMs: 0, end: undefined })
    },
  )

  test('are forgiven a service that was well for ten minutes, and not a millisecond before', () => {
    const after = (text: string, change: Partial<Placement>): number =>
      left(running(text, change, { failures: 6 }), { exit: CRASH }).status.failures
    const TEN_MS = 10 * MINUTE_MS
    expect(after(service(), { upMs: NOW_MS - TEN_MS })).toBe(1)
    expect(after(service(), { upMs: NOW_MS - TEN_MS + 1 })).toBe(7)
    const asked = service(1, 'ports: [{ name: http, port: 80, health: /well }]\n')
    const upMs = NOW_MS - HOUR_MS
    expect(after(asked, { upMs, healthy: false })).toBe(7)
    expect(after(asked, { upMs, healthy: false, wellMs: NOW_MS - TEN_MS })).toBe(1)
    expect(after(asked, { upMs, healthy: true, wellMs: NOW_MS - TEN_MS + 1 })).toBe(7)
  })

  test('are forgiven a job by a newer checkpoint, and never by time', () => {
    const after = (text: string, change: Partial<Placement>, resumePoints: Status['resumePoints'] = {}): number =>
      left(running(text, { upMs: NOW_MS - 100 * HOUR_MS, ...change }, { failures: 2, resumePoints }), { exit: CRASH })
        .status.failures
    expect(after(job(CHECKPOINT), {})).toBe(3)
    expect(after(job(), { checkpointMs: NOW_MS })).toBe(3)
    expect(after(job(CHECKPOINT), { checkpointMs: NOW_MS - 1 })).toBe(1)
    expect(after(job(CHECKPOINT), { checkpointMs: NOW_MS - 1 }, { 0: NOW_MS - 1 })).toBe(3)
    expect(after(job(CHECKPOINT), { checkpointMs: NOW_MS }, { 0: NOW_MS - 1 })).toBe(1)
  })

  test('end a job after three restarts unless it says otherwise, with the exit code, and count what was restarted', () => {
    const ends = (text: string) => {
      let record = running(text)
      while (record.status.end === undefined) {
        const next = left(record, { exit: CRASH })
        record = recordOf(record.workload, allIn(record.workload, 'running'), next.status)
      }
      return [record.status.end.why, record.status.restarts]
    }
    expect(ends(job())).toEqual(['exit code 1 after 3 restarts', 3])
    expect(ends(job('restart: { max: 1 }\n'))).toEqual(['exit code 1 after 1 restart', 1])
    expect(ends(job('restart: { max: 0 }\n'))).toEqual(['exit code 1', 0])
    const old = running(job(), {}, { failures: 3, restarts: 5 })
    const { manifest } = old.workload
    const unsaid = {
      ...old.workload,
      manifest: { ...manifest, restart: { class: 'training', max: undefined } as const },
    }
    expect(left({ ...old, workload: unsaid }, { exit: CRASH }).status.end?.why).toBe(
      'exit code 1 after 3 restarts without progress',
    )
  })

  test('of one replica beyond restart.max give that replica up, and never the others that serve', () => {
    const text = service(3, 'restart: { max: 2 }\n')
    const crashed = left(running(text, {}, { failures: 2, restarts: 2 }), { exit: CRASH })
    expect(crashed.status).toMatchObject({ end: undefined, restarts: 2 })
    expect(crashed.status.stalled).toEqual({ generation: 1, why: 'exit code 1', atMs: NOW_MS, groups: ['0'] })
    const second = left(crashed, { exit: CRASH }, '1')
    expect(second.status.stalled?.groups).toEqual(['0', '1'])
    expect(left(second, { exit: CRASH }, '2').status.end).toMatchObject({ why: 'exit code 1 after 2 restarts' })
  })

  test('are told with their cause, since the first of them', () => {
    const once = left(running(service(), {}), { exit: CRASH })
    expect(once.status.trouble).toEqual({ atMs: NOW_MS, sinceMs: NOW_MS, slot: '0', text: 'exit code 1' })
    const again = left(running(service(), {}, once.status), { exit: { kind: 'out-of-memory' }, nowMs: NOW_MS + 9 })
    expect(again.status.trouble).toMatchObject({ atMs: NOW_MS + 9, sinceMs: NOW_MS, text: 'out of memory' })
  })

  test('beyond restart.max end the workload', () => {
    const text = service(1, 'restart: { class: inference, max: 2 }\n')
    expect(left(running(text, {}, { failures: 1 }), { exit: CRASH }).status.end).toBeUndefined()
    expect(left(running(text, {}, { failures: 2 }), { exit: CRASH }).status.end).toEqual({
      state: 'failed',
      why: 'exit code 1 after 2 restarts',
      atMs: NOW_MS,
    })
  })

  test('without restart.max never do', () => {
    expect(left(running(service(), {}, { failures: 1e6 }), { exit: CRASH }).status.end).toBeUndefined()
  })

  const planned: readonly Leaving[] = ['scaled-down', 'stopped', 'removed', 'replaced', 'drained', 'gang', 'refused']
  test.each(planned)('are not what %s is', (why) => {
    const record = running(service(), {}, { failures: 2 })
    expect(left(record, { why }).status).toMatchObject({ failures: 2, restarts: 0, backoffUntilMs: 0 })
  })

  test('are counted once, however long the leaving takes', () => {
    const once = left(running(service()), { exit: CRASH })
    const twice = left(once, { to: 'gone', why: 'stopped' })
    expect(twice.status).toEqual(once.status)
    expect(slotIn(twice, '0')).toMatchObject({ phase: 'gone', why: 'exited', exit: CRASH })
  })
})

describe('a run that ends well', () => {
  test('ends a job that asked for one', () => {
    const { status } = left(running(job(), {}, { failures: 3 }), { why: 'finished' })
    expect(status).toMatchObject({ completed: [0], failures: 0, restarts: 0 })
    expect(status.end).toEqual({ state: 'done', why: 'ran to its end', atMs: NOW_MS })
  })

  test('is one of several, until the last', () => {
    const text = job('completions: 3\n')
    expect(left(running(text, {}, { completed: [0] }), { why: 'finished' }).status).toMatchObject({
      completed: [0, 1],
      end: undefined,
    })
    expect(left(running(text, {}, { completed: [0, 1] }), { why: 'finished' }).status.end).toMatchObject({
      state: 'done',
      why: '3 runs ended well',
    })
  })

  test('is complete when every machine of a gang is', () => {
    const record = running(job('nodes: 3\n'))
    const one = left(record, { why: 'finished' }, '0.0')
    const two = left(one, { why: 'finished' }, '0.2')
    expect(two.status).toMatchObject({ completed: [], end: undefined })
    expect(left(two, { why: 'finished' }, '0.1').status).toMatchObject({ completed: [0], end: { state: 'done' } })
  })

  test('is complete though a row of an earlier, larger gang is left', () => {
    const workload = workloadOf(job('nodes: 2\n'))
    const surplus = placed(workload, '0.2', 'gone', { why: 'scaled-down' })
    const record = recordOf(workload, [...allIn(workload, 'running'), surplus])
    const one = left(record, { why: 'finished' }, '0.0')
    expect(left(one, { why: 'finished' }, '0.1').status.end).toMatchObject({ state: 'done' })
  })

  test('is not complete when another machine of the gang failed', () => {
    const one = left(running(job('nodes: 2\n')), { why: 'exited', exit: CRASH }, '0.0')
    expect(left(one, { why: 'finished' }, '0.1').status).toMatchObject({ completed: [], end: undefined })
  })
})

describe('work that was lost', () => {
  test('counts from the last checkpoint, which is where it resumes', () => {
    const record = running(job(CHECKPOINT), { upMs: NOW_MS - HOUR_MS, checkpointMs: NOW_MS - MINUTE_MS })
    const { status } = left(record, { why: 'preempted', exit: { kind: 'preempted' } })
    expect(status).toMatchObject({ lostSeconds: 60, resumePoints: { 0: NOW_MS - MINUTE_MS } })
  })

  test('counts from its beginning without one', () => {
    const record = running(job(CHECKPOINT), { upMs: NOW_MS - HOUR_MS }, { lostSeconds: 7 })
    expect(left(record, { why: 'died' }).status).toMatchObject({ lostSeconds: 3607, resumePoints: {} })
  })

  test('counts from when it came up if the checkpoint is of an earlier life', () => {
    const record = running(job(CHECKPOINT), { upMs: NOW_MS - MINUTE_MS, checkpointMs: NOW_MS - HOUR_MS })
    expect(left(record, { why: 'died' }).status.lostSeconds).toBe(60)
  })

  test('is none for a service, or for what never came up', () => {
    expect(left(running(service(), { upMs: 1 }), { why: 'died' }).status.lostSeconds).toBe(0)
    expect(left(running(job(), { upMs: undefined }), { why: 'died' }).status.lostSeconds).toBe(0)
  })

  test('never moves the point to resume from back', () => {
    const record = running(job(CHECKPOINT), { checkpointMs: 50 }, { resumePoints: { 0: 90 } })
    expect(left(record, { why: 'died' }).status.resumePoints).toEqual({ 0: 90 })
  })

  test('has no point to resume from in a job that says nothing of checkpoints', () => {
    const record = running(job(), { checkpointMs: 50 })
    expect(left(record, { why: 'died' }).status.resumePoints).toEqual({})
  })

  test.each(['drained', 'gang'] as const)('is little when it is %s: it resumes from its checkpoint', (why) => {
    const record = running(job(CHECKPOINT), { upMs: NOW_MS - HOUR_MS, checkpointMs: NOW_MS - MINUTE_MS })
    expect(left(record, { why }).status.resumePoints).toEqual({ 0: NOW_MS - MINUTE_MS })
  })
})

describe('what people read', () => {
  test.each<[Leaving, 'stopping' | 'gone', string]>([
    ['exited', 'stopping', 'ended'],
    ['finished', 'stopping', 'ended'],
    ['died', 'gone', 'died'],
    ['preempted', 'stopping', 'preempted'],
    ['scaled-down', 'stopping', 'stopping'],
    ['drained', 'stopping', 'drained'],
    ['replaced', 'stopping', 'replaced'],
    ['absent', 'gone', 'stopped'],
  ])('of %s, %s is %s', (why, to, kind) => {
    const record = running(service())
    const { events } = leave(record, slotIn(record, '0'), { to, why, nowMs: NOW_MS, chance: 0 })
    expect(events[0]).toEqual({ kind, facts: { slot: '0', epoch: 1, provider: 'alpha', why, exit: '' } })
    // What was asked for is done with it.
    const over = why === 'finished' ? [{ kind: 'done', facts: { completions: 1, exit_code: 0, attempts: 1 } }] : []
    expect(events.slice(1)).toEqual(over)
  })

  test('of every exit is a few words', () => {
    const exits: readonly (Exit | undefined)[] = [
      undefined,
      { kind: 'code', code: 137 },
      { kind: 'signal', signal: 'SIGTERM' },
      { kind: 'out-of-memory' },
      { kind: 'preempted' },
      { kind: 'machine' },
      { kind: 'start', why: 'no such image' },
    ]
    expect(exits.map(exitText)).toEqual([
      '',
      'exit code 137',
      'killed by SIGTERM',
      'out of memory',
      'taken away by the provider',
      'the machine failed',
      'did not start: no such image',
    ])
  })

  test('of the second step tells only that it is gone', () => {
    const record = recordOf(workloadOf(service()), [placed(workloadOf(service()), '0', 'stopping', { why: 'drained' })])
    const { events } = leave(record, slotIn(record, '0'), { to: 'gone', why: 'died', nowMs: NOW_MS, chance: 0 })
    expect(events).toMatchObject([{ kind: 'stopped', facts: { why: 'drained' } }])
  })
})
