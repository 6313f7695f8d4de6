import type { ErrorDoc } from '../core/base/error-doc.ts'

/** Why work that was accepted has no place, beside the reasons of plans. */
export const WAITING_ERRORS = {
  QUOTA_PROJECT: {
    title: 'the project has all the GPUs it may have',
    why: 'Everything that is or may be running counts, launches of unknown outcome included.',
    fix: 'Stop something of the project, or let the platform team raise the limit with `berth project set NAME --gpus N`.',
  },
  BUDGET_PROJECT: {
    title: 'the project spends all it may spend',
    why: 'Everything that is or may be running counts at its price, launches of unknown outcome included.',
    fix: 'Stop something of the project, or let the platform team raise it with `berth project set NAME --usd-per-hour N`.',
  },
  PLAN_STALE: {
    title: 'the plan no longer holds',
    why: 'A plan that was given is bound exactly or not at all, and one of its places is gone, dearer or refused by now.',
    fix: 'Plan again and apply the new plan, or apply the manifest without one.',
  },
  BACKOFF: {
    title: 'it failed and is tried again later',
    why: 'The work ended by itself, or its order was called wrong. It is started again after a while that doubles each time.',
    fix: 'Look at berth logs NAME and berth events NAME; applying a change starts it again at once.',
  },
  SPREAD: {
    title: 'no second place to spread to',
    why: 'Replicas are to be spread, and only one provider, region or zone has room.',
    fix: 'Wait, or loosen `spread` in the manifest.',
  },
  NOT_ENOUGH_LEFT: {
    title: 'not enough is left of what fits',
    why: 'Some replicas have their place, and no more of what fits can be had now.',
    fix: 'Wait, ask for fewer replicas, or loosen what they need: berth explain NAME says by what.',
  },
  NO_OFFERS: {
    title: 'nobody offers anything now',
    why: 'No provider that takes work has answered with an offer.',
    fix: 'Look at berth provider ls: one may be unreachable, cordoned or drained; or add one.',
  },
} as const satisfies Record<string, ErrorDoc>
