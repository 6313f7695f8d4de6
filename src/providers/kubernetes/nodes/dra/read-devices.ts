import { ARCHES } from '../../../../core/hardware/arch.ts'
import { modelFacts } from '../../../../core/hardware/family.ts'
import type { Vendor } from '../../../../core/hardware/gpu.ts'
import { NO_ASKS, NOTHING_KNOWN, type Accelerators } from '../vendor/accelerators.ts'
import { cardNamed, isOtherThan, vramOf, type CardByName } from '../vendor/card-by-name.ts'
import { cardOfVirtual, versionOf } from '../vendor/nvidia/labels.ts'
import { fewestCards } from '../vendor/nvidia/slices.ts'
import { deviceKey, type Claimed } from './claimed.ts'
import { groupCards, isPart, type CardsBehindDevices, type DeviceCard } from './device-cards.ts'
import type { NodeDevices, SliceDevice } from './slice-devices.ts'

/** Accelerators that claims can have, card by card. */
export interface DeviceReading extends Accelerators {
  readonly deviceCards: readonly DeviceCard[]
  /** The cards that are divided into slices which exist, so that no claim gets them whole. */
  readonly isCut: boolean
  /** Of the slices that exist, those that no claim has and no taint closes. */
  readonly freeSlices: ReadonlyMap<string, number>
}

/** What is known about who has which device. */
export interface DeviceUse {
  /** Undefined: claims were not given. */
  readonly claimed: Claimed | undefined
  /** No pod on the node has a claim. */
  readonly isUnclaimed: boolean
}

/** The accelerators that drivers publish for a node; undefined: none does. */
export function readDevices(published: NodeDevices, use: DeviceUse): DeviceReading | undefined {
  const driver = DRIVERS.find(
    ({ name }) =>
      published.drivers.some((other) => name.test(other)) ||
      published.devices.some((device) => name.test(device.driver)),
  )
  if (driver === undefined) return undefined
  const own = published.devices.filter((device) => driver.name.test(device.driver))
  const devices = own.filter(isCard)
  if (devices.some(isVirtual)) return virtualDevices(driver, devices)
  const isLent = own.some((device) => isForMachines(device) && use.claimed?.has(deviceKey(device)) === true)
  const behind = groupCards(devices)
  const incomplete = published.incomplete.filter((pool) => driver.name.test(pool.split('/', 1)[0] ?? ''))
  const identity = identityOf(behind, devices)
  const cut = cutOf(behind)
  const isCertain = behind.unplaced.length === 0 && !behind.isDoubtful && incomplete.length === 0 && devices.length > 0
  const cards = isCertain ? behind.cards.length : undefined
  const hasShares = devices.some(({ isShared }) => isShared)
  return {
    vendor: driver.vendor,
    ...identity,
    cards,
    free: isCertain
      ? isLent
        ? undefined
        : freeOf(behind.cards, use, cut.size > 0)
      : behind.isDoubtful
        ? undefined
        : 0,
    sharing: cut.size > 0 ? 'mig' : hasShares ? 'share' : sharingOf(devices),
    mig: cut,
    barred: barredBy(devices, incomplete, behind) ?? overlapIn(behind, identity.model),
    asks: NO_ASKS,
    why: [...identity.why, `ResourceSlices of ${driver.says} publish ${told(behind)}.`],
    deviceCards: behind.cards,
    isCut: cut.size > 0,
    freeSlices: freeSlicesOf(behind, use),
  }
}

interface KnownDriver {
  readonly name: RegExp
  readonly vendor: Vendor
  readonly says: string
}

/** A driver that publishes accelerators of which nothing is known; undefined: none does. */
export function unknownDriver({ drivers }: NodeDevices): string | undefined {
  return drivers.find((name) => ACCELERATORS.test(name) && !DRIVERS.some((known) => known.name.test(name)))
}

const ACCELERATORS = /(^|[._-])(v?gpus?|npus?|tpus?|xpu|dcu|mlu|accelerators?|neuron|gaudi)([._-]|$)/i

/** Virtual cards of a hypervisor: how many cards are behind them cannot be seen, nor is their memory that of a card. */
function virtualDevices(driver: KnownDriver, devices: readonly SliceDevice[]): DeviceReading {
  const { model: _, vramGib: _vram, why, ...identity } = identityOf(groupCards([]), devices)
  return {
    ...NOTHING_KNOWN,
    ...identity,
    vendor: driver.vendor,
    sharing: 'vgpu',
    why: [...why, `ResourceSlices of ${driver.says} publish virtual cards (vGPU); the cards behind are not known.`],
    deviceCards: [],
    isCut: false,
    freeSlices: new Map(),
  }
}

