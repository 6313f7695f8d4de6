import {
  NO_ASKS,
  NOTHING_KNOWN,
  servedOf,
  suppliesLike,
  type Accelerators,
  type Stocked,
  type Supply,
} from '../accelerators.ts'
import type { NodeObject } from '../../object/node-object.ts'
import { machineOf, soldCards } from '../machine.ts'
import { cutCards } from './cut.ts'
import { dividedCard } from './identity.ts'
import type { NvidiaNode } from './nvidia-node.ts'
import { nvidiaLabels } from './labels.ts'
import { registeredCards } from './registered.ts'
import { fractionOf, sharedCards, virtualCards } from './shared.ts'
import { machineCards } from './virtual-machines.ts'
import { plainCards } from './whole.ts'

/** The NVIDIA cards that pods can ask for by a resource; undefined: the node has no such resource. */
export function readNvidia(stocked: Stocked): Accelerators | undefined {
  const plugin = suppliesLike(stocked, PLUGIN)
  const fractions = suppliesLike(stocked, FRACTIONS)
  if (plugin.length + fractions.length === 0) return machineCards(stocked)
  const { served, barred } = servedOf([...plugin, ...fractions])
  const seen = seenOn(stocked, served)
  if (served.length === 0) return machineCards(stocked) ?? unserved(seen, barred)
  const read = bounded(readServed(seen, served), served)
  return { ...read, barred: barred ?? read.barred ?? changing(stocked.node) ?? forMachines(stocked.node) }
}

/** While slices are cut anew, cards come and go, and the machine may restart. */
function changing({ labels }: NodeObject): string | undefined {
  const state = labels.get('nvidia.com/mig.config.state')
  return state === 'pending' || state === 'rebooting'
    ? `its cards are being cut anew (nvidia.com/mig.config.state is ${state})`
    : undefined
}

/** The operator takes the device plugin off nodes whose cards are for virtual machines; what it offered may stay behind. */
function forMachines({ labels }: NodeObject): string | undefined {
  const kind = labels.get('nvidia.com/gpu.workload.config')
  return kind?.startsWith('vm-') === true
    ? `only virtual machines can have its cards (nvidia.com/gpu.workload.config is ${kind})`
    : undefined
}

/** Names of the device plugin, today's and those of before. */
const PLUGIN = /^nvidia\.com\/(gpu|gpu\.shared|mig-\d.*)$|^alpha\.kubernetes\.io\/nvidia-gpu$/

/** Names of schedulers that divide cards by software. */
const FRACTIONS =
  /^nvidia\.com\/(gpumem|gpucores|vgpu)$|^volcano\.sh\/v?gpu-(number|memory|cores)$|^k8s\.amazonaws\.com\/vgpu$|^aliyun\.com\/gpu-(count|mem)$|^tencent\.com\/vcuda-(core|memory)$|^tke\.cloud\.tencent\.com\/qgpu-(core|memory)$/

function seenOn(stocked: Stocked, served: readonly Supply[]): NvidiaNode {
  const named = (pattern: RegExp): Supply | undefined => served.find(({ resource }) => pattern.test(resource))
  const machine = machineOf(stocked.node)
  return {
    stocked,
    node: stocked.node,
    labels: nvidiaLabels(stocked.node),
    machine,
    most: machine === undefined ? soldCards(stocked.node) : machine.gpu.vendor === 'nvidia' ? machine.count : undefined,
    registered: registeredCards(stocked.node),
    whole: named(/^nvidia\.com\/gpu$/) ?? named(/^alpha\.kubernetes\.io\/nvidia-gpu$/),
    shared: named(/^nvidia\.com\/gpu\.shared$/),
    slices: served.filter(({ resource }) => resource.startsWith('nvidia.com/mig-')),
  }
}

function readServed(seen: NvidiaNode, served: readonly Supply[]): Accelerators {
  const { labels, machine } = seen
  if (seen.slices.length > 0 || labels.isCut) return cutCards(seen)
  if (isVirtualNode(seen) || machine?.slice !== undefined) return virtualCards(seen, served)
  const fraction = fractionOf(seen, served)
  if (fraction !== undefined) return fraction
  return isShared(seen) ? sharedCards(seen) : plainCards(seen)
}

/** The driver of a virtual machine knows the one of its host. */
function isVirtualNode({ labels, node }: NvidiaNode): boolean {
  if (labels.product?.isVirtual === true || node.labels.get('nvidia.com/vgpu.present') === 'true') return true
  return node.labels.has('nvidia.com/vgpu.host-driver-version')
}

/** A card is at least one of something that is offered: labels that count more are about another time. */
function bounded(read: Accelerators, served: readonly Supply[]): Accelerators {
  const offered = served.reduce((sum, { total }) => sum + total, 0)
  if (read.cards === undefined || read.cards <= offered) return read
  const why = [...read.why, `Only ${offered} can be asked for, so ${read.cards} cards are not believed.`]
  return { ...read, cards: undefined, free: read.free === 0 ? 0 : undefined, asks: NO_ASKS, why }
}

function isShared({ labels, shared }: NvidiaNode): boolean {
  if (shared !== undefined || labels.product?.isShared === true || (labels.replicas ?? 1) > 1) return true
  return labels.sharing === 'mps' || labels.sharing === 'time-slicing'
}

/** The device plugin is there and has nothing to give. */
function unserved(seen: NvidiaNode, barred: string | undefined): Accelerators {
  const { facts: _, isPart: _part, ...identity } = dividedCard(seen)
  const { driver, cuda, isCut } = seen.labels
  const sharing = isCut ? 'mig' : undefined
  return { ...NOTHING_KNOWN, ...identity, vendor: 'nvidia', driver, cuda, sharing, free: 0, barred, asks: NO_ASKS }
}
