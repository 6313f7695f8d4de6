import { claim, device, node, pod, slice } from '../make.suite.ts'
import { gfd, type KnownNode } from './known.suite.ts'

const GPU = 'nvidia.com/gpu'
const SHARED = 'nvidia.com/gpu.shared'
const NVIDIA = { vendor: 'nvidia' }
const L4 = { ...NVIDIA, model: 'l4', vram_gib: 24, arch: 'ada' }
const A100 = { ...NVIDIA, model: 'a100-40-sxm', vram_gib: 40, arch: 'ampere' }
const MIG = 'nvidia.com/mig-1g.5gb'

/** Amounts that are no number of cards. */
const AMOUNTS: readonly KnownNode[] = [
  ...['0x4', '-2', '٤', '', '1e999', 'NaN'].map((amount) => ({
    is: `an amount of ${JSON.stringify(amount)}: there may be cards`,
    ways: [13],
    objects: [node({ has: { [GPU]: amount } })],
    reads: { usable: null },
  })),
  {
    is: 'an amount that is no number, under labels that name cards',
    ways: [13, 16],
    objects: [node({ labels: gfd('NVIDIA-L4', { count: 4 }), has: { [GPU]: '0x4' } })],
    reads: { ...NVIDIA, usable: null },
  },
  {
    is: 'a pod that holds no number of cards',
    ways: [7, 13],
    objects: [node({ labels: gfd('NVIDIA-L4', { count: 4 }), has: { [GPU]: 4 } }), pod({ [GPU]: 'all' })],
    reads: { ...L4, cards: 4, sharing: 'none' },
  },
  {
    is: 'a thousand cards, by label, too',
    ways: [4],
    objects: [node({ labels: gfd('NVIDIA-L4', { count: 1000, memory: 23034 }), has: { [GPU]: '1k' } })],
    reads: L4,
  },
  {
    is: 'as many chips on one host as a whole TPU slice has',
    ways: [15],
    objects: [
      node({
        labels: { 'cloud.google.com/gke-tpu-accelerator': 'tpu-v5-lite-podslice' },
        has: { 'google.com/tpu': 64 },
      }),
    ],
    reads: { vendor: 'google', model: 'tpu-v5e', vram_gib: 16, arch: 'tpu' },
  },
  {
    is: 'more chips than the topology has',
    ways: [16],
    objects: [
      node({
        labels: {
          'cloud.google.com/gke-tpu-accelerator': 'tpu-v6e-slice',
          'cloud.google.com/gke-tpu-topology': '1x1',
        },
        has: { 'google.com/tpu': 4 },
      }),
    ],
    reads: { vendor: 'google', model: 'tpu-v6e', vram_gib: 32, arch: 'tpu' },
  },
  {
    is: 'more Neuron chips than the machine is sold with',
    ways: [13],
    objects: [
      node({ labels: { 'node.kubernetes.io/instance-type': 'inf2.8xlarge' }, has: { 'aws.amazon.com/neuron': 6 } }),
    ],
    reads: { vendor: 'aws', model: 'inferentia2', vram_gib: 32, arch: 'neuron' },
  },
  {
    is: 'chips of which the two names have different numbers',
    ways: [13],
    objects: [node({ has: { 'aws.amazon.com/neuron': 12, 'aws.amazon.com/neurondevice': 6 } })],
    reads: { vendor: 'aws', arch: 'neuron' },
  },
  {
    is: 'eight AMD cards in a mode with parts: the plugin may not show the parts',
    ways: [10],
    objects: [
      node({
        labels: {
          'amd.com/gpu.product-name': 'AMD_Instinct_MI325X_OAM',
          'amd.com/compute-memory-partition': 'cpx_nps1',
        },
        has: { 'amd.com/gpu': 8 },
      }),
    ],
    reads: { vendor: 'amd', model: 'mi325x', vram_gib: 256, arch: 'cdna3', sharing: 'partition' },
  },
]

