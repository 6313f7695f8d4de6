import { claim, device, node, pod, slice } from '../make.suite.ts'
import type { KnownNode } from './known.suite.ts'

const A100 = {
  productName: 'NVIDIA A100-SXM4-40GB',
  architecture: 'Ampere',
  cudaComputeCapability: '8.0.0',
  driverVersion: '580.126.9',
  cudaDriverVersion: '13.0.0',
}
const TOLD = {
  vendor: 'nvidia',
  model: 'a100-40-sxm',
  vram_gib: 40,
  arch: 'ampere',
  driver: '580.126.09',
  cuda: '13.0',
}
const card = (index: number, others = {}) =>
  device(`gpu-${index}`, { type: 'gpu', uuid: `GPU-${index}`, memory: '40Gi', ...A100, ...others })

/** Cards that ResourceSlices publish. */
export const DEVICES: readonly KnownNode[] = [
  {
    is: 'a node that shows no GPU at all, and two cards in its slice',
    ways: [11, 14],
    objects: [node(), slice([card(0), card(1)]), pod({ cpu: 1 })],
    reads: { ...TOLD, cards: 2, free_cards: 2, sharing: 'none' },
  },
  {
    is: 'cards of which one is claimed',
    ways: [11, 7],
    objects: [
      node(),
      slice([card(0), card(1), card(2)]),
      claim(['gpu-1']),
      pod({}, { resourceClaims: [{ name: 'g', resourceClaimName: 'c' }] }),
    ],
    reads: { ...TOLD, cards: 3, free_cards: 2, sharing: 'none' },
  },
  {
    is: 'a pod has claims that were not given',
    ways: [11, 7],
    objects: [node(), slice([card(0)]), pod({}, { resourceClaims: [{ name: 'g', resourceClaimTemplateName: 't' }] })],
    reads: { ...TOLD, cards: 1, sharing: 'none' },
  },
  {
    is: 'v1beta1, without memory',
    ways: [11],
    objects: [
      node(),
      slice([device('gpu-0', { type: 'gpu', uuid: 'GPU-0', productName: 'NVIDIA L4' })], { version: 'v1beta1' }),
    ],
    reads: { vendor: 'nvidia', model: 'l4', cards: 1, vram_gib: 24, arch: 'ada', sharing: 'none' },
  },
  {
    is: 'slices that exist next to their parents',
    ways: [10],
    objects: [
      node(),
      slice([
        card(0),
        card(1),
        ...[0, 1, 2].map((at) =>
          device(`gpu-0-mig-${at}`, {
            type: 'mig',
            uuid: `MIG-${at}`,
            parentUUID: 'GPU-0',
            profile: '1g.5gb',
            memory: '4864Mi',
            ...A100,
          }),
        ),
      ]),
    ],
    reads: { ...TOLD, cards: 2, sharing: 'mig', mig: { '1g.5gb': 3 } },
  },
  {
    is: 'only slices: their memory is not that of the card',
    ways: [10],
    objects: [
      node(),
      slice(
        [0, 1, 2, 3].map((at) =>
          device(`m${at}`, {
            type: 'mig',
            uuid: `MIG-${at}`,
            parentUUID: `GPU-${at % 2}`,
            profile: '3g.20gb',
            memory: '19968Mi',
          }),
        ),
      ),
    ],
    reads: { vendor: 'nvidia', cards: 2, sharing: 'mig', mig: { '3g.20gb': 4 } },
  },
  {
    is: 'ways to cut a card, of which only some can be had at once',
    ways: [10],
    objects: [
      node(),
      slice([
        card(0, { counters: 'gpu-0-counters' }),
        ...[0, 1, 2, 3, 4, 5, 6].map((at) =>
          device(`gpu-0-mig-1g.5gb-${at}`, {
            type: 'mig',
            profile: '1g.5gb',
            memory: '4864Mi',
            counters: 'gpu-0-counters',
            ...A100,
          }),
        ),
        device('gpu-0-mig-7g.40gb', {
          type: 'mig',
          profile: '7g.40gb',
          memory: '40Gi',
          counters: 'gpu-0-counters',
          ...A100,
        }),
      ]),
    ],
    reads: { ...TOLD, cards: 1, sharing: 'none' },
  },
  {
    is: 'ways to cut a card of which the cluster has dropped the counters',
    ways: [10],
    objects: [
      node(),
      slice([
        card(0),
        ...['3g.20gb', '3g.20gb', '7g.40gb'].map((profile, at) =>
          device(`gpu-0-mig-${at}`, { type: 'mig', profile, parentUUID: 'GPU-0', ...A100 }),
        ),
      ]),
    ],
    reads: { ...TOLD, cards: 1, sharing: 'mig', mig: { '3g.20gb': 2, '7g.40gb': 1 }, usable: false },
  },
  {
    is: 'channels between machines are no cards',
    ways: [10],
    objects: [
      node({
        labels: { 'nvidia.com/gpu.product': 'NVIDIA-GB200', 'nvidia.com/gpu.count': '4' },
        has: { 'nvidia.com/gpu': 4 },
        info: { architecture: 'arm64' },
      }),
      slice([device('channel-0', { type: 'channel', id: 0 }), device('daemon-0', { type: 'daemon' })], {
        driver: 'compute-domain.nvidia.com',
      }),
    ],
    reads: { vendor: 'nvidia', model: 'gb200', cards: 4, vram_gib: 186, arch: 'blackwell', sharing: 'none' },
  },
  {
    is: 'halves of AMD cards',
    ways: [10],
    objects: [
      node(),
      slice(
        [0, 1, 2, 3].map((at) =>
          device(`gpu-${at}`, {
            type: 'amdgpu-partition',
            productName: 'AMD_Instinct_MI300X_OAM',
            parentPciAddr: `0003:00:0${at >> 1}.0`,
            partitionProfile: 'dpx_nps1',
            memory: '98296Mi',
            driverVersion: '6.16.6',
          }),
        ),
        { driver: 'gpu.amd.com', version: 'v1beta1' },
      ),
    ],
    reads: {
      vendor: 'amd',
      model: 'mi300x',
      cards: 2,
      vram_gib: 192,
      arch: 'cdna3',
      driver: '6.16.6',
      sharing: 'partition',
    },
  },
  {
    is: 'a slice without devices',
    ways: [11],
    objects: [node(), slice([])],
    reads: { vendor: 'nvidia', free_cards: 0, usable: false },
  },
  {
    is: 'a pool of which a slice is missing',
    ways: [11],
    objects: [node(), slice([card(0)], { pool: { resourceSliceCount: 2 } })],
    reads: { ...TOLD, free_cards: 0, sharing: 'none', usable: false },
  },
  {
    is: 'the same cards from a plugin and as devices',
    ways: [10],
    objects: [
      node({
        labels: { 'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-40GB', 'nvidia.com/gpu.count': '2' },
        has: { 'nvidia.com/gpu': 2 },
      }),
      slice([card(0), card(1)]),
      pod({ 'nvidia.com/gpu': 1 }),
    ],
    reads: { ...TOLD, cards: 2, free_cards: 1, sharing: 'none' },
  },
  {
    is: 'a tainted card',
    ways: [11],
    objects: [node(), slice([card(0), card(1, { taint: 'NoSchedule' })]), pod({ cpu: 1 })],
    reads: { ...TOLD, cards: 2, free_cards: 1, sharing: 'none' },
  },
  {
    is: 'cards of two models',
    ways: [12, 11],
    objects: [
      node(),
      slice([
        device('gpu-0', { type: 'gpu', uuid: 'a', productName: 'NVIDIA L4', memory: '23034Mi' }),
        device('gpu-1', { type: 'gpu', uuid: 'b', productName: 'Tesla T4', memory: '15360Mi' }),
      ]),
    ],
    reads: { vendor: 'nvidia', cards: 2, sharing: 'none' },
  },
]
