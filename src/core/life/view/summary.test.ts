import { describe, expect, test } from 'vitest'
import type { Placement, Phase } from '../placement.ts'
import { FRESH_STATUS, type Status } from '../status.ts'
import { identityOf } from '../identity.ts'
import { viewOf } from './summary.ts'
import type { Workload } from '../workload.ts'

/** Two replicas, or a job of one. Only what a view is made of. */
function workload(more: Partial<Workload> & { readonly kind?: 'service' | 'job' } = {}): Workload {
  const { kind = 'service', ...rest } = more
  const replicas = { min: kind === 'job' ? 1 : 2, max: 2, target: undefined }
  const manifest = { kind, replicas, nodes: 1, roles: [], policy: 'p', env: {}, migration: { on: [] } }
  const base = { uid: 'u', project: 'default', name: 'a', generation: 3, want: 'running', scale: {}, manifest }
  return { ...base, createdMs: 1, changedMs: 2, ...rest } as unknown as Workload
}

function placement(
  slot: string,
  phase: Phase,
  more: { readonly uid?: string; readonly healthy?: boolean } = {},
): Placement {
  const tag = { uid: more.uid ?? 'u', slot, epoch: 1, attempt: `x${slot}` }
  const order = { tag, place: { provider: 'p', region: 'r', offer: 'o' } }
  return {
    order,
    shape: '',
    phase,
    healthy: more.healthy,
    reserved: { gpus: 1, usdPerHour: 1.5 },
  } as unknown as Placement
}

function status(more: Partial<Status>): Status {
  return { ...FRESH_STATUS, uid: 'u', generation: 3, ...more }
}

const view = (wanted: Workload, placements: readonly Placement[], known?: Status) =>
  viewOf(wanted, { status: known, placements })

describe('the state of a workload in one word', () => {
  test.each([
    ['waiting', [], {}],
    ['waiting', [placement('0', 'starting')], {}],
    ['starting', [placement('0', 'starting'), placement('1', 'unknown')], {}],
    ['degraded', [placement('0', 'running'), placement('1', 'starting')], {}],
    ['degraded', [placement('0', 'running'), placement('1', 'running', { healthy: false })], {}],
    ['serving', [placement('0', 'running'), placement('1', 'running', { healthy: true })], {}],
    ['running', [placement('0', 'running')], { kind: 'job' as const }],
    ['stopping', [placement('0', 'stopping')], { want: 'stopped' as const }],
    ['stopped', [placement('0', 'gone')], { want: 'stopped' as const }],
    ['stopping', [placement('0', 'unknown')], { want: 'removed' as const }],
    ['stopped', [], { scale: { '': 0 } }],
    ['serving', [placement('0', 'running')], { scale: { '': 1 } }],
  ])('%s', (state, placements, more) => {
    expect(view(workload(more), placements).state).toBe(state)
  })

  test('is how it ended, until it is changed again', () => {
    const end = { state: 'failed', why: 'crashed', atMs: 5 } as const
    expect(view(workload(), [], status({ end })).state).toBe('failed')
    expect(view(workload(), [], status({ end, generation: 2 }))).toMatchObject({ state: 'waiting', end: undefined })
    expect(view(workload(), [], status({ end, uid: 'earlier' })).state).toBe('waiting')
    const done = { ...end, state: 'done' } as const
    expect(view(workload({ kind: 'job' }), [], status({ end: done }))).toMatchObject({
      state: 'done',
      ready: 1,
      total: 1,
    })
  })

  test('is set-aside before anything else', () => {
    const known = status({ setAside: 'a bug' })
    expect(view(workload(), [placement('0', 'running'), placement('1', 'running')], known).state).toBe('set-aside')
  })
})

test('whatever may be billed counts, also what belongs to an earlier workload of the name; what is gone does not', () => {
  const placements = [
    placement('1', 'unknown'),
    placement('0', 'gone'),
    placement('2', 'stopping', { uid: 'earlier' }),
    placement('10', 'gone', { uid: 'earlier' }),
  ]
  const seen = view(workload(), placements)
  expect(seen.usd_per_hour).toBe(3)
  expect(seen.slots.map(({ slot }) => slot)).toEqual(['0', '1', '2'])
})

