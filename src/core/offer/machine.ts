import { modelFacts } from '../hardware/family.ts'
import type { GpuModel, HostArch, Vendor } from '../hardware/gpu.ts'
import { must } from '../base/assert.ts'
import { versionNumber } from '../base/version.ts'
import type { Ability, DomainLevel, Offer, OfferGpu, QuarantineCode } from './offer.ts'
import type { Link } from '../hardware/link.ts'

/**
 * A class of hardware: everything that requirements on the machine itself look at. Thousands of offers share one, so a
 * decision looks at classes first. Undefined means unknown.
 */
export interface Machine {
  readonly gpu: GpuFacts | undefined
  readonly cpu: number | undefined
  readonly memoryGib: number | undefined
  readonly diskGib: number | undefined
  readonly volumeGib: number | undefined
  readonly hostArch: HostArch | undefined
  readonly inbound: boolean | undefined
  readonly domain: DomainLevel | undefined
  readonly capacity: 'rented' | 'owned'
  /** When set, nothing else here is trusted. */
  readonly quarantine: QuarantineCode | undefined
}

/** The cards of a machine: what the source says, completed from the hardware table. */
export interface GpuFacts {
  readonly model: string
  readonly name: string
  readonly vendor: Vendor
  readonly arch: string
  readonly target: string | undefined
  /** NVIDIA compute capability as a version number. */
  readonly capability: number | undefined
  readonly count: number
  /** Nominal memory of one card, or of one slice. */
  readonly vramGib: number
  readonly usableMib: number | undefined
  readonly sharing: 'whole' | 'mig' | 'share'
  readonly profile: string | undefined
  readonly link: Link | undefined
  /** Version numbers: the exact driver where the source states it, otherwise the limits that the card implies. */
  readonly driver: number | undefined
  readonly driverMin: number | undefined
  readonly driverMax: number | undefined
  readonly cuda: number | undefined
  readonly cudaMax: number | undefined
  /** The part of its node's price that one card or slice costs; left out: the node is sold as a whole. */
  readonly share?: number
}

/** Where a machine is and who runs it. */
export interface Site {
  readonly provider: string
  readonly region: string
  readonly residency: string | undefined
  readonly trust: string | undefined
  /** What its provider is known to be unable to do, sorted; left out when nothing is known. */
  readonly lacks?: readonly Ability[]
}

/** What changes over time. */
export interface State {
  readonly stock: 'available' | 'low' | 'sold_out' | 'full' | undefined
  readonly units: number | undefined
  readonly seenAtMs: number | undefined
  readonly quotaLeft: number | undefined
  readonly health: 'ok' | 'degraded' | 'failing' | undefined
  readonly startSeconds: number | undefined
  readonly reliability: number | undefined
  readonly egressUsdPerGib: number | undefined
  /** The remembered refusal that lasts longest, if any. */
  readonly refusedWhy: 'sold-out' | 'quota' | 'fault' | undefined
  readonly refusedAtMs: number | undefined
  readonly refusedUntilMs: number | undefined
  /** How many refusals are remembered, expired or not. */
  readonly refusals: number
  /** The quota that `quotaLeft` belongs to, where offers of one provider share it; left out when it is this offer's own. */
  readonly quota?: string
}

/** What one row costs, by terms of sale. Undefined means not sold on these terms. */
export interface Price {
  readonly usdPerHour: number | undefined
  readonly spotUsdPerHour: number | undefined
}

export function machineOf(offer: Offer): Machine {
  if (offer.quarantine !== undefined)
    return { ...NOTHING_BELIEVED, capacity: offer.capacity, quarantine: offer.quarantine }
  return {
    gpu: offer.gpu === undefined ? undefined : gpuFacts(offer.gpu, offer),
    cpu: offer.cpu,
    memoryGib: offer.memoryGib,
    diskGib: offer.diskGib,
    volumeGib: offer.volumeGib,
    hostArch: offer.hostArch,
    inbound: offer.inbound,
    domain: offer.domain,
    capacity: offer.capacity,
    quarantine: undefined,
  }
}

export function siteOf(offer: Offer): Site {
  const { provider, region, residency, trust, lacks } = offer
  return { provider, region, residency, trust, ...(lacks !== undefined && lacks.length > 0 && { lacks }) }
}

const NOTHING_BELIEVED: Machine = {
  gpu: undefined,
  cpu: undefined,
  memoryGib: undefined,
  diskGib: undefined,
  volumeGib: undefined,
  hostArch: undefined,
  inbound: undefined,
  domain: undefined,
  capacity: 'rented',
  quarantine: undefined,
}

function gpuFacts(gpu: OfferGpu, offer: Offer): GpuFacts {
  const model = must(modelFacts(gpu.model), `offer ${offer.id} carries the unknown model ${gpu.model}`)
  return {
    model: gpu.model,
    name: model.name,
    vendor: model.vendor,
    arch: model.arch,
    target: model.target,
    capability: model.vendor === 'nvidia' ? optionalVersion(model.target) : undefined,
    count: gpu.count,
    vramGib: gpu.slice?.gib ?? model.vramGib,
    usableMib: usableMib(gpu, model),
    sharing: gpu.slice?.kind ?? 'whole',
    profile: gpu.slice?.profile,
    link: gpu.link,
    driver: optionalVersion(offer.driver),
    driverMin: optionalVersion(model.driverMin),
    driverMax: endOfBranch(model.driverMax),
    cuda: optionalVersion(offer.cuda),
    cudaMax: endOfBranch(model.cudaMax),
    ...(gpu.of !== undefined && { share: ((gpu.slice?.gib ?? model.vramGib) / model.vramGib) * (1 / gpu.of) }),
  }
}

/** A slice has its share of what the driver reports for the whole card. */
function usableMib(gpu: OfferGpu, model: GpuModel): number | undefined {
  if (gpu.slice === undefined || model.vramMib === undefined) return model.vramMib
  return Math.floor((model.vramMib * gpu.slice.gib) / model.vramGib)
}

function optionalVersion(text: string | undefined): number | undefined {
  return text === undefined ? undefined : versionNumber(text)
}

/** `580` as a ceiling means every 580.x, `12` every 12.x. */
function endOfBranch(text: string | undefined): number | undefined {
  const version = optionalVersion(text)
  if (version === undefined || text === undefined) return undefined
  return text.includes('.') ? version + 999 : version + 999_999
}
