import type { Choice } from '../choose.ts'
import { runnersUp } from '../choose.ts'
import { OwnAsk } from '../own/ask.ts'
import { OwnRows } from '../own/rows.ts'
import { waitsOf, type FleetWait } from '../own/wait.ts'
import { decideAgain } from '../place.ts'
import type { AskPlan, Plan } from '../plan.ts'
import type { RankedOffer } from '../rank.ts'
import { conflict, type Conflict } from './conflict.ts'
import { relaxations, type Relaxation } from './loosen.ts'

/** What the evidence of a plan says about one of its asks. */
export interface AskExplanation {
  /** The best offers that fit and were not chosen. */
  readonly runnersUp: readonly RankedOffer[]
  readonly relaxations: readonly Relaxation[]
  readonly conflict: Conflict | undefined
  /** Fleets that could serve but have no room. */
  readonly waits: readonly FleetWait[]
}

const RUNNERS_UP = 5

/**
 * Makes sense of the evidence: what else would have done, and what would have helped. It takes as long as the decision itself,
 * so it is for those who read it; nothing that places work calls it.
 */
export function explain(plan: Plan): readonly AskExplanation[] {
  const { snapshot } = plan
  const waits = fleetWaits(plan)
  return plan.asks.map((ask, index) => ({
    runnersUp: passedOver(ask, plan, RUNNERS_UP),
    relaxations: relaxations(snapshot, ask.judgement, ask.tally),
    conflict: conflict(snapshot, ask.judgement, ask.tally),
    waits: waits[index] ?? [],
  }))
}

/** The best offers that fit an ask and were not chosen. A node of a fleet that is full by now is none, whatever was offered. */
export function passedOver(
  { ask: { need }, choices, tally, ranking }: AskPlan,
  { workload, snapshot }: Plan,
  most: number,
): readonly RankedOffer[] {
  const question = { name: workload, need, tally, ranking }
  const own = snapshot.fleets.length === 0 ? undefined : new OwnAsk(new OwnRows(snapshot), question)
  return runnersUp(choices, { snapshot, tally, ranking, taken: new Map(), own }, most)
}

/** Why fleets had no room, ask by ask. The fleets have changed since, so the decision is made once more to see it. */
export function fleetWaits({ snapshot, decided, asks }: Plan): readonly (readonly FleetWait[])[] {
  const isServed = ({ ask, choices }: AskPlan): boolean => ownCount(choices) >= ask.replicas
  if (snapshot.fleets.length === 0 || asks.every(isServed)) return []
  const waits: (readonly FleetWait[])[] = []
  decideAgain(snapshot, decided, (own, choices, ask) => void waits.push(waitsOf(own, choices, ask.replicas)))
  return waits
}

function ownCount(choices: readonly Choice[]): number {
  return choices.filter(({ own }) => own !== undefined).length
}
