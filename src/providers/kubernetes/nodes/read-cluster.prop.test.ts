import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '../../../core/base/laws.suite.ts'
import { packingOf } from '../../../core/pack/owned/room.ts'
import { fleetOf } from './fleet.ts'
import { node, pod } from './make.suite.ts'
import { nodeRows } from './node-rows.ts'
import { sortObjects } from './object/cluster-objects.ts'

const RESOURCES = [
  'nvidia.com/gpu',
  'nvidia.com/gpu.shared',
  'nvidia.com/mig-1g.5gb',
  'nvidia.com/mig-3g.20gb',
  'nvidia.com/GA102GL_A10',
  'amd.com/gpu',
  'gpu.intel.com/i915',
  'google.com/tpu',
  'aws.amazon.com/neuron',
  'aws.amazon.com/neuroncore',
  'huawei.com/Ascend910',
  'volcano.sh/vgpu-number',
]

const labels = fc.dictionary(
  fc.constantFrom(
    'nvidia.com/gpu.product',
    'nvidia.com/gpu.count',
    'nvidia.com/gpu.replicas',
    'nvidia.com/gpu.memory',
    'nvidia.com/gpu.sharing-strategy',
    'node.kubernetes.io/instance-type',
    'amd.com/compute-memory-partition',
    'gpu.intel.com/device.count',
    'cloud.google.com/gke-gpu-partition-size',
  ),
  fc.constantFrom(
    'NVIDIA-A100-SXM4-40GB',
    'NVIDIA-A100-SXM4-40GB-MIG-1g.5gb',
    'Tesla-T4-SHARED',
    'GRID-A100-4C',
    '1',
    '2',
    '8',
    '10',
    '40960',
    'p4d.24xlarge',
    'time-slicing',
    'cpx_nps4',
    '1g.5gb',
    'odd',
  ),
)

const amounts = fc.dictionary(fc.constantFrom(...RESOURCES), fc.constantFrom(0, 1, 2, 7, 8, 10, 16, 80), { maxKeys: 3 })
const made = fc.record({ labels, has: amounts, ready: amounts, isReady: fc.boolean() })

describe('whatever a node says', () => {
  test('no more is free than there is, no more is there than is offered, and what is not ready is not usable', () => {
    fc.assert(
      fc.property(made, fc.array(amounts, { maxLength: 3 }), ({ labels: said, has, ready, isReady }, held) => {
        const all = { ...ready, ...has }
        const conditions = { Ready: isReady ? 'True' : 'False' }
        const pods = held.map((each, at) => pod(each, { name: `p${at}` }))
        const object = node({ labels: said, has: all, ready: { ...has, ...ready }, conditions })
        const [row] = nodeRows(sortObjects([object, ...pods]))
        expect(row?.free_cards ?? 0).toBeLessThanOrEqual(row?.cards ?? Infinity)
        const offered = Object.values(all).reduce<number>((sum, each) => sum + each, 0)
        expect(row?.cards ?? 0).toBeLessThanOrEqual(offered)
        if (!isReady) expect(row?.usable).toBe(false)
        if (!isReady) expect(row?.free_cards ?? 0).toBe(0)
        const { fleet } = fleetOf({ provider: 'p', region: 'r', nodes: [object], pods, nowMs: 0 })
        expect(() => packingOf(fleet)).not.toThrow()
      }),
      cases(2_000),
    )
  })

  test('nothing breaks it', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 6 }), { maxLength: 4 }), (values) => {
        const rows = nodeRows(sortObjects(values))
        for (const row of rows) expect(row.why).not.toBe('')
      }),
      cases(2_000),
    )
  })

  test('nor does a node of which one part is something else', () => {
    const whole = node({
      labels: { 'nvidia.com/gpu.product': 'Tesla-T4' },
      has: { 'nvidia.com/gpu': 1 },
      taints: ['a:NoSchedule'],
    })
    fc.assert(
      fc.property(fc.constantFrom('metadata', 'spec', 'status'), fc.jsonValue(), (key, value) => {
        expect(nodeRows(sortObjects([{ ...whole, [key]: value }, node({ name: 'm' })]))).toHaveLength(2)
      }),
      cases(2_000),
    )
  })
})
