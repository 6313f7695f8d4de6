import { expect, test } from 'vitest'
import { KAI_QUEUE, KAI_TOPOLOGY, kaiQueue } from './batch/kai.ts'
import { RACK, wholeCardNodes } from './fakes/nodes.ts'
import { addNodes, boundOf, podOf, racksOf, type RigPod } from './fakes/pods.ts'
import type { RigObject } from './rig/api.ts'
import { useRig } from './rig.suite.ts'

const rig = useRig({ name: 'kai', engines: ['kai'] }, async ({ api }) => {
  await addNodes(api, wholeCardNodes(8, { perRack: 2 }))
})

const soon = { timeout: 60_000, interval: 100 }

/** All of its pods or none, each with a whole node, in one rack. */
function gang(name: string, size: number): readonly RigObject[] {
  const group = {
    apiVersion: 'scheduling.run.ai/v2alpha2',
    kind: 'PodGroup',
    metadata: { name },
    spec: {
      minMember: size,
      queue: KAI_QUEUE,
      priorityClassName: 'train',
      topologyConstraint: { topology: KAI_TOPOLOGY, requiredTopologyLevel: RACK },
    },
  }
  const request = {
    cards: 8,
    scheduler: 'kai-scheduler',
    labels: { 'kai.scheduler/queue': KAI_QUEUE, gang: name },
    annotations: { 'pod-group-name': name },
  }
  return [group, ...Array.from({ length: size }, (_, index) => podOf(`${name}-${index}`, request))]
}

test('a gang of two is bound inside one rack', async () => {
  await rig().api.apply(...gang('pair', 2))
  await expect.poll(() => boundOf(rig().api, 'gang=pair'), soon).toHaveLength(2)
  expect(new Set(await racksOf(rig().api, 'gang=pair')).size).toBe(1)
})

test('a gang that no rack can hold holds nothing, and its group says why', async () => {
  await rig().api.apply(...gang('trio', 3))
  const group = '/apis/scheduling.run.ai/v2alpha2/namespaces/default/podgroups/trio'
  const why = async () => JSON.stringify(await rig().api.get(group))
  await expect.poll(why, soon).toContain('UnschedulableOnNodePool')
  expect(await boundOf(rig().api, 'gang=trio')).toEqual([])
})

test('a queue that is over its limit is named', async () => {
  await rig().api.apply(kaiQueue('small', { cards: 1 }))
  await rig().api.apply(
    podOf('greedy', { cards: 2, scheduler: 'kai-scheduler', labels: { 'kai.scheduler/queue': 'small' } }),
  )
  const scheduled = async () => {
    const { status } = await rig().api.get<RigPod>('/api/v1/namespaces/default/pods/greedy')
    return status.conditions?.find(({ type }) => type === 'PodScheduled')?.message
  }
  await expect.poll(scheduled, soon).toContain('small quota has reached the allowable limit of GPUs')
})

test('two halves share one card', async () => {
  for (const name of ['half-a', 'half-b']) {
    const annotations = { 'gpu-fraction': '0.5', 'runai/shared-gpu-configmap': `${name}-cards` }
    const labels = { 'kai.scheduler/queue': KAI_QUEUE, share: 'half' }
    await rig().api.apply(podOf(name, { cards: 0, scheduler: 'kai-scheduler', labels, annotations }))
  }
  await expect.poll(() => boundOf(rig().api, 'share=half'), soon).toHaveLength(2)
  const groups = await rig().api.list<{ metadata: { labels: Record<string, string> } }>(
    '/api/v1/namespaces/default/pods?labelSelector=share%3Dhalf',
  )
  expect(new Set(groups.map(({ metadata }) => metadata.labels['runai-gpu-group'])).size).toBe(1)
})
