import type { Refusal } from '../offer/offer.ts'

/** The classes of provider faults, in words. */
export const FAULT_WORDS = {
  SOLD_OUT: 'sold out',
  OFFER_GONE: 'no longer offered at this price',
  NO_MATCHING_SHAPE: 'has no machine of this shape',
  QUOTA: 'the account’s quota is used up',
  BILLING: 'the account cannot be billed',
  AUTH: 'the credential was not accepted',
  BAD_REQUEST: 'the request is invalid',
  RATE_LIMIT: 'its rate limit is reached',
  TRANSIENT: 'a temporary fault on its side',
  AMBIGUOUS: 'no clear answer',
} as const

/** Why a placement leaves, in words. */
export const LEAVING_WORDS = {
  refused: 'refused by the provider',
  absent: 'it was never started',
  exited: 'it ended by itself',
  died: 'its instance is gone',
  preempted: 'the provider preempted it',
  unhealthy: 'it failed its health check',
  'scaled-down': 'fewer replicas are wanted',
  stopped: 'stopped by its user',
  removed: 'removed by its user',
  replaced: 'it makes way for a new attempt',
  drained: 'its provider is being drained',
  outage: 'its provider did not answer, and its successor took over',
  withdrawn: 'what is wanted changed before it took over',
  surplus: 'another attempt of its slot serves',
  gang: 'another node of its gang is gone',
  'too-expensive': 'it costs more than its limit',
  'too-long': 'it reached its time limit',
  late: 'it took too long to start',
  finished: 'it ran to its end',
  over: 'the workload has ended',
} as const

/** The words for a fault class, a cause of leaving or a waiting code; anything else is returned as it is. */
export function reasonWords(code: string): string {
  return Object.hasOwn(WORDS, code) ? (WORDS[code] ?? code) : code
}

/** Why a place is not asked for a while. */
const REFUSAL_WORDS: Readonly<Record<Refusal['why'], string>> = {
  'sold-out': FAULT_WORDS.SOLD_OUT,
  quota: FAULT_WORDS.QUOTA,
  fault: FAULT_WORDS.TRANSIENT,
}

/** Waiting codes that are not reasons of a plan. */
const WAITING_WORDS = {
  QUOTA_PROJECT: 'the project’s quota of GPUs is used up',
  BUDGET_PROJECT: 'the project’s budget per hour is used up',
  PRICE_NOT_AGREED: 'it would cost more than was agreed',
  PLAN_STALE: 'what was planned is no longer available',
  BACKOFF: 'it failed and will be tried again later',
} as const

const WORDS: Readonly<Record<string, string>> = {
  ...FAULT_WORDS,
  ...LEAVING_WORDS,
  ...WAITING_WORDS,
  ...REFUSAL_WORDS,
}

/** Where something is: `north/north-1`. */
export function placeWords(provider: string, region: string): string {
  return region === provider || region === '' ? provider : `${provider}/${region}`
}

/** The parts that say something, as one text. */
export function joinWords(parts: readonly (string | undefined)[], between: string): string {
  return parts.filter((part) => part !== undefined && part !== '').join(between)
}
