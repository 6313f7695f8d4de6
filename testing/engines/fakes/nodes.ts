import type { RigObject } from '../rig/api.ts'

/** The label by which a fake node says in which rack it stands. */
export const RACK = 'topology.kubernetes.io/rack'

/** A fake node, as far as a test cares; what is left out is that of a node with 8 whole H100 cards. */
export interface FakeNode {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>>
  /** Extended resources: `{ 'nvidia.com/gpu': '8' }`. */
  readonly resources?: Readonly<Record<string, string>>
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[]
}

/** The Node object that KWOK makes Ready. */
export function nodeOf({ name, labels = {}, resources = {}, taints }: FakeNode): RigObject {
  const all = { cpu: '192', memory: '2000Gi', 'ephemeral-storage': '4000Gi', pods: '110', ...resources }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux', ...labels },
    },
    spec: taints === undefined ? {} : { taints },
    status: { capacity: all, allocatable: all },
  }
}

/** Nodes of whole H100 cards, so many to a rack: `gpu-000` in `rack-00`. */
export function wholeCardNodes(count: number, { perRack = 4, cards = 8 } = {}): readonly FakeNode[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `gpu-${String(index).padStart(3, '0')}`,
    labels: { ...H100, 'nvidia.com/gpu.count': String(cards), [RACK]: rackName(Math.floor(index / perRack)) },
    resources: { 'nvidia.com/gpu': String(cards) },
  }))
}

export function rackName(index: number): string {
  return `rack-${String(index).padStart(2, '0')}`
}

/** Eight A100 cards, all cut into seven of the same slice: with this strategy slices pass for whole cards. */
export function migSingleNode(name: string): FakeNode {
  const slices = 7 * 8
  return {
    name,
    labels: {
      ...A100,
      'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-80GB-MIG-1g.10gb',
      'nvidia.com/gpu.memory': '9728',
      'nvidia.com/gpu.count': String(slices),
      'nvidia.com/gpu.multiprocessors': '14',
      'nvidia.com/gpu.slices.gi': '1',
      'nvidia.com/gpu.slices.ci': '1',
      'nvidia.com/mig.strategy': 'single',
      'nvidia.com/mig.config': 'all-1g.10gb',
      'nvidia.com/mig.config.state': 'success',
    },
    resources: { 'nvidia.com/gpu': String(slices) },
  }
}

/** Eight A100 cards: four whole, four cut into two slices of three sevenths. */
export function migMixedNode(name: string): FakeNode {
  return {
    name,
    labels: {
      ...A100,
      'nvidia.com/gpu.count': '8',
      'nvidia.com/mig.strategy': 'mixed',
      'nvidia.com/mig.config.state': 'success',
      'nvidia.com/mig-3g.40gb.product': 'NVIDIA-A100-SXM4-80GB-MIG-3g.40gb',
      'nvidia.com/mig-3g.40gb.count': '8',
      'nvidia.com/mig-3g.40gb.memory': '40192',
      'nvidia.com/mig-3g.40gb.multiprocessors': '42',
      'nvidia.com/mig-3g.40gb.slices.gi': '3',
      'nvidia.com/mig-3g.40gb.slices.ci': '3',
    },
    resources: { 'nvidia.com/gpu': '4', 'nvidia.com/mig-3g.40gb': '8' },
  }
}

/** The same cards, all of them cut: two slices of three sevenths each. */
export function migCutNode(name: string): FakeNode {
  const { labels, ...mixed } = migMixedNode(name)
  const slices = '16'
  return {
    ...mixed,
    labels: { ...labels, 'nvidia.com/mig-3g.40gb.count': slices },
    resources: { 'nvidia.com/mig-3g.40gb': slices },
  }
}

/** What GPU Feature Discovery says of a node, whatever its cards. */
const DISCOVERED = {
  'feature.node.kubernetes.io/pci-10de.present': 'true',
  'nvidia.com/gpu.present': 'true',
  'nvidia.com/cuda.driver-version.full': '580.95.05',
  'nvidia.com/cuda.driver-version.major': '580',
  'nvidia.com/cuda.driver-version.minor': '95',
  'nvidia.com/cuda.driver-version.revision': '05',
  'nvidia.com/cuda.runtime-version.full': '13.0',
  'nvidia.com/cuda.runtime-version.major': '13',
  'nvidia.com/cuda.runtime-version.minor': '0',
  'nvidia.com/gpu.replicas': '1',
  'nvidia.com/gpu.sharing-strategy': 'none',
}

const H100 = {
  ...DISCOVERED,
  'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3',
  'nvidia.com/gpu.memory': '81559',
  'nvidia.com/gpu.family': 'hopper',
  'nvidia.com/gpu.compute.major': '9',
  'nvidia.com/gpu.compute.minor': '0',
  'nvidia.com/mig.capable': 'true',
  'nvidia.com/mig.strategy': 'single',
}

const A100 = {
  ...DISCOVERED,
  'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-80GB',
  'nvidia.com/gpu.memory': '81920',
  'nvidia.com/gpu.family': 'ampere',
  'nvidia.com/gpu.compute.major': '8',
  'nvidia.com/gpu.compute.minor': '0',
  'nvidia.com/mig.capable': 'true',
}
