import { termsUnder, type Policy } from '../policy/policy.ts'
import { SHARING } from '../requirement/gpu/sharing.ts'
import { archTargets } from '../hardware/arch.ts'
import type { GpuRequest, Manifest } from '../manifest/manifest.ts'
import type { Ask, DecisionInput } from './plan.ts'
import type { Ability } from '../offer/offer.ts'
import { versionNumber } from '../base/version.ts'
import { ANYTHING, meetChoices, noneOf, oneOf, type OneOf } from '../requirement/need/choice.ts'
import { ANY_NEED, meet, type GpuNeed, type Need } from '../requirement/need/need.ts'
import { LINK_RANK } from '../hardware/link.ts'
import { ANY_NUMBER, atLeast, atMost } from '../requirement/need/range.ts'

/** The question a manifest asks under a policy. */
export function derive(manifest: Manifest, policy: Policy, nowMs: number): DecisionInput {
  const allowed = policyNeed(policy, manifest.spot)
  const whole: Ask = {
    role: undefined,
    need: meet(manifestNeed(manifest, manifest), allowed),
    replicas: manifest.replicas.min,
    spread: manifest.spread,
  }
  const roles = manifest.roles.map((role): Ask => ({
    role: role.name,
    need: meet(manifestNeed(manifest, role), allowed),
    replicas: role.replicas.min,
    spread: manifest.spread,
    reserve: role.reserve,
  }))
  const { name, image } = manifest
  return { workload: name, asks: roles.length === 0 ? [whole] : roles, policy, nowMs, image }
}

/** What the platform allows, whatever the workload requests. */
export function policyNeed(policy: Policy, spot?: Manifest['spot']): Need {
  const allowed = policy.providersAllowed === undefined ? ANYTHING : oneOf(policy.providersAllowed)
  return {
    ...ANY_NEED,
    market: MARKETS[termsUnder(policy.spot, spot)],
    usdPerHour: atMost(policy.usdPerHourMax),
    provider: meetChoices(allowed, noneOf(policy.providersDenied)),
    projectProvider: policy.within?.providers === undefined ? ANYTHING : oneOf(policy.within.providers),
    walled: noneOf(policy.within?.unwalled ?? []),
    residency: policy.residency === undefined ? ANYTHING : oneOf(policy.residency),
    trust: policy.trust === undefined ? ANYTHING : oneOf(policy.trust),
    unknownAccepted: oneOf(policy.unknownAccepted),
  }
}

const MARKETS: Readonly<Record<NonNullable<Manifest['spot']>, OneOf>> = {
  never: oneOf(['on-demand']),
  allowed: oneOf(['on-demand', 'spot']),
  only: oneOf(['spot']),
}

/** What a workload and each of its roles state separately. */
type Part = Pick<Manifest, 'resources' | 'ports' | 'command'>

function manifestNeed(manifest: Manifest, part: Part): Need {
  const { resources, ports } = part
  const sizes = manifest.storage.flatMap((volume) => volume.sizeGib ?? [])
  return {
    ...ANY_NEED,
    gpu: resources.gpu === undefined ? undefined : gpuNeed(resources.gpu),
    cpu: atLeast(resources.cpu),
    memoryGib: atLeast(resources.memoryGib),
    diskGib: atLeast(resources.diskGib),
    volumeGib: atLeast(sizes.length === 0 ? undefined : Math.max(...sizes)),
    hostArch: oneOf(resources.hostArch),
    inbound: ports.some((port) => port.expose === 'public'),
    nodes: manifest.nodes,
    within: manifest.topology,
    uses: usesOf(manifest, part),
  }
}

/** What a provider must support for it. */
function usesOf({ storage, secrets, nodes }: Manifest, { command }: Part): readonly Ability[] {
  const uses: readonly (readonly [Ability, boolean])[] = [
    ['gangs', nodes > 1],
    ['images', command.length === 0],
    ['object-storage', storage.some(({ from }) => from !== undefined)],
    ['secrets', secrets.length > 0],
    ['volumes', storage.some(({ from }) => from === undefined)],
  ]
  return uses.flatMap(([ability, isUsed]) => (isUsed ? [ability] : []))
}

function gpuNeed(request: GpuRequest): GpuNeed {
  const targets = request.arch.flatMap((name) => archTargets(name) ?? [])
  return {
    vendor: request.vendors === 'any' ? ANYTHING : oneOf(request.vendors),
    target: request.arch.length === 0 ? ANYTHING : oneOf(targets),
    arch: request.arch,
    capability: atLeast(optionalVersion(request.computeCapabilityMin)),
    count: atLeast(request.count),
    vramGib: atLeast(request.vramGibMin),
    usableGib: atLeast(request.usableGibMin),
    sharing: SHARING[request.sharing],
    link: request.interconnect === 'any' ? ANY_NUMBER : atLeast(LINK_RANK[request.interconnect]),
    driver: atLeast(optionalVersion(request.driverMin)),
    cuda: atLeast(optionalVersion(request.cudaMin)),
  }
}

function optionalVersion(text: string | undefined): number | undefined {
  return text === undefined ? undefined : versionNumber(text)
}
