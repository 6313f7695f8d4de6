import type { Listing } from '../../offer/snapshot.ts'
import type { Market } from '../../offer/offer.ts'
import { printDriver } from '../../base/version.ts'

/** An offer as scripts see it. A missing key means that the source does not state it. */
export interface OfferReport {
  readonly id: string
  readonly provider: string
  readonly region: string
  readonly zone?: string | undefined
  readonly instance: string
  readonly capacity: 'rented' | 'owned'
  /** A node of a fleet: its prices are for the whole node, and work pays for the cards that it takes. Left out: it is none. */
  readonly shared?: true | undefined
  /** Id in the hardware table, and the common name. */
  readonly gpu?: string | undefined
  readonly gpu_name?: string | undefined
  readonly gpu_vendor?: string | undefined
  readonly gpu_count: number
  /** Nominal memory of one card, or of one slice. */
  readonly vram_gib?: number | undefined
  readonly slice?: string | undefined
  readonly interconnect?: string | undefined
  readonly cpu?: number | undefined
  readonly memory_gib?: number | undefined
  readonly disk_gib?: number | undefined
  readonly host_arch?: string | undefined
  readonly driver?: string | undefined
  readonly terms?: Market | undefined
  /** What it costs on those terms. */
  readonly usd_per_hour?: number | undefined
  readonly on_demand_usd_per_hour?: number | undefined
  readonly spot_usd_per_hour?: number | undefined
  readonly start_seconds?: number | undefined
  readonly residency?: string | undefined
  readonly trust?: string | undefined
  readonly stock?: string | undefined
}

export interface Sale {
  readonly usdPerHour: number | undefined
  readonly terms: Market
}

export function describeOffer(listing: Listing, sale: Sale): OfferReport {
  const { machine, site, state, price } = listing
  const { gpu } = machine
  return {
    id: listing.id,
    provider: site.provider,
    region: site.region,
    zone: listing.zone,
    instance: listing.instance,
    capacity: machine.capacity,
    shared: listing.isShared === true && gpu !== undefined ? true : undefined,
    gpu: gpu?.model,
    gpu_name: gpu?.name,
    gpu_count: gpu?.count ?? 0,
    vram_gib: gpu?.vramGib,
    slice: gpu === undefined || gpu.sharing === 'whole' ? undefined : (gpu.profile ?? gpu.sharing),
    interconnect: gpu?.vendor === 'nvidia' ? gpu.link : undefined,
    gpu_vendor: gpu?.vendor,
    cpu: machine.cpu,
    memory_gib: machine.memoryGib,
    disk_gib: machine.diskGib,
    host_arch: machine.hostArch,
    driver: gpu?.driver === undefined ? undefined : printDriver(gpu.driver),
    terms: sale.usdPerHour === undefined ? undefined : sale.terms,
    usd_per_hour: sale.usdPerHour,
    on_demand_usd_per_hour: price.usdPerHour,
    spot_usd_per_hour: price.spotUsdPerHour,
    start_seconds: state.startSeconds,
    residency: site.residency,
    trust: site.trust,
    stock: state.stock,
  }
}
