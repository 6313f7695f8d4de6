import { readDevices, unknownDriver, type DeviceReading, type DeviceUse } from './dra/read-devices.ts'
import type { NodeDevices } from './dra/slice-devices.ts'
import { healthOf, type NodeHealth } from './health.ts'
import type { NodeObject } from './object/node-object.ts'
import type { PodObject } from './object/pod-object.ts'
import { NO_ASKS, NOTHING_KNOWN, type Accelerators, type HeldResources, type Stocked } from './vendor/accelerators.ts'
import { readAmd } from './vendor/amd.ts'
import { readNeuron } from './vendor/aws.ts'
import { bounded } from './vendor/bounded.ts'
import { hiddenUse } from './vendor/hidden-use.ts'
import { readTpu } from './vendor/google.ts'
import { readGaudi, readIntelGpu } from './vendor/intel.ts'
import { readNvidia } from './vendor/nvidia/nvidia.ts'
import { readOtherMakers, rivalOf } from './vendor/other-makers.ts'
import { readSigns } from './vendor/signs.ts'

/** What a node is taken for. Undefined means unknown. */
export interface NodeReading extends Accelerators {
  readonly name: string
  /** Whether work that asks for what it has can be placed there now. */
  readonly usable: boolean | undefined
  readonly health: NodeHealth
  /** Cards as ResourceSlices publish them. */
  readonly devices: DeviceReading | undefined
}

/** What else is known about a node. */
export interface Around {
  /** Pods on the node that hold something; undefined: pods were not given. */
  readonly pods: readonly PodObject[] | undefined
  readonly published: NodeDevices | undefined
  readonly use: Pick<DeviceUse, 'claimed'>
}

export function readNode(node: NodeObject, around: Around): NodeReading {
  const { pods, published, use } = around
  const stocked: Stocked = { node, held: heldBy(pods) }
  const isUnclaimed = pods?.every(({ claims }) => claims?.length === 0) === true
  const devices = published && readDevices(published, { ...use, isUnclaimed })
  const plugins = pluginsOf(stocked)
  const found: Found =
    devices === undefined ? (plugins[0] ?? withoutPlugin(node, published)) : withDevices(devices, plugins)
  const rival = found.vendor === undefined ? undefined : rivalOf(stocked)
  const hidden = rival === undefined && devices === undefined ? hiddenUse(node, pods ?? []) : undefined
  const health = healthOf(node)
  const others = plugins.filter(({ vendor }) => vendor !== found.vendor)
  return {
    ...found,
    name: node.name,
    free: health.isDown ? 0 : (rival ?? hidden) === undefined || found.free === 0 ? found.free : undefined,
    asks: rival === undefined ? found.asks : NO_ASKS,
    usable: usableIf(found, health),
    why: [
      ...found.why,
      ...(found.barred === undefined ? [] : [`No pod can get one: ${found.barred}.`]),
      ...sickness(found),
      ...(rival === undefined ? [] : [`Pods may hold the same cards as ${rival}, so what is free is not known.`]),
      ...(hidden === undefined ? [] : [hidden]),
      ...others.map(({ vendor }) => `It also has accelerators of ${vendor}, which are not counted.`),
      ...node.unread.map((key) => `The amount of ${key} cannot be read.`),
      ...health.why,
    ],
    health,
    devices,
  }
}

function usableIf({ barred, isUncounted }: Found, { usable }: NodeHealth): boolean | undefined {
  if (barred !== undefined) return false
  return usable === true && isUncounted === true ? undefined : usable
}

/** A node of which no resource that can be read is an accelerator. */
function withoutPlugin(node: NodeObject, published: NodeDevices | undefined): Found {
  const sign = readSigns(node)
  const driver = published && unknownDriver(published)
  if (node.unread.some((key) => !PLAIN.test(key)))
    return { ...NOTHING_KNOWN, vendor: sign?.vendor, isUncounted: true, why: ['What it has is not told in numbers.'] }
  if (driver === undefined) return sign ?? NONE
  return { ...NOTHING_KNOWN, vendor: sign?.vendor, barred: `nothing is known about devices of the driver ${driver}` }
}

