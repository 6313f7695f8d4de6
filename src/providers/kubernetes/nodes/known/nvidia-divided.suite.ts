import { node, pod } from '../make.suite.ts'
import { driver, gfd, type KnownNode } from './known.suite.ts'

const GPU = 'nvidia.com/gpu'
const SHARED = 'nvidia.com/gpu.shared'
const A100 = { vendor: 'nvidia', model: 'a100-40-sxm', vram_gib: 40, arch: 'ampere' }
const A100_80 = { vendor: 'nvidia', model: 'a100-80-pcie', vram_gib: 80, arch: 'ampere' }
const T4 = { vendor: 'nvidia', model: 't4', vram_gib: 16, arch: 'turing' }

/** NVIDIA cards in slices, shares and virtual cards. */
export const NVIDIA_DIVIDED: readonly KnownNode[] = [
  {
    is: 'one A100 in seven slices, by the single strategy',
    ways: [8, 2],
    objects: [
      node({
        labels: {
          ...gfd('NVIDIA-A100-SXM4-40GB-MIG-1g.5gb', {
            count: 7,
            memory: 4864,
            'slices.gi': 1,
            'slices.ci': 1,
            'engines.copy': 1,
          }),
          'nvidia.com/mig.strategy': 'single',
          ...driver('525.85.12', '12.0'),
        },
        has: { [GPU]: 7 },
      }),
      pod({ [GPU]: 2 }),
    ],
    reads: { ...A100, cards: 1, driver: '525.85.12', cuda: '12.0', sharing: 'mig', mig: { '1g.5gb': 7 } },
  },
  {
    is: 'three slices of one profile, which may be on two cards',
    ways: [8],
    objects: [
      node({ labels: gfd('NVIDIA-A100-SXM4-40GB-MIG-3g.20gb', { count: 3, memory: 19968 }), has: { [GPU]: 3 } }),
    ],
    reads: { ...A100, sharing: 'mig', mig: { '3g.20gb': 3 } },
  },
  {
    is: 'slices of a machine whose cards are known',
    ways: [8],
    objects: [
      node({
        labels: {
          ...gfd('NVIDIA-A100-SXM4-40GB-MIG-3g.20gb', { count: 16, memory: 19968 }),
          'node.kubernetes.io/instance-type': 'p4d.24xlarge',
        },
        has: { [GPU]: 16 },
      }),
    ],
    reads: { ...A100, cards: 8, sharing: 'mig', mig: { '3g.20gb': 16 } },
  },
  {
    is: 'one card in slices of three profiles, and no whole one',
    ways: [3],
    objects: [
      node({
        labels: { ...gfd('NVIDIA-H100-NVL', { count: 1, memory: 95830 }), 'nvidia.com/mig.strategy': 'mixed' },
        has: { [GPU]: 0, 'nvidia.com/mig-1g.12gb': 2, 'nvidia.com/mig-2g.24gb': 1, 'nvidia.com/mig-3g.47gb': 1 },
      }),
    ],
    reads: {
      vendor: 'nvidia',
      model: 'h100-nvl',
      cards: 1,
      vram_gib: 94,
      arch: 'hopper',
      sharing: 'mig',
      mig: { '1g.12gb': 2, '2g.24gb': 1, '3g.47gb': 1 },
    },
  },
  {
    is: 'slices without a label for the strategy or the count',
    ways: [3],
    objects: [node({ labels: gfd('A100-SXM4-40GB', { memory: 40536 }), has: { 'nvidia.com/mig-1g.5gb': 14 } })],
    reads: { ...A100, cards: 2, sharing: 'mig', mig: { '1g.5gb': 14 } },
  },
  {
    is: 'whole and cut cards',
    ways: [9, 3],
    objects: [
      node({
        labels: { ...gfd('NVIDIA-A100-SXM4-40GB', { count: 8, memory: 40960 }), 'nvidia.com/mig.strategy': 'mixed' },
        has: { [GPU]: 6, 'nvidia.com/mig-1g.5gb': 7, 'nvidia.com/mig-3g.20gb': 2 },
      }),
    ],
    reads: { ...A100, cards: 8, sharing: 'mig', mig: { '1g.5gb': 7, '3g.20gb': 2 } },
  },
  {
    is: 'a count of whole cards that stayed from before the cut',
    ways: [6, 9],
    objects: [
      node({
        labels: gfd('NVIDIA-A100-80GB-PCIe', { count: 2, memory: 81920 }),
        has: { [GPU]: 2, 'nvidia.com/mig-1g.10gb': 6, 'nvidia.com/mig-2g.20gb': 4, 'nvidia.com/mig-3g.40gb': 0 },
      }),
    ],
    reads: { ...A100_80, cards: 2, sharing: 'mig', mig: { '1g.10gb': 6, '2g.20gb': 4 } },
  },
  {
    is: 'the same without a label that counts cards',
    ways: [6, 9],
    objects: [
      node({
        labels: gfd('NVIDIA-A100-80GB-PCIe', { memory: 81920 }),
        has: { [GPU]: 2, 'nvidia.com/mig-1g.10gb': 6, 'nvidia.com/mig-2g.20gb': 4 },
      }),
    ],
    reads: { ...A100_80, sharing: 'mig', mig: { '1g.10gb': 6, '2g.20gb': 4 } },
  },
  {
    is: 'a resource at zero after its cards were cut',
    ways: [6, 3],
    objects: [
      node({
        labels: gfd('NVIDIA-A100-SXM4-40GB', { count: 1, memory: 40960 }),
        has: { [GPU]: 1, 'nvidia.com/mig-1g.5gb': 7 },
        ready: { [GPU]: 0, 'nvidia.com/mig-1g.5gb': 7 },
      }),
      pod({ 'nvidia.com/mig-1g.5gb': 7 }),
    ],
    reads: { ...A100, cards: 1, free_cards: 0, sharing: 'mig', mig: { '1g.5gb': 7 } },
  },
  {
    is: 'MIG that is on, with slices that the strategy does not allow',
    ways: [3, 8],
    objects: [
      node({
        labels: gfd('NVIDIA-A100-SXM4-40GB-MIG-INVALID', { count: 0, memory: 0, replicas: 0 }),
        has: { [GPU]: 0 },
      }),
    ],
    reads: { ...A100, free_cards: 0, sharing: 'mig', usable: false },
  },
  {
    is: 'eighty shares of eight cards',
    ways: [4],
    objects: [
      node({
        labels: gfd('NVIDIA-A100-SXM4-40GB-SHARED', {
          count: 8,
          memory: 40960,
          replicas: 10,
          'sharing-strategy': 'time-slicing',
        }),
        has: { [GPU]: 80 },
      }),
      pod({ [GPU]: 3 }),
    ],
    reads: { ...A100, cards: 8, sharing: 'time-slicing' },
  },
  {
    is: 'shares of an idle card',
    ways: [4, 7],
    objects: [
      node({ labels: gfd('Tesla-T4-SHARED', { count: 1, memory: 15360, replicas: 4 }), has: { [GPU]: 4 } }),
      pod({ cpu: 1 }),
    ],
    reads: { ...T4, cards: 1, free_cards: 1, sharing: 'time-slicing' },
  },
  {
    is: 'shares under their own name, and a label that says there are none',
    ways: [4, 6],
    objects: [
      node({
        labels: gfd('NVIDIA-A10G', { count: 1, memory: 23028, replicas: 1 }),
        has: { [GPU]: 1, [SHARED]: 50 },
        ready: { [GPU]: 0, [SHARED]: 50 },
      }),
    ],
    reads: { vendor: 'nvidia', model: 'a10g', cards: 1, vram_gib: 24, arch: 'ampere', sharing: 'time-slicing' },
  },
  {
    is: 'shares of slices of a machine that is known',
    ways: [4, 8],
    objects: [
      node({ labels: { 'node.kubernetes.io/instance-type': 'p5.48xlarge' }, has: { [GPU]: 0, [SHARED]: 128 } }),
    ],
    reads: { vendor: 'nvidia', model: 'h100-sxm', cards: 8, vram_gib: 80, arch: 'hopper', sharing: 'time-slicing' },
  },
  {
    is: 'shares of nobody knows how many cards',
    ways: [4],
    objects: [node({ has: { [SHARED]: 128 } })],
    reads: { vendor: 'nvidia', sharing: 'time-slicing' },
  },
  {
    is: 'clients of a card on GKE',
    ways: [4],
    objects: [
      node({
        labels: {
          'cloud.google.com/gke-accelerator': 'nvidia-tesla-t4',
          'cloud.google.com/gke-gpu-sharing-strategy': 'time-sharing',
          'cloud.google.com/gke-max-shared-clients-per-gpu': '16',
        },
        has: { [GPU]: 16 },
      }),
    ],
    reads: { ...T4, cards: 1, sharing: 'time-slicing' },
  },
  {
    is: 'a partition size on GKE',
    ways: [8],
    objects: [
      node({
        labels: {
          'cloud.google.com/gke-accelerator': 'nvidia-tesla-a100',
          'cloud.google.com/gke-gpu-partition-size': '1g.5gb',
        },
        has: { [GPU]: 7 },
      }),
    ],
    reads: { ...A100, cards: 1, sharing: 'mig', mig: { '1g.5gb': 7 } },
  },
  {
    is: 'MPS',
    ways: [4],
    objects: [
      node({
        labels: gfd('NVIDIA-L40S-SHARED', { count: 4, memory: 46068, replicas: 2, 'sharing-strategy': 'mps' }),
        has: { [GPU]: 8 },
      }),
    ],
    reads: { vendor: 'nvidia', model: 'l40s', cards: 4, vram_gib: 48, arch: 'ada', sharing: 'mps' },
  },
  {
    is: 'shares beside whole cards',
    ways: [9],
    objects: [
      node({ labels: gfd('NVIDIA-L40S', { count: 4, memory: 46068, replicas: 10 }), has: { [GPU]: 2, [SHARED]: 20 } }),
    ],
    reads: { vendor: 'nvidia', model: 'l40s', cards: 4, vram_gib: 48, arch: 'ada', sharing: 'time-slicing' },
  },
  {
    is: 'more than its machine has: shares that no label names, of which some are in use',
    ways: [4, 7],
    objects: [
      node({ labels: { 'node.kubernetes.io/instance-type': 'g4dn.xlarge' }, has: { [GPU]: 4 } }),
      pod({ [GPU]: 3 }),
    ],
    reads: { ...T4, cards: 1 },
  },
  {
    is: 'eighty of something, by a scheduler that left no other trace',
    ways: [4],
    objects: [node({ labels: { gpu: 'on' }, has: { [GPU]: 80 } })],
    reads: { vendor: 'nvidia' },
  },
  {
    is: 'cards that HAMi registered, with a memory that was stretched',
    ways: [1, 4],
    objects: [
      node({
        labels: { gpu: 'on' },
        annotations: {
          'hami.io/node-nvidia-register':
            'GPU-a,10,73728,100,NVIDIA-NVIDIA A100-PCIE-40GB,0,true:GPU-b,10,73728,100,NVIDIA-NVIDIA A100-PCIE-40GB,0,true:',
        },
        has: { [GPU]: 20 },
      }),
      pod({ [GPU]: 1 }),
    ],
    reads: { vendor: 'nvidia', model: 'a100-40-pcie', cards: 2, vram_gib: 40, arch: 'ampere', sharing: 'vgpu' },
  },
  {
    is: 'vGPU of Volcano',
    ways: [1],
    objects: [
      node({
        annotations: {
          'volcano.sh/node-vgpu-register':
            '[{"id":"GPU-a","count":10,"devmem":32768,"type":"NVIDIA-Tesla V100-SXM2-32GB"}]',
        },
        has: { 'volcano.sh/vgpu-number': 10, 'volcano.sh/vgpu-memory': 32768 },
      }),
    ],
    reads: { vendor: 'nvidia', model: 'v100-32-sxm', cards: 1, vram_gib: 32, arch: 'volta', sharing: 'vgpu' },
  },
  {
    is: 'a virtual card that is called whole',
    ways: [5],
    objects: [
      node({
        labels: gfd('GRID-A100-4C', {
          count: 1,
          memory: 4096,
          'sharing-strategy': 'none',
          replicas: 1,
          'compute.major': 8,
          'compute.minor': 0,
        }),
        has: { [GPU]: 1 },
      }),
    ],
    reads: { vendor: 'nvidia', arch: 'ampere', sharing: 'vgpu' },
  },
  {
    is: 'a part of a card that a cloud rents',
    ways: [5],
    objects: [
      node({
        labels: {
          ...gfd('NVIDIA-A10-4Q', { count: 1, memory: 4096 }),
          'node.kubernetes.io/instance-type': 'Standard_NV6ads_A10_v5',
        },
        has: { [GPU]: 1 },
      }),
    ],
    reads: { vendor: 'nvidia', model: 'a10', arch: 'ampere', sharing: 'vgpu' },
  },
  {
    is: 'a card that shows less memory than it has',
    ways: [5, 13],
    objects: [node({ labels: gfd('NVIDIA-A10', { count: 1, memory: 11470 }), has: { [GPU]: 1 } })],
    reads: { vendor: 'nvidia', model: 'a10', arch: 'ampere' },
  },
  {
    is: 'cards for virtual machines',
    ways: [1, 15],
    objects: [node({ has: { 'devices.kubevirt.io/kvm': '1k', 'nvidia.com/GA102GL_A10': 2 } })],
    reads: { vendor: 'nvidia', model: 'a10', cards: 2, vram_gib: 24, arch: 'ampere', sharing: 'none', usable: false },
  },
  {
    is: 'virtual cards for virtual machines',
    ways: [1, 5, 15],
    objects: [node({ has: { 'devices.kubevirt.io/kvm': '1k', 'nvidia.com/GRID_P40-1Q': 24 } })],
    reads: { vendor: 'nvidia', model: 'p40', arch: 'pascal', sharing: 'vgpu', usable: false },
  },
]
