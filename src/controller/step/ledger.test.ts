import { beforeEach, describe, expect, test } from 'vitest'
import type { Change } from '../../core/life/change.ts'
import { allIn, at, recordOf, NOW_MS, placed, service, workloadOf } from '../../core/life/keep.suite.ts'
import { placementKey, type Placement } from '../../core/life/placement.ts'
import { workloadKey, type Workload } from '../../core/life/workload.ts'
import type { Refusal } from '../../core/offer/offer.ts'
import type { Commit, Committed, Store, Write } from '../../ports/store.ts'
import { memoryStore } from '../../store/memory.ts'
import { newsIn, rowsIn } from '../rows.ts'
import { Ledger } from './ledger.ts'
import { cpuMs } from '../../core/base/cpu.suite.ts'

const KEY = 'default/demo'
const WORKLOAD = workloadOf(service(2))
const REFUSAL: Refusal = {
  provider: 'alpha',
  region: 'eu-1',
  instance: 'a/b',
  why: 'sold-out',
  atMs: NOW_MS,
  untilMs: NOW_MS + 5,
}

let store: Store
let since = 0
beforeEach(() => {
  store = memoryStore({ nowMs: () => NOW_MS, strict: true })
})

async function put(...writes: readonly Write[]): Promise<void> {
  expect(await store.commit({ writes })).toMatchObject({ kind: 'done' })
}

async function putWorkload(workload: Workload, placements: readonly Placement[] = []): Promise<void> {
  const { status } = recordOf(workload)
  const key = workloadKey(workload)
  await put(
    { kind: 'workload', key, body: workload },
    { kind: 'status', key, body: status },
    ...placements.map((body): Write => ({ kind: 'placement', key: placementKey(body), body })),
  )
}

/** A ledger with everything that the store holds. */
async function load(): Promise<Ledger> {
  const ledger = new Ledger()
  since = await store.head()
  for await (const rows of rowsIn(store)) ledger.take(rows)
  ledger.loaded()
  return ledger
}

/** Takes what was written since, as the leader does. */
async function pull(ledger: Ledger) {
  const read = await newsIn(store, since)
  since = read.since
  const supplied = ledger.naming(new Set(read.news.secrets))
  return { ...ledger.changed(read.news.changes), supplied }
}

/** Writes a change as the leader does. */
async function land(ledger: Ledger, key: string, change: Change): Promise<Committed> {
  const commit: Commit = { writes: ledger.write(key, change) }
  const committed = await store.commit(commit)
  if (committed.kind === 'done') ledger.landed(key, commit.writes, committed.versions)
  return committed
}

function change(...placements: readonly Placement[]): Change {
  return { placements, events: [] }
}

describe('a ledger that is loaded', () => {
  test('holds what the store holds', async () => {
    await putWorkload(WORKLOAD, allIn(WORKLOAD, 'running'))
    await put({ kind: 'refusal', key: 'r', body: REFUSAL })
    await put({
      kind: 'project',
      key: 'default',
      body: { gpusMax: 8, usdPerHourMax: undefined, workloadsMax: undefined },
    })
    const ledger = await load()
    expect(ledger.keys).toEqual([KEY])
    expect([...(ledger.record(KEY)?.placements.keys() ?? [])]).toEqual(['0', '1'])
    expect(ledger.usage('default')).toEqual({ gpus: 4, usdPerHour: 8 })
    expect([...ledger.on('alpha').keys()]).toEqual(['default/demo/0', 'default/demo/1'])
    expect(ledger.refusals).toEqual([REFUSAL])
    expect(ledger.limits('default').gpusMax).toBe(8)
    expect(ledger.counted()).toEqual({ workloads: { serving: 1 }, placements: { running: 2 } })
  })

  test('takes ten thousand slots of one workload as quickly as those of many', async () => {
    const wide = workloadOf(service(10_000))
    await putWorkload(wide, allIn(wide, 'running'))
    const before = cpuMs()
    const ledger = await load()
    const cost = cpuMs() - before
    expect(ledger.record(KEY)?.placements.size).toBe(10_000)
    expect(cost).toBeLessThan(1500)
  })

  test('has nothing of what is not there', async () => {
    const ledger = await load()
    expect([ledger.keys, ledger.refusals, ledger.record(KEY), [...ledger.on('alpha')]]).toEqual([[], [], undefined, []])
    expect(ledger.usage('default')).toEqual({ gpus: 0, usdPerHour: 0 })
    expect(ledger.limits('default')).toMatchObject({ gpusMax: undefined })
    expect(ledger.write(KEY, change(placed(WORKLOAD, '0', 'reserved')))).toEqual([])
  })

  test('counts nothing that is gone', async () => {
    await putWorkload(WORKLOAD, allIn(WORKLOAD, 'gone'))
    const ledger = await load()
    expect([ledger.usage('default').gpus, ledger.on('alpha').size]).toEqual([0, 0])
  })

  test('reads on though one row makes no sense', async () => {
    await putWorkload(WORKLOAD, allIn(WORKLOAD, 'running'))
    // A row that some other version of the program, or a bad disk, has left.
    const broken = JSON.parse('{}') as Placement
    await put({ kind: 'placement', key: 'default/demo/7', body: broken })
    const ledger = await load()
    expect(ledger.record(KEY)?.placements.has('0')).toBe(true)
  })

  test('can be counted though one workload makes no sense', async () => {
    await putWorkload(WORKLOAD)
    const broken = { ...WORKLOAD, name: 'broken', manifest: JSON.parse('{}') as Workload['manifest'] }
    await put({ kind: 'workload', key: 'default/broken', body: broken })
    const ledger = await load()
    expect(ledger.counted().workloads).toMatchObject({ waiting: 1 })
  })
})

