import type { Policy } from '../policy/policy.ts'
import { must } from '../base/assert.ts'
import { SCORES } from '../requirement/score/all-scores.ts'
import type { Candidate, Field, Score } from '../requirement/score/score.ts'
import { at, groupOf, listingAt, type Snapshot } from '../offer/snapshot.ts'
import type { Judgement } from './judge.ts'
import type { Band, Tally } from './tally.ts'

/** Ranks the offers that fit. Built once per decision. */
export interface Ranking {
  readonly field: Field
  readonly policy: Policy
  /** For the first offer of each band that fits, in the order of `tally.fits`. */
  readonly tiers: Uint32Array
  readonly scores: Float64Array
  /** How good the offer at a position of the price order is. */
  readonly standing: (band: Band, position: number) => RankedOffer
}

/** The rank of an offer: earlier provider first, then higher score, then lower price, then id. */
export interface RankedOffer {
  /** Position of its provider in the policy's fallback order. */
  readonly tier: number
  readonly score: number
  readonly usdPerHour: number
  readonly row: number
}

export function rank(
  snapshot: Snapshot,
  policy: Policy,
  { judgement, tally }: { judgement: Judgement; tally: Tally },
): Ranking {
  const { fits, order } = tally
  const field: Field = {
    need: judgement.need,
    usdPerHourMin: fits.reduce(
      (least, band) => Math.min(least, at(order.usdPerHour, band.from)),
      Number.POSITIVE_INFINITY,
    ),
    nowMs: judgement.nowMs,
  }
  const siteTiers = Uint32Array.from(snapshot.sites, (site) => tierOf(site.provider, policy))
  const weighed = weighedScores(policy)
  const tierIn = (band: Band): number => at(siteTiers, at(snapshot.groups.site, band.group))
  const scoreAt = (band: Band, position: number): number =>
    total(candidateAt(snapshot, band.group, at(order.usdPerHour, position)), field, weighed)
  return {
    field,
    policy,
    tiers: Uint32Array.from(fits, tierIn),
    scores: Float64Array.from(fits, (band) => scoreAt(band, band.from)),
    standing: (band, position) => ({
      tier: tierIn(band),
      score: scoreAt(band, position),
      usdPerHour: at(order.usdPerHour, position),
      row: at(order.rows, position),
    }),
  }
}

/** Negative if `one` ranks before `two`. Ids break ties, so the same offers give the same choice. */
export function compareStandings(one: RankedOffer, two: RankedOffer, snapshot: Snapshot): number {
  if (one.tier !== two.tier) return one.tier - two.tier
  if (one.score !== two.score) return two.score - one.score
  if (one.usdPerHour !== two.usdPerHour) return one.usdPerHour - two.usdPerHour
  if (one.row === two.row) return 0
  return listingAt(snapshot, one.row).id < listingAt(snapshot, two.row).id ? -1 : 1
}

/** Each score of one offer by name, and the weighted mean. */
export function scoresOf(
  snapshot: Snapshot,
  ranking: Ranking,
  standing: RankedOffer,
): Readonly<Record<string, number>> {
  const candidate = candidateAt(snapshot, groupOf(snapshot, standing.row), standing.usdPerHour)
  return Object.fromEntries(SCORES.map((score) => [score.name, score.of(candidate, ranking.field)]))
}

/**
 * The price at which `loser` would score as high as `winner`, all else equal; undefined: no price would do. Down to the
 * lowest price of all, only the loser's score changes. Below it, the loser's price also becomes the measure for the winner.
 */
export function winningPrice(
  ranking: Ranking,
  { winner, loser }: { winner: RankedOffer; loser: RankedOffer },
): number | undefined {
  const { policy, field } = ranking
  if (loser.tier > winner.tier) return undefined
  if (loser.tier < winner.tier || loser.score > winner.score) return loser.usdPerHour
  if (loser.score === winner.score) return Math.min(loser.usdPerHour, winner.usdPerHour)
  const priceWeight = Math.max(0, policy.weights['price'] ?? 0)
  if (priceWeight === 0) return undefined
  const behind = ((winner.score - loser.score) * weightSum(policy)) / priceWeight
  const wanted = priceScore(loser, field) + behind
  if (wanted <= 1) return field.usdPerHourMin / wanted
  const price = winner.usdPerHour * (1 - wanted + priceScore(winner, field))
  return price > 0 ? price : undefined
}

function priceScore({ usdPerHour }: RankedOffer, { usdPerHourMin }: Field): number {
  return usdPerHour <= 0 ? 1 : usdPerHourMin / usdPerHour
}

function candidateAt(snapshot: Snapshot, group: number, usdPerHour: number): Candidate {
  return {
    machine: must(snapshot.machines[at(snapshot.groups.machine, group)], 'a group has a machine'),
    state: must(snapshot.states[at(snapshot.groups.state, group)], 'a group has a state'),
    usdPerHour,
  }
}

/** The scores that count under a policy, with their weights. */
type Weighed = readonly (readonly [Score, number])[]

function weighedScores(policy: Policy): Weighed {
  const sum = weightSum(policy)
  return SCORES.flatMap((score) => {
    const weight = Math.max(0, policy.weights[score.name] ?? 0)
    return weight === 0 ? [] : [[score, weight / sum] as const]
  })
}

function total(candidate: Candidate, field: Field, weighed: Weighed): number {
  let sum = 0
  for (const [score, share] of weighed) sum += share * score.of(candidate, field)
  return sum
}

function weightSum(policy: Policy): number {
  return SCORES.reduce((sum, score) => sum + Math.max(0, policy.weights[score.name] ?? 0), 0)
}

/** Providers that the policy does not order share the last tier. */
function tierOf(provider: string, policy: Policy): number {
  const place = policy.fallback.indexOf(provider)
  return place < 0 ? policy.fallback.length : place
}