function isVirtual({ driver, attributes }: SliceDevice): boolean {
  if (driver !== 'gpu.nvidia.com') return false
  return (
    cardOfVirtual(attributes.get('productName') ?? '') !== undefined ||
    VIRTUAL_BRANDS.test(attributes.get('brand') ?? '')
  )
}

/** Licences of virtual cards, by which the driver of a virtual machine calls them. */
const VIRTUAL_BRANDS = /^(Nvidia(V[A-Z]|CloudGaming)|Grid$)/

const DRIVERS: readonly KnownDriver[] = [
  { name: /^gpu\.nvidia\.com$/, vendor: 'nvidia', says: 'gpu.nvidia.com' },
  { name: /^gpu\.amd\.com$/, vendor: 'amd', says: 'gpu.amd.com' },
  { name: /^gaudi\.(intel|habana)\.com$|^gaudi\.habana\.ai$/, vendor: 'intel', says: 'a Gaudi driver' },
  { name: /^tpu\.(google\.com|dra\..+|gke\.io)$/, vendor: 'google', says: 'a TPU driver' },
  { name: /^neuron\.(aws\.com|amazonaws\.com|aws\.amazon\.com)$/, vendor: 'aws', says: 'a Neuron driver' },
  { name: /^gpu\.intel\.com$/, vendor: 'intel', says: 'gpu.intel.com' },
]

/** Whether a device is a card, or a part of one, of a driver that is known. */
export function isAccelerator(device: SliceDevice): boolean {
  return isCard(device) && DRIVERS.some(({ name }) => name.test(device.driver))
}

/** Drivers publish other things, too: channels between machines, passed-through twins and daemons. */
function isCard(device: SliceDevice): boolean {
  return !/channel|daemon|imex|nic|switch/i.test(device.attributes.get('type') ?? '') && !isForMachines(device)
}

/** A card, or a virtual function of one, that only virtual machines can use. It may be the twin of a card. */
function isForMachines({ attributes }: SliceDevice): boolean {
  return /vfio/i.test(attributes.get('type') ?? '')
}

interface Identity {
  readonly model: string | undefined
  readonly vramGib: number | undefined
  readonly arch: string | undefined
  readonly driver: string | undefined
  readonly cuda: string | undefined
  readonly why: readonly string[]
}

function identityOf({ cards }: CardsBehindDevices, devices: readonly SliceDevice[]): Identity {
  const name = sameOf(devices, ({ attributes }) => attributes.get('productName') ?? attributes.get('model'))
  const wholes = cards.flatMap(({ whole }) => whole ?? [])
  const memoryMib = wholes.length === cards.length ? sameOf(wholes, (device) => device.memoryMib) : undefined
  const mib = memoryMib === 'several' ? undefined : memoryMib
  const called: CardByName = cardNamed(
    name === undefined || name === 'several' ? '' : name,
    mib === undefined ? {} : { vramMib: mib },
  )
  const isContradicted = isOtherThan(called, computeOf(devices))
  const named = isContradicted ? cardNamed('') : called
  const isUnsure = name === 'several' || memoryMib === 'several' || isContradicted
  const vram = isUnsure ? undefined : vramOf(named, mib)
  const version = sameOf(devices, ({ attributes }) => attributes.get('driverVersion'))
  const cuda = sameOf(devices, ({ attributes }) => attributes.get('cudaDriverVersion'))
  return {
    model: named.facts?.id,
    vramGib: vram === 'contradicts' ? undefined : vram,
    arch: isContradicted ? undefined : archOf(devices, named),
    driver: isNvidia(devices) ? versionOf(version) : plainVersion(version),
    cuda: versionOf(cuda)?.split('.').slice(0, 2).join('.'),
    why: [
      ...whyNamed(name, called),
      ...(isContradicted ? ['Its compute capability is that of another card, so neither is believed.'] : []),
    ],
  }
}

function isNvidia([first]: readonly SliceDevice[]): boolean {
  return first?.driver === 'gpu.nvidia.com'
}

function plainVersion(text: string | undefined): string | undefined {
  return text !== undefined && /^\d+(\.\d+)+$/.test(text) ? text : undefined
}

function whyNamed(name: string | undefined, named: CardByName): readonly string[] {
  if (name === undefined) return []
  if (name === 'several') return ['Its cards are of several models.']
  if (named.facts === undefined) return [`The device attribute productName ${name} is not in the hardware table.`]
  return [`The device attribute productName ${name} is ${named.facts.name}.`]
}

/** The value that all devices share; `several`: they differ. */
function sameOf<T>(
  devices: readonly SliceDevice[],
  valueOf: (device: SliceDevice) => T | undefined,
): T | 'several' | undefined {
  const values = new Set(devices.map(valueOf))
  const [value] = values
  return values.size > 1 ? 'several' : value
}

