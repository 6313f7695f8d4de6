import { must } from '../../base/assert.ts'
import type { Model, NodeModel } from './model.ts'
import type { Places } from './problem.ts'
import { nameOf } from './program.ts'

/**
 * Places from another source, as values of the variables that say what is on which node: a solver that starts with them never
 * ends with less. How the cards are used is left to the solver.
 */
export function startValues(model: Model, places: Places): ReadonlyMap<string, number> {
  const standIns = standInsFor(model, places)
  const counts = new Map<string, number>()
  const key = (node: number, lot: number): string => `${node} ${lot}`
  for (const [lot, { pending }] of model.lots.entries()) {
    for (const index of pending) {
      for (const { node } of places[index] ?? []) {
        const at = key(must(standIns.get(node), 'every node that is used has one that stands for it'), lot)
        counts.set(at, (counts.get(at) ?? 0) + 1)
      }
    }
  }
  const variables = model.nodes.flatMap(({ room, placings }) =>
    placings.map(({ lot, variable }) => [nameOf(variable), counts.get(key(room.node, lot)) ?? 0] as const),
  )
  return new Map(variables)
}

/** For each used node, one of the model in the same class: the node itself if possible. */
function standInsFor({ nodes, classes }: Model, places: Places): ReadonlyMap<number, number> {
  const classOf = (node: number): string => must(classes[node], 'a class a node')
  const used = [...new Set(places.flatMap((spots) => (spots ?? []).map(({ node }) => node)))]
  const known = new Set(nodes.map(nodeOf))
  const free = Map.groupBy(
    nodes.map(nodeOf).filter((node) => !used.includes(node)),
    classOf,
  )
  return new Map(used.map((node) => [node, known.has(node) ? node : (free.get(classOf(node))?.shift() ?? node)]))
}

function nodeOf({ room }: NodeModel): number {
  return room.node
}