/** Labels that cannot all be true. */
const LABELS: readonly KnownNode[] = [
  {
    is: 'a name and the compute capability of another card',
    ways: [14, 16],
    objects: [
      node({
        labels: gfd('NVIDIA-L4', { count: 2, memory: 23034, 'compute.major': 8, 'compute.minor': 0 }),
        has: { [GPU]: 2 },
      }),
    ],
    reads: { ...NVIDIA, cards: 2, sharing: 'none' },
  },
  {
    is: 'a card that nobody knows, with a memory that no card has',
    ways: [13],
    objects: [node({ labels: gfd('NVIDIA-X-1', { count: 2, memory: 2_097_152 }), has: { [GPU]: 2 } })],
    reads: { ...NVIDIA, cards: 2, sharing: 'none' },
  },
  {
    is: 'shares of fewer cards than the label counts',
    ways: [4],
    objects: [node({ labels: gfd('NVIDIA-L4-SHARED', { count: 4, memory: 23034, replicas: 2 }), has: { [GPU]: 4 } })],
    reads: { ...L4, sharing: 'time-slicing' },
  },
  {
    is: 'cards that are offered whole and in shares, which the label counts once',
    ways: [4, 9],
    objects: [
      node({ labels: gfd('NVIDIA-L4', { count: 4, memory: 23034, replicas: 5 }), has: { [GPU]: 4, [SHARED]: 20 } }),
      pod({ [SHARED]: 20 }),
    ],
    reads: { ...L4, free_cards: 0, sharing: 'time-slicing' },
  },
  {
    is: 'shares of more cards than the machine is sold with',
    ways: [4],
    objects: [
      node({
        labels: { ...gfd('NVIDIA-L4', { count: 4, replicas: 4 }), 'node.kubernetes.io/instance-type': 'g6.xlarge' },
        has: { [GPU]: 16 },
      }),
    ],
    reads: { ...L4, sharing: 'time-slicing' },
  },
  {
    is: 'a number and a memory of slices from before the strategy was changed',
    ways: [8, 3],
    objects: [node({ labels: gfd('NVIDIA-A100-SXM4-40GB', { count: 7, memory: 4864 }), has: { [GPU]: 0, [MIG]: 7 } })],
    reads: { ...A100, cards: 1, sharing: 'mig', mig: { '1g.5gb': 7 } },
  },
  {
    is: 'more slices than the cards of the machine can have',
    ways: [3],
    objects: [node({ labels: { 'node.kubernetes.io/instance-type': 'p4d.24xlarge' }, has: { [MIG]: 63 } })],
    reads: { ...A100, sharing: 'mig', mig: { '1g.5gb': 63 } },
  },
  ...['pending', 'rebooting'].map((state) => ({
    is: `cards that are being cut anew (${state})`,
    ways: [6],
    objects: [
      node({
        labels: { ...gfd('NVIDIA-A100-SXM4-40GB', { count: 8 }), 'nvidia.com/mig.config.state': state },
        has: { [GPU]: 8 },
      }),
    ],
    reads: { ...A100, cards: 8, sharing: 'none', usable: false },
  })),
  {
    is: 'cards of which a scheduler knows that one is sick',
    ways: [6, 4],
    objects: [
      node({
        annotations: {
          'hami.io/node-nvidia-register':
            'GPU-a,10,23034,100,NVIDIA-NVIDIA L4,0,true:GPU-b,10,23034,100,NVIDIA-NVIDIA L4,0,false:',
        },
        has: { [GPU]: 20 },
      }),
      pod({ cpu: 1 }),
    ],
    reads: { ...L4, cards: 2, sharing: 'vgpu' },
  },
]

/** Virtual cards that look whole. */
const VIRTUAL: readonly KnownNode[] = [
  {
    is: 'a virtual card that is backed by a slice',
    ways: [5],
    objects: [node({ labels: gfd('NVIDIA-A100-2-10CME', { count: 1, memory: 10240 }), has: { [GPU]: 1 } })],
    reads: { ...NVIDIA, arch: 'ampere', sharing: 'vgpu' },
  },
  {
    is: 'a driver that knows the one of its host',
    ways: [5],
    objects: [
      node({
        labels: { ...gfd('NVIDIA-L4', { count: 1, memory: 23034 }), 'nvidia.com/vgpu.host-driver-version': '570.1' },
        has: { [GPU]: 1 },
      }),
    ],
    reads: { ...NVIDIA, model: 'l4', arch: 'ada', sharing: 'vgpu' },
  },
  {
    is: 'a virtual card as a device',
    ways: [5, 11],
    objects: [
      node(),
      slice([
        device('gpu-0', {
          type: 'gpu',
          uuid: 'GPU-1',
          productName: 'GRID T4-8C',
          memory: '8Gi',
          cudaComputeCapability: '7.5.0',
        }),
      ]),
      claim([]),
    ],
    reads: { ...NVIDIA, arch: 'turing', sharing: 'vgpu' },
  },
  {
    is: 'a virtual card as a device and by a plugin, which calls it whole',
    ways: [5, 10],
    objects: [
      node({ labels: gfd('NVIDIA-L4', { count: 1, memory: 23034 }), has: { [GPU]: 1 } }),
      slice([device('gpu-0', { type: 'gpu', uuid: 'GPU-1', productName: 'NVIDIA L4', brand: 'NvidiaVWS' })]),
    ],
    reads: { ...L4, vram_gib: null, sharing: 'vgpu' },
  },
]

const card = (name: string, others: Readonly<Record<string, string | boolean>> = {}) =>
  device(name, { type: 'gpu', productName: 'NVIDIA L4', memory: '23034Mi', ...others })
const OTHER = { pool: { name: 'second' } }
const GAUDI = { driver: 'gaudi.intel.com' }
const gaudi = (name: string, healthy: boolean) => device(name, { model: 'Gaudi2', healthy })

