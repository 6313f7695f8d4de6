import { buildModel, type Model } from '../core/pack/optimal/model.ts'
import { worthOf, worthPlaced, type Places, type PackingProblem } from '../core/pack/optimal/problem.ts'
import { lpText, nameOf } from '../core/pack/optimal/program.ts'
import { readPlaces } from '../core/pack/optimal/read.ts'
import { startValues } from '../core/pack/optimal/start.ts'
import type { Solved, Solver } from '../ports/solver.ts'

/** Larger programs are not started: few of them are solved in the time that a user waits for a plan. */
export const VARIABLES_MAX = 8000

export interface OptimalOptions {
  /** For all steps together. */
  readonly limitMs: number
  /** Places that are known already: the plan is at least as good, and found sooner. */
  readonly start?: Places
  readonly signal?: AbortSignal
}

/** The result of an exact plan. */
export type Optimal =
  | {
      readonly kind: 'planned'
      readonly places: Places
      /** The accepted work, in thousandths of cards. */
      readonly work: number
      /** No plan accepts more than this. */
      readonly workBound: number
      /** Whether it is proven that no plan accepts more, and that no plan that accepts as much leaves more cards whole. */
      readonly proven: { readonly work: boolean; readonly whole: boolean }
    }
  | { readonly kind: 'too-large'; readonly variablesMax: number }
  | { readonly kind: 'out-of-time' }
  | { readonly kind: 'aborted' }

/**
 * The most pending work that a fleet can take besides what runs, and of equally good plans the one that leaves the idle cards
 * most whole. When the time is up, it is the best plan so far, with what is proven.
 */
export async function optimalSpots(problem: PackingProblem, solver: Solver, options: OptimalOptions): Promise<Optimal> {
  const model = buildModel(problem, { variablesMax: VARIABLES_MAX })
  if (model.kind === 'too-large') return model
  if (model.work.length === 0) return planned(model, { values: new Map(), bound: 0, isProven: true, isWhole: true })
  const most = await mostWork(model, solver, options)
  if (most.kind !== 'solved') return most
  const limitMs = options.limitMs - most.tookMs
  if (!most.isProven || limitMs <= 0) return planned(model, { ...most, isWhole: false })
  const wholest = await mostWhole({ model, most }, solver, { ...options, limitMs })
  if (wholest.kind === 'aborted') return wholest
  if (wholest.kind === 'out-of-time') return planned(model, { ...most, isWhole: false })
  return planned(model, { ...most, values: wholest.values, isWhole: wholest.isProven })
}

type Found = Extract<Solved, { readonly kind: 'solved' }>

function mostWork(model: Model, solver: Solver, { limitMs, start, signal }: OptimalOptions): Promise<Solved> {
  return solver.solve(lpText(model.program, model.work), {
    limitMs,
    // A better answer is better by at least one unit.
    gap: { relative: 0, absolute: 0.99 * model.unit },
    ...(start && { start: startValues(model, start) }),
    ...(signal && { signal }),
  })
}

function mostWhole(
  { model, most }: { readonly model: Model; readonly most: Found },
  solver: Solver,
  { limitMs, start, signal }: OptimalOptions,
): Promise<Solved> {
  const work = Math.round(most.objective)
  const isAsGood = start !== undefined && worthPlaced(model.problem.pending, start) >= work
  const asMuch = { terms: model.work, relation: '>=', right: work } as const
  return solver.solve(lpText(model.program, model.wholeness, [asMuch]), {
    limitMs,
    gap: { relative: 0, absolute: 0.99 },
    start: isAsGood ? startValues(model, start) : withoutBlocks(model, most.values),
    ...(signal && { signal }),
  })
}

/** The first solve does not count blocks of idle cards, so its values for them mean nothing. */
function withoutBlocks({ nodes }: Model, values: Found['values']): Found['values'] {
  const blocks = new Set(nodes.flatMap(({ cards }) => cards.blocks.map(({ variable }) => nameOf(variable))))
  return new Map([...values].filter(([name]) => !blocks.has(name)))
}

type Answer = Pick<Found, 'values' | 'bound' | 'isProven'> & { readonly isWhole: boolean }

function planned(model: Model, { values, bound, isProven, isWhole }: Answer): Optimal {
  const { problem, unit } = model
  const places = readPlaces(model, values)
  const work = worthPlaced(problem.pending, places)
  // Worths come in units; what the solver says about fractions of them is below its own precision.
  const most = Math.min(
    bound,
    problem.pending.reduce((sum, each) => sum + worthOf(each), 0),
  )
  const workBound = isProven ? work : Math.max(work, unit * Math.floor(most / unit + 1e-6))
  return { kind: 'planned', places, work, workBound, proven: { work: isProven, whole: isWhole } }
}