describe('a change that is written', () => {
  test('lands with the versions that are there, again and again', async () => {
    await putWorkload(WORKLOAD)
    const ledger = await load()
    expect(await land(ledger, KEY, change(placed(WORKLOAD, '0', 'reserved')))).toMatchObject({ kind: 'done' })
    expect(await land(ledger, KEY, change(placed(WORKLOAD, '0', 'starting')))).toMatchObject({ kind: 'done' })
    const { status } = recordOf(WORKLOAD, [], { failures: 3 })
    expect(await land(ledger, KEY, { ...change(), status })).toMatchObject({ kind: 'done' })
    expect(await land(ledger, KEY, { ...change(), status })).toMatchObject({ kind: 'done' })
    const again = await load()
    expect(again.record(KEY)?.status.failures).toBe(3)
    expect(again.record(KEY)?.placements.get('0')?.phase).toBe('starting')
  })

  test('is counted at once: usage and what is where', async () => {
    await putWorkload(WORKLOAD)
    const ledger = await load()
    await land(ledger, KEY, change(placed(WORKLOAD, '0', 'reserved'), placed(WORKLOAD, '1', 'unknown')))
    expect(ledger.usage('default')).toEqual({ gpus: 4, usdPerHour: 8 })
    await land(ledger, KEY, change(placed(WORKLOAD, '0', 'gone')))
    expect([ledger.usage('default').gpus, [...ledger.on('alpha').keys()]]).toEqual([2, ['default/demo/1']])
    await land(ledger, KEY, change(at(placed(WORKLOAD, '0', 'reserved'), { provider: 'beta' })))
    expect([ledger.usage('default').gpus, [...ledger.on('beta').keys()]]).toEqual([4, ['default/demo/0']])
  })

  test('conflicts when another process wrote the row meanwhile', async () => {
    await putWorkload(WORKLOAD)
    const [mine, theirs] = [await load(), await load()]
    expect(await land(theirs, KEY, change(placed(WORKLOAD, '0', 'reserved')))).toMatchObject({ kind: 'done' })
    expect(await land(mine, KEY, change(placed(WORKLOAD, '0', 'reserved')))).toMatchObject({
      kind: 'conflict',
      row: { kind: 'placement', key: 'default/demo/0' },
      version: 1,
    })
  })

  test('keeps refusals under a valid key, and for all workloads', async () => {
    await putWorkload(WORKLOAD)
    const ledger = await load()
    await land(ledger, KEY, { ...change(), refusals: [REFUSAL] })
    expect(ledger.refusals).toEqual([REFUSAL])
    const [row] = await store.list('refusal', { limit: 10 })
    expect(row?.key).toBe('alpha/eu-1/a|b/sold-out')
    const later = { ...REFUSAL, untilMs: NOW_MS + 9 }
    expect(await land(ledger, KEY, { ...change(), refusals: [later] })).toMatchObject({ kind: 'done' })
    expect(ledger.refusals).toEqual([later])
  })
})

