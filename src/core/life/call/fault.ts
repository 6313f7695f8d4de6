/** Ten ways in which a provider says no. What it wrote itself goes along as text, for people. */
export type FaultClass =
  | 'SOLD_OUT'
  | 'OFFER_GONE'
  | 'NO_MATCHING_SHAPE'
  | 'QUOTA'
  | 'BILLING'
  | 'AUTH'
  | 'BAD_REQUEST'
  | 'RATE_LIMIT'
  | 'TRANSIENT'
  | 'AMBIGUOUS'

export interface Fault {
  readonly class: FaultClass
  /** As the provider put it, at most 500 characters, scrubbed of secrets. */
  readonly message: string
  /** What else will be refused the same way; left out: the class's own scope. */
  readonly scope?: FaultScope
  /** For how long; left out: the class's own. */
  readonly ttlMs?: number
  /** RATE_LIMIT: when to come back. */
  readonly retryAfterMs?: number
}

/** How far a refusal reaches: this kind of machine in this region, all regions of it, all of the provider. */
type FaultScope = 'offer' | 'region' | 'instance' | 'provider' | 'none'

export interface FaultRule {
  /** What happens to the attempt: it is over, it is repeated later, or nobody knows what became of it. */
  readonly outcome: 'refused' | 'throttled' | 'unknown'
  /** Whether something may exist, and cost money, after it. */
  readonly created: 'no' | 'maybe'
  readonly scope: FaultScope
  readonly ttlMs: number
  /** For plans: as offers remember it. */
  readonly why: 'sold-out' | 'quota' | 'fault'
  /** Whether another place may still take the workload; otherwise the workload itself is wrong. */
  readonly elsewhere: boolean
}

const MINUTE_MS = 60_000

/** Text that nobody knows is TRANSIENT, never SOLD_OUT. Whatever is thrown, garbled or late after a create is AMBIGUOUS. */
export const FAULTS: Readonly<Record<FaultClass, FaultRule>> = {
  SOLD_OUT: {
    outcome: 'refused',
    created: 'no',
    scope: 'offer',
    ttlMs: 3 * MINUTE_MS,
    why: 'sold-out',
    elsewhere: true,
  },
  OFFER_GONE: {
    outcome: 'refused',
    created: 'no',
    scope: 'offer',
    ttlMs: 10 * MINUTE_MS,
    why: 'sold-out',
    elsewhere: true,
  },
  NO_MATCHING_SHAPE: {
    outcome: 'refused',
    created: 'no',
    scope: 'offer',
    ttlMs: 10 * MINUTE_MS,
    why: 'fault',
    elsewhere: true,
  },
  QUOTA: { outcome: 'refused', created: 'no', scope: 'region', ttlMs: 10 * MINUTE_MS, why: 'quota', elsewhere: true },
  BILLING: {
    outcome: 'refused',
    created: 'no',
    scope: 'provider',
    ttlMs: 15 * MINUTE_MS,
    why: 'fault',
    elsewhere: true,
  },
  AUTH: { outcome: 'refused', created: 'no', scope: 'provider', ttlMs: 5 * MINUTE_MS, why: 'fault', elsewhere: true },
  BAD_REQUEST: { outcome: 'refused', created: 'no', scope: 'none', ttlMs: 0, why: 'fault', elsewhere: false },
  RATE_LIMIT: { outcome: 'throttled', created: 'no', scope: 'none', ttlMs: 0, why: 'fault', elsewhere: true },
  TRANSIENT: { outcome: 'refused', created: 'no', scope: 'offer', ttlMs: MINUTE_MS, why: 'fault', elsewhere: true },
  AMBIGUOUS: { outcome: 'unknown', created: 'maybe', scope: 'offer', ttlMs: MINUTE_MS, why: 'fault', elsewhere: true },
}
