import type { RigObject } from '../rig/api.ts'

const DRIVER = 'gpu.nvidia.com'

/** What a driver of NVIDIA cards installs: whole cards and slices are asked for by class. */
export const DEVICE_CLASSES: readonly RigObject[] = ['gpu', 'mig'].map((type) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: `${type}.nvidia.com` },
  spec: {
    selectors: [
      { cel: { expression: `device.driver == '${DRIVER}' && device.attributes['${DRIVER}'].type == '${type}'` } },
    ],
  },
}))

/** One device of a slice; the cards of a node are counted from 0. */
export interface FakeDevice {
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly capacity: Readonly<Record<string, { readonly value: string }>>
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[]
  readonly consumesCounters?: readonly unknown[]
}

/** A node of two sockets: four A100 cards each, two to a PCIe root. Cards of one socket form an island. */
export function dualSocketCards(node: string): readonly FakeDevice[] {
  return eight((card) => ({
    node,
    card,
    model: { productName: 'NVIDIA A100 80GB PCIe', architecture: 'Ampere', capability: '8.0.0' },
    pcieRoot: `pci0000:${hex(0x40 * Math.floor(card / 2))}`,
  }))
}

/** A node whose eight H100 cards all hang on one NVSwitch, each at a PCIe root of its own. */
export function switchedCards(node: string): readonly FakeDevice[] {
  return eight((card) => ({
    node,
    card,
    model: { productName: 'NVIDIA H100 80GB HBM3', architecture: 'Hopper', capability: '9.0.0' },
    pcieRoot: `pci0000:${hex(0x10 + 0x10 * card)}`,
  }))
}

/** One ResourceSlice with all devices of a node, as a driver publishes it; a later generation replaces an earlier one. */
export function sliceOf(node: string, devices: readonly FakeDevice[], generation = 1): RigObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `${node}-${DRIVER}` },
    spec: { driver: DRIVER, nodeName: node, pool: { name: node, generation, resourceSliceCount: 1 }, devices },
  }
}

interface Card {
  readonly node: string
  readonly card: number
  readonly model: { readonly productName: string; readonly architecture: string; readonly capability: string }
  readonly pcieRoot: string
}

function eight(cardOf: (card: number) => Card): readonly FakeDevice[] {
  return Array.from({ length: 8 }, (_, card) => deviceOf(cardOf(card)))
}

function deviceOf({ node, card, model, pcieRoot }: Card): FakeDevice {
  return {
    name: `gpu-${card}`,
    attributes: {
      type: { string: 'gpu' },
      uuid: { string: `GPU-${node}-${card}` },
      productName: { string: model.productName },
      brand: { string: 'Nvidia' },
      architecture: { string: model.architecture },
      cudaComputeCapability: { version: model.capability },
      driverVersion: { version: '580.95.5' },
      numaNode: { int: Math.floor(card / 4) },
      'resource.kubernetes.io/pcieRoot': { string: pcieRoot },
    },
    capacity: { memory: { value: '80Gi' } },
  }
}

function hex(value: number): string {
  return value.toString(16).padStart(2, '0')
}

/** Compute slices, memory slices and memory of a profile of an A100 with 80 GB, and where on the card it may begin. */
const PROFILES = {
  '1g.10gb': { compute: 1, memory: 1, begins: [0, 1, 2, 3, 4, 5, 6] },
  '2g.20gb': { compute: 2, memory: 2, begins: [0, 2, 4] },
  '3g.40gb': { compute: 3, memory: 4, begins: [0, 4] },
  '7g.80gb': { compute: 7, memory: 8, begins: [0] },
} as const

/**
 * One A100 that can be taken whole or cut as one likes: every slice of every profile is a device, and counters keep two that
 * overlap from being taken together. Counters and devices stand in slices of their own.
 */
export function partitionableSlices(node: string): readonly RigObject[] {
  const [whole] = dualSocketCards(node)
  const parts = Object.entries(PROFILES).flatMap(([profile, { compute, memory, begins }]) =>
    begins.map((begin) => partOf(node, profile, { compute, memory, begin })),
  )
  const devices = [{ ...whole, consumesCounters: used({ compute: 7, memory: 8, begin: 0 }) }, ...parts]
  const pool = { name: node, generation: 1, resourceSliceCount: 2 }
  const spec = { driver: DRIVER, nodeName: node, pool }
  const head = { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice' }
  return [
    {
      ...head,
      metadata: { name: `${node}-counters` },
      spec: { ...spec, sharedCounters: [{ name: 'gpu-0', ...counters(ALL) }] },
    },
    { ...head, metadata: { name: `${node}-devices` }, spec: { ...spec, devices } },
  ]
}

interface Part {
  readonly compute: number
  readonly memory: number
  readonly begin: number
}

const ALL: Part = { compute: 7, memory: 8, begin: 0 }

function partOf(node: string, profile: string, part: Part): FakeDevice {
  return {
    name: `gpu-0-mig-${profile.replace('.', '-')}-${part.begin}`,
    attributes: {
      type: { string: 'mig' },
      profile: { string: profile },
      parentUUID: { string: `GPU-${node}-0` },
      productName: { string: 'NVIDIA A100 80GB PCIe' },
    },
    capacity: { memory: { value: `${10 * part.memory}Gi` }, multiprocessors: { value: String(14 * part.compute) } },
    consumesCounters: used(part),
  }
}

function used(part: Part): readonly unknown[] {
  return [{ counterSet: 'gpu-0', ...counters(part) }]
}

function counters({ compute, memory, begin }: Part): { readonly counters: Readonly<Record<string, unknown>> } {
  const slices = Array.from({ length: memory }, (_, at) => [`memory-slice-${begin + at}`, { value: '1' }])
  return {
    counters: {
      multiprocessors: { value: String(14 * compute) },
      memory: { value: `${10 * memory}Gi` },
      ...Object.fromEntries(slices),
    },
  }
}
