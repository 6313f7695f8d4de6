import { offerId } from './identity.ts'
import type { Offer, Refusal } from './offer.ts'
import { stateOf } from './state.ts'

/** What a kind of machine is at one place: enough of it to ask later whether it would have met a need. */
type MarketFacts = Pick<
  Offer,
  | 'gpu'
  | 'cpu'
  | 'memoryGib'
  | 'diskGib'
  | 'volumeGib'
  | 'hostArch'
  | 'driver'
  | 'cuda'
  | 'inbound'
  | 'domain'
  | 'residency'
  | 'trust'
>

/**
 * `unknown`: the provider does not say whether it has any. `gone`: it does not offer it any more. `unread`: nobody looked,
 * or the provider did not answer.
 */
type MarketStock = 'available' | 'low' | 'sold_out' | 'unknown' | 'gone' | 'unread'

/** Price and stock from a moment on, until the next point. */
export interface MarketPoint {
  readonly atMs: number
  readonly usd?: number | undefined
  readonly spotUsd?: number | undefined
  readonly stock: MarketStock
  /** Machines left, where the provider counts them. */
  readonly units?: number | undefined
}

/** Price and stock of one kind of machine in one region, over time. */
export interface MarketRow {
  readonly provider: string
  readonly region: string
  /** The provider's name for the machine; asks of one kind are one machine. */
  readonly machine: string
  readonly facts: MarketFacts
  /** When it was last looked at: the last point holds until then. It lags behind by up to `TOUCHED_MS`. */
  readonly seenMs: number
  /** Oldest first. */
  readonly points: readonly MarketPoint[]
}

/** A kind of machine as it was read just now. */
export type Sighting = Pick<MarketRow, 'provider' | 'region' | 'machine' | 'facts'> & { readonly point: MarketPoint }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How long prices are kept. */
export const MARKET_KEPT_MS = 30 * DAY_MS
/** The most points of one row. */
export const MARKET_POINTS_MAX = 200
/** A row that does not change is written again this often, so that one can tell it from a row nobody looked at. */
const TOUCHED_MS = HOUR_MS
/** Nothing read for so long: what happened meanwhile is not known. */
export const UNREAD_AFTER_MS = 2 * HOUR_MS

const KEY_MAX = 512

/** `PROVIDER/REGION/MACHINE`. */
export function marketKey({ provider, region, machine }: Pick<MarketRow, 'provider' | 'region' | 'machine'>): string {
  return offerId({ provider, region, zone: undefined, instance: machine }, 1)
}

/** Keys of the rows of a provider begin with this. */
export function marketKeysOf(provider: string): string {
  return marketKey({ provider, region: '', machine: '' }).slice(0, -1)
}

/**
 * What offers say about kinds of machines, by key. Only machines with accelerators that are rented: one's own have no market.
 * Zones and single asks of one kind are taken together. Where a refusal for lack of stock is remembered, nothing is in stock.
 */
export function sightingsIn(
  offers: readonly Offer[],
  { atMs, refusals }: { readonly atMs: number; readonly refusals: readonly Refusal[] },
): ReadonlyMap<string, Sighting> {
  const sold = offers.filter(
    ({ capacity, gpu, quarantine }) => capacity === 'rented' && gpu !== undefined && quarantine === undefined,
  )
  const open = refusals.filter(({ why, untilMs }) => why === 'sold-out' && untilMs > atMs)
  const told = sold.map((offer) => ({ offer, stock: levelOf(offer, open) }))
  const groups = Map.groupBy(told, ({ offer }) => marketKey({ ...offer, machine: machineNamed(offer.instance) }))
  const found = new Map<string, Sighting>()
  for (const [key, group] of groups) if (key.length <= KEY_MAX) found.set(key, sightingOf(group, atMs))
  return found
}

/** The name of the kind: `8x H100_SXM` of `8x H100_SXM (ask 1234)`. */
function machineNamed(instance: string): string {
  return instance.replace(/ \([^()]*\)$/, '')
}

interface Told {
  readonly offer: Offer
  readonly stock: MarketStock
}

function levelOf(offer: Offer, refusals: readonly Refusal[]): MarketStock {
  if (stateOf(offer, refusals).refusals > 0) return 'sold_out'
  const level = offer.stock?.level
  return level === undefined ? 'unknown' : level === 'full' ? 'sold_out' : level
}

const BEST: readonly MarketStock[] = ['available', 'low', 'unknown', 'sold_out']