describe('refusals', () => {
  test('are dropped at the moment they run out', async () => {
    await putWorkload(WORKLOAD)
    const ledger = await load()
    await land(ledger, KEY, { ...change(), refusals: [REFUSAL] })
    expect(ledger.expired(NOW_MS + 4)).toEqual([])
    const writes = ledger.expired(NOW_MS + 5)
    expect(await store.commit({ writes })).toMatchObject({ kind: 'done' })
    expect([ledger.refusals, await store.list('refusal', { limit: 10 })]).toEqual([[], []])
  })

  test('of the future were written by another clock, and count for nothing', async () => {
    const past = { ...REFUSAL, atMs: NOW_MS - 86_400_000, untilMs: NOW_MS + 40 * 86_400_000 }
    const ahead = { ...REFUSAL, region: 'eu-2', atMs: NOW_MS + 86_400_000, untilMs: NOW_MS + 86_400_005 }
    await put({ kind: 'refusal', key: 'past', body: past }, { kind: 'refusal', key: 'ahead', body: ahead })
    const ledger = await load()
    expect(await store.commit({ writes: ledger.recut(NOW_MS) })).toMatchObject({ kind: 'done' })
    const cut = { ...past, atMs: NOW_MS, untilMs: NOW_MS + 3_600_000 }
    expect(ledger.refusals).toEqual([cut])
    expect((await store.list('refusal', { limit: 10 })).map(({ body }) => body)).toEqual([cut])
  })

  test('outlive the workload that met them', async () => {
    await putWorkload(WORKLOAD)
    const ledger = await load()
    await land(ledger, KEY, { ...change(), refusals: [REFUSAL] })
    expect(await land(ledger, KEY, { ...change(), forget: true })).toMatchObject({ kind: 'done' })
    expect(await store.list('refusal', { limit: 10 })).toHaveLength(1)
  })

  test('that have run out do not keep a workload from being forgotten', async () => {
    await putWorkload(WORKLOAD)
    const ledger = await load()
    await land(ledger, KEY, { ...change(), refusals: [REFUSAL] })
    await store.commit({ writes: ledger.expired(NOW_MS + 5) })
    expect(await land(ledger, KEY, { ...change(), forget: true })).toMatchObject({ kind: 'done' })
  })
})

describe('a workload that is forgotten', () => {
  test('leaves no row, and nothing that counts', async () => {
    await putWorkload(WORKLOAD, allIn(WORKLOAD, 'running'))
    const ledger = await load()
    expect(await land(ledger, KEY, { ...change(), forget: true })).toMatchObject({ kind: 'done' })
    for (const kind of ['workload', 'status', 'placement'] as const) {
      expect(await store.list(kind, { limit: 10 })).toEqual([])
    }
    expect([ledger.keys, ledger.usage('default').gpus, ledger.on('alpha').size]).toEqual([[], 0, 0])
  })

  test('is not forgotten when its user wants something else meanwhile', async () => {
    await putWorkload({ ...WORKLOAD, want: 'removed' })
    const ledger = await load()
    await put({ kind: 'workload', key: KEY, body: { ...WORKLOAD, uid: 'u2' } })
    expect(await land(ledger, KEY, { ...change(), forget: true })).toMatchObject({ kind: 'conflict' })
    expect((await store.get('workload', KEY))?.body.uid).toBe('u2')
  })
})

describe('what others wrote', () => {
  test('is pulled once', async () => {
    await putWorkload(WORKLOAD)
    const ledger = await load()
    expect(await pull(ledger)).toEqual({ keys: [], isRules: false, supplied: [] })
    await put({ kind: 'workload', key: KEY, body: { ...WORKLOAD, generation: 2, scale: { '': 5 } } })
    await putWorkload(workloadOf(service(1), { name: 'other' }))
    expect((await pull(ledger)).keys.toSorted()).toEqual([KEY, 'default/other'])
    expect(ledger.record(KEY)?.workload.generation).toBe(2)
    expect(await pull(ledger)).toEqual({ keys: [], isRules: false, supplied: [] })
  })

  test('does not include what this one wrote itself', async () => {
    await putWorkload(WORKLOAD)
    const ledger = await load()
    await land(ledger, KEY, change(placed(WORKLOAD, '0', 'reserved')))
    expect(await pull(ledger)).toEqual({ keys: [], isRules: false, supplied: [] })
  })

  test('keeps the placements of a workload that was replaced by another of its name', async () => {
    await putWorkload(WORKLOAD, allIn(WORKLOAD, 'running'))
    const ledger = await load()
    await put({ kind: 'workload', key: KEY, body: { ...WORKLOAD, uid: 'u2', generation: 1 } })
    expect((await pull(ledger)).keys).toEqual([KEY])
    expect(ledger.record(KEY)).toMatchObject({ workload: { uid: 'u2' }, status: { uid: 'u1' } })
    expect(ledger.record(KEY)?.placements.size).toBe(2)
  })

  test('is seen after a workload was forgotten and given again', async () => {
    await putWorkload(WORKLOAD)
    const ledger = await load()
    await land(ledger, KEY, { ...change(), forget: true })
    await put({ kind: 'workload', key: KEY, body: { ...WORKLOAD, uid: 'u2' } })
    expect((await pull(ledger)).keys).toEqual([KEY])
    expect(await land(ledger, KEY, change(placed(WORKLOAD, '0', 'reserved')))).toMatchObject({ kind: 'done' })
  })

  test('may be limits', async () => {
    const ledger = await load()
    const limits = { gpusMax: 3, usdPerHourMax: undefined, workloadsMax: undefined }
    await put({ kind: 'project', key: 'lab', body: limits })
    expect(await pull(ledger)).toEqual({ keys: [], isRules: true, supplied: [] })
    expect(ledger.limits('lab').gpusMax).toBe(3)
    await put({ kind: 'project', key: 'lab', body: undefined })
    await pull(ledger)
    expect(ledger.limits('lab').gpusMax).toBeUndefined()
  })
})
