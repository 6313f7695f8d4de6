import type { Policy } from '../../policy/policy.ts'
import { REASONS } from '../../requirement/filter/all-filters.ts'
import { must } from '../../base/assert.ts'
import { termsOf } from '../../requirement/need/price.ts'
import { at, listingAt, type Listing } from '../../offer/snapshot.ts'
import type { Choice } from '../choose.ts'
import { describeOffer, type OfferReport } from './offer-report.ts'
import { reportOwn, type OwnReport } from '../own/report.ts'
import { fitCount, offerCount, type AskPlan, type Held, type Plan } from '../plan.ts'
import { scoresOf, winningPrice, type RankedOffer } from '../rank.ts'
import { countReasons, type ReasonCount } from './reasons.ts'
import type { Judgement } from '../judge.ts'
import { explain, type AskExplanation } from './explain.ts'
import { heldText } from './held.ts'
import { missOf } from './miss.ts'
import { passedOn, type PassedOn } from './passed-on.ts'
import { countProviders } from './providers.ts'
import { shadowsOf } from './shadows.ts'
import { failing, type Tally } from '../tally.ts'
import { failuresOf, unknownsOf } from '../verdict.ts'
import { reportWait, type WaitReport } from '../own/wait-report.ts'

/**
 * A plan as data for scripts: what `-o json` prints, and what is saved, replayed and compared. The same question over the
 * same offers gives the same report to the last digit; nothing in it depends on the time or on the machine.
 */
export interface PlanReport {
  readonly workload: string
  readonly policy: {
    readonly name: string
    readonly objective: string
    readonly spot: string
    readonly fallback: boolean
  }
  readonly fits: boolean
  readonly usd_per_hour: number
  readonly offers: { readonly looked_at: number; readonly version: string }
  readonly chosen: readonly ChosenReport[]
  /** Offers that were turned down, each counted once under its first reason. */
  readonly refused: Readonly<Record<string, number>>
  readonly relaxations: readonly RelaxationReport[]
  readonly asks: readonly AskReport[]
  /** The limit or agreed price that keeps replicas without a place; left out: none does. */
  readonly held?: HeldReport | undefined
  /** Replicas of the same workload that stay where they are; left out: none do. */
  readonly kept?: { readonly replicas: number; readonly usd_per_hour: number } | undefined
  /** Replicas that stop before what follows them starts, and why, in a line without a full stop; left out: none do. */
  readonly stops_first?: { readonly slots: readonly string[]; readonly why: string } | undefined
  /** Offers that a control plane knows but cannot launch; left out: there are none. */
  readonly on_paper?: PaperReport | undefined
}

/** Offers of providers that have prices but no adapter to launch with. */
export interface PaperReport {
  readonly providers: readonly string[]
  readonly offers: number
  readonly fitting: number
  /** The hourly price of the cheapest that fits; left out: none fits. */
  readonly usd_per_hour?: number | undefined
}

/** A limit or an agreed price that keeps replicas without a place, and what would help. */
interface HeldReport {
  readonly code: Held['code']
  readonly text: string
}

export interface ChosenReport {
  readonly role?: string | undefined
  readonly replica: number
  readonly node: number
  readonly offer: OfferReport
  readonly score: number
  readonly scores: Readonly<Record<string, number>>
  readonly because: Choice['because']
  /** How much more it costs per hour than the offer that ranks first. */
  readonly usd_above_first: number
  /** Requirements that could not be checked because the provider does not state the value. */
  readonly unknown: readonly string[]
  /** The manifest's image, if it is not used because the command runs as a program of the host. Left out: it is used. */
  readonly image_unused?: string | undefined
  /** Left out if it is rented, or owned as a whole machine. */
  readonly own?: OwnReport | undefined
}

