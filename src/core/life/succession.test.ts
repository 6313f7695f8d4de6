import { describe, expect, test } from 'vitest'
import { offer } from '../offer/offer.suite.ts'
import { routeOf } from '../route/route.ts'
import { applied, isNothing, type WorkloadRecord } from './change.ts'
import {
  at,
  bindInput,
  clusters,
  job,
  MINUTE_MS,
  NOW_MS,
  placed,
  recordOf,
  SECOND_MS,
  service,
  situation,
  tagged,
  workloadOf,
} from './keep.suite.ts'
import { moved } from './move.ts'
import type { Phase, Placement } from './placement.ts'
import { emptyGroups, reconcile } from './reconcile.ts'
import { hasSuccessors } from './seats.ts'
import type { Situation } from './situation.ts'
import type { Workload } from './workload.ts'
import { viewOf } from './view/summary.ts'

const PORTS = 'ports: [{ name: http, port: 80 }]\n'
const ON_OUTAGE = workloadOf(service(1, PORTS))

/** An attempt in a seat, at one of two providers. */
function attempt(
  seat: string,
  phase: Phase,
  change: Partial<Placement> & { readonly epoch?: number; readonly provider?: string } = {},
): Placement {
  const { epoch = 1, provider = 'alpha', ...rest } = change
  const placement = placed(ON_OUTAGE, seat, phase, {
    healthy: undefined,
    ports: { http: `10.0.0.${epoch}:80` },
    ...rest,
  })
  return at(tagged(placement, { epoch, attempt: `a-${seat}-${epoch}` }), { provider })
}

/** `alpha` has answered nothing since. */
function silent(sinceMs: number, change: Partial<Situation> = {}): Situation {
  const provider: Situation['provider'] = (name) => ({
    isDraining: false,
    tokens: false,
    ...(name === 'alpha' && { silentMs: sinceMs }),
  })
  return situation({ provider, ...change })
}

function identityOf(text: string): string {
  return placed(workloadOf(text), '0', 'running').shape
}

const OUT = silent(NOW_MS - MINUTE_MS)

function leaving(record: WorkloadRecord, at: Situation): readonly string[] {
  return reconcile(record, at).change.placements.map(
    ({ order, phase, why }) => `${order.tag.slot} ${phase} ${why ?? ''}`,
  )
}

function moves(record: WorkloadRecord, at: Situation): readonly string[] {
  const { move, orElse } = reconcile(record, at)
  return [move, ...orElse].flatMap((one) => (one === undefined ? [] : [`${one.group} ${one.why}`]))
}

describe('who may have a successor', () => {
  test.each([
    [service(), true],
    [service(2, 'storage: [{ mount: /data, from: s3://b/c, mode: ro }]\n'), true],
    [service(1, 'storage: [{ mount: /scratch, size: 1Gi }]\n'), true],
    [service(1, 'storage: [{ mount: /data, from: s3://b/c, mode: rw }]\n'), false],
    [clusters(1, 2), false],
    [job('nodes: 2\n'), false],
    [job(), false],
  ])('%#', (text, expected) => {
    expect(hasSuccessors(workloadOf(text).manifest)).toBe(expected)
  })
})

describe('a provider that answers nothing', () => {
  const serving = recordOf(ON_OUTAGE, [attempt('0', 'running')])

  test('is left alone for the grace, and the look comes when that is over', () => {
    const wanted = reconcile(serving, silent(NOW_MS - 29 * SECOND_MS))
    expect(wanted).toMatchObject({ move: undefined, wakeMs: NOW_MS + SECOND_MS })
    expect(isNothing(wanted.change)).toBe(true)
  })

  test('has its work placed elsewhere, which goes on serving until then', () => {
    expect(moves(serving, OUT)).toEqual(['0 outage'])
    expect(leaving(serving, OUT)).toEqual([])
  })

  test('has it placed for every replica at once, whatever the others do', () => {
    const record = recordOf({ ...ON_OUTAGE, scale: { '': 3 } }, [
      attempt('0', 'running'),
      attempt('1', 'starting'),
      attempt('2', 'running', { provider: 'beta', healthy: false }),
    ])
    expect(moves(record, OUT)).toEqual(['0 outage', '1 outage'])
  })

  test.each([
    ['a grace of its own', 'migration: { grace: 5m }\n', []],
    ['a grace that is over', 'migration: { on: [outage], grace: 30s }\n', ['0 outage']],
    ['a policy to stay', 'migration: { on: [drain] }\n', []],
  ])('counts by its manifest: %s', (_, more, expected) => {
    const workload = workloadOf(service(1, PORTS + more))
    expect(moves(recordOf(workload, [attempt('0', 'running')]), OUT)).toEqual(expected)
  })

  test('keeps jobs, gangs and what writes to storage', () => {
    for (const text of [
      job('migration: { on: [outage] }\n'),
      service(1, 'storage: [{ mount: /d, from: s3://b, mode: rw }]\n'),
    ]) {
      const workload = workloadOf(text)
      const slots = [at(placed(workload, '0', 'running'), { provider: 'alpha' })]
      expect(reconcile(recordOf(workload, slots), OUT)).toMatchObject({ place: [], move: undefined })
    }
  })

  test('is not moved from while a version fails, or during the pause after a failure', () => {
    const stalled = { generation: 1, why: 'exit code 1', atMs: 1, groups: ['9'] }
    const status = { ...serving.status, stalled }
    expect(reconcile({ ...serving, status }, OUT).move).toBeUndefined()
    const paused = { ...serving, status: { ...serving.status, backoffUntilMs: NOW_MS + 5 } }
    expect(reconcile(paused, OUT)).toMatchObject({ move: undefined, wakeMs: NOW_MS + 5 })
  })
})

