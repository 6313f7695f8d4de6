import { describe, expect, test } from 'vitest'
import { must } from '../base/assert.ts'
import { applied, NOTHING, type Change } from './change.ts'
import type { PortAddress } from './call/address.ts'
import type { Exit } from './call/exit.ts'
import type { Instance } from './call/instance.ts'
import {
  instanceOf,
  job,
  recordOf,
  MINUTE_MS,
  NOW_MS,
  placed,
  SECOND_MS,
  service,
  SETTLE_MS,
  evidenceOf,
  slotIn,
  workloadOf,
} from './keep.suite.ts'
import type { Phase, Placement } from './placement.ts'
import { see, type Evidence } from './evidence.ts'

const SERVICE = workloadOf(service())
const JOB = workloadOf(job())

/** What evidence makes of a placement of a service. */
function seen(phase: Phase, evidence: Partial<Evidence>, change: Partial<Placement> = {}) {
  const record = recordOf(SERVICE, [placed(SERVICE, '0', phase, change)])
  const outcome = see(record, slotIn(record, '0'), evidenceOf(undefined, evidence))
  return outcome === 'look' ? 'look' : { change: outcome, placement: slotIn(applied(record, outcome), '0') }
}

function shown(phase: Phase, instance: Partial<Instance>, change: Partial<Placement> = {}) {
  const outcome = seen(phase, { instance: instanceOf(placed(SERVICE, '0', phase), instance) }, change)
  if (outcome === 'look') throw new Error('an instance that is shown need not be looked for')
  return outcome
}

function at(host: string, port: number): PortAddress {
  return { host, port, tls: false }
}

function kinds({ events }: Change): readonly string[] {
  return events.map(({ kind }) => kind)
}

