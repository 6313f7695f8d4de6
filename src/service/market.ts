import type { Parsed, RouteReply } from '../api/call.ts'
import { must } from '../core/base/assert.ts'
import { assignIds, NO_FACTS } from '../core/offer/identity.ts'
import { listOffers } from '../core/offer/list.ts'
import {
  MARKET_KEPT_MS,
  marketKey,
  marketKeysOf,
  rowWith,
  rowWithout,
  sightingsIn,
  UNREAD_AFTER_MS,
  type MarketPoint,
  type MarketRow,
} from '../core/offer/market.ts'
import type { Offer } from '../core/offer/offer.ts'
import { freeze, type Snapshot } from '../core/offer/snapshot.ts'
import { derive } from '../core/place/derive.ts'
import { describeOffer, type OfferReport } from '../core/place/explain/offer-report.ts'
import { place } from '../core/place/place.ts'
import { offersThatFit } from '../core/place/search.ts'
import { mayUseProvider } from '../core/policy/project-rules.ts'
import type { Row, Store, Write } from '../ports/store.ts'
import type { ServiceDeps } from './deps.ts'
import { everyRow, walk } from './platform-rows.ts'
import { configured } from './workload/views.ts'
import { decidingFor, policyFor } from './project-rules.ts'

type History = RouteReply<'offersHistory'>

const DAY_MS = 86_400_000
const LIMIT = 20
const CHUNK = 100
/** The most kinds of machines that are remembered: of one provider, and in all. */
const ROWS_MAX = { provider: 500, all: 2000 }

/** What a provider said it offers, and when it was asked. */
export interface MarketRead {
  readonly provider: string
  readonly offers: readonly Offer[]
  /** False: what is missing is unknown, not gone. */
  readonly complete: boolean
  readonly readMs: number
}

/** Remembers prices and stock, as the leader of this term. Returns how many rows were written. Call it periodically. */
export async function recordMarket(
  { store }: Pick<ServiceDeps, 'store'>,
  { reads, term }: { readonly reads: readonly MarketRead[]; readonly term: number },
): Promise<number> {
  const refusals = (await everyRow(store, 'refusal', '')).map(({ body }) => body)
  let written = 0
  for (const { provider, offers, complete, readMs } of reads) {
    const seen = sightingsIn(offers, { atMs: readMs, refusals })
    const known = new Map((await everyRow(store, 'market', marketKeysOf(provider))).map((row) => [row.key, row]))
    const room = await roomFor(store, known.size)
    const writes = [...seen].flatMap(([key, sighting]) =>
      writeOf(key, known.get(key), rowWith(known.get(key)?.body, sighting)),
    )
    const news = writes.filter(({ version }) => version === 0).slice(room)
    const gone = complete ? [...known.values()].filter(({ key }) => !seen.has(key)) : []
    const ended = gone.flatMap((row) => writeOf(row.key, row, rowWithout(row.body, readMs)))
    const turnedAway = new Set(news)
    written += await land(store, term, [...writes.filter((write) => !turnedAway.has(write)), ...ended])
  }
  return written
}

async function roomFor(store: Store, ofProvider: number): Promise<number> {
  const all = await store.count('market', { prefix: '', most: ROWS_MAX.all })
  return Math.max(0, Math.min(ROWS_MAX.provider - ofProvider, ROWS_MAX.all - all))
}

function writeOf(key: string, row: Row<'market'> | undefined, body: MarketRow | undefined): readonly Write[] {
  return body === undefined ? [] : [{ kind: 'market', key, version: row?.version ?? 0, body }]
}

/** A few rows at a time: a large commit would keep everybody else waiting. Whoever lost the lease writes nothing. */
async function land(store: Store, term: number, writes: readonly Write[]): Promise<number> {
  let landed = 0
  for (let at = 0; at < writes.length; at += CHUNK) {
    const some = writes.slice(at, at + CHUNK)
    const committed = await store.commit({ term, writes: some })
    if (committed.kind !== 'done') return landed
    landed += some.length
  }
  return landed
}

/** Deletes machines that nobody has seen for as long as prices are kept. Returns how many. Call it periodically. */
export async function forgetMarket({ store, clock }: Pick<ServiceDeps, 'store' | 'clock'>): Promise<number> {
  const old: Write[] = []
  for await (const { key, version, body } of walk(store, 'market', '')) {
    if (body.seenMs < clock.nowMs() - MARKET_KEPT_MS) old.push({ kind: 'market', key, version, body: undefined })
  }
  let forgotten = 0
  for (let at = 0; at < old.length; at += CHUNK) {
    const some = old.slice(at, at + CHUNK)
    // Another control plane tidies, too; the next time will do.
    if ((await store.commit({ writes: some })).kind !== 'done') break
    forgotten += some.length
  }
  return forgotten
}

