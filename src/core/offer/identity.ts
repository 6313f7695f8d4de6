import { must } from '../base/assert.ts'
import type { Offer } from './offer.ts'

/** What identifies an offer: where it is sold, and its name there. */
export interface OfferPlace {
  readonly provider: string
  readonly region: string
  readonly zone: string | undefined
  readonly instance: string
  /** Names the offer when the source names only the card, not the machine. */
  readonly gpu?: { readonly model: string; readonly count: number } | undefined
}

/** An offer without its id. */
export type OfferDraft = Omit<Offer, 'id'>

/** All that may be known of an offer, and is not. */
export const NO_FACTS: Omit<OfferDraft, 'provider' | 'region' | 'zone' | 'instance'> = {
  capacity: 'rented',
  gpu: undefined,
  cpu: undefined,
  memoryGib: undefined,
  diskGib: undefined,
  volumeGib: undefined,
  hostArch: undefined,
  driver: undefined,
  cuda: undefined,
  inbound: undefined,
  domain: undefined,
  usdPerHour: undefined,
  spotUsdPerHour: undefined,
  stock: undefined,
  quotaLeft: undefined,
  health: undefined,
  startSeconds: undefined,
  reliability: undefined,
  egressUsdPerGib: undefined,
  residency: undefined,
  trust: undefined,
  quarantine: undefined,
}

/** `provider/region/zone/instance`, without the zone where there is none; `#2` and up for offers in the same place. */
export function offerId(place: OfferPlace, ordinal: number): string {
  const parts = [place.provider, place.region]
  if (place.zone !== undefined) parts.push(place.zone)
  parts.push(
    place.instance === '' && place.gpu !== undefined ? `${place.gpu.count}x${place.gpu.model}` : place.instance,
  )
  const id = parts.map(escapePart).join('/')
  return ordinal === 1 ? id : `${id}#${ordinal}`
}

/**
 * The ids of offers, one for each draft. Drafts in the same place are numbered in the order of their contents, so that
 * the order of rows in a source does not matter.
 */
export function assignIds(drafts: readonly OfferDraft[]): readonly string[] {
  const ids = drafts.map((draft) => offerId(draft, 1))
  for (const places of sharedIds(ids)) {
    const sorted = places
      .map((index) => ({ index, draft: must(drafts[index], 'a place is an index into the drafts') }))
      // An earlier id does not count as content.
      .map(({ index, draft }) => ({ index, draft, content: contentOf({ ...draft, id: undefined }) }))
      .toSorted((one, two) => compareText(one.content, two.content))
    for (const [rank, { index, draft }] of sorted.entries()) ids[index] = offerId(draft, rank + 1)
  }
  return ids
}

/** Keeps the separators unambiguous, so that two different places never get one id. */
function escapePart(part: string): string {
  return /[%/#]/.test(part) ? part.replaceAll('%', '%25').replaceAll('/', '%2F').replaceAll('#', '%23') : part
}

function sharedIds(ids: readonly string[]): Iterable<readonly number[]> {
  const firstAt = new Map<string, number>()
  const shared = new Map<string, number[]>()
  for (const [index, id] of ids.entries()) {
    const first = firstAt.get(id)
    const places = shared.get(id)
    if (first === undefined) firstAt.set(id, index)
    else if (places === undefined) shared.set(id, [first, index])
    else places.push(index)
  }
  return shared.values()
}

/** The draft as text, which does not depend on the order of its keys. */
function contentOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).toSorted(([a], [b]) => compareText(a, b))
  return `{${entries.map(([key, inner]) => `${key}:${contentOf(inner)}`).join(',')}}`
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