export interface AskReport {
  readonly role?: string | undefined
  readonly replicas: number
  readonly nodes: number
  readonly placed: number
  readonly shortage?: AskPlan['shortage'] | undefined
  readonly fitting: number
  readonly refused: readonly ReasonReport[]
  readonly providers: readonly ProviderReport[]
  /** Providers earlier in the fallback order, and what excluded them. */
  readonly passed_on: readonly PassedOn[]
  readonly passed_over: readonly PassedReport[]
  readonly nearest: readonly NearestReport[]
  readonly relaxations: readonly RelaxationReport[]
  readonly conflict?: readonly { readonly requirement: string; readonly offers: number }[] | undefined
  /** How close together the nodes of a gang must be; left out: it is no gang, or they may be anywhere. */
  readonly within?: string | undefined
  /** Fleets that could serve but have no room; left out: none. */
  readonly waits?: readonly WaitReport[] | undefined
  /** Room that stays free for more replicas; left out: none is requested, or there is no fleet to keep it in. */
  readonly reserve?: ReserveReport | undefined
}

interface ReserveReport {
  /** For how many replicas. */
  readonly wanted: number
  readonly kept: readonly OwnReport[]
}

export interface ReasonReport {
  readonly code: string
  readonly requirement: string
  readonly wanted: string
  /** Continues "turned down because it is ...". */
  readonly because: string
  /** Offers counted under this reason first, and offers that have it among their reasons. */
  readonly offers: number
  readonly all: number
  readonly cheapest_usd_per_hour?: number | undefined
  readonly waiting: 'helps' | 'never' | 'policy'
  readonly seen_at_ms?: number | undefined
}

interface ProviderReport {
  readonly provider: string
  readonly fitting: number
  readonly refused: number
  /** The requirement that turns down most of its offers. */
  readonly mostly?: string | undefined
}

interface PassedReport {
  readonly offer: OfferReport
  readonly score: number
  /** The price at which it would have won; undefined: it would not win at any price. */
  readonly would_win_at_usd?: number | undefined
  readonly tier: number
}

interface NearestReport {
  readonly offer: OfferReport
  readonly code: string
  readonly wanted: string
  readonly found?: string | undefined
}

export interface RelaxationReport {
  readonly role?: string | undefined
  /** Dotted key in the manifest, or `policy.…` for the platform's side. */
  readonly key: string
  readonly from: string
  readonly to: string
  readonly offers: number
  readonly usd_per_hour: number
  /** What to know before making the change; left out: nothing. */
  readonly note?: string | undefined
}

const NEAREST = 5

export function report(plan: Plan): PlanReport {
  const explained = explain(plan)
  const asks = plan.asks.map((ask, index) => reportAsk(ask, must(explained[index], 'each ask is explained'), plan))
  const chosen = plan.asks.flatMap((ask) => ask.choices.flatMap((choice) => reportChoice(choice, ask, plan)))
  return {
    workload: plan.workload,
    policy: reportPolicy(plan.policy),
    fits: plan.fits,
    usd_per_hour: money(chosen.reduce((sum, { offer }) => sum + (offer.usd_per_hour ?? 0), 0)),
    offers: { looked_at: offerCount(plan), version: plan.snapshot.version },
    chosen,
    refused: sumByCode(asks),
    relaxations: asks.flatMap((ask) => ask.relaxations),
    asks,
    ...(plan.held && { held: { code: plan.held.code, text: heldText(plan.held) } }),
  }
}

function reportPolicy({ name, objective, spot, fallback }: Policy): PlanReport['policy'] {
  return { name, objective, spot, fallback: fallback.length > 0 }
}

function reportAsk(ask: AskPlan, explained: AskExplanation, plan: Plan): AskReport {
  const { role, replicas, need } = ask.ask
  return {
    role,
    replicas,
    nodes: need.nodes,
    placed: ask.choices.length,
    shortage: ask.shortage,
    fitting: fitCount(ask),
    refused: reasonsOf(ask, plan),
    providers: reportProviders(ask, plan),
    passed_on: passedOn(ask, plan),
    passed_over: explained.runnersUp.map((standing) => reportPassed(standing, ask, plan)),
    nearest: nearestMisses(ask, plan),
    relaxations: explained.relaxations.map(({ key, from, to, offers, usdPerHour, note }) => ({
      role,
      key: keyFor(key, role, plan.policy),
      from,
      to,
      offers,
      usd_per_hour: money(usdPerHour),
      ...(note !== undefined && { note }),
    })),
    conflict: explained.conflict?.parts.map((part) => ({ requirement: part.filter, offers: part.offers })),
    ...aboutFleets(ask, explained.waits, plan),
  }
}

