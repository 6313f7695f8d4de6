import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes } from '../engines/fakes/pods.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { until } from '../plane/plane.ts'
import { PlaneOnClusters, podsOn, type Placed } from './clusters.suite.ts'

// One control plane, as `berth up` starts it, with two real clusters and a cloud.

const CARDS = 8
const SOON = { withinMs: 60_000 }

let east: Rig
let west: Rig
const plane = new PlaneOnClusters()
let applied: string[] = []

beforeAll(async () => {
  ;[east, west] = await Promise.all([startRig({ name: 'east' }), startRig({ name: 'west' })])
  for (const rig of [east, west]) await addNodes(rig.api, wholeCardNodes(1, { cards: CARDS }))
  expect(await plane.plane.start()).toBe(true)
  await plane.add('east', east, { usdPerCardHour: 1 })
  await plane.add('west', west, { usdPerCardHour: 2 })
}, 240_000)
afterEach(async () => {
  await plane.remove(applied)
  applied = []
})
afterAll(async () => {
  await plane.end()
  await Promise.all([east.stop(), west.stop()])
})

/** Applies so many services, and says where they are once all are ready. */
async function run(
  count: number,
  prefix: string,
  more?: Readonly<Record<string, unknown>>,
): Promise<readonly Placed[]> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
  applied.push(...names)
  await plane.apply(names, more)
  return plane.ready(names)
}

function providersOf(placed: readonly Placed[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(Object.groupBy(placed, ({ provider }) => provider)).map(([name, some = []]) => [name, some.length]),
  )
}

test('what is full spills over to the next cluster, and then to the cloud, within a second', async () => {
  expect(providersOf(await run(CARDS, 'first'))).toEqual({ east: CARDS })
  const askedMs = Date.now()
  const second = await run(CARDS, 'second')
  expect(providersOf(second)).toEqual({ west: CARDS })
  const [third] = await run(1, 'third')
  expect(third?.provider).toBe('cloud')
  for (const { placedMs } of second) expect(placedMs - askedMs).toBeLessThan(1000)
  expect([(await podsOn(east)).length, (await podsOn(west)).length]).toEqual([CARDS, CARDS])
})

test('a cluster that is removed is drained as manifests allow, and one that is added is used at the next decision', async () => {
  await plane.free(['east', 'west'], CARDS)
  const mayMove = { migration: { on: ['drain'] } }
  expect(providersOf(await run(2, 'moves', mayMove))).toEqual({ east: 2 })
  expect(providersOf(await run(1, 'stays', { migration: { on: [] } }))).toEqual({ east: 1 })
  expect((await plane.berth('drain', 'east')).code).toBe(0)
  await until('what may move has moved', SOON, async () => {
    const where = providersOf(await plane.ready(['moves-0', 'moves-1']))
    return where['west'] === 2 ? { found: true } : JSON.stringify(where)
  })
  expect(providersOf(await plane.ready(['stays-0']))).toEqual({ east: 1 })
  const removal = plane.berth('provider', 'rm', 'east', '--yes')
  await plane.remove(['stays-0'])
  expect((await removal).code).toBe(0)
  await until('it is gone', SOON, async () => {
    const names = (await plane.client.providers()).map(({ name }) => name)
    return names.includes('east') ? names.join() : { found: true }
  })
  await plane.add('east', east, { usdPerCardHour: 1 })
  expect(providersOf(await run(1, 'again'))).toEqual({ east: 1 })
})

/** The manifests as they were applied, with how often each was changed. */
async function manifestsOf(names: readonly string[]): Promise<readonly unknown[]> {
  return Promise.all(
    names.map(async (name) => {
      const { generation } = await plane.client.workload({ project: 'default', name })
      const revisions = await plane.client.history({ project: 'default', name })
      return [name, generation, revisions.map(({ text }) => text)]
    }),
  )
}

test('a cluster taken out of the registry changes no manifest: work moves or stays, as each allows', async () => {
  await plane.free(['east', 'west'], CARDS)
  const names = ['goes-0', 'goes-1', 'keeps-0']
  expect(providersOf(await run(2, 'goes', { migration: { on: ['drain'] } }))).toEqual({ east: 2 })
  expect(providersOf(await run(1, 'keeps', { migration: { on: [] } }))).toEqual({ east: 1 })
  const before = await manifestsOf(names)
  const removal = plane.berth('provider', 'rm', 'east', '--yes')
  await until('what may move has moved', SOON, async () => {
    const where = providersOf(await plane.ready(['goes-0', 'goes-1']))
    return where['west'] === 2 ? { found: true } : JSON.stringify(where)
  })
  expect(providersOf(await plane.ready(['keeps-0']))).toEqual({ east: 1 })
  expect(providersOf(await run(1, 'meanwhile'))).toEqual({ west: 1 })
  expect(await manifestsOf(names)).toEqual(before)
  await plane.remove(['keeps-0'])
  expect((await removal).code).toBe(0)
  await until('it is gone', SOON, async () => {
    const left = (await plane.client.providers()).map(({ name }) => name)
    return left.includes('east') ? left.join() : { found: true }
  })
  expect(await podsOn(east)).toEqual([])
  await plane.add('east', east, { usdPerCardHour: 1 })
  expect(providersOf(await run(1, 'returns'))).toEqual({ east: 1 })
})

test('cards that others take meanwhile send the work on soon after the refusal', async () => {
  await plane.free(['east', 'west'], CARDS)
  await east.api.apply(
    ...Array.from({ length: CARDS }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `other-${index}`, namespace: 'default' },
      spec: {
        containers: [{ name: 'main', image: 'other', resources: { limits: { 'nvidia.com/gpu': '1' } } }],
      },
    })),
  )
  const askedMs = Date.now()
  const [placed] = await run(1, 'spill')
  expect(placed?.provider).toBe('west')
  expect((placed?.placedMs ?? Infinity) - askedMs).toBeLessThan(5000)
  expect(await podsOn(east)).toEqual([])
  for (let index = 0; index < CARDS; index++) {
    await east.api.delete(`/api/v1/namespaces/default/pods/other-${index}?gracePeriodSeconds=0`)
  }
})