describe('a successor', () => {
  const elsewhere = offer({ id: 'beta/b/x', provider: 'beta', region: 'b' })

  function next(record: WorkloadRecord): WorkloadRecord {
    return applied(record, moved(record, { group: '0', why: 'outage' }, bindInput([elsewhere])))
  }

  test('gets a seat of its own and the next epoch, and what serves is not touched', () => {
    const after = next(recordOf(ON_OUTAGE, [attempt('0', 'running', { epoch: 4 })]))
    expect(after.placements.get('0')?.phase).toBe('running')
    expect(after.placements.get('0.b')).toMatchObject({ phase: 'reserved', order: { tag: { epoch: 5 } } })
  })

  test('takes a third seat while the first is still being ended', () => {
    const fenced = attempt('0', 'stopping', { why: 'outage', provider: 'alpha' })
    const after = next(recordOf(ON_OUTAGE, [fenced, attempt('0.b', 'running', { epoch: 2 })]))
    expect(after.placements.get('0.c')).toMatchObject({ phase: 'reserved', order: { tag: { epoch: 3 } } })
  })

  test('is not placed where there is no room, and the reason is said; what serves stays', () => {
    const record = recordOf(ON_OUTAGE, [attempt('0', 'running')])
    const change = moved(record, { group: '0', why: 'outage' }, bindInput([]))
    expect(change).toMatchObject({ placements: [], status: { waiting: { code: expect.any(String) } } })
    const waiting = applied(record, change)
    expect(reconcile(waiting, situation()).change.status).toMatchObject({ waiting: undefined })
    expect(reconcile(waiting, OUT).change.status).toBeUndefined()
  })

  test('of any other move is waited for, too, where there is no room at all', () => {
    const record = recordOf({ ...ON_OUTAGE, generation: 2, restartedIn: 2 }, [attempt('0', 'running')])
    const change = moved(record, { group: '0', why: 'replaced' }, bindInput([]))
    expect(change).toMatchObject({ placements: [], status: { waiting: { code: expect.any(String) } } })
    // It waits until it has moved, or need not any more.
    expect(reconcile(applied(record, change), situation()).change.status).toBeUndefined()
  })

  test('is counted against the limits of its project beside its predecessor', () => {
    const limits = { gpusMax: 3, usdPerHourMax: undefined, workloadsMax: undefined }
    const input = bindInput([elsewhere], { limits, usage: { gpus: 2, usdPerHour: 4 } })
    const record = recordOf(ON_OUTAGE, [attempt('0', 'running')])
    expect(moved(record, { group: '0', why: 'outage' }, input)).toMatchObject({
      placements: [],
      status: { waiting: { code: 'QUOTA_PROJECT' } },
    })
    // A move that can wait for the end of its predecessor goes on without a successor beside it.
    const [left] = moved(record, { group: '0', why: 'drained' }, input).placements
    expect(left).toMatchObject({ phase: 'stopping', why: 'drained' })
  })
})