/** The best stock of the group, and the lowest price among what has it. */
function sightingOf(group: readonly Told[], atMs: number): Sighting {
  const stock = BEST.find((level) => group.some((one) => one.stock === level)) ?? 'unknown'
  const had = stock === 'sold_out' ? group : group.filter((one) => one.stock !== 'sold_out')
  const cheapest = had.toSorted((one, two) => costOf(one) - costOf(two))[0] ?? group[0]
  const counts = had.map(({ offer }) => offer.stock?.units)
  const units = counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0)
  const { provider, region, instance, ...rest } = (cheapest as Told).offer // a group has at least one member
  return {
    provider,
    region,
    machine: machineNamed(instance),
    facts: factsOf(rest),
    point: {
      atMs,
      usd: lowest(had.map(({ offer }) => offer.usdPerHour)),
      spotUsd: lowest(had.map(({ offer }) => offer.spotUsdPerHour)),
      stock,
      units: stock === 'sold_out' ? 0 : units,
    },
  }
}

function costOf({ offer }: Told): number {
  return offer.usdPerHour ?? offer.spotUsdPerHour ?? Infinity
}

function lowest(prices: readonly (number | undefined)[]): number | undefined {
  const known = prices.filter((price) => price !== undefined)
  return known.length === 0 ? undefined : known.reduce((one, two) => Math.min(one, two))
}

function factsOf(offer: MarketFacts): MarketFacts {
  const { gpu, cpu, memoryGib, diskGib, volumeGib, hostArch, driver, cuda, inbound, domain, residency, trust } = offer
  return { gpu, cpu, memoryGib, diskGib, volumeGib, hostArch, driver, cuda, inbound, domain, residency, trust }
}

/** The row with what was just seen; undefined: there is nothing new to write. */
export function rowWith(row: MarketRow | undefined, { point, ...about }: Sighting): MarketRow | undefined {
  if (row === undefined) return { ...about, seenMs: point.atMs, points: [point] }
  // A clock that was set back: what is later is left as it is.
  if (point.atMs <= row.seenMs) return undefined
  const before = gapped(row, point.atMs)
  const isSame = before === row.points && isUnchanged(row.points.at(-1), point)
  if (isSame && point.atMs < row.seenMs + TOUCHED_MS) return undefined
  const points = isSame ? row.points : [...before, point]
  return { ...about, seenMs: point.atMs, points: thinned(points, point.atMs) }
}

/** The row of a machine that a complete reading does not have; undefined: that is known already. */
export function rowWithout(row: MarketRow, atMs: number): MarketRow | undefined {
  if (atMs <= row.seenMs || row.points.at(-1)?.stock === 'gone') return undefined
  return { ...row, seenMs: atMs, points: thinned([...gapped(row, atMs), { atMs, stock: 'gone' }], atMs) }
}

/** The points, with one that says that nobody looked since the row was last written. */
function gapped({ points, seenMs }: MarketRow, atMs: number): readonly MarketPoint[] {
  if (atMs - seenMs < UNREAD_AFTER_MS || points.at(-1)?.stock === 'gone') return points
  return [...points, { atMs: seenMs + 1, stock: 'unread' }]
}

function isUnchanged(one: MarketPoint | undefined, two: MarketPoint): boolean {
  return (
    one !== undefined &&
    one.usd === two.usd &&
    one.spotUsd === two.spotUsd &&
    one.stock === two.stock &&
    one.units === two.units
  )
}

/**
 * At most `MARKET_POINTS_MAX` points, none older than `MARKET_KEPT_MS` but the one that holds at its beginning. Once there are
 * too many, only the last one of each span of time is kept: the older, the wider.
 */
function thinned(points: readonly MarketPoint[], nowMs: number): readonly MarketPoint[] {
  const first = points.findLastIndex(({ atMs }) => atMs <= nowMs - MARKET_KEPT_MS)
  let kept = first <= 0 ? points : points.slice(first)
  if (kept.length <= MARKET_POINTS_MAX) return kept
  // Room for more, so that this is not done for each new point.
  for (let scale = 1; kept.length > 0.75 * MARKET_POINTS_MAX; scale *= 2) kept = lastOfSpans(kept, nowMs, scale)
  return kept
}

function lastOfSpans(points: readonly MarketPoint[], nowMs: number, scale: number): readonly MarketPoint[] {
  const last = new Map<string, MarketPoint>()
  for (const point of points) {
    const wide = spanOf(nowMs - point.atMs) * scale
    last.set(`${wide} ${Math.floor(point.atMs / wide)}`, point)
  }
  return [...last.values()]
}

/** Ten minutes for the last day, an hour for the last week, six hours before. */
function spanOf(ageMs: number): number {
  return ageMs <= DAY_MS ? HOUR_MS / 6 : ageMs <= 7 * DAY_MS ? HOUR_MS : 6 * HOUR_MS
}
