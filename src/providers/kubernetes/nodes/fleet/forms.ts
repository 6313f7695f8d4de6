import type { Offer } from '../../../../core/offer/offer.ts'
import { modelFacts } from '../../../../core/hardware/family.ts'
import { fitsPattern } from '../../../../core/policy/pattern.ts'
import { leftOf } from '../vendor/accelerators.ts'
import { sliceSize } from '../vendor/nvidia/slices.ts'
import type { FleetPlace } from './node.ts'
import type { LabelPrice } from './view.ts'

/** The offers in forms that pods can really ask for, with the owner's prices. */
export function formsOf(
  offers: readonly Offer[],
  places: readonly FleetPlace[],
  prices: readonly LabelPrice[],
): readonly Offer[] {
  const byNode = new Map(places.map((place) => [place.node.id, place]))
  return offers.flatMap((offer) => {
    const place = byNode.get(offer.instance)
    return place === undefined ? [] : realForms(offer, place).map((each) => priced(each, place, prices))
  })
}

function realForms(offer: Offer, place: FleetPlace): readonly Offer[] {
  const { gpu } = offer
  if (gpu === undefined || AS_THEY_ARE.has(place.form)) return [offer]
  if (place.form === 'cuttable') return gpu.slice === undefined || canCut(place, gpu.slice.profile) ? [offer] : []
  if (place.form === 'share') return gpu.slice === undefined ? [] : [offer]
  const free = freeSlices(place)
  if (gpu.slice !== undefined) return (free.get(gpu.slice.profile ?? '') ?? 0) > 0 ? [offer] : []
  // The row that says what the node would be without its work: in slices, it says which of them are all taken.
  return offer.stock?.level !== 'full' ? [] : takenForms(offer, free)
}

const AS_THEY_ARE: ReadonlySet<FleetPlace['form']> = new Set(['none', 'whole', 'divisible'])

/** A driver need not publish every slice that a model can be cut into. */
function canCut({ devices }: FleetPlace, profile: string | undefined): boolean {
  return devices.some(({ parts }) => parts.some(({ attributes }) => attributes.get('profile') === profile))
}

/** Slices that nothing holds, by profile. What pods hold is always known here. */
function freeSlices({ read: { reading }, devices }: FleetPlace): ReadonlyMap<string, number> {
  if (devices.length > 0) return reading.devices?.freeSlices ?? new Map()
  return new Map([...reading.asks.slices].map(([profile, supply]) => [profile, leftOf(supply) ?? 0]))
}

function takenForms(offer: Offer, free: ReadonlyMap<string, number>): readonly Offer[] {
  const { gpu } = offer
  if (gpu === undefined) return []
  return [...free]
    .filter(([, left]) => left === 0)
    .map(([profile]) => ({
      ...offer,
      id: `${offer.id}/${profile}`,
      gpu: {
        model: gpu.model,
        count: 1,
        slice: { kind: 'mig', profile, gib: sliceSize(profile)?.gib ?? 0 },
        link: 'pcie',
        ...(gpu.of !== undefined && { of: gpu.of }),
      },
    }))
}

function priced(offer: Offer, { read: { object } }: FleetPlace, prices: readonly LabelPrice[]): Offer {
  const price = prices.find(({ label, value }) => {
    const own = object.labels.get(label)
    return own !== undefined && (value === undefined || fitsPattern(value, own))
  })
  return price === undefined ? offer : { ...offer, usdPerHour: price.usdPerCardHour * cardsIn(offer) }
}

/** How many cards the price of an offer is for: those of its node, of which work pays its share; otherwise its own, or a part of one. */
function cardsIn({ gpu }: Offer): number {
  if (gpu === undefined) return 0
  if (gpu.of !== undefined) return gpu.of
  const vramGib = modelFacts(gpu.model)?.vramGib
  if (gpu.slice === undefined || vramGib === undefined) return gpu.count
  return (gpu.count * gpu.slice.gib) / vramGib
}
