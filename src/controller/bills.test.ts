import { expect, test } from 'vitest'
import { costOf } from '../service/cost.ts'
import { Story } from './story.suite.ts'

const SERVICE =
  'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\nreplicas: 2\n'
const ADMIN = { name: 'ada', role: 'admin', projects: ['*'] } as const

test('every machine that existed has a bill from its order to its end, which outlives its workload', async () => {
  const story = new Story()
  story.cloud('north')
  story.controller('one')
  const workload = await story.apply(SERVICE)
  await story.pass(3600)
  const deps = { store: story.store, clock: { nowMs: () => story.loop.nowMs, tickMs: () => 0, cpuMs: () => 0 } }
  const running = await costOf(deps, ADMIN, {})
  expect(running.costs).toMatchObject([{ workload: 'demo', instances: 2, running: 2, usd_per_hour: 1.6 }])
  expect(running.total_usd).toBeCloseTo(1.6, 1)

  const [started] = (await story.events()).filter(({ kind }) => kind === 'launched')
  const body = { ...workload, want: 'removed', generation: 2 } as const
  await story.store.commit({ writes: [{ kind: 'workload', key: 'default/demo', body }] })
  await story.pass(600)
  expect(await story.standing()).toEqual([])
  const bills = await story.store.list('bill', { limit: 10 })
  expect(bills.map(({ body: bill }) => bill)).toMatchObject([
    { workload: 'demo', provider: 'north', usdPerHour: 0.8, why: 'removed' },
    { workload: 'demo', provider: 'north', usdPerHour: 0.8, why: 'removed' },
  ])
  for (const { body: bill } of bills) {
    expect(Math.abs(bill.fromMs - (started?.atMs ?? 0))).toBeLessThanOrEqual(1000)
    expect(bill.toMs - bill.fromMs).toBeLessThan(3700 * 1000)
  }
  const over = await costOf(deps, ADMIN, {})
  expect(over.costs).toMatchObject([{ workload: 'demo', instances: 2, running: 0 }])
  expect(over.total_usd).toBeCloseTo(1.6, 1)
})

test('a machine that belongs to nothing is billed from when it was seen until it is gone', async () => {
  const story = new Story()
  const north = story.cloud('north')
  story.controller('one')
  await story.apply(SERVICE)
  await story.pass(10)
  const [own] = story.billed()
  if (own === undefined) throw new Error('it runs')
  north.cloud.restore({ ...own, id: 'i-north-90', tag: { ...own.tag, attempt: 'stray', epoch: 9 } })
  // Nobody can end it for a while.
  north.next.set(
    'stop',
    Array.from({ length: 5 }, () => 'unreachable'),
  )
  await story.pass(900)
  expect(story.billed().map(({ id }) => id)).not.toContain('i-north-90')
  const [bill, ...others] = (await story.store.list('bill', { limit: 10 })).map(({ body }) => body)
  expect(others).toEqual([])
  expect(bill).toMatchObject({ workload: 'demo', attempt: 'stray', instance: 'i-north-90', usdPerHour: 0.8 })
  const [seen, ended] = (await story.events()).filter(({ kind }) => kind === 'orphan' || kind === 'orphan-ended')
  expect([bill?.fromMs, bill?.toMs]).toEqual([seen?.atMs, ended?.atMs])
})

test('an order that was refused costs nothing', async () => {
  const story = new Story()
  const { next } = story.cloud('north')
  next.set('launch', ['unreachable'])
  story.controller('one')
  await story.apply(SERVICE)
  await story.pass(600)
  expect(await story.store.list('bill', { limit: 10 })).toEqual([])
})

test('a machine whose order was answered by nobody is billed from then, however late it is found and whoever finds it', async () => {
  const story = new Story()
  const north = story.cloud('north')
  north.next.set('launch', ['lost'])
  const first = story.controller('one')
  await story.apply(SERVICE.replace('replicas: 2', 'replicas: 1'))
  await story.pass(2)
  const [made] = [...north.cloud.instances()]
  expect(made).toBeDefined()
  // Nobody can look, and the control plane is started anew, twice.
  north.isCut = true
  await story.pass(1200)
  first.stop()
  await story.pass(600)
  const second = story.controller('two')
  await story.pass(1200)
  second.stop()
  story.controller('three')
  await story.pass(600)
  north.isCut = false
  await story.pass(600)
  const deps = { store: story.store, clock: { nowMs: () => story.loop.nowMs, tickMs: () => 0, cpuMs: () => 0 } }
  const { costs } = await costOf(deps, ADMIN, {})
  const existedHours = (story.loop.nowMs - (made?.createdMs ?? 0)) / 3_600_000
  expect(costs).toMatchObject([{ workload: 'demo', running: 1 }])
  expect(Math.abs((costs[0]?.hours ?? 0) - existedHours)).toBeLessThan(0.02)
})
