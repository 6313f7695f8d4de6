import { beforeAll, expect, test } from 'vitest'
import { nameOf } from '../../src/providers/kubernetes/names.ts'
import { KUEUE_QUEUE } from '../engines/batch/kueue.ts'
import { wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes, endPod } from '../engines/fakes/pods.ts'
import { useRig } from '../engines/rig.suite.ts'
import { gangOrders, OK, queuedFor, Tried } from './gangs.suite.ts'

const WORKLOADS = '/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads'

const rig = useRig({ name: 'kueue', engines: ['kueue'] }, async ({ api }) => {
  await addNodes(api, wholeCardNodes(8, { perRack: 2 }))
})

let lab: Tried
beforeAll(async () => {
  lab = await Tried.on(rig(), { queue: KUEUE_QUEUE })
})

const pair = gangOrders(2)

test('a gang of two is admitted and starts as a whole, inside one rack', async () => {
  expect(await lab.launch(pair)).toEqual(OK)
  await lab.up(pair)
  expect(await lab.nodes(pair)).toHaveLength(2)
  expect((await lab.racks(pair)).size).toBe(1)
  expect(await rig().api.get(`${WORKLOADS}/${nameOf(pair[0]?.tag.attempt ?? '')}`)).toMatchObject({
    spec: { queueName: KUEUE_QUEUE, podSets: [{ count: 2, topologyRequest: { required: expect.any(String) } }] },
  })
})

test('what is over the quota of its queue holds nothing, and waits with the name of the queue', async () => {
  const later = gangOrders(1)
  expect(await lab.launch(later)).toEqual(OK)
  await lab.become(later, queuedFor(KUEUE_QUEUE, /insufficient unused quota for nvidia.com\/gpu/))
  expect(await lab.nodes(later)).toEqual([])
  expect(await lab.listed(later)).toEqual(['queued'])
  const workload = `${WORKLOADS}/${nameOf(later[0]?.tag.attempt ?? '')}`
  await lab.stop(later)
  await expect.poll(() => lab.has(workload), { timeout: 20_000 }).toBe(false)
})

test('a gang that the queue can never hold is refused with its name, and holds nothing', async () => {
  const trio = gangOrders(3)
  expect(await lab.launch(trio)).toMatchObject({
    ok: false,
    fault: { class: 'QUOTA', created: 'no', message: expect.stringMatching(/^queue team-a: .*maximum capacity/) },
  })
  expect(await lab.nodes(trio)).toEqual([])
  const workload = `${WORKLOADS}/${nameOf(trio[0]?.tag.attempt ?? '')}`
  await expect.poll(() => lab.has(workload), { timeout: 20_000 }).toBe(false)
})

test('quota that a gang gives back when it ends is given to what waits', async () => {
  const next = gangOrders(1)
  expect(await lab.launch(next)).toEqual(OK)
  await lab.become(next, queuedFor(KUEUE_QUEUE, /insufficient unused quota/))
  for (const { tag } of pair)
    await endPod(rig().api, `/api/v1/namespaces/default/pods/${nameOf(tag.attempt)}`, { code: 0 })
  await lab.up(next)
  await lab.stop(next)
})

test('quota that a gang gives back when it is stopped is given to what waits', async () => {
  const [first, second] = [gangOrders(2), gangOrders(2)]
  expect(await lab.launch(first)).toEqual(OK)
  await lab.up(first)
  expect(await lab.launch(second)).toEqual(OK)
  await lab.become(second, queuedFor(KUEUE_QUEUE, /insufficient unused quota/))
  await lab.stop(first)
  await lab.up(second)
  expect((await lab.racks(second)).size).toBe(1)
})
