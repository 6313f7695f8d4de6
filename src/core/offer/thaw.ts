import { printDriver, printVersion } from '../base/version.ts'
import { listingAt, rowCount, type Listing, type Snapshot } from './snapshot.ts'
import type { Offer, OfferGpu } from './offer.ts'
import type { GpuFacts } from './machine.ts'

/** The offers that a snapshot was made from, so that it can be merged with others. Refusals in it are not undone. */
export function thaw(snapshot: Snapshot): readonly Offer[] {
  return Array.from({ length: rowCount(snapshot) }, (_, row) => offerOf(listingAt(snapshot, row)))
}

function offerOf({ id, instance, zone, machine, site, state, price }: Listing): Offer {
  return {
    id,
    provider: site.provider,
    region: site.region,
    zone,
    instance,
    capacity: machine.capacity,
    gpu: machine.gpu === undefined ? undefined : gpuOf(machine.gpu),
    cpu: machine.cpu,
    memoryGib: machine.memoryGib,
    diskGib: machine.diskGib,
    volumeGib: machine.volumeGib,
    hostArch: machine.hostArch,
    driver: machine.gpu?.driver === undefined ? undefined : printDriver(machine.gpu.driver),
    cuda: machine.gpu?.cuda === undefined ? undefined : printVersion(machine.gpu.cuda),
    inbound: machine.inbound,
    domain: machine.domain,
    usdPerHour: price.usdPerHour,
    spotUsdPerHour: price.spotUsdPerHour,
    stock: state.stock === undefined ? undefined : { level: state.stock, units: state.units, seenAtMs: state.seenAtMs },
    quotaLeft: state.quotaLeft,
    health: state.health,
    startSeconds: state.startSeconds,
    reliability: state.reliability,
    egressUsdPerGib: state.egressUsdPerGib,
    residency: site.residency,
    trust: site.trust,
    quarantine: machine.quarantine,
    ...(site.lacks !== undefined && { lacks: site.lacks }),
    ...(state.quota !== undefined && { quota: state.quota }),
  }
}

function gpuOf({ model, count, sharing, profile, vramGib, link }: GpuFacts): OfferGpu {
  return { model, count, slice: sharing === 'whole' ? undefined : { kind: sharing, profile, gib: vramGib }, link }
}
