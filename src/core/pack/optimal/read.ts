import { assert, must } from '../../base/assert.ts'
import type { Spot } from '../../fleet/fleet.ts'
import { checkPlaces } from './check.ts'
import type { Lot } from './lots.ts'
import type { Model, NodeModel } from './model.ts'
import type { Places } from './problem.ts'
import { nameOf } from './program.ts'
import { placeOnCards, type Job } from './read-cards.ts'

/**
 * The answer of a solver as spots. Cards are chosen by their wiring; slices are placed so that the rest stays most useful.
 * Whether everything fits is checked without the model: a solver is never trusted, and an answer that does not fit is a
 * bug.
 */
export function readPlaces(model: Model, values: ReadonlyMap<string, number>): Places {
  const { problem, lots, nodes } = model
  const spots: Spot[][] = problem.pending.map(() => [])
  const queues = lots.map(queueOf)
  const valueOf = (variable: number): number => wholeNumber(values, variable)
  for (const node of nodes) {
    const jobs = jobsOn(node, queues, valueOf)
    for (const { pending, spot } of placeOnCards(node, jobs, valueOf)) must(spots[pending], 'pending work').push(spot)
  }
  const places = spots.map((each) => (each.length === 0 ? undefined : each))
  const wrong = checkPlaces(problem, places)
  assert(wrong.length === 0, `the solver's answer does not fit: ${wrong.join('; ')}`)
  return places
}

/** The pieces of a lot, one after the other; a gang returns the same piece once for each of its workers. */
interface Queue {
  readonly lot: Lot
  next: number
}

function queueOf(lot: Lot): Queue {
  return { lot, next: 0 }
}

function jobsOn({ placings }: NodeModel, queues: readonly Queue[], valueOf: (variable: number) => number) {
  return placings.flatMap((placing): readonly Job[] => {
    const queue = must(queues[placing.lot], 'a queue a lot')
    const { request, pending, gang } = queue.lot
    return Array.from({ length: valueOf(placing.variable) }, () => {
      const turn = gang === undefined ? queue.next++ : 0
      return { pending: must(pending[turn], 'no more pieces than there are'), request, placing }
    })
  })
}

/** Solvers work with fractions: whole numbers come back with a tiny error. */
function wholeNumber(values: ReadonlyMap<string, number>, variable: number): number {
  const value = values.get(nameOf(variable)) ?? 0
  const whole = Math.round(value)
  assert(Math.abs(value - whole) < 1e-4 && whole >= 0, `${nameOf(variable)} is ${value}, not a whole number`)
  return whole
}