describe('a replica that fails its health path', () => {
  const sick = { healthy: false, wellMs: NOW_MS - 9 * MINUTE_MS, sickMs: NOW_MS - 2 * MINUTE_MS } as const
  const text = `${service(1)}ports: [{ name: http, port: 80, health: /ok }]\n`

  test.each([
    ['', {}, []],
    ['restart: { on_unhealthy: 2m }\n', {}, ['0 unhealthy']],
    ['restart: { on_unhealthy: 3m }\n', {}, []],
    // One that never was well has its own time.
    ['restart: { on_unhealthy: 2m }\n', { wellMs: undefined }, []],
  ])('is replaced if its manifest says so: %s', (more, change, expected) => {
    const workload = workloadOf(text + more)
    const record = recordOf(workload, [placed(workload, '0', 'running', { ...sick, ...change })])
    expect(moves(record, situation())).toEqual(expected)
  })

  test('is looked at again when its time is up', () => {
    const workload = workloadOf(`${text}restart: { on_unhealthy: 3m }\n`)
    const record = recordOf(workload, [placed(workload, '0', 'running', sick)])
    expect(reconcile(record, situation()).wakeMs).toBe(NOW_MS + MINUTE_MS)
  })

  test('leaves as soon as its successor is well', () => {
    const workload = workloadOf(`${text}restart: { on_unhealthy: 1m }\n`)
    const next = placed(workload, '0.b', 'running', { upMs: NOW_MS - 3000, wellMs: NOW_MS - 2000, healthy: true })
    const record = recordOf(workload, [placed(workload, '0', 'running', sick), tagged(next, { epoch: 2 })])
    expect(leaving(record, situation())).toEqual(['0 stopping unhealthy'])
  })
})

