import { claim, device, node, pod, slice } from '../make.suite.ts'
import { gfd, type KnownNode } from './known.suite.ts'

const GPU = 'nvidia.com/gpu'
const SHARED = 'nvidia.com/gpu.shared'
const NVIDIA = { vendor: 'nvidia' }
const L4 = { ...NVIDIA, model: 'l4', vram_gib: 24, arch: 'ada' }
const labels = gfd('NVIDIA-L4', { count: 4, memory: 23034 })
const whole = (others: Readonly<Record<string, unknown>> = {}) => node({ labels, has: { [GPU]: 4 }, ...others })

const VOLCANO = { 'volcano.sh/gpu-number': 2, 'volcano.sh/gpu-memory': 32 }

/** Cards that somebody uses though no resource says so. */
const HIDDEN_USE: readonly KnownNode[] = [
  {
    is: 'a pod that holds memory of a card, and no card',
    ways: [4, 7],
    objects: [node({ has: VOLCANO }), pod({ 'volcano.sh/gpu-memory': 8 })],
    reads: { ...NVIDIA, cards: 2, sharing: 'vgpu' },
  },
  {
    is: 'more in allocatable than in capacity',
    ways: [6, 7],
    objects: [whole({ ready: { [GPU]: 8 } }), pod({ [GPU]: 3 })],
    reads: { ...L4, cards: 4, free_cards: 1, sharing: 'none' },
  },
  {
    is: 'a pod that still holds a slice of a card that is whole again',
    ways: [7],
    objects: [whole(), pod({ 'nvidia.com/mig-1g.5gb': 1 })],
    reads: { ...L4, cards: 4, sharing: 'none' },
  },
  {
    is: 'a pod that still holds a whole card where all are shared now',
    ways: [4, 7],
    objects: [
      node({ labels: { ...labels, 'nvidia.com/gpu.replicas': '2' }, has: { [GPU]: 0, [SHARED]: 8 } }),
      pod({ [GPU]: 1 }),
    ],
    reads: { ...L4, cards: 4, sharing: 'time-slicing' },
  },
  ...[{ 'gpu-fraction': '0.5' }, { 'gpu-memory': '2000' }].map((annotations) => ({
    is: `a pod that a scheduler gave a part of a card (${Object.keys(annotations).join()})`,
    ways: [4, 7],
    objects: [whole(), { ...pod({ cpu: 1 }), metadata: { name: 'p', namespace: 'team', annotations } }],
    reads: { ...L4, cards: 4, sharing: 'none' },
  })),
  {
    is: 'a part of a card that a reservation keeps',
    ways: [4, 7],
    objects: [
      whole(),
      { ...pod({ cpu: 1 }), metadata: { name: 'p', namespace: 'team', annotations: { 'gpu-fraction': '0.5' } } },
      pod({ [GPU]: 1 }, { namespace: 'kai-resource-reservation', name: 'r' }),
    ],
    reads: { ...L4, cards: 4, free_cards: 3, sharing: 'none' },
  },
]

/** Two sources that cannot both be right. */
const TWO_ANSWERS: readonly KnownNode[] = [
  {
    is: 'a card with twice the memory of the one that the machine is sold with',
    ways: [16],
    objects: [
      node({
        labels: {
          ...gfd('NVIDIA-A100-SXM4-80GB', { count: 8, memory: 81920 }),
          'node.kubernetes.io/instance-type': 'p4d.24xlarge',
        },
        has: { [GPU]: 8 },
      }),
    ],
    reads: { ...NVIDIA, cards: 8, sharing: 'none' },
  },
  {
    is: 'AMD cards with half of their memory each: eight, or four in two parts',
    ways: [10, 13],
    objects: [
      node({
        labels: {
          'amd.com/gpu.product-name': 'AMD_Instinct_MI300X_OAM',
          'amd.com/gpu.device-id': '74a1',
          'amd.com/gpu.vram': '96G',
        },
        has: { 'amd.com/gpu': 8 },
      }),
    ],
    reads: { vendor: 'amd', model: 'mi300x', vram_gib: 192, arch: 'cdna3' },
  },
  {
    is: 'an AMD card whose name nobody knows, and whose device id is known',
    ways: [13],
    objects: [
      node({
        labels: { 'amd.com/gpu.product-name': 'AMD_Instinct_MI325_X', 'amd.com/gpu.device-id': '74a5' },
        has: { 'amd.com/gpu': 8 },
      }),
    ],
    reads: { vendor: 'amd', model: 'mi325x', cards: 8, vram_gib: 256, arch: 'cdna3', sharing: 'none' },
  },
  {
    is: 'an AMD card that nobody knows, and that cannot be partitioned',
    ways: [13],
    objects: [
      node({
        labels: { 'amd.com/gpu.product-name': 'AMD_Radeon_PRO_W7900', 'amd.com/gpu.vram': '48G' },
        has: { 'amd.com/gpu': 2 },
      }),
    ],
    reads: { vendor: 'amd', cards: 2, vram_gib: 48, sharing: 'none' },
  },
  {
    is: 'a memory with a unit, which is that of another card',
    ways: [13],
    objects: [node({ labels: gfd('NVIDIA-L4', { count: 4, memory: '48GB' }), has: { [GPU]: 4 } })],
    reads: { ...L4, vram_gib: null, cards: 4, sharing: 'none' },
  },
  {
    is: 'the old name of the resource beside the new one, with another amount',
    ways: [1],
    objects: [node({ labels, has: { 'alpha.kubernetes.io/nvidia-gpu': 8, [GPU]: 4 } })],
    reads: { ...L4, cards: 4, sharing: 'none' },
  },
  {
    is: 'a card that nobody knows, with its memory in GB',
    ways: [13],
    objects: [
      node({
        labels: { 'gpu.nvidia.com/class': 'Z100', 'gpu.nvidia.com/count': '8', 'gpu.nvidia.com/vram': '100' },
        has: { [GPU]: 8 },
      }),
    ],
    reads: { ...NVIDIA, cards: 8, vram_gib: 93.1, sharing: 'none' },
  },
  {
    is: 'sixteen on a host without eight cores for each: they may be eight, shared by two',
    ways: [4],
    objects: [node({ has: { cpu: 96, memory: '1Ti', [GPU]: 16 } })],
    reads: NVIDIA,
  },
]

