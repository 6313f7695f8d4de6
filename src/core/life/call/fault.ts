/** Ten ways in which a provider refuses or fails. The provider's own text goes along, for people. */
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
  /** What else will be refused the same way; left out: the scope of the class. */
  readonly scope?: FaultScope
  /** How long the refusal lasts; left out: the duration of the class. */
  readonly ttlMs?: number
  /** RATE_LIMIT: when to come back. */
  readonly retryAfterMs?: number
  /**
   * Launches: whether something exists, or may exist, although the order was refused; left out: as usual for the class. What
   * was left behind is ended before the slot is placed again.
   */
  readonly created?: Created
  /** What was left behind, by the provider's name for it. */
  readonly instance?: string
}

/** Whether something was created: a fact of its own, because clouds refuse orders and still leave something behind. */
export type Created = 'no' | 'maybe' | 'yes'

/** How far a refusal reaches: this kind of machine in this region, this kind in all regions, or all of the provider. */
type FaultScope = 'offer' | 'region' | 'instance' | 'provider' | 'none'

export interface FaultRule {
  /** What happens to the attempt: it is over, it is repeated later, or its outcome is unknown. */
  readonly outcome: 'refused' | 'throttled' | 'unknown'
  /** Whether something may exist, and cost money, after it, if the fault does not say. */
  readonly created: Exclude<Created, 'yes'>
  readonly scope: FaultScope
  readonly ttlMs: number
  /** How plans remember the refusal. */
  readonly why: 'sold-out' | 'quota' | 'fault'
  /** Whether another place may still take the workload. If not, the workload itself is invalid. */
  readonly elsewhere: boolean
}

const MINUTE_MS = 60_000

/** Unrecognised text is TRANSIENT, never SOLD_OUT. Anything thrown, garbled or late after a create is AMBIGUOUS. */
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

/** Whether something was created. After an outcome that is unknown, `no` is not believed. */
export function createdBy({ class: name, created }: Fault): Created {
  const rule = FAULTS[name]
  if (rule.outcome === 'unknown' && created === 'no') return rule.created
  return created ?? rule.created
}
