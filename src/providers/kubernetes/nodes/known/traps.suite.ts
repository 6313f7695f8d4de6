import { claim, device, node, pod, slice } from '../make.suite.ts'
import { gfd, type KnownNode } from './known.suite.ts'

const GPU = 'nvidia.com/gpu'
const SHARED = 'nvidia.com/gpu.shared'
const NVIDIA = { vendor: 'nvidia' }
const L4 = { ...NVIDIA, model: 'l4', vram_gib: 24, arch: 'ada' }
const SMALL = { cpu: 12, memory: '90Gi' }

/** Numbers that count something other than cards, and that nothing on the node corrects. */
const UNVOUCHED: readonly KnownNode[] = [
  {
    is: 'six shares under the plain name on a host that is too small for six cards',
    ways: [4],
    objects: [node({ has: { ...SMALL, [GPU]: 6 } }), pod({ [GPU]: 2 })],
    reads: NVIDIA,
  },
  {
    is: 'a host with cores enough and little memory',
    ways: [4],
    objects: [node({ has: { cpu: 48, memory: '30Gi', [GPU]: 4 } })],
    reads: NVIDIA,
  },
  {
    is: 'three cards on a host that is just large enough',
    ways: [7],
    objects: [node({ has: { ...SMALL, [GPU]: 3 } }), pod({ [GPU]: 1 })],
    reads: { ...NVIDIA, cards: 3, free_cards: 2, sharing: 'none' },
  },
  {
    is: 'settings of the plugin that a label chose, and no feature discovery',
    ways: [4],
    objects: [node({ labels: { 'nvidia.com/device-plugin.config': 'inference' }, has: { [GPU]: 5 } })],
    reads: NVIDIA,
  },
  {
    is: 'the same settings where feature discovery counts as many cards',
    ways: [4],
    objects: [
      node({
        labels: { ...gfd('NVIDIA-L4', { count: 5, memory: 23034 }), 'nvidia.com/device-plugin.config': 'inference' },
        has: { [GPU]: 5 },
      }),
    ],
    reads: { ...L4, cards: 5, sharing: 'none' },
  },
  {
    is: 'shares that have lost the name of shares',
    ways: [4, 6],
    objects: [node({ has: { [GPU]: 6, [SHARED]: 0 } })],
    reads: NVIDIA,
  },
  {
    is: 'slices that were called by their profile and now are called cards',
    ways: [6, 8],
    objects: [
      node({
        has: { [GPU]: 8, 'nvidia.com/mig-3g.40gb': 8, 'nvidia.com/mig-1g.10gb': 0 },
        ready: { [GPU]: 8, 'nvidia.com/mig-3g.40gb': 0, 'nvidia.com/mig-1g.10gb': 0 },
      }),
    ],
    reads: NVIDIA,
  },
  {
    is: 'a number of cards that no machine is made with',
    ways: [4],
    objects: [node({ has: { cpu: 256, memory: '2Ti', [GPU]: 14 } })],
    reads: NVIDIA,
  },
  {
    is: 'sixteen cards in a machine that is large enough',
    ways: [7],
    objects: [node({ has: { cpu: 256, memory: '2Ti', [GPU]: 16 } }), pod({ [GPU]: 15 })],
    reads: { ...NVIDIA, cards: 16, free_cards: 1, sharing: 'none' },
  },
  {
    is: 'a part of an object, without any label',
    ways: [4],
    objects: [{ kind: 'Node', metadata: { name: 'n' }, status: { capacity: { cpu: '96', [GPU]: '3' } } }],
    reads: { ...NVIDIA, usable: null },
  },
  {
    is: 'more than an autoscaler says that it ordered',
    ways: [4],
    objects: [
      node({
        labels: { 'karpenter.k8s.aws/instance-gpu-count': '1', 'karpenter.k8s.aws/instance-gpu-name': 'l4' },
        has: { [GPU]: 3 },
      }),
      pod({ [GPU]: 1 }),
    ],
    reads: { ...L4, cards: 1 },
  },
  {
    is: 'as many as the cloud says that it sold, on a small host',
    ways: [1],
    objects: [node({ labels: { 'cloud.google.com/gke-accelerator-count': '4' }, has: { ...SMALL, [GPU]: 4 } })],
    reads: { ...NVIDIA, cards: 4, sharing: 'none' },
  },
  {
    is: 'amounts in thousands',
    ways: [13],
    objects: [node({ has: { [GPU]: '8k' } }), pod({ [GPU]: '1e1' })],
    reads: NVIDIA,
  },
  {
    is: 'an amount with an exponent, and half a card more in the capacity',
    ways: [13],
    objects: [
      node({
        labels: gfd('NVIDIA-L4', { count: 4, memory: 23034 }),
        has: { [GPU]: '45e-1' },
        ready: { [GPU]: '0.4e1' },
      }),
      pod({ [GPU]: '1500m' }),
    ],
    reads: { ...L4, cards: 4, free_cards: 2, sharing: 'none' },
  },
]

