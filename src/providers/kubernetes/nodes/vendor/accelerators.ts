import type { Vendor } from '../../../../core/hardware/gpu.ts'
import type { NodeObject } from '../object/node-object.ts'

/** Who made the accelerators of a node: makers in the hardware table, and others that are only recognised. */
export type NodeVendor = Vendor | (typeof OTHER_MAKERS)[number]

const OTHER_MAKERS = [
  'huawei',
  'cambricon',
  'hygon',
  'iluvatar',
  'moore-threads',
  'metax',
  'enflame',
  'kunlunxin',
  'biren',
  'tenstorrent',
  'rebellions',
  'furiosa',
] as const

/**
 * How cards are divided: `mig` into slices, `partition` by AMD's compute partitions, `vgpu` into virtual cards by a
 * hypervisor or a scheduler, `time-slicing`, `mps` and `share` into turns or shares without walls between them.
 */
export type CardSharing = 'none' | 'mig' | 'partition' | 'vgpu' | 'time-slicing' | 'mps' | 'share'

/** The accelerators of a node. Undefined means unknown. */
export interface Accelerators {
  readonly vendor: NodeVendor | undefined
  /** Id of a model or family in the hardware table. */
  readonly model: string | undefined
  /** Whole cards in the machine, however they are divided. */
  readonly cards: number | undefined
  /** Cards that nothing uses. */
  readonly free: number | undefined
  /** Memory of a whole card. */
  readonly vramGib: number | undefined
  readonly arch: string | undefined
  readonly driver: string | undefined
  readonly cuda: string | undefined
  readonly sharing: CardSharing | undefined
  /** Slices that exist, by profile. */
  readonly mig: ReadonlyMap<string, number>
  /** Why no pod can get any of them; undefined: nothing speaks against it. */
  readonly barred: string | undefined
  /** How pods ask for them. */
  readonly asks: Asks
  /** Sentences that name the label or field they come from. */
  readonly why: readonly string[]
}

/** Resources by what one of them is. */
export interface Asks {
  readonly whole: Supply | undefined
  /** By profile. */
  readonly slices: ReadonlyMap<string, Supply>
  readonly share: (Supply & { readonly ofCard: number }) | undefined
}

export const NO_ASKS: Asks = { whole: undefined, slices: new Map(), share: undefined }

export const NOTHING_KNOWN: Accelerators = {
  vendor: undefined,
  model: undefined,
  cards: undefined,
  free: undefined,
  vramGib: undefined,
  arch: undefined,
  driver: undefined,
  cuda: undefined,
  sharing: undefined,
  mig: new Map(),
  barred: undefined,
  asks: NO_ASKS,
  why: [],
}

/** How much of a resource a node has. */
export interface Supply {
  readonly resource: string
  /** What the node says it has. */
  readonly total: number
  /** What pods may have; undefined: the object does not say. */
  readonly ready: number | undefined
  /** What pods hold; undefined: pods were not given, or not in numbers. */
  readonly used: number | undefined
}

/** What pods on a node hold, by resource, NaN where that cannot be read; undefined: pods were not given. */
export type HeldResources = ReadonlyMap<string, number> | undefined

/** A node whose resources can be looked up. */
export interface Stocked {
  readonly node: NodeObject
  readonly held: HeldResources
}

/** A resource of a node; undefined: it has no such resource. */
export function supplyOf({ node: { capacity, allocatable }, held }: Stocked, resource: string): Supply | undefined {
  const total = capacity.get(resource) ?? allocatable?.get(resource)
  if (total === undefined) return undefined
  // A resource that only the capacity lists cannot be asked for.
  const ready = allocatable === undefined ? undefined : Math.floor(Math.min(total, allocatable.get(resource) ?? 0))
  const used = held && Math.ceil(held.get(resource) ?? 0)
  return { resource, total: Math.floor(total), ready, used: Number.isNaN(used) ? undefined : used }
}

/** Every resource of a node whose name fits. */
export function suppliesLike(stocked: Stocked, pattern: RegExp): readonly Supply[] {
  const names = new Set([...stocked.node.capacity.keys(), ...(stocked.node.allocatable?.keys() ?? [])])
  return [...names].filter((name) => pattern.test(name)).flatMap((name) => supplyOf(stocked, name) ?? [])
}

/** What is left of a resource; undefined: not known. */
export function leftOf({ ready, used }: Supply): number | undefined {
  if (ready === 0) return 0
  return ready === undefined || used === undefined ? undefined : Math.max(0, ready - used)
}

/** The most cards that are taken at their word where nothing else speaks for the number. */
export const PLAIN_CARDS_MAX = 16

/**
 * Resources that are in use, and why none is: all of them at zero. A resource that has become zero next to others is a
 * name that the device plugin used before.
 */
export function servedOf(supplies: readonly Supply[]): {
  readonly served: readonly Supply[]
  readonly barred: string | undefined
} {
  const some = supplies.filter(({ total }) => total > 0)
  const live = some.filter(({ ready }) => ready !== 0)
  const [first] = some
  if (first === undefined) return { served: [], barred: `${namesOf(supplies)} is 0 in status.capacity` }
  if (live.length > 0) return { served: live, barred: undefined }
  return { served: some, barred: `status.allocatable has 0 of ${first.total} ${first.resource}` }
}

function namesOf(supplies: readonly Supply[]): string {
  return supplies.map(({ resource }) => resource).join(' and ')
}

/** Cards that nothing uses where each card is one of a resource. */
export function freeOf(cards: number | undefined, whole: Supply): number | undefined {
  const left = leftOf(whole)
  if (left === 0) return 0
  return cards === undefined || left === undefined ? undefined : Math.min(cards, left)
}

/**
 * Cards that nothing uses where a card is several of a resource: only none or all of them is certain. What pods hold under
 * other names of the same cards (`beside`) is gone, too.
 */
export function freeOfParts(
  cards: number | undefined,
  parts: readonly Supply[],
  beside: readonly Supply[] = [],
): number | undefined {
  const left = parts.map(leftOf)
  if (left.every((each) => each === 0)) return 0
  const isIdle =
    parts.every(({ total, ready, used }) => used === 0 && ready === total) && beside.every(({ used }) => used === 0)
  return isIdle ? cards : undefined
}
