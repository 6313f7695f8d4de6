import type { State } from './machine.ts'
import type { Offer, Refusal } from './offer.ts'

/** The current state of an offer, including the refusals that apply to it. */
export function stateOf(offer: Offer, refusals: readonly Refusal[]): State {
  const own = refusals.filter((refusal) => concerns(refusal, offer))
  const last = own.reduce<Refusal | undefined>(
    (best, next) => (best === undefined || isLater(next, best) ? next : best),
    undefined,
  )
  return {
    stock: offer.stock?.level,
    units: offer.stock?.units,
    seenAtMs: offer.stock?.seenAtMs,
    quotaLeft: offer.quotaLeft,
    health: offer.health,
    startSeconds: offer.startSeconds,
    reliability: offer.reliability,
    egressUsdPerGib: offer.egressUsdPerGib,
    refusedWhy: last?.why,
    refusedAtMs: last?.atMs,
    refusedUntilMs: last?.untilMs,
    refusals: own.length,
    ...(offer.quota !== undefined && { quota: offer.quota }),
  }
}

function concerns(refusal: Refusal, offer: Offer): boolean {
  return (
    refusal.provider === offer.provider &&
    (refusal.region === undefined || refusal.region === offer.region) &&
    (refusal.instance === undefined || refusal.instance === offer.instance)
  )
}

/** The refusal that lasts longest wins; ties go by time, then by kind, so that their order does not matter. */
function isLater(one: Refusal, two: Refusal): boolean {
  if (one.untilMs !== two.untilMs) return one.untilMs > two.untilMs
  if (one.atMs !== two.atMs) return one.atMs > two.atMs
  return one.why > two.why
}
