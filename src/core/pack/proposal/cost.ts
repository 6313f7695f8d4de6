import type { Tenant } from '../../fleet/fleet.ts'
import type { CardRules } from './card-rules.ts'

/**
 * What it costs to stop work and start it again, here or elsewhere.
 *
 * - Training loses what it did since its last checkpoint: seconds times the cards it holds. A share or a slice counts as its
 *   part of a card. Without cards, cores are counted instead, at `CARDS_PER_CORE`.
 * - Training without a checkpoint would lose everything, an unknown amount. It has no cost, because it is never stopped
 *   (`mayStop`).
 * - Inference loses nothing that cannot be requested again.
 * - Each restart has a further cost: an image to pull, weights to load, callers to redirect. That is
 *   `RESTART_GPU_SECONDS`, the same for all work, so that of two ways that lose the same work, the one with fewer
 *   restarts is cheaper.
 */
export interface Cost {
  /** Work that has to be repeated, in seconds of one card. */
  readonly lostGpuSeconds: number
  readonly restarts: number
}

export const NO_COST: Cost = { lostGpuSeconds: 0, restarts: 0 }

/** The cost of one restart, whatever is restarted. */
export const RESTART_GPU_SECONDS = 60

/** Rented separately, a core costs about a sixty-fourth of a card. */
const CARDS_PER_CORE = 1 / 64

/** Whether stopping it may be proposed at all. */
export function mayStop({ restart, checkpointAgeS }: Pick<Tenant, 'restart' | 'checkpointAgeS'>): boolean {
  return restart === 'inference' || checkpointAgeS !== undefined
}

/** What is lost when this stops and starts again. It must be allowed to stop. */
export function costOf(tenant: Tenant, shareOf: ShareOf): Cost {
  if (tenant.restart === 'inference') return { lostGpuSeconds: 0, restarts: 1 }
  return { lostGpuSeconds: (tenant.checkpointAgeS ?? Infinity) * cardsOf(tenant, shareOf), restarts: 1 }
}

/** How much of a card a slice takes, see CardRules; the model is that of the tenant's node. */
export type ShareOf = (slice: Parameters<CardRules['shareOf']>[1]) => number

/** How many cards a tenant holds; parts of a card count as fractions. */
function cardsOf({ request, spot }: Pick<Tenant, 'request' | 'spot'>, shareOf: ShareOf): number {
  const { cards, taken } = spot
  if (cards.length === 0) return (request.cpuMilli / 1000) * CARDS_PER_CORE
  if (taken === undefined) return cards.length
  return cards.length * (taken.kind === 'share' ? taken.milli / 1000 : shareOf(taken))
}

/** All of them together. */
export function addCosts(costs: readonly Cost[]): Cost {
  return costs.reduce(
    (sum, cost) => ({
      lostGpuSeconds: sum.lostGpuSeconds + cost.lostGpuSeconds,
      restarts: sum.restarts + cost.restarts,
    }),
    NO_COST,
  )
}

/**
 * One number to compare costs by, in thousandths of a GPU-second. It is whole, so that sums do not depend on the order of
 * addition, and above 0 for everything that disturbs a tenant.
 */
export function priceOf({ lostGpuSeconds, restarts }: Cost): number {
  return Math.round(1000 * (lostGpuSeconds + restarts * RESTART_GPU_SECONDS))
}