const mi300x = (name: string, others: Readonly<Record<string, string>>) =>
  device(name, { productName: 'AMD_Instinct_MI300X_OAM', memory: '98296Mi', partitionProfile: 'dpx_nps1', ...others })
const AMD = { driver: 'gpu.amd.com' }

/** Devices that do not say which card they belong to, or that something is wrong with a part of it. */
const DEVICES: readonly KnownNode[] = [
  {
    is: 'a card and slices, marked in different ways: they may be of one card',
    ways: [10],
    objects: [
      node(),
      slice([
        device('gpu-0', { type: 'gpu', pciBusID: '0000:01:00.0', productName: 'NVIDIA H100 PCIe', memory: '81559Mi' }),
        device('gpu-0-mig-1', { type: 'mig', profile: '3g.40gb', parentUUID: 'a', productName: 'NVIDIA H100 PCIe' }),
      ]),
      claim([]),
    ],
    reads: { ...NVIDIA, model: 'h100-pcie', vram_gib: 80, arch: 'hopper', sharing: 'mig', mig: { '3g.40gb': 1 } },
  },
  {
    is: 'partitions without a type and without a card: only their profile tells',
    ways: [10],
    objects: [node(), slice([mi300x('gpu-0', {}), mi300x('gpu-1', {})], AMD), claim([], AMD)],
    reads: { vendor: 'amd', model: 'mi300x', vram_gib: 192, arch: 'cdna3', sharing: 'partition', free_cards: 0 },
  },
  {
    is: 'a card of which one partition is tainted',
    ways: [6, 10],
    objects: [
      node(),
      slice(
        [
          mi300x('gpu-0', { parentPciAddr: '0000:01:00.0' }),
          mi300x('gpu-1', { parentPciAddr: '0000:01:00.0', taint: 'NoSchedule' }),
          mi300x('gpu-2', { parentPciAddr: '0000:02:00.0' }),
        ],
        AMD,
      ),
      claim([], AMD),
    ],
    reads: {
      vendor: 'amd',
      model: 'mi300x',
      vram_gib: 192,
      arch: 'cdna3',
      cards: 2,
      free_cards: 1,
      sharing: 'partition',
    },
  },
]

/** Cards that nobody can have now. */
const OUT_OF_REACH: readonly KnownNode[] = [
  {
    is: 'cards that are handed to virtual machines under one name',
    ways: [15],
    objects: [node({ has: { 'nvidia.com/pgpu': 8 } })],
    reads: { ...NVIDIA, usable: false },
  },
  {
    is: 'a node whose cards the operator keeps for virtual machines',
    ways: [15],
    objects: [whole({ labels: { ...labels, 'nvidia.com/gpu.workload.config': 'vm-passthrough' } })],
    reads: { ...L4, cards: 4, sharing: 'none', usable: false },
  },
  {
    is: 'the only card of a scheduler, out of order',
    ways: [6],
    objects: [
      node({
        annotations: { 'hami.io/node-nvidia-register': 'GPU-a,10,23034,100,NVIDIA-NVIDIA L4,0,false:' },
        has: { [GPU]: 10 },
      }),
    ],
    reads: { ...L4, cards: 1, sharing: 'vgpu', usable: false },
  },
  {
    is: 'a device with a taint whose effect nobody knows, and one with a taint that does nothing',
    ways: [6, 11],
    objects: [
      node(),
      slice([
        device('gpu-0', { type: 'gpu', uuid: 'a', productName: 'NVIDIA L4', memory: '23034Mi', taint: 'Later' }),
        device('gpu-1', { type: 'gpu', uuid: 'b', productName: 'NVIDIA L4', memory: '23034Mi', taint: 'None' }),
      ]),
      claim([]),
    ],
    reads: { ...L4, cards: 2, free_cards: 1, sharing: 'none' },
  },
  {
    is: 'a taint that drives pods away, for nobody in particular',
    ways: [16],
    objects: [whole({ taints: ['example.org/lease:NoExecute'] })],
    reads: { ...L4, cards: 4, sharing: 'none', usable: null },
  },
  {
    is: 'a taint that drives pods without cards away',
    ways: [16],
    objects: [whole({ taints: ['nvidia.com/gpu:NoExecute'] })],
    reads: { ...L4, cards: 4, sharing: 'none' },
  },
]

/** Nodes of which one part speaks against another. */
export const CONTRADICTIONS: readonly KnownNode[] = [...HIDDEN_USE, ...TWO_ANSWERS, ...DEVICES, ...OUT_OF_REACH]