describe('an instance that is shown', () => {
  test('as up makes a placement run, and starts the clock of the workload', () => {
    const { placement, change } = shown('starting', { ports: { http: at('10.0.0.1', 80) }, healthy: true })
    expect(placement).toMatchObject({ phase: 'running', upMs: NOW_MS, ports: { http: '10.0.0.1:80' }, healthy: true })
    expect(change.status).toMatchObject({ startedMs: NOW_MS, waiting: undefined })
    expect(kinds(change)).toEqual(['up'])
  })

  test('later does not start that clock again', () => {
    const record = recordOf(SERVICE, [placed(SERVICE, '0', 'starting')], { startedMs: 5 })
    const change = see(record, slotIn(record, '0'), evidenceOf(instanceOf(slotIn(record, '0'))))
    expect(change).not.toHaveProperty('status')
  })

  test('takes the wait away that was shown until then', () => {
    const waiting = { sinceMs: 1, code: 'SOLD_OUT', text: '', nextLookMs: 1 }
    const record = recordOf(SERVICE, [placed(SERVICE, '0', 'starting')], { startedMs: 5, waiting })
    const change = see(record, slotIn(record, '0'), evidenceOf(instanceOf(slotIn(record, '0'))))
    expect(change).toMatchObject({ status: { startedMs: 5, waiting: undefined } })
  })

  test('as starting leaves an attempt unknown where its launch can be repeated: listed is not begun', () => {
    const record = recordOf(SERVICE, [placed(SERVICE, '0', 'unknown', { absentMs: 5 })])
    const at = (change: Partial<Placement>): readonly unknown[] => {
      const placement = { ...slotIn(record, '0'), ...change }
      const seen = see(record, placement, evidenceOf(instanceOf(placement, { state: 'starting' }), { tokens: true }))
      return seen === 'look' ? [] : seen.placements.map(({ phase, absentMs }) => [phase, absentMs])
    }
    expect(at({})).toEqual([['unknown', undefined]])
    expect(at({ replayed: true })).toEqual([['starting', undefined]])
  })

  test.each([
    ['up', 'running', ['adopted', 'up']],
    ['starting', 'starting', ['adopted']],
    ['unclear', 'starting', ['adopted']],
  ] as const)('as %s is adopted by an unknown attempt, which is %s then', (state, phase, events) => {
    const { placement, change } = shown('unknown', { state, instance: 'i-7' }, { absentMs: 3 })
    expect(placement).toMatchObject({ phase, instance: 'i-7', absentMs: undefined })
    expect(kinds(change)).toEqual(events)
  })

  test('at a price above its ceiling is ended when it is found, however late its price is heard', () => {
    const dear = { phase: 'stopping', why: 'too-expensive' }
    expect(shown('unknown', { state: 'up', usdPerHour: 9 }).placement).toMatchObject(dear)
    const { placement } = shown('unknown', { state: 'starting' })
    expect(placement).toMatchObject({ phase: 'starting', unpriced: true })
    expect(shown('starting', { state: 'starting' }, placement).change).toBe(NOTHING)
    expect(shown('running', { state: 'unclear', usdPerHour: 9 }, { unpriced: true }).change).toBe(NOTHING)
    expect(shown('running', { state: 'unclear', usdPerHour: 0 }, { unpriced: true }).change).toBe(NOTHING)
    expect(shown('running', { state: 'up', usdPerHour: 9 }, { unpriced: true }).placement).toMatchObject(dear)
    expect(shown('running', { usdPerHour: 4 }, { unpriced: true }).placement).toMatchObject({ unpriced: false })
  })

  test('at a price that rose since it was agreed on stays', () => {
    expect(shown('running', { usdPerHour: 9 }).change).toBe(NOTHING)
    expect(shown('starting', { state: 'starting', usdPerHour: 9 }, { unpriced: false }).change).toBe(NOTHING)
  })

  test('before anybody was called for it changes nothing', () => {
    expect(shown('reserved', {}).change).toBe(NOTHING)
    expect(shown('gone', {}).change).toBe(NOTHING)
  })

  test('without a state says nothing of its health', () => {
    expect(shown('running', { state: 'unclear' }, { healthy: false }).change).toBe(NOTHING)
    expect(shown('running', { state: 'up' }, { healthy: false }).placement.healthy).toBeUndefined()
  })

  test.each(['up', 'starting', 'unclear', 'ended'] as const)('as %s does not bring back what is stopping', (state) => {
    const { placement, change } = shown('stopping', { state, instance: 'i-7' }, { instance: undefined, absentMs: 4 })
    expect(placement).toMatchObject({ phase: 'stopping', instance: 'i-7', absentMs: undefined })
    expect(kinds(change)).toEqual([])
  })

  test.each(['starting', 'unclear', 'up'] as const)('as %s leaves what runs running', (state) => {
    expect(shown('running', { state }).placement.phase).toBe('running')
  })

  test('as it was before is no news', () => {
    expect(shown('running', { state: 'up' }).change).toBe(NOTHING)
    expect(shown('starting', { state: 'starting' }).change).toBe(NOTHING)
    const known = { healthy: true, checkpointMs: 8 }
    const before = { ...known, ports: { a: 'a:1', b: 'tls://b:2' } }
    const ports = { b: { ...at('b', 2), tls: true }, a: at('a', 1) }
    expect(shown('running', { ...known, ports }, before).change).toBe(NOTHING)
  })

  test.each([
    [{ ports: { http: at('other', 1) } }, { ports: { http: 'other:1' } }],
    [{ ports: { http: at('here', 1), admin: at('x', 2) } }, { ports: { http: 'here:1', admin: 'x:2' } }],
    [{ checkpointMs: 9 }, { checkpointMs: 9 }],
    [{ healthy: false }, { healthy: false }],
    [{ instance: 'i-renamed' }, { instance: 'i-renamed' }],
    [{}, { absentMs: undefined }],
  ])('with %j is written down', (instance, after) => {
    const before = { ports: { http: 'here:1' }, healthy: true, checkpointMs: 8, absentMs: 7 }
    expect(shown('running', instance, before).placement).toMatchObject(after)
  })

  test('without ports or a checkpoint keeps those that are known', () => {
    const { placement } = shown('running', { healthy: false }, { ports: { http: 'here' }, checkpointMs: 8 })
    expect(placement).toMatchObject({ ports: { http: 'here' }, checkpointMs: 8, phase: 'running' })
  })

  test('as ill and well again is told once each', () => {
    expect(kinds(shown('running', { healthy: false }, { healthy: true }).change)).toEqual(['unhealthy'])
    expect(kinds(shown('running', { healthy: false }).change)).toEqual(['unhealthy'])
    expect(kinds(shown('running', { healthy: true }, { healthy: false }).change)).toEqual(['healthy'])
    expect(kinds(shown('running', { healthy: true }).change)).toEqual([])
    expect(kinds(shown('running', {}, { healthy: true }).change)).toEqual([])
  })
})

