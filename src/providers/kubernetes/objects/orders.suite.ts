import type { Order, Place } from '../../../core/life/call/order.ts'
import type { KubernetesSettings } from '../settings.ts'
import { kubernetesSettings } from '../settings.ts'
import type { ClaimAsk, DeviceMark } from '../nodes/fleet/view.ts'
import type { GroundNode } from './ground.ts'

/** The taint that keeps other work away from cards. */
const KEEPS_AWAY = { key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }

/** Nodes as clusters have them, by the way in which they offer cards. */
export const NODES = {
  whole: node('gpu-a', {
    labels: {
      'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3',
      'nvidia.com/gpu.memory': '81559',
      'nvidia.com/cuda.driver.major': '580',
      'nvidia.com/mig.strategy': 'single',
    },
    ask: { whole: 'nvidia.com/gpu', tolerations: [KEEPS_AWAY] },
  }),
  single: node('gpu-b', {
    labels: {
      'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-40GB-MIG-1g.5gb',
      'nvidia.com/gpu.memory': '4864',
      'nvidia.com/mig.strategy': 'single',
    },
    ask: { slices: new Map([['1g.5gb', 'nvidia.com/gpu']]) },
  }),
  mixed: node('gpu-c', {
    labels: {
      'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-40GB',
      'nvidia.com/gpu.memory': '40960',
      'nvidia.com/mig.strategy': 'mixed',
    },
    ask: {
      whole: 'nvidia.com/gpu',
      slices: new Map([
        ['1g.5gb', 'nvidia.com/mig-1g.5gb'],
        ['1g.5gb+me', 'nvidia.com/mig-1g.5gb.me'],
      ]),
    },
  }),
  shared: node('gpu-d', {
    labels: { 'nvidia.com/gpu.product': 'Tesla-T4-SHARED', 'nvidia.com/gpu.replicas': '4' },
    ask: { share: { resource: 'nvidia.com/gpu.shared', ofCard: 4 } },
  }),
  amd: node('gpu-e', { labels: {}, ask: { whole: 'amd.com/gpu' } }),
  plain: node('cpu-a', { labels: {}, ask: {} }),
  claimed: node('dra-a', { labels: {}, ask: { claims: claimsOf('whole') } }),
  cuttable: node('dra-b', { labels: {}, ask: { claims: claimsOf('cuttable') } }),
  cut: node('dra-c', { labels: {}, ask: { claims: claimsOf('cut') } }),
} as const

/** Four cards of two sockets, two to a PCIe root, as a driver publishes them. */
function claimsOf(form: ClaimAsk['form']): ClaimAsk {
  const driver = 'gpu.nvidia.com'
  const marked = (name: string, value: string): DeviceMark => ({ attribute: `${driver}/${name}`, value })
  const cards = [0, 1, 2, 3].map((at) => ({
    driver,
    pool: 'dra',
    device: `gpu-${at}`,
    mark: marked('uuid', `GPU-${at}`),
    ofParts: marked('parentUUID', `GPU-${at}`),
    product: marked('productName', 'NVIDIA A100 80GB PCIe'),
    memoryMib: 81_920,
    driverVersion: marked('driverVersion', '580.95.5'),
    parts: form === 'whole' ? [] : ['1g.10gb', '3g.40gb'].map((profile) => ({ device: `${at}-${profile}`, profile })),
  }))
  const ties = [
    { attribute: 'resource.kubernetes.io/pcieRoot', values: ['pci0000:00', 'pci0000:00', 'pci0000:40', 'pci0000:40'] },
    { attribute: `${driver}/numaNode`, values: ['0', '0', '0', '0'] },
  ]
  return { cards, form, ties }
}

function node(
  name: string,
  { labels, ask }: { readonly labels: GroundNode['labels']; readonly ask: Partial<GroundNode['ask']> },
): GroundNode {
  const host = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64', 'kubernetes.io/hostname': name }
  const nothing = {
    whole: undefined,
    slices: new Map<string, string>(),
    share: undefined,
    claims: undefined,
    tolerations: [],
  }
  return { name, labels: { ...host, ...labels }, ask: { ...nothing, ...ask }, deviceApi: 'v1' }
}

/** An order on this node, and whatever else is said of it. */
export function orderOn({ name }: GroundNode, change: Partial<Order> = {}, taken?: Taken): Order {
  const gpus = change.gpus ?? 0
  const request = {
    cpuMilli: 4000,
    memoryMib: 16_384,
    diskMib: 0,
    count: gpus,
    part: { kind: 'whole' },
    models: undefined,
  } as const
  const cards = Array.from({ length: gpus }, (_, card) => card)
  return {
    tag: {
      owner: 'installation-1',
      project: 'default',
      workload: 'llama-70b',
      uid: 'u1',
      slot: '0',
      epoch: 1,
      attempt: '0mwji67ma0000f5fa9acb7199',
    },
    place: {
      offer: `lab/${name}`,
      provider: 'lab',
      region: 'lab',
      zone: undefined,
      instance: name,
      market: 'on-demand',
      node: { id: name, spot: { node: 0, cards, taken }, request },
    },
    image: 'ghcr.io/acme/vllm:0.22',
    command: [],
    args: [],
    env: {},
    secrets: [],
    ports: [],
    storage: [],
    cpu: 4,
    memoryGib: 16,
    diskGib: undefined,
    nodes: 1,
    gpus: 0,
    usdPerHourMax: 0,
    maxDurationSeconds: undefined,
    resumeFromMs: undefined,
    ...change,
  }
}

type Taken = NonNullable<Place['node']>['spot']['taken']

export function settingsOf(stated: Readonly<Record<string, unknown>> = {}): KubernetesSettings {
  return kubernetesSettings.parse(stated)
}
