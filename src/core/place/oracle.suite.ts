import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts'
import { archTargets } from '../hardware/arch.ts'
import { cudaForDriver, driverForCuda } from '../hardware/cuda.ts'
import { modelFacts } from '../hardware/family.ts'
import type { GpuModel, HostArch } from '../hardware/gpu.ts'
import type { Manifest } from '../manifest/manifest.ts'
import type { GpuRequest } from '../requirement/table.ts'
import type { DomainLevel, Offer, OfferGpu } from '../offer/offer.ts'

/** What a user requests, in the plainest form. Keys that are left out do not matter. */
export interface PlainRequest {
  readonly title: string
  readonly gpu?: Partial<GpuRequest>
  readonly cpu?: number
  readonly memoryGib?: number
  readonly diskGib?: number
  readonly volumeGib?: number
  /** `amd64` unless stated. */
  readonly hostArch?: readonly HostArch[]
  readonly calledFromOutside?: boolean
  readonly nodes?: number
  readonly within?: DomainLevel
  readonly policy?: Partial<Policy>
}

/** The cheapest offer that meets a request; of equally cheap ones, the one with the first id. */
export interface Cheapest {
  readonly id: string
  readonly usdPerHour: number
}

/** Checks one offer after the other and keeps the best. Written independently of filters, snapshots and planner. */
export function scan(capacity: readonly Offer[], request: PlainRequest): Cheapest | undefined {
  const { policy, asked } = { policy: policyOf(request), asked: askedOf(request) }
  let best: Cheapest | undefined
  for (const offer of capacity) {
    const usdPerHour = priceFor(offer, policy)
    if (usdPerHour === undefined || offer.quarantine !== undefined) continue
    if (!hostGrants(offer, request, policy.unknownAccepted) || !placeGrants(offer, policy, request.nodes ?? 1)) continue
    if (asked !== undefined && !cardsGrant(offer, asked)) continue
    const isBetter =
      best === undefined || usdPerHour < best.usdPerHour || (usdPerHour === best.usdPerHour && offer.id < best.id)
    if (isBetter) best = { id: offer.id, usdPerHour }
  }
  return best
}

export function policyOf(request: PlainRequest): Policy {
  return { ...DEFAULT_POLICY, ...request.policy }
}

/** The request as a manifest, for the planner. */
export function manifestOf(request: PlainRequest): Manifest {
  const { cpu, memoryGib, diskGib, volumeGib, hostArch = ['amd64'] } = request
  return {
    ...MANIFEST,
    ports: request.calledFromOutside === true ? [{ name: 'http', port: 80, health: undefined, expose: 'public' }] : [],
    storage: volumeGib === undefined ? [] : [{ mount: '/m', from: undefined, mode: 'rw', sizeGib: volumeGib }],
    nodes: request.nodes ?? 1,
    topology: request.within,
    resources: {
      cpu,
      memoryGib,
      diskGib,
      hostArch,
      gpu: request.gpu === undefined ? undefined : requestOf(request.gpu),
    },
  }
}

function requestOf(gpu: Partial<GpuRequest>): GpuRequest {
  return {
    count: 1,
    vendors: ['nvidia'],
    vramGibMin: undefined,
    usableGibMin: undefined,
    arch: [],
    computeCapabilityMin: undefined,
    driverMin: undefined,
    cudaMin: undefined,
    interconnect: 'any',
    sharing: 'never',
    ...gpu,
  }
}

const MANIFEST: Manifest = {
  kind: 'job',
  name: 'oracle',
  image: 'acme/work:1',
  command: [],
  args: [],
  env: {},
  secrets: [],
  ports: [],
  storage: [],
  replicas: { min: 1, max: 1, target: undefined },
  spread: 'none',
  nodes: 1,
  topology: undefined,
  checkpoint: undefined,
  maxDurationSeconds: undefined,
  completions: 1,
  restart: { class: 'training', max: undefined },
  migration: { on: [], priceDrop: undefined },
  policy: undefined,
  resources: { cpu: undefined, memoryGib: undefined, diskGib: undefined, hostArch: ['amd64'], gpu: undefined },
  roles: [],
}

function priceFor({ usdPerHour, spotUsdPerHour }: Offer, policy: Policy): number | undefined {
  // Requests do not mention spot: under `asked` that means no spot.
  const isNever = policy.spot === 'never' || policy.spot === 'asked'
  const asked = [policy.spot === 'only' ? undefined : usdPerHour, isNever ? undefined : spotUsdPerHour]
  const prices = asked.filter((price) => price !== undefined)
  const lowest = prices.length === 0 ? undefined : Math.min(...prices)
  const tooMuch = lowest !== undefined && policy.usdPerHourMax !== undefined && lowest > policy.usdPerHourMax
  return tooMuch ? undefined : lowest
}

function hostGrants(offer: Offer, request: PlainRequest, accepted: readonly string[]): boolean {
  const enough = (has: number | undefined, wants: number | undefined, name: string): boolean =>
    wants === undefined || (has === undefined ? accepted.includes(name) : has >= wants)
  const hosts = request.hostArch ?? ['amd64']
  if (offer.hostArch === undefined ? !accepted.includes('host-arch') : !hosts.includes(offer.hostArch)) return false
  if (request.calledFromOutside === true && !(offer.inbound ?? accepted.includes('network'))) return false
  if (request.within !== undefined && (request.nodes ?? 1) > 1) {
    const near = offer.domain === undefined ? -1 : CLOSENESS.indexOf(offer.domain)
    if (near < 0 ? !accepted.includes('topology') : near < CLOSENESS.indexOf(request.within)) return false
  }
  return (
    enough(offer.cpu, request.cpu, 'cpu') &&
    enough(offer.memoryGib, request.memoryGib, 'memory') &&
    enough(offer.diskGib, request.diskGib, 'disk') &&
    enough(offer.volumeGib, request.volumeGib, 'storage')
  )
}

