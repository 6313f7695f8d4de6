import type { Ability, DomainLevel } from '../../offer/offer.ts'
import { ANYTHING, meetChoices, type OneOf } from './choice.ts'
import { GPU, MACHINE, type GpuNeed, type MachineNeed } from '../table.ts'
import { ANY_NUMBER, meetRanges, type Range } from './range.ts'

/**
 * Everything that one machine must satisfy, as sets: what the manifest asks for, narrowed by what the policy allows.
 * Needs form a lattice: `meet` only narrows, so a stricter manifest or policy never admits more.
 */
export interface Need extends MachineNeed {
  /** Undefined: no GPU is needed, though the machine may have one. */
  readonly gpu: GpuNeed | undefined
  readonly volumeGib: Range
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

/** Domains ordered by closeness. */
export const DOMAIN_RANK = { zone: 1, rack: 2, nvlink_domain: 3 } as const

/** Admits every machine. */
export const ANY_NEED: Need = {
  gpu: undefined,
  ...MACHINE.any,
  volumeGib: ANY_NUMBER,
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
    gpu: one.gpu === undefined ? two.gpu : two.gpu === undefined ? one.gpu : GPU.meet(one.gpu, two.gpu),
    ...MACHINE.meet(one, two),
    volumeGib: meetRanges(one.volumeGib, two.volumeGib),
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

function union<T extends string>(one: readonly T[], two: readonly T[]): readonly T[] {
  return two.length === 0 ? one : [...new Set([...one, ...two])].sort()
}

export function closer(one: DomainLevel | undefined, two: DomainLevel | undefined): DomainLevel | undefined {
  if (one === undefined) return two
  return two === undefined || DOMAIN_RANK[one] >= DOMAIN_RANK[two] ? one : two
}
