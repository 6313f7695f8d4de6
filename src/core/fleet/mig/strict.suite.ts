import { must } from '../../base/assert.ts'
import type { SmallInstance } from './instances.suite.ts'
import { PUBLISHED, type PrintedProfile } from './published.suite.ts'

/**
 * The most work that any strategy could place that must accept whatever fits, in order of arrival, even if it knew the
 * future. At most `atMost`, which is also the answer if the search takes too long.
 */
export function strictBound({ model, cards, requests }: SmallInstance, atMost: number): Bound {
  const profiles = must(PUBLISHED.get(model), model)
  const search = { profiles, requests, seen: new Map<string, number>(), left: SEARCH_MAX }
  const idle = Array.from({ length: cards }, () => 0)
  const slices = best(search, 0, idle) / Math.min(...profiles.map(({ size }) => size))
  return search.left > 0 ? { slices, exact: true } : { slices: atMost, exact: false }
}

export interface Bound {
  readonly slices: number
  readonly exact: boolean
}

const SEARCH_MAX = 60_000

interface Search {
  readonly profiles: readonly PrintedProfile[]
  readonly requests: readonly number[]
  readonly seen: Map<string, number>
  left: number
}

/** `cards` are masks of taken units, ascending: cards in the same state are interchangeable. */
function best(search: Search, turn: number, cards: readonly number[]): number {
  const printed = search.profiles[search.requests[turn] ?? -1]
  if (printed === undefined || search.left <= 0) return 0
  const key = `${turn}:${cards.join(',')}`
  const known = search.seen.get(key)
  if (known !== undefined) return known
  search.left--
  let most = -1
  for (const [index, taken] of cards.entries()) {
    if (cards[index - 1] === taken) continue
    for (const start of printed.starts) {
      const run = (2 ** printed.size - 1) << start
      if ((taken & run) !== 0) continue
      const after = cards.with(index, taken | run).toSorted((one, two) => one - two)
      most = Math.max(most, printed.size + best(search, turn + 1, after))
    }
  }
  const answer = most < 0 ? best(search, turn + 1, cards) : most
  search.seen.set(key, answer)
  return answer
}
