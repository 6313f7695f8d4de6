import { slotsWanted, type DesiredSlot } from '../../src/core/life/slots.ts'
import type { Workload } from '../../src/core/life/workload.ts'
import type { Offer } from '../../src/core/offer/offer.ts'
import { gpuById } from '../../src/core/hardware/table.ts'
import { domainAt } from '../../src/core/place/choose.ts'
import type { Witness } from './check/check.ts'
import type { SimPlatform } from './platform.ts'
import { SHAPES, type Shape } from '../../src/controller/offers.suite.ts'
import { TOLERANCE, type Wish } from './users/wishes.ts'

/** What says whether there is room: what the clouds have and bill, the limits, the policies. Not what Berth believes. */
export interface Truth {
  readonly witness: Witness
  readonly platform: SimPlatform
}

/** A workload with a slot that is not up. */
export interface Lacking {
  readonly workload: Workload
  readonly wish: Wish
  readonly slot: DesiredSlot
}

/**
 * Whether the truth has room for what a slot lives and ends with: an open provider with enough machines of its shape under
 * the ceiling of its policy and the price its user agreed to, in another domain where it has to lie apart, and within the quota and budget of its project.
 * `held`: what it may let go of first.
 */
export function hasRoom(
  { workload, wish, slot }: Lacking,
  truth: Truth,
  held: 'nothing' | 'its own' = 'nothing',
): boolean {
  const { platform, witness } = truth
  const policy = platform.policyOf(workload.manifest.policy)
  if (policy === undefined) return false
  const machines = slotsWanted(workload).filter(({ group }) => group === slot.group).length
  const own = held === 'nothing' ? undefined : `${workload.uid} ${slot.group}`
  const left = leftOf(workload.project, own, truth)
  const taken = domainsOf(workload, own, truth)
  const agreed = wish.agreedUsd === undefined ? Number.POSITIVE_INFINITY : wish.agreedUsd * (1 + TOLERANCE)
  const most = Math.min(policy.usdPerHourMax ?? Number.POSITIVE_INFINITY, agreed)
  const fitting = [...witness.clouds.values()].flatMap((cloud) => {
    if (!platform.isOpen(cloud.spec.name)) return []
    return cloud.offers(witness.nowMs()).filter((offer) => fits(offer, { wish, machines, most }))
  })
  // The cheapest is what is taken; where replicas have to lie apart, the cheapest elsewhere.
  const apart = fitting.filter((offer) => isApart(offer, { taken, spread: workload.manifest.spread }))
  return apart.some(({ usdPerHour = 0, gpu }) => {
    return usdPerHour * machines <= left.usdPerHour && (gpu?.count ?? 0) * machines <= left.gpus
  })
}

interface Needed {
  readonly wish: Wish
  readonly machines: number
  readonly most: number
}

function fits(offer: Offer, { wish, machines, most }: Needed): boolean {
  const { stock, usdPerHour, quotaLeft } = offer
  const units = Math.min(stock?.units ?? Number.POSITIVE_INFINITY, quotaLeft ?? Number.POSITIVE_INFINITY)
  return serves(offer, wish) && units >= machines && (usdPerHour ?? Number.POSITIVE_INFINITY) <= most
}

/** A machine that is called after its shape, or one of a rented cloud with just these cards. */
function serves({ instance, gpu, quarantine, lacks = [] }: Offer, { shape, secrets }: Wish): boolean {
  if (SHAPES.includes(instance as Shape)) return instance === shape
  if (gpu === undefined || quarantine !== undefined || (secrets.length > 0 && lacks.includes('secrets'))) return false
  return (
    gpu.count === (shape === 'whole' ? 8 : 1) && (gpuById(gpu.model)?.vramGib ?? 0) >= (shape === 'small' ? 20 : 80)
  )
}

/** What the project may still have, by what is billed. */
function leftOf(
  project: string,
  own: string | undefined,
  { witness }: Truth,
): { readonly gpus: number; readonly usdPerHour: number } {
  const { gpusMax = Number.POSITIVE_INFINITY, usdPerHourMax = Number.POSITIVE_INFINITY } = witness.limitsOf(project)
  let [gpus, usdPerHour] = [gpusMax, usdPerHourMax]
  for (const { tag, cards, usdPerHourMax: price } of billedBy(witness)) {
    if (tag.project !== project || `${tag.uid} ${groupIn(tag.slot)}` === own) continue
    gpus -= cards
    usdPerHour -= price
  }
  return { gpus, usdPerHour }
}

function groupIn(slot: string): string {
  return slot.includes('.') ? slot.slice(0, slot.lastIndexOf('.')) : slot
}

/** Everything of ours that is billed now, with the cards of the whole machine. */
function* billedBy({ clouds, nowMs, owner }: Witness) {
  for (const cloud of clouds.values()) {
    const cards = new Map(cloud.spec.offers.map(({ id, gpu }) => [id, gpu?.count ?? 0]))
    for (const instance of cloud.instances()) {
      if (instance.tag.owner !== owner || instance.endsMs <= nowMs()) continue
      yield { ...instance, cards: cards.get(instance.offer) ?? instance.gpus, cloud }
    }
  }
}

/** Where its other replicas are. */
function domainsOf({ uid, manifest }: Workload, own: string | undefined, { witness }: Truth): ReadonlySet<string> {
  const found = new Set<string>()
  if (manifest.spread === 'none') return found
  for (const { tag, offer, node, cloud } of billedBy(witness)) {
    if (tag.uid !== uid || `${tag.uid} ${groupIn(tag.slot)}` === own) continue
    const there = node && { provider: cloud.spec.name, region: node.region, zone: undefined }
    const place = there ?? cloud.spec.offers.find(({ id }) => id === offer)
    if (place !== undefined) found.add(domainAt(place, manifest.spread))
  }
  return found
}

function isApart(
  offer: Offer,
  { taken, spread }: { readonly taken: ReadonlySet<string>; readonly spread: Workload['manifest']['spread'] },
): boolean {
  return spread === 'none' || taken.size > 1 || !taken.has(domainAt(offer, spread))
}
