import { readDevices, type DeviceReading, type DeviceUse } from './dra/read-devices.ts'
import type { NodeDevices } from './dra/slice-devices.ts'
import { healthOf, type NodeHealth } from './health.ts'
import type { NodeObject } from './object/node-object.ts'
import type { PodObject } from './object/pod-object.ts'
import { NO_ASKS, NOTHING_KNOWN, type Accelerators, type HeldResources, type Stocked } from './vendor/accelerators.ts'
import { readAmd } from './vendor/amd.ts'
import { readNeuron } from './vendor/aws.ts'
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
  const found = devices === undefined ? (plugins[0] ?? readSigns(node) ?? NONE) : withDevices(devices, plugins)
  const rival = found.vendor === undefined ? undefined : rivalOf(stocked)
  const health = healthOf(node)
  const others = plugins.filter(({ vendor }) => vendor !== found.vendor)
  return {
    ...found,
    name: node.name,
    free: health.isDown ? 0 : rival === undefined || found.free === 0 ? found.free : undefined,
    asks: rival === undefined ? found.asks : NO_ASKS,
    usable: found.barred === undefined ? health.usable : false,
    why: [
      ...found.why,
      ...(found.barred === undefined ? [] : [`No pod can get one: ${found.barred}.`]),
      ...sickness(found),
      ...(rival === undefined ? [] : [`Pods may hold the same cards as ${rival}, so what is free is not known.`]),
      ...others.map(({ vendor }) => `It also has accelerators of ${vendor}, which are not counted.`),
      ...node.unread.map((key) => `The amount of ${key} cannot be read.`),
      ...health.why,
    ],
    health,
    devices,
  }
}

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
  return held
}

/** What device plugins offer, the most telling first. */
function pluginsOf(stocked: Stocked): readonly Accelerators[] {
  const found = READERS.flatMap((read) => read(stocked) ?? [])
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
function withDevices(devices: DeviceReading, plugins: readonly Accelerators[]): Accelerators {
  const twin = plugins.find(({ vendor, barred }) => vendor === devices.vendor && barred === undefined)
  if (twin === undefined) return devices
  const held = [twin.asks.whole, twin.asks.share, ...twin.asks.slices.values()].map((supply) => supply?.used ?? 0)
  const used = held.reduce((sum, each) => sum + each, 0)
  const isTold = devices.free !== undefined && (twin.free !== undefined || used === 0)
  return {
    ...devices,
    model: devices.model ?? twin.model,
    vramGib: devices.vramGib ?? twin.vramGib,
    arch: devices.arch ?? twin.arch,
    driver: devices.driver ?? twin.driver,
    cuda: devices.cuda ?? twin.cuda,
    cards: devices.cards ?? (devices.deviceCards.length === 0 ? twin.cards : undefined),
    free: isTold ? Math.max(0, (devices.free ?? 0) - used) : undefined,
    barred: devices.barred === undefined || devices.deviceCards.length === 0 ? twin.barred : devices.barred,
    asks: twin.asks,
    sharing: twin.sharing === 'none' ? devices.sharing : (twin.sharing ?? devices.sharing),
    mig: devices.mig.size > 0 ? devices.mig : twin.mig,
    why: [...devices.why, ...twin.why.filter((why) => why.startsWith('status.capacity'))],
  }
}

function sickness({ asks: { whole } }: Accelerators): readonly string[] {
  if (whole?.ready === undefined || whole.ready === 0 || whole.ready >= whole.total) return []
  return [`Only ${whole.ready} of ${whole.total} ${whole.resource} are in status.allocatable.`]
}