/** The same cards under several names. */
const TWICE: readonly KnownNode[] = [
  {
    is: 'cards that another plugin shares, of which pods hold some',
    ways: [4, 7],
    objects: [
      node({ labels: gfd('NVIDIA-L4', { count: 2, memory: 23034 }), has: { [GPU]: 2, 'acme.example/gpu-slots': 16 } }),
      pod({ 'acme.example/gpu-slots': 3 }),
    ],
    reads: { ...L4, cards: 2, sharing: 'none' },
  },
  {
    is: 'cards that another plugin shares, of which pods hold none',
    ways: [7],
    objects: [
      node({ labels: gfd('NVIDIA-L4', { count: 2, memory: 23034 }), has: { [GPU]: 2, 'acme.example/gpu-slots': 16 } }),
      pod({ [GPU]: 1 }),
    ],
    reads: { ...L4, cards: 2, free_cards: 1, sharing: 'none' },
  },
  {
    is: 'a card for virtual machines, and the sound of it',
    ways: [1, 15],
    objects: [
      node({
        labels: gfd('NVIDIA-L4'),
        has: { [GPU]: 0, 'nvidia.com/AD104_HIGH_DEFINITION_AUDIO': 2, 'nvidia.com/AD104GL_L4': 2 },
      }),
    ],
    reads: { ...L4, cards: 2, sharing: 'none', usable: false },
  },
  {
    is: 'shares of Volcano that only their cores number',
    ways: [1, 4],
    objects: [
      node({
        has: { [GPU]: 0, 'volcano.sh/vgpu-cores': 300, 'volcano.sh/vgpu-memory': 0, 'volcano.sh/vgpu-number': 30 },
      }),
    ],
    reads: { ...NVIDIA, cards: 3, sharing: 'vgpu' },
  },
]

const MI300X = { vendor: 'amd', model: 'mi300x', vram_gib: 192, arch: 'cdna3' }

