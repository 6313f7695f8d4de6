import type { NodeObject } from '../../object/node-object.ts'

/** What labels say about NVIDIA cards: of feature discovery, of GKE and of other clouds. */
export interface NvidiaLabels {
  readonly product: ProductLabel | undefined
  /** Cards of the product; with MIG in the single strategy, slices. */
  readonly count: number | undefined
  /** Shares of each card; 0 and 1: none. */
  readonly replicas: number | undefined
  readonly sharing: 'none' | 'mps' | 'time-slicing' | undefined
  /** MiB of one card; with MIG in the single strategy, of one slice. */
  readonly memoryMib: number | undefined
  /** MIG profile of every slice of the node: the single strategy, or a partition size of GKE. */
  readonly profile: string | undefined
  /** The cards are cut, but no profile says how. */
  readonly isCut: boolean
  /** Slices of the mixed strategy, by profile. */
  readonly slices: ReadonlyMap<string, { readonly count: number; readonly replicas: number }>
  readonly compute: string | undefined
  readonly family: string | undefined
  readonly driver: string | undefined
  readonly cuda: string | undefined
}

interface ProductLabel {
  readonly text: string
  /** The card's name, without what was added to it. */
  readonly name: string
  /** `1g.5gb`, or `INVALID` where MIG is on without slices that the strategy allows. */
  readonly profile: string | undefined
  readonly isShared: boolean
  readonly isVirtual: boolean
}

export function nvidiaLabels({ labels }: NodeObject): NvidiaLabels {
  const product = productOf(labels.get('nvidia.com/gpu.product'))
  const partition = labels.get('cloud.google.com/gke-gpu-partition-size')
  const profile = product?.profile === 'INVALID' ? undefined : (product?.profile ?? partition)
  const hasParts = [...labels].some(
    ([key, value]) => /^nvidia\.com\/gpu\.(slices|engines)\./.test(key) && value !== '0',
  )
  return {
    product,
    count: wholeOf(labels.get('nvidia.com/gpu.count')),
    replicas:
      wholeOf(labels.get('nvidia.com/gpu.replicas')) ??
      wholeOf(labels.get('cloud.google.com/gke-max-shared-clients-per-gpu')),
    sharing: sharingOf(
      labels.get('nvidia.com/gpu.sharing-strategy') ?? labels.get('cloud.google.com/gke-gpu-sharing-strategy'),
    ),
    memoryMib: memoryOf(labels),
    profile,
    isCut: profile !== undefined || product?.profile !== undefined || hasParts,
    slices: slicesOf(labels),
    compute: computeOf(labels),
    family: labels.get('nvidia.com/gpu.family'),
    driver: driverOf(labels),
    cuda: cudaOf(labels),
  }
}

/** A whole number; undefined: it is none. */
function wholeOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined
}

/** Profiles are written `1g.10gb+me`; resources and labels cannot hold a plus. */
export function profileOf(text: string): string {
  return text.replace(/(?<=gb)[.-](?=me|gfx)/, '+')
}

/** vGPU types end in the memory and the letter of their licence: `A10-24Q`, `GRID A100-4C`. */
const GRID = /^(?:nvidia[-_ ])?grid[-_ ]/i

/** Types that are backed by a slice say more: `A100-1-5CME`. */
const VIRTUAL_SIZE = /([-_ ]\d)?[-_ ]\d+[QCAB](ME|GFX)*$/i

/** The name of the card behind the name of a vGPU type; undefined: it is none. */
export function cardOfVirtual(name: string): string | undefined {
  return GRID.test(name) || VIRTUAL_SIZE.test(name) ? name.replace(GRID, '').replace(VIRTUAL_SIZE, '') : undefined
}

function productOf(text: string | undefined): ProductLabel | undefined {
  if (text === undefined) return undefined
  const [whole, profile] = /-MIG-(INVALID|\d.*)$/i.exec(text.replace(/-SHARED$/i, '')) ?? []
  const name = text.replace(/-SHARED$/i, '').slice(0, whole === undefined ? undefined : -whole.length)
  return {
    text,
    name: cardOfVirtual(name) ?? name,
    profile: profile === undefined || profile === 'INVALID' ? profile : profileOf(profile),
    isShared: /-SHARED$/i.test(text),
    isVirtual: cardOfVirtual(name) !== undefined,
  }
}

