import { expect, test } from 'vitest'
import { fleetOf } from './nodes/fleet.ts'
import { call } from '../contract/bench.suite.ts'
import { inventoryOf } from './inventory.ts'
import type { KubeClient } from './api/client.ts'
import { kubernetesSettings } from './settings.ts'

/** An API server that lists these, by the last part of the path. */
function serving(lists: Readonly<Record<string, readonly unknown[]>>): KubeClient {
  const reply = (path: string): unknown => {
    const kind = path.split('/').at(-1) ?? ''
    if (kind === 'resource.k8s.io') return { versions: [{ version: 'v1' }] }
    return { metadata: {}, items: lists[kind] ?? [] }
  }
  // Only `call` is used to read an inventory.
  return {
    call: async ({ path }: { readonly path: string }) => ({ ok: true, value: reply(path) }),
  } as unknown as KubeClient
}

const READY = { conditions: [{ type: 'Ready', status: 'True' }] }

function node(name: string, resources: Readonly<Record<string, string>>, labels = {}) {
  const allocatable = { cpu: '64', memory: '512Gi', 'ephemeral-storage': '1Ti', pods: '110', ...resources }
  return {
    kind: 'Node',
    metadata: { name, labels },
    spec: {},
    status: { ...READY, allocatable, capacity: allocatable },
  }
}

const H100 = {
  'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3',
  'nvidia.com/gpu.memory': '81559',
  'nvidia.com/gpu.count': '8',
}

function device(at: number) {
  const attributes = {
    uuid: { string: `GPU-${at}` },
    type: { string: 'gpu' },
    productName: { string: 'NVIDIA H100 80GB HBM3' },
    architecture: { string: 'Hopper' },
  }
  return { name: `gpu-${at}`, attributes, capacity: { memory: { value: '81559Mi' } } }
}

test('a node whose cards only a claim gives out is offered, less what claims have', async () => {
  const slice = {
    metadata: { name: 's' },
    spec: {
      driver: 'gpu.nvidia.com',
      nodeName: 'dra',
      pool: { name: 'dra', generation: 1, resourceSliceCount: 1 },
      devices: Array.from({ length: 8 }, (_, at) => device(at)),
    },
  }
  const results = [{ driver: 'gpu.nvidia.com', pool: 'dra', device: 'gpu-2', request: 'cards' }]
  const held = { metadata: { name: 'c', namespace: 'x' }, status: { allocation: { devices: { results } } } }
  const client = serving({
    nodes: [node('plain', { 'nvidia.com/gpu': '8' }, H100), node('dra', {})],
    resourceslices: [slice],
    resourceclaims: [held],
  })
  const settings = kubernetesSettings.parse({})
  const parts = { client, provider: 'lab', settings, nowMs: () => 0, fleetOf }
  const answer = await inventoryOf(parts, call())
  const offers = answer.ok ? answer.value.offers : []
  const free = offers.filter(({ stock }) => stock?.level !== 'full')
  expect(free.map(({ instance, gpu }) => `${instance} ${gpu?.count}`).toSorted()).toEqual(['dra 7', 'plain 8'])
})
