import type { HostArch } from '../../core/hardware/gpu.ts'

/**
 * What the names of machines reveal, by cloud. For a cloud that is not listed, the architecture of its hosts is
 * unknown.
 */
interface CloudNames {
  /** Machines with arm64 hosts; `everything else` on this cloud is amd64 unless `other` matches. */
  readonly arm64?: RegExp
  /** Machines that run neither kind of Linux image, or that are uncertain. */
  readonly other?: RegExp
}

const CLOUDS: ReadonlyMap<string, CloudNames> = byName({
  // A `g` right after the generation means Graviton: m7g, c6gn, im4gn, g5g. Machines called mac run macOS.
  aws: { arm64: /^(?:a1\.|[a-z]+\d+g|p6e-gb)/, other: /^mac/ },
  // A `p` among the small letters after the size means an Arm processor: D4ps_v5, E8pds_v6.
  azure: { arm64: /^Standard_[A-Z]+\d+(?:-\d+)?[a-z]*p[a-z]*_/ },
  cudo: {},
  do: {},
  fluidstack: {},
  gcp: { arm64: /^(?:t2a|c4a|n4a|a4x)-/ },
  hyperbolic: {},
  hyperstack: {},
  ibm: {},
  lambda: {},
  mithril: {},
  nebius: {},
  oci: { arm64: /^(?:VM|BM)\.Standard\.A\d/ },
  ovhcloud: {},
  paperspace: {},
  primeintellect: {},
  runpod: {},
  scaleway: { arm64: /^(?:COPARM|AMP)/ },
  scp: {},
  seeweb: {},
  shadeform: {},
  vast: {},
  verda: {},
  yotta: {},
})

/** Instruction set of the machine around the cards. */
export function hostArchOf(cloud: string, instance: string): HostArch | undefined {
  const names = CLOUDS.get(cloud)
  if (names === undefined || names.other?.test(instance) === true) return undefined
  return names.arm64?.test(instance) === true ? 'arm64' : 'amd64'
}

/** One cloud resells machines of other clouds: its prefix for each of them, and their name in this catalogue. */
const RESOLD: ReadonlyMap<string, string> = byName({
  lambdalabs: 'lambda',
  hyperstack: 'hyperstack',
  datacrunch: 'verda',
  nebius: 'nebius',
  dc_wildebeest: 'nebius',
})

/** Where a resold machine comes from: the cloud that runs it, where known, and its name there. */
interface Upstream {
  readonly provider: string | undefined
  readonly instance: string
}

export function upstreamOf(instance: string, upstreamId: string): Upstream | undefined {
  if (upstreamId === '' || upstreamId === instance) return undefined
  const prefix = instance.split('__', 1)[0] ?? ''
  return { provider: RESOLD.get(prefix), instance: upstreamId.replace(/_SPOT$/, '') }
}

/** The trust domain, where the name of the machine reveals it. */
export function trustOf(cloud: string, instance: string): string | undefined {
  if (cloud !== 'runpod') return undefined
  if (instance.endsWith('_SECURE')) return 'secure'
  return instance.endsWith('_COMMUNITY') ? 'community' : undefined
}

/**
 * What the catalogue's plain names mean. It has a longer name for every larger card (`V100-32GB`, `A100-80GB`,
 * `H100-NVL`), so the plain name means the smaller card, unless the row states the memory of the larger one.
 */
const PLAIN_FAMILIES: ReadonlyMap<string, string> = byName({
  A100: 'a100-40',
  H100: 'h100-80',
  P100: 'p100-16',
  RTX6000: 'quadro-rtx-6000',
  V100: 'v100-16',
})

export function plainFamilyOf(named: string): string | undefined {
  return PLAIN_FAMILIES.get(named)
}

/** A map and not an object: names come from files, and `constructor` may be one. */
function byName<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(entries))
}
