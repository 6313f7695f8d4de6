import { node, pod } from '../make.suite.ts'
import type { KnownNode } from './known.suite.ts'

const MI300X = { vendor: 'amd', model: 'mi300x', vram_gib: 192, arch: 'cdna3' }

/** Accelerators of other makers. */
export const OTHERS: readonly KnownNode[] = [
  {
    is: 'eight MI300X',
    ways: [1, 13],
    objects: [
      node({
        labels: { 'amd.com/gpu.product-name': 'AMD_Instinct_MI300X_OAM', 'amd.com/gpu.vram': '191G' },
        has: { 'amd.com/gpu': 8 },
      }),
      pod({ 'amd.com/gpu': 8 }),
    ],
    reads: { ...MI300X, cards: 8, free_cards: 0, sharing: 'none' },
  },
  {
    is: 'eight MI300X in sixty-four partitions',
    ways: [4, 13],
    objects: [
      node({
        labels: {
          'amd.com/gpu.product-name': 'AMD_Instinct_MI300X_OAM',
          'amd.com/gpu.vram': '24G',
          'amd.com/compute-memory-partition': 'cpx_nps4',
        },
        has: { 'amd.com/gpu': 64 },
      }),
    ],
    reads: { ...MI300X, cards: 8, sharing: 'partition' },
  },
  {
    is: 'sixty-four of something, without the mode',
    ways: [4],
    objects: [node({ labels: { 'amd.com/gpu.device-id': '74a1' }, has: { 'amd.com/gpu': 64 } })],
    reads: { ...MI300X },
  },
  {
    is: 'four MI250X, which show as eight',
    ways: [4, 13],
    objects: [
      node({
        labels: { 'amd.com/gpu.product-name': 'AMD_Instinct_MI250X', 'amd.com/gpu.vram': '64G' },
        has: { 'amd.com/gpu': 8 },
      }),
    ],
    reads: { vendor: 'amd', model: 'mi250x', cards: 4, vram_gib: 128, arch: 'cdna2', sharing: 'none' },
  },
  {
    is: 'AMD cards that are counted in the keys of labels',
    ways: [1],
    objects: [
      node({
        labels: { 'beta.amd.com/gpu.device-id.738c': '4', 'beta.amd.com/gpu.vram.32G': '4' },
        has: { 'amd.com/gpu': 4 },
      }),
    ],
    reads: { vendor: 'amd', model: 'mi100', cards: 4, vram_gib: 32, arch: 'cdna', sharing: 'none' },
  },
  {
    is: 'an AMD card that is labelled and not offered',
    ways: [1, 16],
    objects: [node({ labels: { 'beta.amd.com/gpu.device-id.67df': '1', 'beta.amd.com/gpu.vram.8G': '1' } })],
    reads: { vendor: 'amd', usable: false },
  },
  {
    is: 'an Intel card that ten pods may share',
    ways: [1, 4],
    objects: [node({ labels: { 'gpu.intel.com/device-id.0300-56c0.count': '1' }, has: { 'gpu.intel.com/i915': 10 } })],
    reads: { vendor: 'intel', cards: 1, sharing: 'share' },
  },
  {
    is: 'ten of an Intel card, and no label',
    ways: [4],
    objects: [node({ has: { 'gpu.intel.com/i915': 10, 'gpu.intel.com/i915_monitoring': 1 } })],
    reads: { vendor: 'intel' },
  },
  {
    is: 'labels of cards that are not offered, of two makers',
    ways: [6, 16],
    objects: [
      node({
        labels: { 'gpu.intel.com/device.count': '2', 'amd.com/gpu.product-name': 'AMD_Instinct_MI210' },
        has: { 'gpu.intel.com/i915': 0, 'amd.com/gpu': 0 },
      }),
    ],
    reads: { vendor: 'amd', model: 'mi210', free_cards: 0, vram_gib: 64, arch: 'cdna2', usable: false },
  },
  {
    is: 'two Intel Max cards',
    ways: [1],
    objects: [
      node({
        labels: { 'gpu.intel.com/device.count': '2', 'gpu.intel.com/product': 'Max_1550' },
        has: { 'gpu.intel.com/xe': 2, 'gpu.intel.com/tiles': 4 },
      }),
    ],
    reads: { vendor: 'intel', cards: 2, sharing: 'none' },
  },
  {
    is: 'a host of one TPU slice',
    ways: [1],
    objects: [
      node({
        labels: {
          'cloud.google.com/gke-tpu-accelerator': 'tpu-v5-lite-podslice',
          'cloud.google.com/gke-tpu-topology': '2x2',
        },
        has: { 'google.com/tpu': 4 },
        taints: ['google.com/tpu=present:NoSchedule'],
      }),
    ],
    reads: { vendor: 'google', model: 'tpu-v5e', cards: 4, vram_gib: 16, arch: 'tpu', sharing: 'none' },
  },
  {
    is: 'one of sixteen hosts of a TPU slice',
    ways: [15],
    objects: [
      node({
        labels: {
          'cloud.google.com/gke-tpu-accelerator': 'tpu-v4-podslice',
          'cloud.google.com/gke-tpu-topology': '4x4x4',
        },
        has: { 'google.com/tpu': 4 },
      }),
    ],
    reads: { vendor: 'google', model: 'tpu-v4', cards: 4, vram_gib: 32, arch: 'tpu', sharing: 'none', usable: false },
  },
  {
    is: 'Neuron chips and their cores',
    ways: [13],
    objects: [
      node({
        labels: { 'node.kubernetes.io/instance-type': 'trn1.32xlarge' },
        has: { 'aws.amazon.com/neuron': 16, 'aws.amazon.com/neuroncore': 32, 'aws.amazon.com/neurondevice': 16 },
      }),
      pod({ 'aws.amazon.com/neuron': 4 }),
    ],
    reads: {
      vendor: 'aws',
      model: 'trainium',
      cards: 16,
      free_cards: 12,
      vram_gib: 32,
      arch: 'neuron',
      sharing: 'none',
    },
  },
  {
    is: 'only the cores of Neuron chips',
    ways: [13],
    objects: [
      node({ labels: { 'node.kubernetes.io/instance-type': 'inf2.xlarge' }, has: { 'aws.amazon.com/neuroncore': 2 } }),
    ],
    reads: { vendor: 'aws', model: 'inferentia2', cards: 1, vram_gib: 32, arch: 'neuron', sharing: 'none' },
  },
  {
    is: 'Gaudi',
    ways: [1],
    objects: [node({ has: { 'habana.ai/gaudi': 8 } })],
    reads: { vendor: 'intel', cards: 8, sharing: 'none' },
  },
  {
    is: 'Ascend',
    ways: [1],
    objects: [node({ labels: { accelerator: 'huawei-Ascend910' }, has: { 'huawei.com/Ascend910': 8 } })],
    reads: { vendor: 'huawei', cards: 8, sharing: 'none' },
  },
  {
    is: 'thirty-two shares of Ascend cards',
    ways: [1, 4],
    objects: [node({ has: { 'huawei.com/Ascend910B4-1': 32 } })],
    reads: { vendor: 'huawei' },
  },
  {
    is: 'templates of an Ascend card',
    ways: [1, 4],
    objects: [node({ has: { 'huawei.com/Ascend310P-2c': 4 } })],
    reads: { vendor: 'huawei', sharing: 'vgpu' },
  },
  {
    is: 'Windows with DirectX',
    ways: [15],
    objects: [
      node({
        labels: { 'kubernetes.io/os': 'windows' },
        has: { 'microsoft.com/directx': 1 },
        info: { operatingSystem: 'windows' },
      }),
    ],
    reads: { usable: false },
  },
  {
    is: 'a GPU of a plugin that nobody knows',
    ways: [1],
    objects: [node({ has: { 'example.org/shared-gpu': 8 } })],
    reads: { usable: false },
  },
  {
    is: 'NVIDIA cards next to a graphics chip of Intel',
    ways: [9],
    objects: [
      node({
        labels: { 'nvidia.com/gpu.product': 'NVIDIA-L4', 'nvidia.com/gpu.count': '2' },
        has: { 'nvidia.com/gpu': 2, 'gpu.intel.com/i915': 1 },
      }),
    ],
    reads: { vendor: 'nvidia', model: 'l4', cards: 2, vram_gib: 24, arch: 'ada', sharing: 'none' },
  },
]