type Labels = NodeObject['labels']

function sharingOf(text: string | undefined): NvidiaLabels['sharing'] {
  switch (text) {
    case 'none':
    case 'mps':
    case 'time-slicing':
      return text
    case 'time-sharing':
      return 'time-slicing'
    case undefined:
      return undefined
  }
  return undefined
}

/** Feature discovery once wrote bytes; Karpenter writes MiB, CoreWeave GB. */
function memoryOf(labels: Labels): number | undefined {
  const memory = labels.get('nvidia.com/gpu.memory') ?? ''
  const discovered = mibOf(memory)
  if (discovered > 0) return discovered > BYTES_FROM ? discovered / 1024 ** 2 : discovered
  const karpenter = wholeOf(labels.get('karpenter.k8s.aws/instance-gpu-memory'))
  const coreweave = wholeOf(labels.get('gpu.nvidia.com/vram'))
  return karpenter ?? (coreweave === undefined ? undefined : (coreweave * 1e9) / 1024 ** 2)
}

/** MiB, unless people who set the label by hand wrote a unit. */
function mibOf(text: string): number {
  const [, amount, prefix, binary] = /^(\d{1,15})(?:\s*([MG])(i)?B?)?$/i.exec(text) ?? []
  if (amount === undefined) return 0
  if (prefix === undefined) return Number(amount)
  const kilo = binary === undefined ? 1000 : 1024
  return (Number(amount) * kilo ** (prefix.toUpperCase() === 'G' ? 3 : 2)) / 1024 ** 2
}

/** No card has a tebibyte, and none has less than ten MiB. */
const BYTES_FROM = 10_000_000

function slicesOf(labels: Labels): NvidiaLabels['slices'] {
  const slices = new Map<string, { count: number; replicas: number }>()
  for (const [key, value] of labels) {
    const [, profile] = /^nvidia\.com\/mig-(\d.*)\.count$/.exec(key) ?? []
    const count = wholeOf(value)
    if (profile === undefined || count === undefined || count === 0) continue
    const replicas = wholeOf(labels.get(`nvidia.com/mig-${profile}.replicas`)) ?? 1
    slices.set(profileOf(profile), { count, replicas: Math.max(1, replicas) })
  }
  return slices
}

function computeOf(labels: Labels): string | undefined {
  const [major, minor] = [labels.get('nvidia.com/gpu.compute.major'), labels.get('nvidia.com/gpu.compute.minor')]
  return major === undefined || minor === undefined || major === '0' ? undefined : `${major}.${minor}`
}

function driverOf(labels: Labels): string | undefined {
  const full = labels.get('nvidia.com/cuda.driver-version.full')
  return full === undefined
    ? (joined(labels, 'cuda.driver-version', ['major', 'minor', 'revision']) ??
        joined(labels, 'cuda.driver', ['major', 'minor', 'rev']) ??
        versionOf(labels.get('cloud.google.com/gke-gpu-driver-version')))
    : versionOf(full)
}

function cudaOf(labels: Labels): string | undefined {
  return (
    versionOf(labels.get('nvidia.com/cuda.runtime-version.full')) ??
    joined(labels, 'cuda.runtime-version', ['major', 'minor']) ??
    joined(labels, 'cuda.runtime', ['major', 'minor'])
  )
}

/** The parts of a version, from the first to the last that is there; undefined: fewer than two. */
function joined(labels: Labels, name: string, keys: readonly string[]): string | undefined {
  const parts = keys.map((key) => labels.get(`nvidia.com/${name}.${key}`))
  const missing = parts.indexOf(undefined)
  const known = missing === -1 ? parts : parts.slice(0, missing)
  return known.length < 2 ? undefined : versionOf(known.join('.'))
}

/** Drivers are numbered `580.126.09`; a place that cannot hold the zero loses it. */
export function versionOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d+(\.\d+){1,3}$/.test(text)) return undefined
  const [major = '', minor = '', ...rest] = text.split('.')
  return [major, minor, ...rest.map((part) => part.padStart(2, '0'))].join('.')
}
