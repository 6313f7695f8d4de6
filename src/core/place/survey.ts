import type { Policy } from '../policy/policy.ts'
import type { Need } from '../requirement/need/need.ts'
import type { Groups, Snapshot } from '../offer/snapshot.ts'
import { judge, judgeAgain, type Judgement } from './judge.ts'
import { rank, type Ranking } from './rank.ts'
import { tally, type Tally } from './tally.ts'

/** What follows from the offers and a need alone, whatever is chosen: which offers fit, and how they rank. */
export interface Survey {
  readonly judgement: Judgement
  readonly tally: Tally
  readonly ranking: Ranking
}

export interface SurveyQuestion {
  readonly need: Need
  readonly policy: Policy
  readonly nowMs: number
}

/** Needs that are remembered for one snapshot. */
const NEEDS_KEPT = 64

/**
 * Surveys the offers of a snapshot. Workloads often have the same need, so the survey is kept with the offers, and only what
 * may change with time is looked at again: remembered refusals end.
 */
export function survey(snapshot: Snapshot, { need, policy, nowMs }: SurveyQuestion): Survey {
  const kept = KEPT.get(snapshot.groups) ?? new Map<string, Kept>()
  KEPT.set(snapshot.groups, kept)
  const key = JSON.stringify(need)
  const known = kept.get(key)
  const judgement = known === undefined ? judge(snapshot, need, nowMs) : judgeAgain(snapshot, known.judgement, nowMs)
  const isAsBefore = known !== undefined && isSame(known.judgement, judgement)
  const counted = isAsBefore ? known.tally : tally(snapshot, judgement)
  const rankings = isAsBefore && !fades(snapshot) ? known.rankings : new Map<string, Ranking>()
  const order = JSON.stringify(policy)
  const ranking = rankings.get(order) ?? rank(snapshot, policy, { judgement, tally: counted })
  rankings.set(order, ranking)
  if (!isAsBefore && kept.size >= NEEDS_KEPT) kept.clear()
  kept.set(key, { judgement, tally: counted, rankings })
  return { judgement, tally: counted, ranking }
}

/** By the groups of a snapshot, which two snapshots share if they differ only in what runs in fleets. */
const KEPT = new WeakMap<Groups, Map<string, Kept>>()

interface Kept {
  readonly judgement: Judgement
  readonly tally: Tally
  /** By policy. */
  readonly rankings: Map<string, Ranking>
}

function isSame(one: Judgement, two: Judgement): boolean {
  const isEqual = (first: Uint32Array, second: Uint32Array): boolean =>
    first === second || (first.length === second.length && first.every((bits, index) => bits === second[index]))
  return isEqual(one.sites, two.sites) && isEqual(one.states, two.states) && isEqual(one.machines, two.machines)
}

/** Whether scores change with time: a refusal counts less and less. */
function fades({ states }: Snapshot): boolean {
  return states.some(({ refusals }) => refusals > 0)
}
