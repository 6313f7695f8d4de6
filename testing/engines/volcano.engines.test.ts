import { expect, test } from 'vitest'
import { hyperNodes, VOLCANO_QUEUE } from './batch/volcano.ts'
import { rackName, wholeCardNodes } from './fakes/nodes.ts'
import { addNodes, boundOf, podOf, racksOf } from './fakes/pods.ts'
import type { RigObject } from './rig/api.ts'
import { useRig } from './rig.suite.ts'

const rig = useRig({ name: 'volcano', engines: ['volcano'] }, async ({ api }) => {
  await addNodes(api, wholeCardNodes(8, { perRack: 2 }))
  await api.apply(...hyperNodes([0, 1, 2, 3].map(rackName)))
})

const soon = { timeout: 60_000, interval: 100 }

/** All of its pods or none, each with a whole node, in one rack. */
function gang(name: string, size: number): RigObject {
  const { spec } = podOf(name, { cards: 8, scheduler: 'volcano' })
  return {
    apiVersion: 'batch.volcano.sh/v1alpha1',
    kind: 'Job',
    metadata: { name },
    spec: {
      schedulerName: 'volcano',
      queue: VOLCANO_QUEUE,
      minAvailable: size,
      networkTopology: { mode: 'hard', highestTierAllowed: 1 },
      tasks: [{ name: 'worker', replicas: size, template: { metadata: { labels: { gang: name } }, spec } }],
    },
  }
}

test('a gang of two is bound inside one rack', async () => {
  await rig().api.apply(gang('pair', 2))
  await expect.poll(() => boundOf(rig().api, 'gang=pair'), soon).toHaveLength(2)
  expect(new Set(await racksOf(rig().api, 'gang=pair')).size).toBe(1)
  const job = '/apis/batch.volcano.sh/v1alpha1/namespaces/default/jobs/pair'
  await expect.poll(() => rig().api.get(job), soon).toMatchObject({ status: { state: { phase: 'Running' } } })
})

test('a gang that no rack can hold holds nothing, and its group says why', async () => {
  await rig().api.apply(gang('trio', 3))
  const groups = async () =>
    JSON.stringify(await rig().api.list('/apis/scheduling.volcano.sh/v1beta1/namespaces/default/podgroups'))
  await expect.poll(groups, soon).toMatch(/tasks in gang unschedulable/)
  expect(await boundOf(rig().api, 'gang=trio')).toEqual([])
})
