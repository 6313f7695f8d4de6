import {
  exactQuestion,
  hintsFrom,
  placesIn,
  workIn,
  type ExactQuestion,
  type NotExact,
} from '../core/place/own/exact.ts'
import type { OwnHints } from '../core/place/own/hint.ts'
import { must } from '../core/base/assert.ts'
import { place, type PlaceInput } from '../core/place/place.ts'
import type { Plan } from '../core/place/plan.ts'
import type { Solver } from '../ports/solver.ts'
import { optimalSpots, type Optimal } from './optimal.ts'

/** The result of an exact plan, as scripts see it. */
export interface ExactReport {
  /**
   * `better`: the plan is the solver's. In all other cases it is the engine's. `same`: the solver knows no better one.
   * `kept`: the solver's answer breaks a rule that it does not know, or the whole plan would not fit or would cost more. The
   * rest: it was not solved at all.
   */
  readonly result: 'better' | 'same' | 'kept' | 'too-large' | 'out-of-time' | 'not-tried'
  readonly why?: NotExact['why']
  /** Whether it is proven that no plan places more on the nodes of the fleet. */
  readonly proven: boolean
  /** Of the replicas that the fleet may serve, how many have a place. */
  readonly replicas?: { readonly placed: number; readonly wanted: number }
  /** Work in the fleet, in cards: in the engine's plan, in this one, and the upper bound. */
  readonly cards?: { readonly engine: number; readonly placed: number; readonly most: number | undefined }
  /** Larger programs are not started; left out: it was not too large. */
  readonly variables_max?: number
}

export interface ExactPlan {
  readonly plan: Plan
  readonly report: ExactReport
  /** What the plan was decided with in addition to its input; undefined: nothing, it is the engine's own. */
  readonly hints: OwnHints | undefined
}

export interface Exactness {
  readonly solver: Solver
  readonly limitMs: number
  readonly signal?: AbortSignal
}

/** Decides about one workload, and decides again if a solver finds room for more in the fleet than the engine did. */
export async function exactPlan(engine: Plan, input: PlaceInput, exactness: Exactness): Promise<ExactPlan> {
  const question = exactQuestion(engine)
  if (question.kind === 'not-exact') {
    return { plan: engine, report: { result: 'not-tried', why: question.why, proven: false }, hints: undefined }
  }
  const { solver, ...limits } = exactness
  const found = await optimalSpots(question.problem, solver, { ...limits, start: placesIn(engine, question) })
  const kept = (result: ExactReport['result']): ExactPlan => ({
    plan: engine,
    report: reportOf({ question, engine, plan: engine, found }, result),
    hints: undefined,
  })
  if (found.kind === 'too-large') return kept('too-large')
  if (found.kind !== 'planned') return kept('out-of-time')
  if (found.work <= workIn(engine, question)) return kept('same')
  const hints = hintsFrom(found.places, question)
  const plan = must(
    place({ ...input, workloads: input.workloads.map((one) => ({ ...one, hints })) })[0],
    'one workload',
  )
  if (!isBetter(plan, engine, question)) return kept('kept')
  return { plan, report: reportOf({ question, engine, plan, found }, 'better'), hints }
}

/** More work in the fleet, and nothing that had a place before loses it or costs more. */
function isBetter(plan: Plan, engine: Plan, question: ExactQuestion): boolean {
  if (workIn(plan, question) <= workIn(engine, question)) return false
  return !engine.fits || (plan.fits && usdPerHour(plan) <= usdPerHour(engine))
}

function usdPerHour({ asks }: Plan): number {
  const prices = asks.flatMap(({ ask, choices }) =>
    choices.map(({ standing, own }) =>
      own === undefined
        ? standing.usdPerHour * ask.need.nodes
        : own.places.reduce((sum, place) => sum + place.standing.usdPerHour, 0),
    ),
  )
  // Sums of prices carry rounding errors far below a cent.
  return Math.round(1e6 * prices.reduce((sum, price) => sum + price, 0))
}

interface Answered {
  readonly question: ExactQuestion
  readonly engine: Plan
  readonly plan: Plan
  readonly found: Optimal
}

function reportOf({ question, engine, plan, found }: Answered, result: ExactReport['result']): ExactReport {
  const places = placesIn(plan, question)
  const work = workIn(plan, question)
  const most = found.kind === 'planned' ? found.workBound : undefined
  return {
    result,
    proven: most !== undefined && work >= most,
    replicas: { placed: places.filter((spots) => spots !== undefined).length, wanted: places.length },
    cards: { engine: workIn(engine, question) / 1000, placed: work / 1000, most: most && most / 1000 },
    ...(found.kind === 'too-large' && { variables_max: found.variablesMax }),
  }
}
