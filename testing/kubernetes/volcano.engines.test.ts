import { beforeAll, expect, test } from 'vitest'
import { nameOf } from '../../src/providers/kubernetes/names.ts'
import { hyperNodes, VOLCANO_QUEUE, volcanoQueue } from '../engines/batch/volcano.ts'
import { migCutNode, rackName, wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes } from '../engines/fakes/pods.ts'
import { useRig } from '../engines/rig.suite.ts'
import { gangOrders, OK, queuedFor, Tried } from './gangs.suite.ts'

const GROUPS = '/apis/scheduling.volcano.sh/v1beta1/namespaces/default/podgroups'

const rig = useRig({ name: 'volcano', engines: ['volcano'] }, async ({ api }) => {
  await addNodes(api, [...wholeCardNodes(8, { perRack: 2 }), migCutNode('mig-000')])
  await api.apply(...hyperNodes([0, 1, 2, 3].map(rackName)), volcanoQueue('tight', { cards: 8 }))
})

let lab: Tried
beforeAll(async () => {
  lab = await Tried.on(rig(), { queue: VOLCANO_QUEUE })
})

test('a gang of two starts as a whole, inside one rack', async () => {
  const pair = gangOrders(2)
  expect(await lab.launch(pair)).toEqual(OK)
  await lab.up(pair)
  expect(await lab.nodes(pair)).toHaveLength(2)
  expect((await lab.racks(pair)).size).toBe(1)
  expect(await rig().api.get(`${GROUPS}/${nameOf(pair[0]?.tag.attempt ?? '')}`)).toMatchObject({
    spec: { minMember: 2, queue: VOLCANO_QUEUE, networkTopology: { mode: 'hard', highestTierAllowed: 1 } },
  })
})

test('a gang that no rack can hold holds nothing, waits in its queue, and leaves nothing there when it is stopped', async () => {
  const trio = gangOrders(3)
  expect(await lab.launch(trio)).toEqual(OK)
  await lab.become(trio, queuedFor(VOLCANO_QUEUE, /pod group is not ready|unavailable|unschedulable/i))
  expect(await lab.nodes(trio)).toEqual([])
  expect(await lab.listed(trio)).toEqual(['queued', 'queued', 'queued'])
  const group = `${GROUPS}/${nameOf(trio[0]?.tag.attempt ?? '')}`
  expect(await lab.has(group)).toBe(true)
  await lab.stop(trio)
  expect(await lab.has(group)).toBe(false)
})

test('what a queue can never give is refused with its name, and nothing is created', async () => {
  const tight = await Tried.on(rig(), { scheduler: 'volcano', queue: 'tight' })
  const pair = gangOrders(2)
  expect(await tight.launch(pair)).toMatchObject({
    ok: false,
    fault: {
      class: 'QUOTA',
      created: 'no',
      message: 'queue tight: it asks for 16 nvidia.com/gpu, and the queue may have 8.',
    },
  })
  expect(await tight.pod(pair[0] ?? fail())).toBeUndefined()
})

test('what a queue cannot give now waits for it, with its name, and starts when there is room', async () => {
  const tight = await Tried.on(rig(), { scheduler: 'volcano', queue: 'tight' })
  const first = gangOrders(1, { gpus: 6 })
  const next = gangOrders(1, { gpus: 4 })
  expect(await tight.launch(first)).toEqual(OK)
  await tight.up(first)
  expect(await tight.launch(next)).toEqual(OK)
  await tight.become(next, queuedFor('tight', /insufficient quota: 6 of 8 nvidia.com\/gpu are in use/))
  await tight.stop(first)
  await tight.up(next)
})

test('a MIG slice is taken', async () => {
  const taken = { kind: 'slice', profile: '3g.40gb', start: 0 } as const
  const slice = gangOrders(1, { gpus: 1, node: 'mig-000', taken })
  expect(await lab.launch(slice)).toEqual(OK)
  await lab.up(slice)
  expect(await lab.nodes(slice)).toEqual(['mig-000'])
})

function fail(): never {
  throw new Error('there is no such order')
}