/** Labels that contradict each other, or what is there. */
const CONTRADICTORY: readonly KnownNode[] = [
  {
    is: 'a scheduler that wrote down cards which nothing offers',
    ways: [1, 16],
    objects: [node({ annotations: { 'hami.io/node-nvidia-register': 'GPU-c,4,24576,100,NVIDIA-NVIDIA L4,0,true:' } })],
    reads: { ...NVIDIA, usable: false },
  },
  {
    is: 'a marketplace that counted cards which nothing offers',
    ways: [1, 16],
    objects: [node({ labels: { 'akash.network/capabilities.gpu.vendor.nvidia.model.l4': '4' } })],
    reads: { ...NVIDIA, usable: false },
  },
  {
    is: 'AMD cards of two models',
    ways: [12],
    objects: [
      node({
        labels: {
          'beta.amd.com/gpu.product-name.AMD_Instinct_MI300X_OAM': '3',
          'beta.amd.com/gpu.product-name.AMD_Instinct_MI210': '1',
        },
        has: { 'amd.com/gpu': 4 },
      }),
    ],
    reads: { vendor: 'amd', cards: 4, sharing: 'none' },
  },
  {
    is: 'the name of AMD cards that were replaced, and the id of those that are there',
    ways: [12, 16],
    objects: [
      node({
        labels: {
          'amd.com/gpu.device-id': '74a1',
          'amd.com/gpu.product-name': 'AMD_Instinct_MI300X_OAM',
          'beta.amd.com/gpu.product-name.Instinct_MI210': '1',
        },
        has: { 'amd.com/gpu': 8 },
      }),
    ],
    reads: { ...MI300X, cards: 8, sharing: 'none' },
  },
  {
    is: 'a name of AMD cards that their id contradicts',
    ways: [16],
    objects: [
      node({
        labels: { 'amd.com/gpu.device-id': '740f', 'amd.com/gpu.product-name': 'AMD_Instinct_MI300X_OAM' },
        has: { 'amd.com/gpu': 2 },
      }),
    ],
    reads: { vendor: 'amd', cards: 2, sharing: 'none' },
  },
  {
    is: 'the ids of AMD cards and of their virtual functions, which are one model',
    ways: [1],
    objects: [
      node({
        labels: { 'beta.amd.com/gpu.device-id.74a1': '2', 'beta.amd.com/gpu.device-id.74b5': '2' },
        has: { 'amd.com/gpu': 4 },
      }),
    ],
    reads: { ...MI300X, cards: 4, sharing: 'none' },
  },
  {
    is: 'AMD cards that are passed to virtual machines',
    ways: [15],
    objects: [
      node({
        labels: { 'amd.com/gpu.mode': 'pf-passthrough', 'amd.com/gpu.device-id': '74a1' },
        has: { 'amd.com/gpu': 8 },
      }),
    ],
    reads: { ...MI300X, cards: 8, sharing: 'none', usable: false },
  },
  {
    is: 'virtual functions of AMD cards that are passed to virtual machines',
    ways: [5, 15],
    objects: [
      node({
        labels: { 'amd.com/gpu.mode': 'vf-passthrough', 'amd.com/gpu.device-id': '74b5' },
        has: { 'amd.com/gpu': 16 },
      }),
    ],
    reads: { ...MI300X, usable: false },
  },
  {
    is: 'one partition for each die of a card with four',
    ways: [10],
    objects: [
      node({
        labels: { 'amd.com/gpu.product-name': 'AMD_Instinct_MI308X', 'amd.com/gpu.compute-partitioning': 'cpx_nps1' },
        has: { 'amd.com/gpu': 32 },
      }),
    ],
    reads: { vendor: 'amd', model: 'mi308x', vram_gib: 192, arch: 'cdna3', cards: 8, sharing: 'partition' },
  },
  {
    is: 'one partition for each die of a card that nothing names',
    ways: [10],
    objects: [node({ has: { 'amd.com/cpx_nps4': 32 } })],
    reads: { vendor: 'amd', sharing: 'partition' },
  },
]

const L4_DEVICE = { productName: 'NVIDIA L4', memory: '23034Mi' }

/** Devices that are not the cards they look like. */
const DEVICES: readonly KnownNode[] = [
  {
    is: 'chips under two names, of which pods hold some under each',
    ways: [7, 13],
    objects: [
      node({
        has: { 'aws.amazon.com/neuron': 6, 'aws.amazon.com/neurondevice': 6, 'aws.amazon.com/neuroncore': 12 },
      }),
      pod({ 'aws.amazon.com/neurondevice': 3 }, { name: 'one' }),
      pod({ 'aws.amazon.com/neuron': 1 }, { name: 'two' }),
    ],
    reads: { vendor: 'aws', arch: 'neuron', cards: 6, free_cards: 2, sharing: 'none' },
  },
  {
    is: 'virtual functions for virtual machines next to the card',
    ways: [10, 15],
    objects: [
      node(),
      slice([
        device('gpu-0', { type: 'gpu', uuid: 'GPU-1', pciBusID: '0000:21:00.0', ...L4_DEVICE }),
        device('gpu-vfio-0', { type: 'vfio', pciBusID: '0000:21:00.0', ...L4_DEVICE }),
        device('gpu-vfio-1', { type: 'vfio', pciBusID: '0000:21:00.4', ...L4_DEVICE }),
      ]),
      claim([]),
    ],
    reads: { ...L4, cards: 1, free_cards: 1, sharing: 'none' },
  },
  {
    is: 'the same where a virtual machine has one',
    ways: [10, 15],
    objects: [
      node(),
      slice([
        device('gpu-0', { type: 'gpu', uuid: 'GPU-1', pciBusID: '0000:21:00.0', ...L4_DEVICE }),
        device('gpu-vfio-0', { type: 'vfio', pciBusID: '0000:21:00.0', ...L4_DEVICE }),
      ]),
      claim(['gpu-vfio-0']),
    ],
    reads: { ...L4, cards: 1, sharing: 'none' },
  },
  {
    is: 'a slice that tells no pool',
    ways: [11],
    objects: [
      node(),
      {
        kind: 'ResourceSlice',
        metadata: { name: 's' },
        spec: { driver: 'gpu.nvidia.com', nodeName: 'n', devices: [device('gpu-0', { type: 'gpu', ...L4_DEVICE })] },
      },
    ],
    reads: { ...L4, free_cards: 0, sharing: 'none', usable: false },
  },
]

