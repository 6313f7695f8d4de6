import { must } from '../../base/assert.ts'
import type { FleetNode, Request, Spot } from '../../fleet/fleet.ts'
import { cutOf } from '../../fleet/mig/cut.ts'
import { migRules } from '../../fleet/mig/rules.ts'
import { checkPlaces } from './check.ts'
import { worthOf, type Pending, type Places, type PackingProblem } from './problem.ts'

/** The most that can be accepted of a very small problem. It tries everything, and knows only how to check places. */
export function bruteForce(problem: PackingProblem): number {
  const { pending } = problem
  const ways = pending.map((each) => waysFor(problem, each))
  let best = 0
  const tryFrom = (places: Places, worth: number): void => {
    const each = pending[places.length]
    const rest = pending.slice(places.length).reduce((sum, one) => sum + worthOf(one), 0)
    if (each === undefined) best = Math.max(best, worth)
    if (each === undefined || worth + rest <= best) return
    for (const spots of must(ways[places.length], 'ways for all')) {
      const more = [...places, spots]
      if (checkPlaces(problem, more).length === 0) tryFrom(more, worth + worthOf(each))
    }
    tryFrom([...places, undefined], worth)
  }
  tryFrom([], 0)
  return best
}

function waysFor({ fleet }: PackingProblem, { request, gang }: Pending): readonly (readonly Spot[])[] {
  const onNode = fleet.nodes.map((node, index) => spotsOn(node, index, request))
  const workers = Array.from({ length: gang?.nodes ?? 1 })
  return workers.reduce<readonly (readonly Spot[])[]>(
    (ways) =>
      ways.flatMap((way) =>
        onNode.slice((way.at(-1)?.node ?? -1) + 1).flatMap((spots) => spots.map((spot) => [...way, spot])),
      ),
    [[]],
  )
}

/** Every set of cards with everything that could be taken of them. */
function spotsOn({ model, cards }: FleetNode, node: number, { count, part }: Request): readonly Spot[] {
  const sets = subsets([...cards.keys()], count)
  const rules = model === undefined ? undefined : migRules(model)
  const cuts =
    rules?.profiles.flatMap(({ starts }, profile) => starts.map((start) => cutOf(rules, profile, start))) ?? []
  const takings: readonly Spot['taken'][] =
    part.kind === 'whole' ? [undefined] : part.kind === 'share' ? [undefined, part] : [undefined, ...cuts]
  return sets.flatMap((set) => takings.map((taken) => ({ node, cards: set, taken })))
}

function subsets(cards: readonly number[], count: number): readonly (readonly number[])[] {
  const [first, ...rest] = cards
  if (count === 0) return [[]]
  if (first === undefined) return []
  return [...subsets(rest, count - 1).map((set) => [first, ...set]), ...subsets(rest, count)]
}