/** Devices that are published in a way that does not add up. */
const DEVICES: readonly KnownNode[] = [
  {
    is: 'the same cards in two pools',
    ways: [10],
    objects: [
      node(),
      slice([card('gpu-0', { uuid: 'GPU-a' }), card('gpu-1', { uuid: 'GPU-b' })]),
      slice([card('gpu-0', { uuid: 'gpu-A' }), card('gpu-1', { uuid: 'GPU-b' })], OTHER),
      claim([]),
    ],
    reads: { ...L4, cards: 2, free_cards: 2, sharing: 'none' },
  },
  {
    is: 'cards of two pools, which nothing tells apart',
    ways: [10],
    objects: [node(), slice([card('gpu-0'), card('gpu-1')]), slice([card('card-0')], OTHER), claim([])],
    reads: { ...L4, sharing: 'none' },
  },
  {
    is: 'two cards with one uuid',
    ways: [10],
    objects: [node(), slice([card('gpu-0', { uuid: 'GPU-a' }), card('gpu-1', { uuid: 'GPU-a' })]), claim([])],
    reads: { ...L4, sharing: 'none' },
  },
  {
    is: 'one slice of two, which was given twice',
    ways: [11],
    objects: [node(), ...[1, 2].map(() => slice([card('gpu-0')], { pool: { resourceSliceCount: 2 } })), claim([])],
    reads: { ...L4, free_cards: 0, sharing: 'none', usable: false },
  },
  {
    is: 'more slices than the pool has',
    ways: [11],
    objects: [node(), slice([card('gpu-0')]), slice([card('gpu-1')]), claim([])],
    reads: { ...L4, free_cards: 0, sharing: 'none', usable: false },
  },
  {
    is: 'a name that comes twice in a pool',
    ways: [11],
    objects: [node(), slice([card('gpu-0', { uuid: 'GPU-a' }), card('gpu-0', { uuid: 'GPU-b' })]), claim([])],
    reads: { ...L4, free_cards: 0, sharing: 'none', usable: false },
  },
  {
    is: 'a card of which its driver says that it is out of order',
    ways: [6, 11],
    objects: [node(), slice([gaudi('a', true), gaudi('b', false)], GAUDI), claim([])],
    reads: { vendor: 'intel', model: 'gaudi2', arch: 'gaudi2', vram_gib: 96, cards: 2, free_cards: 1, sharing: 'none' },
  },
  {
    is: 'only cards that are out of order',
    ways: [6, 11],
    objects: [
      node(),
      slice([device('a', { model: 'X', health: 'Unhealthy' })], { driver: 'gpu.intel.com' }),
      claim([]),
    ],
    reads: { vendor: 'intel', cards: 1, free_cards: 0, sharing: 'none', usable: false },
  },
  {
    is: 'a device with a memory that no card has',
    ways: [13],
    objects: [node(), slice([card('gpu-0', { productName: 'NVIDIA X-1', memory: '2Ti' })])],
    reads: { ...NVIDIA, cards: 1, sharing: 'none' },
  },
  {
    is: 'a device with the compute capability of another card',
    ways: [14],
    objects: [node(), slice([card('gpu-0', { cudaComputeCapability: '9.0.0' })])],
    reads: { ...NVIDIA, cards: 1, sharing: 'none' },
  },
  {
    is: 'a plugin and devices that count differently',
    ways: [10],
    objects: [
      node({ labels: gfd('NVIDIA-L4', { count: 2 }), has: { [GPU]: 2 } }),
      slice([0, 1, 2].map((at) => card(`gpu-${at}`, { uuid: `GPU-${at}` }))),
      claim([]),
      pod({ cpu: 1 }),
    ],
    reads: { ...L4, sharing: 'none' },
  },
  {
    is: 'a slice that selects its node by name',
    ways: [11],
    objects: [
      node(),
      {
        kind: 'ResourceSlice',
        spec: {
          driver: 'gpu.nvidia.com',
          pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
          nodeSelector: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }],
          },
          devices: [card('gpu-0')],
        },
      },
    ],
    reads: { ...L4, cards: 1, sharing: 'none' },
  },
  {
    is: 'devices of a GPU driver that nobody knows',
    ways: [1, 11],
    objects: [node(), slice([device('gpu-0', { model: 'X' })], { driver: 'gpu.example.org' })],
    reads: { usable: false },
  },
  {
    is: 'devices that are no accelerators',
    ways: [11],
    objects: [node(), slice([device('eth1')], { driver: 'net.example.org' })],
    reads: { cards: 0, free_cards: 0 },
  },
]

/** Nodes that say two things, or nothing that can be counted on. */
export const DOUBTS: readonly KnownNode[] = [...AMOUNTS, ...LABELS, ...VIRTUAL, ...DEVICES]
