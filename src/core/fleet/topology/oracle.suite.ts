import type { Layout } from '../layout.ts'

/** How fast a set of cards is. */
export interface Speed {
  /** GB/s of the slowest pair. */
  readonly slowest: number
  /** GB/s of all pairs together. */
  readonly total: number
}

/** Answers by trying every set. It shares no code with what it checks, and knows nothing about islands. */
export interface Oracle {
  readonly speed: (set: number) => Speed
  /** The best speed of any set of `count` free cards on any of the nodes; undefined: no node has that many. */
  readonly best: (frees: readonly number[], count: number) => Speed | undefined
  /** Whether some set of `count` free cards is inside one of the areas. */
  readonly fits: (frees: readonly number[], count: number, areas: readonly number[]) => boolean
}

export function oracleOf(layout: Layout): Oracle {
  const sets = Array.from({ length: 2 ** layout.cards }, (_, set) => set)
  const speeds = sets.map((set) => measure(layout, set))
  const bySize = Array.from({ length: layout.cards + 1 }, (_, count) =>
    sets.filter((set) => members(set).length === count),
  )
  return {
    speed: (set) => speeds[set] ?? NOTHING,
    best: (frees, count) => {
      let best: Speed | undefined
      for (const free of frees) {
        for (const set of bySize[count] ?? []) {
          const speed = speeds[set] ?? NOTHING
          if ((set & free) === set && (best === undefined || isFaster(speed, best))) best = speed
        }
      }
      return best
    },
    fits: (frees, count, areas) =>
      frees.some((free) =>
        (bySize[count] ?? []).some((set) => (set & free) === set && areas.some((area) => (set & area) === set)),
      ),
  }
}

export function isFaster(one: Speed, two: Speed): boolean {
  return one.slowest > two.slowest || (one.slowest === two.slowest && one.total > two.total + 1e-6)
}

const NOTHING: Speed = { slowest: Infinity, total: 0 }

function measure(layout: Layout, set: number): Speed {
  let slowest = Infinity
  let total = 0
  for (const one of members(set)) {
    for (const two of members(set)) {
      if (two <= one) continue
      const gbps = layout.gbps[one * layout.cards + two] ?? 0
      slowest = Math.min(slowest, gbps)
      total += gbps
    }
  }
  return { slowest, total }
}

function members(set: number): readonly number[] {
  return [...set.toString(2)].toReversed().flatMap((bit, card) => (bit === '1' ? [card] : []))
}