test('moments are whole milliseconds, and said under one kind of name', () => {
  const waiting = { sinceMs: 10.25, code: 'SOLD_OUT', text: 'none', nextLookMs: 20.75 }
  const known = { ...placement('0', 'starting'), sinceMs: 5.5, nextTryMs: 6.4 }
  const seen = view(workload(), [known], status({ waiting }))
  expect(seen.waiting).toEqual({ since_ms: 10, code: 'SOLD_OUT', text: 'none', next_look_ms: 21 })
  expect(seen.slots[0]).toMatchObject({ since_ms: 6, next_try_ms: 6 })
  const end = { state: 'failed', why: 'crashed', atMs: 5.5 } as const
  expect(view(workload(), [], status({ end })).end).toEqual({ state: 'failed', why: 'crashed', at_ms: 6 })
})

test('what is gone is shown only while the workload has its slot', () => {
  const scaled = view(workload({ scale: { '': 1 } }), [placement('0', 'running'), placement('1', 'gone')])
  expect(scaled.slots.map(({ slot }) => slot)).toEqual(['0'])
  const stopped = view(workload({ want: 'stopped' }), [placement('0', 'gone'), placement('1', 'gone')])
  expect(stopped.slots.map(({ slot }) => slot)).toEqual(['0', '1'])
})

test('which slots run what is wanted now, and how many', () => {
  const wanted = workload()
  const shape = identityOf(wanted.manifest, undefined)
  const seen = view(wanted, [
    { ...placement('0', 'running'), shape },
    { ...placement('1', 'running'), shape: 'before' },
  ])
  expect(seen).toMatchObject({ state: 'serving', ready: 2, updated: 1, slots: [{ current: true }, { current: false }] })
  const sick = view(wanted, [{ ...placement('0', 'running', { healthy: false }), shape }, placement('1', 'gone')])
  expect([sick.updated, sick.slots[1]?.current]).toEqual([0, undefined])
})

test('why its roll-out has ended, for as long as nothing else is wanted', () => {
  const stalled = { generation: 3, why: 'no', atMs: 5, groups: [] }
  expect(view(workload(), [], status({ stalled })).stalled).toBe('no')
  expect(view(workload({ generation: 4 }), [], status({ stalled })).stalled).toBeUndefined()
  expect(view(workload({ want: 'stopped' }), [], status({ stalled })).stalled).toBeUndefined()
})

test('restarts of before the last change are told apart', () => {
  expect(view(workload(), [], status({ restarts: 5, restartsBefore: 3 }))).toMatchObject({
    restarts: 5,
    restarts_since_change: 2,
  })
  expect(view(workload({ generation: 4 }), [], status({ restarts: 5 })).restarts_since_change).toBe(0)
})

