import type { ErrorDoc } from '../core/base/error-doc.ts'

/** Why accepted work waits for a place, in addition to the reasons of plans. */
export const WAITING_ERRORS = {
  QUOTA_PROJECT: {
    title: 'the project has reached its GPU limit',
    why: 'Everything that runs or may run counts, including launches of unknown outcome.',
    fix: 'Stop something in the project, or ask the platform team to raise the limit with `berth project set NAME --gpus N`, or `max_gpus` in the infrastructure file if the project is defined there.',
  },
  BUDGET_PROJECT: {
    title: 'the project has reached its budget',
    why: 'Everything that runs or may run counts at its price, including launches of unknown outcome.',
    fix: 'Stop something in the project, or ask the platform team to raise it with `berth project set NAME --usd-per-hour N`, or `max_usd_per_hour` in the infrastructure file if the project is defined there.',
  },
  PRICE_NOT_AGREED: {
    title: 'it would cost more than was agreed',
    why: 'The price that was shown when the workload was applied is what its user agreed to. A place that costs more than that and the tolerance (5% unless `--price-tolerance` says otherwise) is not taken, neither for one replica nor for all of them together.',
    fix: 'Apply the manifest again: the plan shows the price of today, and confirming it agrees to that price. `--price-tolerance 30%` agrees to more in advance, and `--max-price 4.50` to a price per hour. Or wait until it is cheaper again.',
  },
  PLAN_STALE: {
    title: 'the plan no longer holds',
    why: 'A given plan is placed exactly or not at all, and one of its places is now gone, more expensive or refused.',
    fix: 'Plan again and apply the new plan, or apply the manifest without one.',
  },
  BACKOFF: {
    title: 'it failed and will be tried again later',
    why: 'The work ended by itself, or the provider called its request invalid. It is started again after a delay that doubles each time.',
    fix: 'See `berth logs NAME` and `berth events NAME`. Applying a change starts it again at once.',
  },
  SPREAD: {
    title: 'no second place for the spread',
    why: 'The replicas must be spread, and only one provider, region or zone has room.',
    fix: 'Wait, or loosen `spread` in the manifest.',
  },
  NOT_ENOUGH_LEFT: {
    title: 'too little capacity left',
    why: 'Some replicas have a place, and no more suitable capacity is available now.',
    fix: 'Wait, ask for fewer replicas, or loosen their requirements; `berth explain NAME` says which.',
  },
  NO_OFFERS: {
    title: 'no offers now',
    why: 'No provider that accepts work has returned an offer.',
    fix: 'Check `berth provider ls`: a provider may be unreachable, cordoned or drained. Or add one.',
  },
} as const satisfies Record<string, ErrorDoc>