const CLOSENESS: readonly DomainLevel[] = ['zone', 'rack', 'nvlink_domain']

function placeGrants(offer: Offer, policy: Policy, nodes: number): boolean {
  const labelled = (has: string | undefined, allowed: readonly string[] | undefined, name: string): boolean =>
    allowed === undefined || (has === undefined ? policy.unknownAccepted.includes(name) : allowed.includes(has))
  if (policy.providersAllowed !== undefined && !policy.providersAllowed.includes(offer.provider)) return false
  if (policy.providersDenied.includes(offer.provider)) return false
  if (!labelled(offer.residency, policy.residency, 'residency')) return false
  if (!labelled(offer.trust, policy.trust, 'trust')) return false
  if (offer.health === undefined ? !policy.unknownAccepted.includes('health') : offer.health === 'failing') return false
  if (offer.quotaLeft === undefined ? !policy.unknownAccepted.includes('quota') : offer.quotaLeft < nodes) return false
  if (offer.stock === undefined) return policy.unknownAccepted.includes('stock')
  return offer.stock.level !== 'sold_out' && (offer.stock.units ?? nodes) >= nodes
}

function askedOf(request: PlainRequest): Asked | undefined {
  return request.gpu && { asked: requestOf(request.gpu), accepted: policyOf(request).unknownAccepted }
}

function cardsGrant(offer: Offer, { asked, accepted }: Asked): boolean {
  const model = offer.gpu === undefined ? undefined : modelFacts(offer.gpu.model)
  if (offer.gpu === undefined || model === undefined) return false
  if (asked.vendors !== 'any' && !asked.vendors.includes(model.vendor)) return false
  if (offer.gpu.count < asked.count) return false
  const kind = offer.gpu.slice?.kind
  if ((kind === 'mig' && asked.sharing === 'never') || (kind === 'share' && asked.sharing !== 'any')) return false
  return (
    memoryGrants(offer.gpu, model, { asked, accepted }) &&
    targetGrants(model, { asked, accepted }) &&
    linkGrants(offer.gpu, { asked, accepted }) &&
    softwareGrants(offer, model, { asked, accepted })
  )
}

interface Asked {
  readonly asked: GpuRequest
  readonly accepted: readonly string[]
}

function memoryGrants({ slice }: OfferGpu, model: GpuModel, { asked, accepted }: Asked): boolean {
  if ((slice?.gib ?? model.vramGib) < (asked.vramGibMin ?? 0)) return false
  if (asked.usableGibMin === undefined) return true
  if (model.vramMib === undefined) return accepted.includes('usable-vram')
  const share = slice === undefined ? model.vramMib : Math.floor((model.vramMib * slice.gib) / model.vramGib)
  return share / 1024 >= asked.usableGibMin
}

function targetGrants({ vendor, target }: GpuModel, { asked, accepted }: Asked): boolean {
  const targets = asked.arch.flatMap((name) => archTargets(name) ?? [])
  if (asked.arch.length > 0 && (target === undefined ? !accepted.includes('arch') : !targets.includes(target)))
    return false
  if (asked.computeCapabilityMin === undefined) return true
  if (vendor !== 'nvidia' || target === undefined) return accepted.includes('compute-capability')
  return isAtLeast(target, asked.computeCapabilityMin)
}

function linkGrants({ link }: OfferGpu, { asked, accepted }: Asked): boolean {
  const speeds = ['any', 'pcie', 'nvlink', 'nvswitch']
  const wanted = speeds.indexOf(asked.interconnect)
  if (asked.count < 2 || wanted <= 1) return true
  return link === undefined ? accepted.includes('interconnect') : speeds.indexOf(link) >= wanted
}

function softwareGrants(offer: Offer, model: GpuModel, { asked, accepted }: Asked): boolean {
  if (model.vendor !== 'nvidia') return true
  return driverGrants(offer, model, { asked, accepted }) && cudaGrants(offer, model, { asked, accepted })
}

function driverGrants({ driver }: Offer, { driverMin, driverMax }: GpuModel, { asked, accepted }: Asked): boolean {
  if (asked.driverMin === undefined) return true
  if (driver !== undefined) return isAtLeast(driver, asked.driverMin)
  if (driverMin !== undefined && isAtLeast(driverMin, asked.driverMin)) return true
  if (driverMax !== undefined && !branchReaches(driverMax, asked.driverMin)) return false
  return accepted.includes('driver')
}

function cudaGrants({ driver, cuda }: Offer, { driverMin, cudaMax }: GpuModel, { asked, accepted }: Asked): boolean {
  const wanted = asked.cudaMin
  if (wanted === undefined) return true
  if (cudaMax !== undefined && !branchReaches(cudaMax, wanted)) return false
  const served = cuda ?? (driver === undefined ? undefined : cudaForDriver(driver))
  if (served !== undefined) return isAtLeast(served, wanted)
  const needed = driverForCuda(wanted)
  return (driverMin !== undefined && needed !== undefined && isAtLeast(driverMin, needed)) || accepted.includes('cuda')
}

/** Whether some release of the branch is new enough: `580` reaches 580.65, `12` reaches 12.9. */
function branchReaches(branch: string, wanted: string): boolean {
  const length = branch.split('.').length
  return isAtLeast(branch, wanted.split('.').slice(0, length).join('.'))
}

function isAtLeast(version: string, wanted: string): boolean {
  const [have, want] = [version.split('.').map(Number), wanted.split('.').map(Number)]
  for (let place = 0; place < 4; place++) {
    const difference = (have[place] ?? 0) - (want[place] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}