/** Where the policy leaves the terms of sale to the workload, the manifest can change them. */
function keyFor(key: string, role: string | undefined, { spot }: Policy): string {
  if (key === 'policy.spot' && (spot === 'asked' || spot === 'allowed')) return 'spot'
  return role === undefined || /^(?:policy|project)\./.test(key) ? key : `roles.${role}.${key}`
}

function aboutFleets(
  { ask, reserve }: AskPlan,
  waits: AskExplanation['waits'],
  { snapshot }: Plan,
): Partial<AskReport> {
  const { fleets } = snapshot
  const { nodes, within } = ask.need
  return {
    ...(fleets.length > 0 && nodes > 1 && within !== undefined && { within }),
    ...(waits.length > 0 && { waits: waits.map((wait) => reportWait(wait, fleets)) }),
    ...(reserve !== undefined && {
      reserve: { wanted: reserve.wanted, kept: reserve.kept.map((place) => reportOwn(place, undefined, fleets)) },
    }),
  }
}

/** One entry per machine: a replica of two nodes takes two. */
function reportChoice(choice: Choice, ask: AskPlan, plan: Plan): readonly ChosenReport[] {
  const { own, standing } = choice
  if (own === undefined) {
    const entry = reportMachine(standing, choice, { ask, plan })
    return Array.from({ length: ask.ask.need.nodes }, (_, node) => ({ ...entry, node }))
  }
  return own.places.map((place, node) => ({
    ...reportMachine(place.standing, choice, { ask, plan }),
    node,
    own: reportOwn(place, own.domain, plan.snapshot.fleets),
  }))
}

interface Asked {
  readonly ask: AskPlan
  readonly plan: Plan
}

function reportMachine(standing: RankedOffer, choice: Choice, { ask, plan }: Asked): Omit<ChosenReport, 'node'> {
  const { replica, because } = choice
  const listing = listingAt(plan.snapshot, standing.row)
  const first = ask.choices[0]?.standing ?? standing
  return {
    role: ask.ask.role,
    replica: ask.ask.numbers?.[replica] ?? replica,
    offer: describeOffer(listing, {
      usdPerHour: standing.usdPerHour,
      terms: termsOf(listing.price, ask.judgement.need.market),
    }),
    score: standing.score,
    scores: scoresOf(plan.snapshot, ask.ranking, standing),
    because,
    usd_above_first: money(standing.usdPerHour - first.usdPerHour),
    unknown: unknownsOf(listing, ask.judgement),
    ...(plan.image !== undefined && isImageless(listing) && { image_unused: plan.image }),
  }
}

/** Whether its provider runs a program of the host and ignores the image. */
export function isImageless({ site }: Listing): boolean {
  return site.lacks?.includes('images') === true
}

/** Why offers were turned down for an ask. */
export function reasonsOf({ judgement, tally }: AskPlan, plan: Plan): readonly ReasonReport[] {
  return countReasons(plan.snapshot, judgement, tally).map((reason) => reportReason(reason, plan))
}

function reportReason(count: ReasonCount, plan: Plan): ReasonReport {
  const doc = must(REASONS[count.code], `reason ${count.code} is in the catalogue`)
  const { clears } = doc
  return {
    code: count.code,
    requirement: count.filter.name,
    wanted: count.reason.wanted,
    because: doc.summary(count.reason),
    offers: count.first,
    all: count.all,
    cheapest_usd_per_hour: Number.isNaN(count.usdPerHour) ? undefined : money(count.usdPerHour),
    waiting: clears === 'capacity' || clears === 'time' ? 'helps' : clears,
    seen_at_ms: clears === 'capacity' || clears === 'time' ? seenAt(count.row, plan) : undefined,
  }
}

