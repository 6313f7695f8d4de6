import { termsUnder, type Policy } from '../policy/policy.ts'
import type { Manifest } from '../manifest/manifest.ts'
import type { Ask, DecisionInput } from './plan.ts'
import type { Ability } from '../offer/offer.ts'
import { ANYTHING, meetChoices, noneOf, oneOf, type OneOf } from '../requirement/need/choice.ts'
import { ANY_NEED, meet, type Need } from '../requirement/need/need.ts'
import { atLeast, atMost } from '../requirement/need/range.ts'
import { GPU, MACHINE } from '../requirement/table.ts'

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
    ...MACHINE.want(resources),
    gpu: resources.gpu === undefined ? undefined : GPU.want(resources.gpu),
    volumeGib: atLeast(sizes.length === 0 ? undefined : Math.max(...sizes)),
    inbound: ports.some((port) => port.expose === 'public'),
    nodes: manifest.nodes,
    within: manifest.topology,
    uses: usesOf(manifest, part),
  }
}

/** What a provider must support for it. */
function usesOf({ storage, secrets, nodes, framework }: Manifest, { command }: Part): readonly Ability[] {
  const uses: readonly (readonly [Ability, boolean])[] = [
    ['gangs', nodes > 1],
    ['images', command.length === 0],
    // On one node the command needs no cluster.
    ['ray', framework === 'ray' && nodes > 1],
    ['object-storage', storage.some(({ from }) => from !== undefined)],
    ['secrets', secrets.length > 0],
    ['volumes', storage.some(({ from }) => from === undefined)],
  ]
  return uses.flatMap(([ability, isUsed]) => (isUsed ? [ability] : []))
}
