import { expect, test } from 'vitest'
import { wholeCardNodes } from './fakes/nodes.ts'
import { addNodes, boundOf, podOf } from './fakes/pods.ts'
import { useRig } from './rig.suite.ts'

const rig = useRig({ name: 'kuberay', engines: ['kuberay'] }, async ({ api }) => {
  await addNodes(api, wholeCardNodes(4))
})

const soon = { timeout: 60_000, interval: 100 }

test('a cluster of a head and two workers gets ready', async () => {
  const template = (cards: number) => ({
    spec: { ...(podOf('ray', { cards })['spec'] as object), restartPolicy: 'Always' },
  })
  await rig().api.apply({
    apiVersion: 'ray.io/v1',
    kind: 'RayCluster',
    metadata: { name: 'pair' },
    spec: {
      rayVersion: '2.52.0',
      headGroupSpec: { rayStartParams: {}, template: template(0) },
      workerGroupSpecs: [
        { groupName: 'cards', replicas: 2, minReplicas: 2, maxReplicas: 2, rayStartParams: {}, template: template(8) },
      ],
    },
  })
  const cluster = '/apis/ray.io/v1/namespaces/default/rayclusters/pair'
  await expect.poll(() => rig().api.get(cluster), soon).toMatchObject({ status: { state: 'ready', desiredGPU: '16' } })
  const workers = await boundOf(rig().api, 'ray.io/cluster=pair,ray.io/node-type=worker')
  expect(new Set(workers.map(({ spec }) => spec.nodeName)).size).toBe(2)
})
