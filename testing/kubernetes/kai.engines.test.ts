import { beforeAll, expect, test } from 'vitest'
import { call, yes } from '../../src/providers/contract/bench.suite.ts'
import { nameOf } from '../../src/providers/kubernetes/names.ts'
import { KAI_QUEUE, kaiQueue } from '../engines/batch/kai.ts'
import { migCutNode, wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes } from '../engines/fakes/pods.ts'
import { useRig } from '../engines/rig.suite.ts'
import { gangOrders, OK, queuedFor, Tried } from './gangs.suite.ts'

const GROUPS = '/apis/scheduling.run.ai/v2alpha2/namespaces/default/podgroups'

const rig = useRig({ name: 'kai', engines: ['kai'] }, async ({ api }) => {
  await addNodes(api, [...wholeCardNodes(8, { perRack: 2 }), migCutNode('mig-000')])
  await api.apply(kaiQueue('small', { cards: 1 }), kaiQueue('tight', { cards: 8 }))
})

let lab: Tried
beforeAll(async () => {
  lab = await Tried.on(rig(), { queue: KAI_QUEUE })
})

test('a gang of two starts as a whole, inside one rack', async () => {
  const pair = gangOrders(2)
  expect(await lab.launch(pair)).toEqual(OK)
  await lab.up(pair)
  expect(await lab.nodes(pair)).toHaveLength(2)
  expect((await lab.racks(pair)).size).toBe(1)
  expect((await lab.pod(pair[0] ?? fail()))?.spec.schedulerName).toBe('kai-scheduler')
})

test('a gang that no rack can hold holds nothing, waits in its queue, and leaves nothing there when it is stopped', async () => {
  const trio = gangOrders(3)
  expect(await lab.launch(trio)).toEqual(OK)
  await lab.become(trio, queuedFor(KAI_QUEUE, /topology|rack|resources|unschedulable/i))
  expect(await lab.nodes(trio)).toEqual([])
  expect(await lab.listed(trio)).toEqual(['queued', 'queued', 'queued'])
  const group = `${GROUPS}/${nameOf(trio[0]?.tag.attempt ?? '')}`
  expect(await lab.has(group)).toBe(true)
  await lab.stop(trio)
  expect(await lab.has(group)).toBe(false)
})

test('what a queue can never give is refused with its name, and nothing is created', async () => {
  const small = await Tried.on(rig(), { scheduler: 'kai', queue: 'small' })
  const two = gangOrders(1, { gpus: 2 })
  expect(await small.launch(two)).toMatchObject({
    ok: false,
    fault: {
      class: 'QUOTA',
      created: 'no',
      message: expect.stringContaining('queue small: it asks for 2 nvidia.com/gpu'),
    },
  })
  expect(await small.pod(two[0] ?? fail())).toBeUndefined()
})

test('what a queue cannot give now waits for it, with its name, and starts when there is room', async () => {
  const tight = await Tried.on(rig(), { scheduler: 'kai', queue: 'tight' })
  const first = gangOrders(1, { gpus: 6 })
  const next = gangOrders(1, { gpus: 4 })
  expect(await tight.launch(first)).toEqual(OK)
  await tight.up(first)
  expect(await tight.launch(next)).toEqual(OK)
  await tight.become(next, queuedFor('tight', /quota has reached the allowable limit of GPUs/))
  await tight.stop(first)
  await tight.up(next)
})

test('a MIG slice is taken', async () => {
  const [slice = fail()] = gangOrders(1, {
    gpus: 1,
    node: 'mig-000',
    taken: { kind: 'slice', profile: '3g.40gb', start: 0 },
  })
  expect(await lab.launch([slice])).toEqual(OK)
  await lab.up([slice])
  expect(await lab.nodes([slice])).toEqual(['mig-000'])
})

test('two halves share one card, and the fleet shows it', async () => {
  const shares = await Tried.on(rig(), { scheduler: 'kai', queue: KAI_QUEUE, fractions: true })
  const half = () => gangOrders(1, { gpus: 1, taken: { kind: 'share', milli: 500 } })
  const [one, two] = [half(), half()]
  for (const order of [one, two]) {
    expect(await shares.launch(order)).toEqual(OK)
    await shares.up(order)
  }
  const pods = await Promise.all([...one, ...two].map((order) => shares.pod(order)))
  expect(
    new Set(pods.map((pod) => JSON.stringify(pod?.metadata['labels']).match(/"runai-gpu-group":"([^"]+)/)?.[1])).size,
  ).toBe(1)
  const { fleets } = yes(await shares.provider.offers(call()))
  const attempts = [...one, ...two].map(({ tag }) => tag.attempt)
  const spots = fleets.flatMap(({ tenants }) =>
    tenants.filter(({ name }) => attempts.includes(name)).map(({ spot }) => spot),
  )
  expect(spots).toEqual([spots[0], spots[0]])
  expect(spots[0]).toMatchObject({ taken: { kind: 'share', milli: 500 } })
})

test('a queue that is not there is a fault of the settings', async () => {
  const wrong = await Tried.on(rig(), { queue: 'nowhere' })
  expect(await wrong.launch(gangOrders(1))).toMatchObject({
    ok: false,
    fault: { class: 'NO_MATCHING_SHAPE', scope: 'provider', message: expect.stringContaining('nowhere') },
  })
})

function fail(): never {
  throw new Error('there is no such order')
}