function archOf(devices: readonly SliceDevice[], named: CardByName): string | undefined {
  const target = computeOf(devices) ?? ''
  const arch = Object.entries(ARCHES).find(([, { vendor, targets }]) => vendor === 'nvidia' && targets.includes(target))
  return arch?.[0] ?? named.arch
}

/** `9.0` where the attribute is the version `9.0.0`. */
function computeOf(devices: readonly SliceDevice[]): string | undefined {
  const compute = sameOf(devices, ({ attributes }) => attributes.get('cudaComputeCapability'))
  return /^\d+\.\d+/.exec(compute ?? '')?.[0]
}

/** Slices that exist. A part that shares counters with others is only a way to cut the card. */
function cutOf({ cards }: Pick<CardsBehindDevices, 'cards'>): ReadonlyMap<string, number> {
  const cut = new Map<string, number>()
  for (const { attributes, counterSets } of cards.flatMap(({ parts }) => parts)) {
    const profile = attributes.get('profile')
    if (profile === undefined || counterSets.length > 0) continue
    cut.set(profile, (cut.get(profile) ?? 0) + 1)
  }
  return cut
}

function freeSlicesOf(behind: CardsBehindDevices, { claimed }: DeviceUse): ReadonlyMap<string, number> {
  const isFree = (device: SliceDevice): boolean => !isClosed(device) && claimed?.has(deviceKey(device)) !== true
  const cards = behind.cards.map((card) => ({ ...card, parts: card.parts.filter(isFree) }))
  const free = cutOf({ ...behind, cards })
  return new Map([...cutOf(behind).keys()].map((profile) => [profile, free.get(profile) ?? 0]))
}

function sharingOf(devices: readonly SliceDevice[]): 'none' | 'partition' | undefined {
  if (devices.length === 0) return undefined
  const isDivided = devices.every(
    (device) => isPart(device) && !/^spx/i.test(device.attributes.get('partitionProfile') ?? ''),
  )
  return isDivided ? 'partition' : 'none'
}

function barredBy(
  devices: readonly SliceDevice[],
  incomplete: readonly string[],
  { cards }: CardsBehindDevices,
): string | undefined {
  const [pool] = incomplete
  if (pool !== undefined)
    return `slices of pool ${pool} are missing or contradict each other, so nothing of it can be claimed`
  if (devices.length === 0) return 'its ResourceSlices publish no device'
  return cards.length > 0 && cards.every(isSick)
    ? 'every device of its ResourceSlices is tainted or out of order'
    : undefined
}

/** Slices of one card that cannot exist together are ways to cut it. Without counters the cluster would give out all of them. */
function overlapIn({ cards }: Pick<CardsBehindDevices, 'cards'>, model: string | undefined): string | undefined {
  const facts = model === undefined ? undefined : modelFacts(model)
  const overlaps = cards.some((card) => (fewestCards(cutOf({ cards: [card] }), facts) ?? 0) > 1)
  return overlaps
    ? 'slices of one card overlap, and there are no counters that keep them apart: clusters before 1.36 drop them'
    : undefined
}

/** A card on which nothing new may be placed. */
export function isSick({ whole, parts }: DeviceCard): boolean {
  return whole === undefined ? parts.every(isClosed) : isClosed(whole)
}

function isClosed({ isTainted, isUnwell }: SliceDevice): boolean {
  return isTainted || isUnwell
}

/** Cards of which no device is claimed, tainted or out of order; undefined: who has them is not known, or they are had in slices. */
function freeOf(cards: readonly DeviceCard[], { claimed, isUnclaimed }: DeviceUse, isCut: boolean): number | undefined {
  if (claimed === undefined && !isUnclaimed) return undefined
  const isHeld = (device: SliceDevice): boolean => claimed?.has(deviceKey(device)) === true
  if (isCut) return cards.every(({ parts }) => parts.every(isHeld)) ? 0 : undefined
  return cards.filter((card) => !devicesOf(card).some((device) => isClosed(device) || isHeld(device))).length
}

export function devicesOf({ whole, parts }: DeviceCard): readonly SliceDevice[] {
  return whole === undefined ? parts : [whole, ...parts]
}

function told({ cards, unplaced, isDoubtful }: CardsBehindDevices): string {
  if (isDoubtful) return 'devices of which it is not certain how many cards they are'
  const parts = cards.reduce((sum, card) => sum + card.parts.length, 0)
  const whole = `${cards.length} ${cards.length === 1 ? 'card' : 'cards'}`
  const rest = unplaced.length === 0 ? '' : ` and ${unplaced.length} parts of unknown cards`
  return parts === 0 ? `${whole}${rest}` : `${whole} in ${parts} ${parts === 1 ? 'part' : 'parts'}${rest}`
}