/** Nodes that look well at first sight. */
const DYING: readonly KnownNode[] = [
  {
    is: 'a disk that is full, in the words of old clusters',
    ways: [6],
    objects: [node({ conditions: { OutOfDisk: 'True' }, has: { [GPU]: 1 } })],
    reads: { ...NVIDIA, cards: 1, free_cards: 0, sharing: 'none', usable: false },
  },
  {
    is: 'an unreachable node, in the words of old clusters',
    ways: [6],
    objects: [node({ taints: ['node.alpha.kubernetes.io/notReady:NoExecute'], has: { [GPU]: 1 } })],
    reads: { ...NVIDIA, cards: 1, free_cards: 0, sharing: 'none', usable: false },
  },
  {
    is: 'a machine that the cloud is about to take back',
    ways: [6],
    objects: [node({ conditions: { PreemptScheduled: 'True' }, has: { [GPU]: 1 } })],
    reads: { ...NVIDIA, cards: 1, free_cards: 0, sharing: 'none', usable: false },
  },
  {
    is: 'a tray of a rack whose cards are joined with those of other trays',
    ways: [15],
    objects: [
      node({
        labels: {
          ...gfd('NVIDIA-GB200', { count: 4, memory: 189471, clique: '3fe1a0b2-77c4-4a2e-9d10-0a4c5b6d7e8f.0' }),
        },
        has: { cpu: 144, [GPU]: 4 },
        info: { architecture: 'arm64' },
      }),
      pod({ [GPU]: 3 }),
      slice([device('channel-0', { type: 'channel' }), device('daemon-0', { type: 'daemon' })], {
        driver: 'compute-domain.nvidia.com',
      }),
    ],
    reads: { ...NVIDIA, model: 'gb200', cards: 4, free_cards: 1, vram_gib: 186, arch: 'blackwell', sharing: 'none' },
  },
  {
    is: 'a claimed device beside a plugin that offers the same cards',
    ways: [10, 11],
    objects: [
      node({ labels: gfd('NVIDIA-L4', { count: 2, memory: 23034 }), has: { [GPU]: 2 } }),
      slice([
        device('gpu-0', { type: 'gpu', uuid: 'GPU-1', productName: 'NVIDIA L4', memory: '23034Mi' }),
        device('gpu-1', { type: 'gpu', uuid: 'GPU-2', productName: 'NVIDIA L4', memory: '23034Mi' }),
      ]),
      claim(['gpu-0']),
      pod({ [GPU]: 1 }),
    ],
    reads: { ...L4, cards: 2, free_cards: 0, sharing: 'none' },
  },
  {
    is: 'a product in lower case with spaces',
    ways: [13],
    objects: [node({ labels: gfd('nvidia l4', { count: 2, memory: 23034 }), has: { [GPU]: 2 } })],
    reads: { ...L4, cards: 2, sharing: 'none' },
  },
]

/** Traps that people met on clusters of theirs. */
export const TRAPS: readonly KnownNode[] = [...UNVOUCHED, ...TWICE, ...CONTRADICTORY, ...DEVICES, ...DYING]