interface Found extends Accelerators {
  /** There may be some, but their amount cannot be read. */
  readonly isUncounted?: boolean
}

/** Resources of every node. */
const PLAIN = /^(cpu|memory|pods|(ephemeral-)?storage|hugepages-.+|attachable-volumes-.+)$/

const NONE: Accelerators = {
  ...NOTHING_KNOWN,
  cards: 0,
  free: 0,
  why: ['No accelerator: no resource, label or taint names one.'],
}

function heldBy(pods: readonly PodObject[] | undefined): HeldResources {
  if (pods === undefined) return undefined
  const held = new Map<string, number>()
  for (const { requests } of pods) for (const [key, amount] of requests) held.set(key, (held.get(key) ?? 0) + amount)
  for (const { unread } of pods) for (const key of unread) held.set(key, Number.NaN)
  return held
}

/** What device plugins offer, the most telling first. */
function pluginsOf(stocked: Stocked): readonly Accelerators[] {
  const found = READERS.flatMap((read) => read(stocked) ?? []).map((read) => bounded(read, stocked))
  const named = found.filter(({ vendor }) => vendor !== undefined)
  return named.length > 0 ? named : found
}

const READERS: readonly ((stocked: Stocked) => Accelerators | undefined)[] = [
  readNvidia,
  readAmd,
  readTpu,
  readNeuron,
  readGaudi,
  readOtherMakers,
  readIntelGpu,
]

/** The same cards may be published as devices and offered by a plugin: devices say more, and a pod may hold either. */
function withDevices(devices: DeviceReading, plugins: readonly Accelerators[]): Found {
  const twin = plugins.find(({ vendor, barred }) => vendor === devices.vendor && barred === undefined)
  if (twin === undefined) return devices
  const held = [twin.asks.whole, twin.asks.share, ...twin.asks.slices.values()].map((supply) => supply?.used ?? 0)
  const used = held.reduce((sum, each) => sum + each, 0)
  const cards = devices.cards ?? (devices.deviceCards.length === 0 ? twin.cards : undefined)
  const isVirtual = [devices.sharing, twin.sharing].includes('vgpu')
  const isAgreed = !isVirtual && (cards === undefined || twin.cards === undefined || cards === twin.cards)
  const isTold = isAgreed && devices.free !== undefined && (twin.free !== undefined || used === 0)
  return {
    ...devices,
    model: devices.model ?? twin.model,
    vramGib: isVirtual ? undefined : (devices.vramGib ?? twin.vramGib),
    arch: devices.arch ?? twin.arch,
    driver: devices.driver ?? twin.driver,
    cuda: devices.cuda ?? twin.cuda,
    cards: isAgreed ? cards : undefined,
    free: isTold ? Math.max(0, (devices.free ?? 0) - used) : undefined,
    barred: devices.barred === undefined || devices.deviceCards.length === 0 ? twin.barred : devices.barred,
    asks: isVirtual ? NO_ASKS : twin.asks,
    sharing: twin.sharing === 'none' ? devices.sharing : (twin.sharing ?? devices.sharing),
    mig: devices.mig.size > 0 ? devices.mig : twin.mig,
    why: [
      ...devices.why,
      ...twin.why.filter((why) => why.startsWith('status.capacity')),
      ...(isAgreed || isVirtual ? [] : ['The two do not agree on the number of cards.']),
    ],
  }
}

function sickness({ asks: { whole } }: Accelerators): readonly string[] {
  if (whole?.ready === undefined || whole.ready === 0 || whole.ready >= whole.total) return []
  return [`Only ${whole.ready} of ${whole.total} ${whole.resource} are in status.allocatable.`]
}