describe('an instance that has ended', () => {
  const exits: readonly [Exit | undefined, string][] = [
    [undefined, 'died'],
    [{ kind: 'code', code: 0 }, 'exited'],
    [{ kind: 'code', code: 3 }, 'exited'],
    [{ kind: 'signal', signal: 'SIGKILL' }, 'exited'],
    [{ kind: 'out-of-memory' }, 'exited'],
    [{ kind: 'start', why: 'no image' }, 'exited'],
    [{ kind: 'preempted' }, 'preempted'],
    [{ kind: 'machine' }, 'died'],
  ]

  test.each(exits)('by %j leaves, but is stopped before it counts as gone', (exit, why) => {
    const { placement } = shown('running', { state: 'ended', ...(exit && { exit }) })
    expect(placement).toMatchObject({ phase: 'stopping', why, exit })
  })

  test('by itself, nobody knows how, is a failure of its own: it is restarted with a wait, and not for ever', () => {
    const record = recordOf(JOB, [placed(JOB, '0', 'running')])
    const ended = instanceOf(slotIn(record, '0'), { state: 'ended', endedItself: true })
    const change = see(record, slotIn(record, '0'), evidenceOf(ended))
    expect(change).toMatchObject({ placements: [{ phase: 'stopping', why: 'exited' }], status: { failures: 1 } })
    expect(change).toMatchObject({ status: { backoffUntilMs: expect.any(Number) } })
  })

  test('with code 0 is the good end of a job', () => {
    const record = recordOf(JOB, [placed(JOB, '0', 'running')])
    const ended = instanceOf(slotIn(record, '0'), { state: 'ended', exit: { kind: 'code', code: 0 } })
    const change = see(record, slotIn(record, '0'), evidenceOf(ended))
    expect(change).toMatchObject({ placements: [{ phase: 'stopping', why: 'finished' }] })
    expect(change).toMatchObject({ status: { completed: [0], end: { state: 'done' } } })
  })

  test('before it was seen up leaves all the same', () => {
    expect(shown('starting', { state: 'ended', exit: { kind: 'start', why: 'x' } }).placement.why).toBe('exited')
    expect(shown('unknown', { state: 'ended', exit: { kind: 'code', code: 1 } }).placement.why).toBe('exited')
  })

  test('tells its last checkpoint', () => {
    expect(shown('running', { state: 'ended', checkpointMs: 77 }).placement.checkpointMs).toBe(77)
    expect(shown('running', { state: 'ended' }, { checkpointMs: 66 }).placement.checkpointMs).toBe(66)
  })
})

describe('an instance that is not shown', () => {
  const late = { issuedMs: NOW_MS - MINUTE_MS + SETTLE_MS, settleMs: SETTLE_MS, nowMs: NOW_MS + SETTLE_MS }

  test('is looked for by its name, if it has one', () => {
    for (const phase of ['starting', 'running', 'stopping'] as const) expect(seen(phase, late)).toBe('look')
  })

  test.each([
    ['starting', 'died'],
    ['running', 'died'],
    ['stopping', 'stopped'],
  ] as const)('under its name, once it should be, is gone: %s', (phase, why) => {
    const outcome = must(seen(phase, { ...late, from: 'describe' }), 'there is an outcome')
    expect(outcome).toMatchObject({ placement: { phase: 'gone', why } })
  })

  test('is no evidence a millisecond before the window is over', () => {
    const early = { ...late, issuedMs: late.issuedMs - 1 }
    for (const phase of ['unknown', 'starting', 'running', 'stopping'] as const) {
      for (const from of ['list', 'describe'] as const) {
        expect(seen(phase, { ...early, from })).toMatchObject({ change: NOTHING })
      }
    }
  })

  test('and has no name is absent only after two late lists that lie apart', () => {
    for (const phase of ['unknown', 'stopping'] as const) {
      const unnamed = { instance: undefined }
      expect(seen(phase, late, unnamed)).toMatchObject({ placement: { phase, absentMs: late.issuedMs } })
      const soon = { ...late, issuedMs: late.issuedMs + 30 * SECOND_MS - 1 }
      const once = { ...unnamed, absentMs: late.issuedMs }
      expect(seen(phase, soon, once)).toMatchObject({ change: NOTHING })
      const then = { ...late, issuedMs: late.issuedMs + 30 * SECOND_MS }
      expect(seen(phase, then, once)).toMatchObject({ placement: { phase: 'gone' } })
    }
  })

  test('and has no name is not proven absent by asking for it', () => {
    const once = { absentMs: late.issuedMs }
    const outcome = seen('unknown', { ...late, issuedMs: late.issuedMs + MINUTE_MS, from: 'describe' }, once)
    expect(outcome).toMatchObject({ change: NOTHING })
  })
})