describe('of two attempts of a slot', () => {
  const old = attempt('0', 'running')
  const well = attempt('0.b', 'running', { epoch: 2, provider: 'beta', upMs: NOW_MS - 20 * SECOND_MS })

  test('neither leaves before the second is up', () => {
    const record = recordOf(ON_OUTAGE, [old, attempt('0.b', 'starting', { epoch: 2, provider: 'beta' })])
    expect(leaving(record, OUT)).toEqual([])
    expect(moves(record, OUT)).toEqual([])
  })

  test('the first leaves once the second is up, is fenced, and is told to stop', () => {
    const wanted = reconcile(recordOf(ON_OUTAGE, [old, well]), OUT)
    expect(wanted.change.placements).toMatchObject([{ phase: 'stopping', why: 'outage', nextTryMs: 0 }])
    const after = applied(recordOf(ON_OUTAGE, [old, well]), wanted.change)
    expect(after.status.restarts).toBe(1)
    expect(reconcile(after, OUT)).toMatchObject({ place: [], move: undefined, calls: [{ kind: 'stop', slot: '0' }] })
  })

  test('the first finishes its requests if it can be reached', () => {
    const changed: Workload = { ...ON_OUTAGE, generation: 2, restartedIn: 2 }
    const record = recordOf(changed, [
      { ...old, generation: 1 },
      { ...well, generation: 2 },
    ])
    const [left] = reconcile(record, situation()).change.placements
    expect(left).toMatchObject({ phase: 'stopping', why: 'replaced', nextTryMs: NOW_MS + 5 * SECOND_MS })
  })

  test('the second has to work for a while if the first can be reached', () => {
    const changed: Workload = { ...ON_OUTAGE, generation: 2, restartedIn: 2 }
    const fresh = { ...well, generation: 2, upMs: NOW_MS - 5 * SECOND_MS }
    const record = recordOf(changed, [{ ...old, generation: 1 }, fresh])
    expect(reconcile(record, situation())).toMatchObject({ change: { placements: [] }, wakeMs: NOW_MS + 5 * SECOND_MS })
    // One whose provider is silent is relieved at once.
    expect(leaving(recordOf(ON_OUTAGE, [old, fresh]), OUT)).toEqual(['0 stopping outage'])
  })

  test('the second leaves if the first is all right again', () => {
    expect(leaving(recordOf(ON_OUTAGE, [old, well]), situation())).toEqual(['0.b stopping surplus'])
    const coming = attempt('0', 'unknown')
    // What is not known to exist relieves nothing that serves.
    expect(leaving(recordOf(ON_OUTAGE, [coming, well]), situation())).toEqual(['0 stopping surplus'])
  })

  test('the second is withdrawn if the roll-out was changed or taken back before it took over', () => {
    const NEXT = `${service(1, PORTS)}env: { A: b }\n`
    const next = placed(workloadOf(NEXT), '0.b', 'running', { ...well, generation: 2, shape: identityOf(NEXT) })
    const since = [{ generation: 2, text: NEXT, atMs: 0, keys: ['env.A'] }]
    const back = { ...ON_OUTAGE, generation: 3, past: since }
    const third = { ...workloadOf(`${NEXT}command: [x]\n`), generation: 3, past: since }
    for (const workload of [back, third]) {
      const record = recordOf(workload, [{ ...old, generation: 1 }, next])
      expect(leaving(record, situation())).toEqual(['0.b stopping withdrawn'])
      const { events } = reconcile(record, situation()).change
      expect(events).toMatchObject([{ kind: 'stopping', facts: { slot: '0.b', why: 'withdrawn' } }])
      expect(events[0]?.facts).not.toHaveProperty('keys')
      expect(reconcile(record, situation()).change.status?.restarts ?? 0).toBe(0)
    }
  })

  test('the second leaves if it is in the wrong place itself', () => {
    const record = recordOf(ON_OUTAGE, [old, { ...well, order: { ...well.order, place: old.order.place } }])
    expect(leaving(record, OUT)).toEqual(['0.b stopping outage'])
  })

  test('only the one in charge gets requests', () => {
    const routes = (...placements: readonly Placement[]): readonly string[] =>
      (routeOf(ON_OUTAGE, placements)?.replicas ?? []).map(({ id, state }) => `${id} ${state}`)
    expect(routes(old, well)).toEqual(['0.a-0-1 ready'])
    expect(routes({ ...old, phase: 'stopping', why: 'outage' }, well)).toEqual(['0.a-0-1 leaving', '0.b.a-0.b-2 ready'])
    expect(routes({ ...old, phase: 'gone' }, well)).toEqual(['0.b.a-0.b-2 ready'])
  })

  test('of several machines of a replica, the first gets its requests', () => {
    const workload = workloadOf(service(1, `${PORTS}framework: ray\ncommand: [serve, run, app:main]\nnodes: 2\n`))
    const both = ['0.0', '0.1'].map((slot) => placed(workload, slot, 'running', { ports: { http: '10.0.0.1:80' } }))
    expect(routeOf(workload, both)?.replicas.map(({ id }) => id)).toEqual(['0.0.a-0.0-1'])
  })

  test('one that never passed its health path is named, and as such', () => {
    const workload = workloadOf(service(1, 'ports: [{ name: http, port: 80, health: /ok }]\n'))
    const of = (change: Partial<Placement>): readonly string[] =>
      (
        routeOf(workload, [placed(workload, '0', 'running', { ports: { http: '10.0.0.1:80' }, ...change })])
          ?.replicas ?? []
      ).map(({ state }) => state)
    expect(of({ healthy: undefined })).toEqual(['unseen'])
    expect(of({ healthy: false })).toEqual(['unseen'])
    expect(of({ healthy: false, wellMs: NOW_MS })).toEqual(['ill'])
    expect(of({ healthy: true, wellMs: NOW_MS })).toEqual(['ready'])
  })

  test('users see one replica', () => {
    const view = viewOf(ON_OUTAGE, { status: undefined, placements: [old, well] })
    expect(view).toMatchObject({ ready: 1, total: 1, updated: 1, state: 'serving' })
    const gone = viewOf(ON_OUTAGE, { status: undefined, placements: [{ ...old, phase: 'gone' }, well] })
    expect(gone.slots.map(({ slot }) => slot)).toEqual(['0.b'])
  })
})

describe('a fenced attempt', () => {
  const fenced = attempt('0', 'stopping', { why: 'outage' })

  test('does not keep its slot', () => {
    expect(
      emptyGroups(recordOf(ON_OUTAGE, [fenced]), situation())
        .flat()
        .map(({ slot }) => slot),
    ).toEqual(['0.b'])
  })

  test('whatever it was told to stop for, once its provider is silent', () => {
    const sick = recordOf(ON_OUTAGE, [attempt('0', 'stopping', { why: 'died' })])
    expect(emptyGroups(sick, situation())).toEqual([])
    expect(emptyGroups(sick, OUT)).toHaveLength(1)
  })

  test('whatever it was told to stop for, once its provider is configured no longer', () => {
    const sick = recordOf(ON_OUTAGE, [attempt('0', 'stopping', { why: 'withdrawn' })])
    expect(emptyGroups(sick, situation({ provider: () => undefined }))).toHaveLength(1)
  })

  test('keeps nothing when all seats are taken', () => {
    const seats = ['0', '0.b', '0.c'].map((seat, index) =>
      attempt(seat, 'stopping', { why: 'outage', epoch: index + 1 }),
    )
    expect(emptyGroups(recordOf(ON_OUTAGE, seats), OUT)).toEqual([])
  })
})