function seenAt(row: number | undefined, plan: Plan): number | undefined {
  return row === undefined ? undefined : listingAt(plan.snapshot, row).state.seenAtMs
}

function reportProviders(ask: AskPlan, plan: Plan): readonly ProviderReport[] {
  const rows = countProviders(plan.snapshot, ask.judgement, ask.tally).map(
    ({ provider, fitting, refused, mostly }) => ({
      provider,
      fitting,
      refused,
      mostly: mostly?.name,
    }),
  )
  return rows.sort(
    (one, two) => two.fitting - one.fitting || two.refused - one.refused || (one.provider < two.provider ? -1 : 1),
  )
}

function reportPassed(standing: RankedOffer, ask: AskPlan, plan: Plan): PassedReport {
  const listing = listingAt(plan.snapshot, standing.row)
  const winner = ask.choices[0]?.standing ?? standing
  const price = winningPrice(ask.ranking, { winner, loser: standing })
  return {
    offer: describeOffer(listing, {
      usdPerHour: standing.usdPerHour,
      terms: termsOf(listing.price, ask.judgement.need.market),
    }),
    score: standing.score,
    would_win_at_usd: price === undefined ? undefined : money(price),
    tier: standing.tier,
  }
}

/** Offers that fail a single requirement: the nearest for each requirement, nearest first; of equals, the cheaper one. */
function nearestMisses(ask: AskPlan, plan: Plan): readonly NearestReport[] {
  const { judgement, tally } = ask
  const best = new Map<string, Miss>()
  const shadows = shadowsOf(plan.snapshot, judgement)
  for (const band of tally.near) {
    const [filter, another] = failing(band)
    if (filter === undefined || another !== undefined) continue
    let position = band.from
    while (position < band.to && shadows.has(at(tally.order.rows, position))) position++
    if (position === band.to) continue
    const spot = { snapshot: plan.snapshot, group: band.group, row: at(tally.order.rows, position) }
    const miss = { position, share: missOf(filter, spot, judgement) }
    const known = best.get(filter.name)
    if (known === undefined || isNearer(miss, known, tally)) best.set(filter.name, miss)
  }
  return [...best.values()]
    .sort((one, two) => (isNearer(one, two, tally) ? -1 : isNearer(two, one, tally) ? 1 : one.position - two.position))
    .slice(0, NEAREST)
    .map(({ position }) => reportNearest(position, ask, { plan, judgement }))
}

/** An offer by its position in the price order, and how far it is from the request. */
interface Miss {
  readonly position: number
  readonly share: number
}

function isNearer(one: Miss, two: Miss, tally: Tally): boolean {
  return one.share === two.share ? isCheaper(one.position, two.position, tally) : one.share < two.share
}

function reportNearest(
  position: number,
  { tally }: AskPlan,
  { plan, judgement }: { plan: Plan; judgement: Judgement },
): NearestReport {
  const listing = listingAt(plan.snapshot, at(tally.order.rows, position))
  const { code, wanted, found } = must(failuresOf(listing, judgement)[0], 'a near miss misses something').reason
  const price = at(tally.order.usdPerHour, position)
  const sale = {
    usdPerHour: Number.isNaN(price) ? undefined : price,
    terms: termsOf(listing.price, judgement.need.market),
  }
  return { offer: describeOffer(listing, sale), code, wanted, found }
}

/** NaN, not sold on these terms, counts as more expensive than any price. */
function isCheaper(one: number, two: number, { order }: Tally): boolean {
  const [first, second] = [at(order.usdPerHour, one), at(order.usdPerHour, two)]
  return first < second || (Number.isNaN(second) && !Number.isNaN(first))
}

function sumByCode(asks: readonly AskReport[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const { refused } of asks) {
    for (const { code, offers } of refused) if (offers > 0) sums[code] = (sums[code] ?? 0) + offers
  }
  return sums
}

/** Sums of prices carry rounding errors far below a cent. */
function money(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
