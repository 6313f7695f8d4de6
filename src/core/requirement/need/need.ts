import type { Ability, DomainLevel } from '../../offer/offer.ts'
import { ANYTHING, meetChoices, type OneOf } from './choice.ts'
import { ANY_NUMBER, meetRanges, type Range } from './range.ts'

/**
 * Everything that one machine must satisfy, as sets: what the manifest asks for, narrowed by what the policy allows.
 * Needs form a lattice: `meet` only narrows, so a stricter manifest or policy never admits more.
 */
export interface Need {
  /** Undefined: no GPU is needed, though the machine may have one. */
  readonly gpu: GpuNeed | undefined
  readonly cpu: Range
  readonly memoryGib: Range
  readonly diskGib: Range
  readonly volumeGib: Range
  readonly hostArch: OneOf
  /** Whether callers outside must be able to reach it. */
  readonly inbound: boolean
  /** How many machines must start together. */
  readonly nodes: number
  /** How close together they must be. */
  readonly within: DomainLevel | undefined
  /** What the provider must be able to do, sorted. */
  readonly uses: readonly Ability[]
  /** Providers (`alpha`) and regions (`alpha/eu-1`) that rejected this workload as invalid, sorted. */
  readonly wrongAt: readonly string[]
  /** Terms of sale: `on-demand`, `spot`. */
  readonly market: OneOf
  readonly usdPerHour: Range
  readonly provider: OneOf
  /** Providers that the project may use. */
  readonly projectProvider: OneOf
  /** Providers whose programs the project may run. Those that run as Berth's own user need an administrator's permission. */
  readonly walled: OneOf
  readonly residency: OneOf
  readonly trust: OneOf
  /** Names of filters whose "unknown" is accepted. */
  readonly unknownAccepted: OneOf
}

/** What each card, or each slice of a card, must be. */
export interface GpuNeed {
  readonly vendor: OneOf
  /** Binary targets such as `9.0`, `gfx942`. */
  readonly target: OneOf
  /** The architectures that the targets came from, for messages only. */
  readonly arch: readonly string[]
  /** NVIDIA compute capability as a version number. */
  readonly capability: Range
  readonly count: Range
  readonly vramGib: Range
  readonly usableGib: Range
  /** `whole`, `mig`, `share`. */
  readonly sharing: OneOf
  /** As a rank: see LINK_RANK. */
  readonly link: Range
  /** As version numbers. */
  readonly driver: Range
  readonly cuda: Range
}

/** Domains ordered by closeness. */
export const DOMAIN_RANK = { zone: 1, rack: 2, nvlink_domain: 3 } as const

/** Admits every machine. */
export const ANY_NEED: Need = {
  gpu: undefined,
  cpu: ANY_NUMBER,
  memoryGib: ANY_NUMBER,
  diskGib: ANY_NUMBER,
  volumeGib: ANY_NUMBER,
  hostArch: ANYTHING,
  inbound: false,
  nodes: 1,
  within: undefined,
  uses: [],
  wrongAt: [],
  market: ANYTHING,
  usdPerHour: ANY_NUMBER,
  provider: ANYTHING,
  projectProvider: ANYTHING,
  walled: ANYTHING,
  residency: ANYTHING,
  trust: ANYTHING,
  unknownAccepted: ANYTHING,
}

/** What satisfies both. */
export function meet(one: Need, two: Need): Need {
  return {
    gpu: one.gpu === undefined ? two.gpu : two.gpu === undefined ? one.gpu : meetGpus(one.gpu, two.gpu),
    cpu: meetRanges(one.cpu, two.cpu),
    memoryGib: meetRanges(one.memoryGib, two.memoryGib),
    diskGib: meetRanges(one.diskGib, two.diskGib),
    volumeGib: meetRanges(one.volumeGib, two.volumeGib),
    hostArch: meetChoices(one.hostArch, two.hostArch),
    inbound: one.inbound || two.inbound,
    nodes: Math.max(one.nodes, two.nodes),
    within: closer(one.within, two.within),
    uses: union(one.uses, two.uses),
    wrongAt: union(one.wrongAt, two.wrongAt),
    market: meetChoices(one.market, two.market),
    usdPerHour: meetRanges(one.usdPerHour, two.usdPerHour),
    provider: meetChoices(one.provider, two.provider),
    projectProvider: meetChoices(one.projectProvider, two.projectProvider),
    walled: meetChoices(one.walled, two.walled),
    residency: meetChoices(one.residency, two.residency),
    trust: meetChoices(one.trust, two.trust),
    unknownAccepted: meetChoices(one.unknownAccepted, two.unknownAccepted),
  }
}

function meetGpus(one: GpuNeed, two: GpuNeed): GpuNeed {
  return {
    vendor: meetChoices(one.vendor, two.vendor),
    target: meetChoices(one.target, two.target),
    arch: [...new Set([...one.arch, ...two.arch])].sort(),
    capability: meetRanges(one.capability, two.capability),
    count: meetRanges(one.count, two.count),
    vramGib: meetRanges(one.vramGib, two.vramGib),
    usableGib: meetRanges(one.usableGib, two.usableGib),
    sharing: meetChoices(one.sharing, two.sharing),
    link: meetRanges(one.link, two.link),
    driver: meetRanges(one.driver, two.driver),
    cuda: meetRanges(one.cuda, two.cuda),
  }
}

function union<T extends string>(one: readonly T[], two: readonly T[]): readonly T[] {
  return two.length === 0 ? one : [...new Set([...one, ...two])].sort()
}

export function closer(one: DomainLevel | undefined, two: DomainLevel | undefined): DomainLevel | undefined {
  if (one === undefined) return two
  return two === undefined || DOMAIN_RANK[one] >= DOMAIN_RANK[two] ? one : two
}
