import { node, pod } from '../make.suite.ts'
import { driver, gfd, type KnownNode } from './known.suite.ts'

const GPU = 'nvidia.com/gpu'
const H100 = { vendor: 'nvidia', model: 'h100-sxm', vram_gib: 80, arch: 'hopper' }
const T4 = { vendor: 'nvidia', model: 't4', vram_gib: 16, arch: 'turing' }
const V100 = { vendor: 'nvidia', model: 'v100-16-sxm', vram_gib: 16, arch: 'volta' }

/** Whole NVIDIA cards, and nodes that only seem to have some. */
export const NVIDIA_WHOLE: readonly KnownNode[] = [
  {
    is: 'eight cards with every label of feature discovery',
    ways: [7, 13],
    objects: [
      node({
        labels: {
          ...gfd('NVIDIA-H100-80GB-HBM3', { count: 8, memory: 81559, replicas: 1, 'sharing-strategy': 'none' }),
          ...gfd('NVIDIA-H100-80GB-HBM3', { 'compute.major': 9, 'compute.minor': 0, family: 'hopper' }),
          ...driver('550.144.03', '12.4'),
        },
        has: { [GPU]: 8 },
      }),
      pod({ [GPU]: 3 }),
      pod({ [GPU]: 1 }, { name: 'q' }),
    ],
    reads: { ...H100, cards: 8, free_cards: 4, driver: '550.144.03', cuda: '12.4', sharing: 'none' },
  },
  {
    is: 'a T4 whose MIG strategy is the default',
    ways: [2, 13],
    objects: [
      node({
        labels: { ...gfd('Tesla-T4', { count: 1, memory: 15360 }), 'nvidia.com/mig.strategy': 'single' },
        has: { [GPU]: 1 },
      }),
    ],
    reads: { ...T4, cards: 1, sharing: 'none' },
  },
  {
    is: 'V100 with the single strategy, and a memory in bytes',
    ways: [2, 13],
    objects: [
      node({
        labels: {
          ...gfd('Tesla-V100-SXM2-16GB', { count: 4, memory: 16_945_512_448 }),
          'nvidia.com/mig.strategy': 'single',
        },
        has: { [GPU]: '4' },
      }),
    ],
    reads: { ...V100, cards: 4, sharing: 'none' },
  },
  {
    is: 'an Ada card that is called ampere, with a driver of two parts',
    ways: [14],
    objects: [
      node({
        labels: {
          ...gfd('NVIDIA-L4', { count: 1, memory: 23034, family: 'ampere', 'compute.major': 8, 'compute.minor': 9 }),
          'nvidia.com/cuda.driver.major': '535',
          'nvidia.com/cuda.driver.minor': '129',
          'nvidia.com/cuda.driver.rev': '',
          'nvidia.com/cuda.runtime.major': '12',
          'nvidia.com/cuda.runtime.minor': '2',
        },
        has: { [GPU]: 1 },
      }),
      pod({ cpu: '1' }),
    ],
    reads: {
      vendor: 'nvidia',
      model: 'l4',
      cards: 1,
      free_cards: 1,
      vram_gib: 24,
      arch: 'ada',
      driver: '535.129',
      cuda: '12.2',
      sharing: 'none',
    },
  },
  {
    is: 'a family of ampere and a card that the table does not know',
    ways: [14, 13],
    objects: [
      node({ labels: gfd('NVIDIA-GeForce-RTX-2070', { count: 1, memory: 8192, family: 'ampere' }), has: { [GPU]: 1 } }),
    ],
    reads: { vendor: 'nvidia', cards: 1, vram_gib: 8, sharing: 'none' },
  },
  {
    is: 'a Kepler card',
    ways: [15],
    objects: [node({ labels: gfd('Tesla-K80', { count: 2, memory: 11441 }), has: { [GPU]: 2 } })],
    reads: { vendor: 'nvidia', model: 'k80', cards: 2, vram_gib: 12, arch: 'kepler', sharing: 'none' },
  },
  {
    is: 'a Grace machine: its images are for arm64',
    ways: [15],
    objects: [
      node({
        labels: gfd('NVIDIA-GH200-480GB', { count: 1, memory: 97871 }),
        has: { [GPU]: 1 },
        info: { architecture: 'arm64' },
      }),
    ],
    reads: { vendor: 'nvidia', model: 'gh200-96', cards: 1, vram_gib: 96, arch: 'hopper', sharing: 'none' },
  },
  {
    is: 'all sixteen cards gone from allocatable',
    ways: [6],
    objects: [
      node({
        labels: gfd('Tesla-V100-SXM2-16GB', { count: 16, memory: 16160 }),
        has: { [GPU]: 16 },
        ready: { [GPU]: 0 },
      }),
    ],
    reads: { ...V100, cards: 16, free_cards: 0, sharing: 'none', usable: false },
  },
  {
    is: 'one card of eight is sick, and five are in use',
    ways: [6, 7],
    objects: [
      node({ labels: gfd('NVIDIA-H100-80GB-HBM3', { count: 8 }), has: { [GPU]: 8 }, ready: { [GPU]: 7 } }),
      pod({ [GPU]: 5 }),
    ],
    reads: { ...H100, cards: 8, free_cards: 2, sharing: 'none' },
  },
  {
    is: 'more is held than is left, since a card died under its pod',
    ways: [6, 7],
    objects: [
      node({ labels: gfd('Tesla-T4', { count: 2 }), has: { [GPU]: 2 }, ready: { [GPU]: 1 } }),
      pod({ [GPU]: 2 }),
    ],
    reads: { ...T4, cards: 2, free_cards: 0, sharing: 'none' },
  },
  {
    is: 'a node that is not ready',
    ways: [6],
    objects: [
      node({
        labels: gfd('Tesla-T4', { count: 1 }),
        has: { [GPU]: 1 },
        conditions: { Ready: 'Unknown' },
        taints: ['node.kubernetes.io/unreachable:NoExecute'],
      }),
      pod({ cpu: 1 }),
    ],
    reads: { ...T4, cards: 1, free_cards: 0, sharing: 'none', usable: false },
  },
  {
    is: 'a cordoned node',
    ways: [6],
    objects: [node({ labels: gfd('Tesla-T4', { count: 1 }), has: { [GPU]: 1 }, spec: { unschedulable: true } })],
    reads: { ...T4, cards: 1, sharing: 'none', usable: false },
  },
  {
    is: 'a node of which no condition is told',
    ways: [6],
    objects: [node({ labels: gfd('Tesla-T4', { count: 1 }), has: { [GPU]: 1 }, conditions: false })],
    reads: { ...T4, cards: 1, sharing: 'none', usable: null },
  },
  {
    is: 'a V100 next to two P4, of which labels name only the V100',
    ways: [12],
    objects: [
      node({ labels: gfd('Tesla-V100-SXM2-16GB', { count: 2, memory: 16160 }), has: { [GPU]: 3 } }),
      pod({ [GPU]: 1 }),
    ],
    reads: { vendor: 'nvidia', cards: 3, free_cards: 2, sharing: 'none' },
  },
  {
    is: 'three of one labelled card: shares, or another model',
    ways: [12, 4],
    objects: [node({ labels: gfd('Tesla-V100-SXM2-16GB', { count: 1, memory: 16160 }), has: { [GPU]: 3 } })],
    reads: { vendor: 'nvidia' },
  },
  {
    is: 'an old name of the resource, only in allocatable',
    ways: [1],
    objects: [
      node({ labels: { accelerator: 'nvidia-tesla-p100' }, has: {}, ready: { 'alpha.kubernetes.io/nvidia-gpu': 1 } }),
    ],
    reads: { vendor: 'nvidia', cards: 1, arch: 'pascal', sharing: 'none' },
  },
  {
    is: 'a cloud that names the card by itself, with a memory in GB',
    ways: [1, 13],
    objects: [
      node({
        labels: { 'gpu.nvidia.com/class': 'A40', 'gpu.nvidia.com/vram': '48', 'gpu.nvidia.com/count': '8' },
        has: { [GPU]: 8 },
      }),
    ],
    reads: { vendor: 'nvidia', model: 'a40', cards: 8, vram_gib: 48, arch: 'ampere', sharing: 'none' },
  },
  {
    is: 'a node that Karpenter labelled and that the plugin serves',
    ways: [1],
    objects: [
      node({
        labels: {
          'karpenter.k8s.aws/instance-gpu-name': 'a10g',
          'karpenter.k8s.aws/instance-gpu-count': '1',
          'karpenter.k8s.aws/instance-gpu-memory': '22888',
          'node.kubernetes.io/instance-type': 'g5.xlarge',
        },
        has: { [GPU]: 1 },
        taints: ['nvidia.com/gpu=true:NoSchedule'],
      }),
    ],
    reads: { vendor: 'nvidia', model: 'a10g', cards: 1, vram_gib: 24, arch: 'ampere', sharing: 'none' },
  },
  {
    is: 'a node that Karpenter labelled and that nothing serves',
    ways: [16],
    objects: [
      node({
        labels: {
          'karpenter.k8s.aws/instance-gpu-name': 'a10g',
          'karpenter.k8s.aws/instance-gpu-count': '1',
          'node.kubernetes.io/instance-type': 'g5.xlarge',
        },
        taints: ['nvidia.com/gpu:NoSchedule'],
      }),
    ],
    reads: { vendor: 'nvidia', usable: false },
  },
  {
    is: 'a processor node whose labels about GPUs are empty',
    ways: [16],
    objects: [
      node({
        labels: { 'nvidia.com/gpu.product': '', 'nvidia.com/gpu.count': '0', 'nvidia.com/gpu.present': 'false' },
      }),
    ],
    reads: { cards: 0, free_cards: 0 },
  },
  {
    is: 'the name of the resource as a label',
    ways: [16],
    objects: [node({ labels: { 'nvidia.com/gpu': 'true' } })],
    reads: { vendor: 'nvidia', usable: false },
  },
  {
    is: 'only a taint speaks of a GPU',
    ways: [16],
    objects: [node({ taints: ['nvidia.com/gpu=present:NoSchedule'] })],
    reads: { usable: false },
  },
  {
    is: 'a resource of zero under labels of eight',
    ways: [6, 16],
    objects: [node({ labels: gfd('NVIDIA-H100-80GB-HBM3', { count: 8, memory: 81559 }), has: { [GPU]: 0 } })],
    reads: { ...H100, free_cards: 0, usable: false },
  },
  {
    is: 'an H100 of which only the family is certain',
    ways: [13],
    objects: [node({ labels: gfd('NVIDIA-H200', { count: 8, memory: 143771 }), has: { [GPU]: 8 } })],
    reads: { vendor: 'nvidia', model: 'h200-141', cards: 8, vram_gib: 141, arch: 'hopper', sharing: 'none' },
  },
  {
    is: 'a name for cards of two sizes, and no memory',
    ways: [13],
    objects: [node({ labels: { 'gpu.nvidia.com/class': 'A100_NVLINK' }, has: { [GPU]: 8 } })],
    reads: { vendor: 'nvidia', cards: 8, arch: 'ampere', sharing: 'none' },
  },
]
