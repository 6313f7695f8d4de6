import type { FreeState } from './free-state.ts'
import { isIdle, type NodeState } from './node-state.ts'

/**
 * How many jobs of `size` whole cards would find room in a fleet, each inside one island; for one card, islands do not matter.
 */
export function wholeIn(state: FreeState, size: number): number {
  return state.nodes.reduce((sum, node) => sum + wholeOn(node, size), 0)
}

/** The same for one node. */
export function wholeOn(state: NodeState, size: number): number {
  const used = new Set<number>()
  let jobs = 0
  for (const island of islandsFor(state, size)) {
    const idle = island.filter((card) => !used.has(card) && isIdle(state, card))
    const taken = idle.slice(0, idle.length - (idle.length % size))
    for (const card of taken) used.add(card)
    jobs += taken.length / size
  }
  return jobs
}

/** The smallest islands that hold this many cards. If the wiring is not known, there are none. */
export function islandsFor({ node, rules, cards }: NodeState, size: number): readonly (readonly number[])[] {
  if (size === 1) return cards.map((_, card) => [card])
  const large = rules.islands(node.layout).filter((island) => island.length >= size)
  return large.filter((island) => !large.some((other) => other.length < island.length && isPart(other, island)))
}

function isPart(part: readonly number[], island: readonly number[]): boolean {
  return part.every((card) => island.includes(card))
}
