import type { Spread } from '../manifest/manifest.ts'
import { DEFAULT_POLICY, type Policy } from '../policy/policy.ts'
import { NOW_MS, gpuNeed } from '../requirement/filter/facts.suite.ts'
import { must } from '../base/assert.ts'
import { oneOf } from '../requirement/need/choice.ts'
import type { Need } from '../requirement/need/need.ts'
import type { Offer, Refusal } from '../offer/offer.ts'
import { offer } from '../offer/offer.suite.ts'
import { freeze, listingAt, type Snapshot } from '../offer/snapshot.ts'
import { decide } from './decide.suite.ts'
import { explain, type AskExplanation } from './explain/explain.ts'
import type { Ask, AskPlan, Plan } from './plan.ts'

/** Any GPU, on demand. */
const ANY_GPU_ON_DEMAND: Need = { ...gpuNeed(), market: oneOf(['on-demand']) }

/** An offer with a short id. Offers that differ only in id and price form one group. */
export function sold(id: string, usdPerHour: number | undefined, change: Partial<Offer> = {}): Offer {
  return offer({ id, instance: id, zone: undefined, usdPerHour, spotUsdPerHour: undefined, ...change })
}

/** The part of a question that differs from asking for one machine of any kind. */
export interface Scene {
  readonly need?: Partial<Need>
  readonly policy?: Partial<Policy>
  readonly replicas?: number
  readonly spread?: Spread
  readonly role?: string
  readonly refusals?: readonly Refusal[]
}

export function planFor(capacity: readonly Offer[], ...scenes: readonly Scene[]): Plan {
  const asks = (scenes.length === 0 ? [{}] : scenes).map(askOf)
  const [first = {}] = scenes
  const policy = { ...DEFAULT_POLICY, ...first.policy }
  return decide(freeze(capacity, first.refusals), { workload: 'w', asks, policy, nowMs: NOW_MS })
}

/** The plan for the only ask, with its explanation. */
export function askPlanFor(
  capacity: readonly Offer[],
  scene: Scene = {},
): AskPlan & AskExplanation & { readonly snapshot: Snapshot } {
  const plan = planFor(capacity, scene)
  const explained = must(explain(plan)[0], 'one ask')
  return { ...must(plan.asks[0], 'one ask'), ...explained, snapshot: plan.snapshot }
}

export function idAt(snapshot: Snapshot, row: number): string {
  return listingAt(snapshot, row).id
}

function askOf({ need = {}, replicas = 1, spread = 'none', role }: Scene): Ask {
  return { role, need: { ...ANY_GPU_ON_DEMAND, ...need }, replicas, spread }
}
