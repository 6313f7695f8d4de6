import { expect, test } from 'vitest'
import { KUEUE_QUEUE } from './batch/kueue.ts'
import { RACK, wholeCardNodes } from './fakes/nodes.ts'
import { addNodes, boundOf, endPod, podOf, racksOf } from './fakes/pods.ts'
import type { RigObject } from './rig/api.ts'
import { useRig } from './rig.suite.ts'

const rig = useRig({ name: 'kueue', engines: ['kueue'] }, async ({ api }) => {
  await addNodes(api, wholeCardNodes(8, { perRack: 2 }))
})

const soon = { timeout: 60_000, interval: 100 }
const WORKLOADS = '/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads'

/** All of its pods or none, each with a whole node, in one rack. */
function gang(name: string, size: number): RigObject {
  const { spec } = podOf(name, { cards: 8 })
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: { 'kueue.x-k8s.io/queue-name': KUEUE_QUEUE } },
    spec: {
      suspend: true,
      parallelism: size,
      completions: size,
      template: {
        metadata: { labels: { gang: name }, annotations: { 'kueue.x-k8s.io/podset-required-topology': RACK } },
        spec,
      },
    },
  }
}

/** What Kueue says of the reservation of a Job's quota. */
async function reservation(job: string): Promise<{ readonly status: string; readonly message: string } | undefined> {
  const workloads = await rig().api.list<WorkloadSeen>(WORKLOADS)
  const workload = workloads.find(({ metadata }) => metadata.ownerReferences?.some(({ name }) => name === job))
  return workload?.status?.conditions?.find(({ type }) => type === 'QuotaReserved')
}

interface WorkloadSeen {
  readonly metadata: { readonly ownerReferences?: readonly { readonly name: string }[] }
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[]
  }
}

test('a gang of two is admitted and bound inside one rack', async () => {
  await rig().api.apply(gang('pair', 2))
  await expect.poll(() => boundOf(rig().api, 'gang=pair'), soon).toHaveLength(2)
  expect(new Set(await racksOf(rig().api, 'gang=pair')).size).toBe(1)
  expect(await reservation('pair')).toMatchObject({ status: 'True' })
})

test('what is over the quota waits and holds nothing, and the message tells never from not now', async () => {
  await rig().api.apply(gang('later', 1), gang('never', 3))
  await expect
    .poll(() => reservation('later'), soon)
    .toMatchObject({ status: 'False', message: expect.stringContaining('insufficient unused quota') })
  await expect
    .poll(() => reservation('never'), soon)
    .toMatchObject({ status: 'False', message: expect.stringContaining('insufficient') })
  expect(await boundOf(rig().api, 'gang in (later,never)')).toEqual([])
})

test('quota that comes free is given to what waits', async () => {
  for (const { metadata } of await boundOf(rig().api, 'gang=pair')) {
    await endPod(rig().api, `/api/v1/namespaces/default/pods/${metadata.name}`, { code: 0 })
  }
  await expect.poll(() => boundOf(rig().api, 'gang=later'), soon).toHaveLength(1)
})
