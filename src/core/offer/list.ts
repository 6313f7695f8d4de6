import { must } from '../base/assert.ts'
import { gpuById } from '../hardware/table.ts'
import type { Machine, Site } from './machine.ts'
import { at, listingAt, type Listing, type Snapshot } from './snapshot.ts'
import { extraRows, toldTwice } from './told-twice.ts'

/** Which offers to list; an undefined field matches all. */
export interface OfferQuery {
  readonly provider: string | undefined
  /** Ids of accelerators or of families. */
  readonly gpus: readonly string[] | undefined
  /** Providers whose offers the caller may see; undefined means all. */
  readonly mayUse?: (provider: string) => boolean
}

export type OfferOrder = 'price' | 'provider'

export interface Listed {
  readonly listings: readonly Listing[]
  /** The number of matching offers, shown or not. */
  readonly matching: number
  /** Quarantined rows that would otherwise have been considered. */
  readonly quarantined: number
}

/** The first matching offers, by on-demand price (offers without one last) or by provider. Ties are broken by id. */
export function listOffers(
  snapshot: Snapshot,
  query: OfferQuery,
  { sort, limit }: { readonly sort: OfferOrder; readonly limit: number },
): Listed {
  const rows: number[] = []
  const extra = new Set(toldTwice(snapshot).flatMap((node) => node.full.slice(0, extraRows(node))))
  let quarantined = 0
  snapshot.groups.machine.forEach((machine, group) => {
    const from = at(snapshot.groups.start, group)
    const to = at(snapshot.groups.start, group + 1)
    const site = must(snapshot.sites[at(snapshot.groups.site, group)], 'a group has a site')
    const verdict = matches(must(snapshot.machines[machine], 'a group has a machine'), site, query)
    if (verdict === 'quarantined') quarantined += to - from
    if (verdict === 'yes') for (let row = from; row < to; row++) if (!extra.has(row)) rows.push(row)
  })
  const sorted = sort === 'price' ? byPrice(snapshot, rows) : byProvider(snapshot, rows)
  const listings = sorted.slice(0, limit).map((row) => listingAt(snapshot, row))
  return { listings, matching: rows.length, quarantined }
}

function matches(machine: Machine, site: Site, { provider, gpus, mayUse }: OfferQuery): 'yes' | 'no' | 'quarantined' {
  if (provider !== undefined && site.provider !== provider) return 'no'
  if (mayUse?.(site.provider) === false) return 'no'
  if (machine.quarantine !== undefined) return 'quarantined'
  if (gpus === undefined) return 'yes'
  const model = machine.gpu?.model
  if (model === undefined) return 'no'
  return gpus.includes(model) || gpus.includes(gpuById(model)?.family ?? model) ? 'yes' : 'no'
}

function byPrice(snapshot: Snapshot, rows: readonly number[]): readonly number[] {
  const { usdPerHour, spotUsdPerHour } = snapshot.rows
  return rows.toSorted(
    (one, two) =>
      comparePrices(at(usdPerHour, one), at(usdPerHour, two)) ||
      comparePrices(at(spotUsdPerHour, one), at(spotUsdPerHour, two)) ||
      compareTexts(listingAt(snapshot, one).id, listingAt(snapshot, two).id),
  )
}

/** Ids start with provider, region and machine. */
function byProvider(snapshot: Snapshot, rows: readonly number[]): readonly number[] {
  const ids = new Map(rows.map((row) => [row, listingAt(snapshot, row).id]))
  return rows.toSorted((one, two) => compareTexts(ids.get(one) ?? '', ids.get(two) ?? ''))
}

/** NaN means not sold on these terms and comes after every price. */
function comparePrices(one: number, two: number): number {
  if (Number.isNaN(one)) return Number.isNaN(two) ? 0 : 1
  return Number.isNaN(two) ? -1 : one - two
}

function compareTexts(one: string, two: string): number {
  return one < two ? -1 : one > two ? 1 : 0
}