/** Prices and stock over time, of machines that the project may use: all of them, one, or those that meet a need. */
export async function marketHistory(deps: ServiceDeps, request: Parsed<'offersHistory'>): Promise<History> {
  const { project, provider, machine } = request
  const nowMs = deps.clock.nowMs()
  const sinceMs = Math.max(request.since_ms ?? nowMs - 7 * DAY_MS, nowMs - MARKET_KEPT_MS)
  const deciding = await decidingFor(deps, project)
  const rows = new Map<string, MarketRow>()
  for await (const { key, body } of walk(deps.store, 'market', provider === undefined ? '' : marketKeysOf(provider))) {
    const isAsked = machine === undefined || body.machine.toLowerCase() === machine.toLowerCase()
    if (isAsked && mayUseProvider(body.provider, deciding) && body.seenMs >= sinceMs) rows.set(key, body)
  }
  const found = await chosen(deps, request, freeze(offersOf([...rows.values()])))
  const isThere = configured(deps)
  const series = found.offers.flatMap((offer) => {
    const row = rows.get(marketKey({ ...offer, machine: offer.instance }))
    if (row === undefined) return []
    const held = pointsSince(row, sinceMs)
    // Nobody has looked since: what holds now is not known.
    const isLeft = !isThere(row.provider) || nowMs - row.seenMs >= UNREAD_AFTER_MS
    const last = { atMs: row.seenMs, stock: 'unread' } as const
    const points = isLeft && held.at(-1)?.stock !== 'gone' ? [...held, last] : held
    return [{ offer, seen_ms: row.seenMs, points: points.map(pointView) }]
  })
  return { since_ms: sinceMs, until_ms: nowMs, matching: found.matching, series }
}

/** Those that are asked for, cheapest first. */
async function chosen(
  deps: ServiceDeps,
  { project, text, file, spot, gpus, limit = LIMIT }: Parsed<'offersHistory'>,
  snapshot: Snapshot,
): Promise<{ readonly matching: number; readonly offers: readonly OfferReport[] }> {
  if (text === undefined) {
    const { listings, matching } = listOffers(snapshot, { provider: undefined, gpus }, { sort: 'price', limit })
    const offers = listings.map((one) => describeOffer(one, { usdPerHour: one.price.usdPerHour, terms: 'on-demand' }))
    return { matching, offers }
  }
  const manifest = { ...(await deps.parse(text, file)).manifest, ...(spot && { spot }) }
  const { config } = await deps.capacity()
  const input = derive(manifest, await policyFor(deps, { project, manifest, config }), deps.clock.nowMs())
  const plan = must(place({ capacity: snapshot, workloads: [input] })[0], 'one workload')
  const offers = offersThatFit(plan, rowsIn(snapshot))
  return { matching: offers.length, offers: offers.slice(0, limit) }
}

function rowsIn({ rows }: Snapshot): number {
  return Math.max(1, rows.instance.length)
}

/** Each kind of machine as an offer at its last price, whether or not there is any: that is what its history tells. */
function offersOf(rows: readonly MarketRow[]): readonly Offer[] {
  const drafts = rows.map(({ provider, region, machine, facts, points }) => ({
    ...NO_FACTS,
    ...facts,
    provider,
    region,
    zone: undefined,
    instance: machine,
    usdPerHour: points.findLast(({ usd }) => usd !== undefined)?.usd,
    spotUsdPerHour: points.findLast(({ spotUsd }) => spotUsd !== undefined)?.spotUsd,
  }))
  const ids = assignIds(drafts)
  return drafts.map((draft, index) => ({ ...draft, id: must(ids[index], 'an id for each') }))
}

/** What held since then: it begins with what held at that moment. */
function pointsSince({ points }: MarketRow, sinceMs: number): readonly MarketPoint[] {
  const first = points.findLastIndex(({ atMs }) => atMs <= sinceMs)
  return points.slice(Math.max(0, first)).map((point) => ({ ...point, atMs: Math.max(point.atMs, sinceMs) }))
}

function pointView({ atMs, usd, spotUsd, stock, units }: MarketPoint): History['series'][number]['points'][number] {
  return { at_ms: atMs, usd_per_hour: usd, spot_usd_per_hour: spotUsd, stock, units }
}