describe('what is wrong', () => {
  const trouble = { atMs: 90, sinceMs: 10, slot: '0', text: 'There is no program pyton3 on this host.' }

  test('is the cause of the last failure, and the wait is since the first', () => {
    const seen = view(workload(), [], status({ failures: 2, trouble, backoffUntilMs: 200 }))
    expect(seen.problem).toBe(trouble.text)
    expect(seen.waiting).toMatchObject({
      since_ms: 10,
      next_look_ms: 200,
      text: 'it failed 2 times: There is no program pyton3 on this host',
    })
  })

  test('counts every try that failed, also those that only called the place wrong', () => {
    const refusedBy = { generation: 3, places: [{ at: 'alpha', why: trouble.text }] }
    const seen = view(workload(), [], status({ failures: 2, trouble, refusedBy }))
    expect(seen.waiting?.text).toContain('it failed 3 times: ')
  })

  test('is nothing once the slot is up again', () => {
    const up = [{ ...placement('0', 'running'), reservedMs: 90 }, placement('1', 'running')]
    expect(view(workload(), up, status({ failures: 2, trouble })).problem).toBeUndefined()
  })

  test('is the failure of a successor, though its predecessor serves on', () => {
    const serving = [{ ...placement('0', 'running'), reservedMs: 50 }, placement('1', 'running')]
    const failing = status({ failures: 2, trouble: { ...trouble, slot: '0.b' } })
    expect(view(workload(), serving, failing).problem).toBe(trouble.text)
    const next = { ...placement('0.b', 'running'), reservedMs: 95 }
    expect(view(workload(), [...serving, next], failing).problem).toBeUndefined()
  })

  test('is the version that fails, while the others serve', () => {
    const stalled = { generation: 3, why: trouble.text, atMs: 5, groups: ['0'] }
    const up = { ...placement('1', 'running'), shape: 'before' }
    const seen = view(workload(), [placement('0', 'gone'), up], status({ failures: 5, trouble, stalled }))
    expect(seen).toMatchObject({ state: 'degraded', ready: 1, total: 2, waiting: undefined })
    expect(seen.problem).toBe(`the new version fails: ${trouble.text}`)
  })

  test('is a health check that is no longer answered, and not one that was never answered yet', () => {
    const sick = { ...placement('0', 'running'), healthy: false }
    expect(view(workload(), [sick]).problem).toBeUndefined()
    expect(view(workload(), [{ ...sick, wellMs: 5 }]).problem).toBe(
      '0 no longer passes its health check (no answer with status 2xx)',
    )
  })

  test('is a provider that is not configured', () => {
    const at = (want: Workload['want']) =>
      viewOf(workload({ want }), {
        status: undefined,
        placements: [placement('0', 'running')],
        isConfigured: () => false,
      })
    const how =
      'its provider p is not configured: start berth with the config that has it, or berth provider add p --kind KIND --set … with its kind and settings'
    expect(at('running').problem).toBe(how)
    expect(at('removed').problem).toBe(`it cannot be stopped: ${how}`)
  })

  test('names a command that works where the kind can be told from what it runs', () => {
    const plainPlace = placement('0', 'running')
    const node = { id: 'h', spot: { node: 0, cards: [], taken: undefined }, request: {} } as unknown as NonNullable<
      Placement['order']['place']['node']
    >
    const at = (provider: string, decision: Partial<Placement['decision']> = {}) => {
      const order = { ...plainPlace.order, place: { ...plainPlace.order.place, provider, node } }
      const here = { ...plainPlace, order, decision: decision as NonNullable<Placement['decision']> }
      return viewOf(workload(), { status: undefined, placements: [here], isConfigured: () => false }).problem
    }
    expect(at('here', { imageUnused: true })).toContain('berth provider add here --kind local --set runtime=process')
    expect(at('local')).toContain('start berth up without --config, or berth provider add local --kind local')
  })

  test('what cannot be seen is not counted as up', () => {
    const unseen = (gone: readonly string[]) => {
      const seen = viewOf(workload(), {
        status: undefined,
        placements: ['0', '1'].map((slot) => {
          const one = placement(slot, 'running')
          const place = { ...one.order.place, provider: `p${slot}` }
          return { ...one, order: { ...one.order, place } }
        }),
        isConfigured: (provider) => !gone.includes(provider),
      })
      return [seen.state, seen.ready, seen.total, seen.unseen, seen.slots.filter((slot) => slot.unseen).length]
    }
    expect(unseen([])).toEqual(['serving', 2, 2, undefined, 0])
    expect(unseen(['p1'])).toEqual(['degraded', 1, 2, 1, 1])
    expect(unseen(['p0', 'p1'])).toEqual(['unknown', 0, 2, 2, 2])
  })

  test('is what a provider says when something cannot be stopped; a stop that goes on is nothing', () => {
    const stopping = { ...placement('0', 'stopping'), tries: 2 }
    const normal = view(workload({ want: 'stopped' }), [stopping])
    expect([normal.problem, normal.slots[0]?.tries]).toEqual([undefined, 0])
    const failing = view(workload({ want: 'stopped' }), [{ ...stopping, fault: 'no answer within 30 s' }])
    expect([failing.problem, failing.slots[0]?.tries]).toEqual(['0 cannot be stopped on p: no answer within 30 s', 2])
  })
})

test('what is told to stop is stopping until nothing of it can cost anything', () => {
  const end = { state: 'stopped', why: 'stopped by request', atMs: 5 } as const
  const wanted = workload({ want: 'stopped' })
  expect(view(wanted, [placement('0', 'stopping')], status({ end })).state).toBe('stopping')
  expect(view(wanted, [placement('0', 'gone')], status({ end })).state).toBe('stopped')
})
