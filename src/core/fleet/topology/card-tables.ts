import type { Layout } from '../layout.ts'
import { countCards, lowestCard } from './card-mask.ts'
import { nicDistance } from './describe-cards.ts'
import { islands, pairGbps, speedsOf } from './islands.ts'
import { wholeness, type Wholeness } from './wholeness.ts'

/** What is known about every set of cards of a layout. Sets are bits and index the arrays. */
export interface CardTables {
  readonly cards: number
  /** All cards. */
  readonly full: number
  /** Speed of the slowest pair in a set: 0 for the fastest on the node, then 1, 2, ... */
  readonly level: Uint8Array
  /** For each count, the level of the best set of that size on an empty node. */
  readonly bestLevel: Uint8Array
  /** The sum of the speeds of all pairs in a set, in MB/s so that sums are exact. */
  readonly sum: Float64Array
  /** Cards in the smallest island that holds a set. */
  readonly holder: (set: number) => number
  /** How far a set is spread over NUMA nodes and switches, and how far it is from a NIC; less is better. */
  readonly spread: (set: number) => number
  /** What free cards are worth, by their islands. */
  readonly left: Wholeness
  /** What free cards are worth, by their NUMA nodes and switches. */
  readonly near: Wholeness
  /** The chosen set at `count << cards | free`; 0: not computed yet, or there is none. */
  readonly sets: Uint16Array
}

/** How many layouts have their tables kept. The oldest are dropped, and computed again when needed. */
const LAYOUTS_KEPT = 256

/** The most islands that are considered. A node has a handful; only random speeds make more. */
const ISLANDS_MAX = 256

const kept = new Map<string, CardTables>()

/** The tables of a layout, computed on first use. Layouts with the same id share them. */
export function cardTables(layout: Layout): CardTables {
  const known = kept.get(layout.id)
  if (known !== undefined) return known
  const tables = build(layout)
  const [oldest] = kept.keys()
  if (kept.size >= LAYOUTS_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(layout.id, tables)
  return tables
}

function build(layout: Layout): CardTables {
  const { cards } = layout
  const { level, sum } = pairFigures(layout)
  const isles = islands(layout)
    .toSorted((one, two) => two.size - one.size)
    .slice(0, ISLANDS_MAX)
  return {
    cards,
    full: (1 << cards) - 1,
    level,
    bestLevel: bestLevels(level, cards),
    sum,
    holder: (set) => isles.findLast(({ mask }) => (mask & set) === set)?.size ?? cards,
    spread: spreading(layout),
    left: remembered(cards, wholeness(isles.map(({ mask }) => mask))),
    near: wholeness([...together(layout.numa), ...together(layout.pcieSwitch)]),
    sets: new Uint16Array((cards + 1) << cards),
  }
}

/** The slowest pair and the sum of all pairs of every set, each derived from the set without its lowest card. */
function pairFigures(layout: Layout): Pick<CardTables, 'level' | 'sum'> {
  const { cards } = layout
  const speeds = speedsOf(layout)
  const pairs = Array.from({ length: cards * cards }, (_, at) => pairGbps(layout, Math.floor(at / cards), at % cards))
  const levels = pairs.map((gbps) => speeds.indexOf(gbps))
  const sums = pairs.map((gbps) => Math.round(gbps * 1000))
  const level = new Uint8Array(1 << cards)
  const sum = new Float64Array(1 << cards)
  for (let set = 1; set < 1 << cards; set++) {
    const row = lowestCard(set) * cards
    const others = set & (set - 1)
    let slowest = level[others] ?? 0
    let total = sum[others] ?? 0
    for (let rest = others; rest !== 0; rest &= rest - 1) {
      const at = row + lowestCard(rest)
      slowest = Math.max(slowest, levels[at] ?? 0)
      total += sums[at] ?? 0
    }
    level[set] = slowest
    sum[set] = total
  }
  return { level, sum }
}

function bestLevels(level: Uint8Array, cards: number): Uint8Array {
  const best = new Uint8Array(cards + 1).fill(255)
  best[0] = 0
  for (let set = 1; set < level.length; set++) {
    const count = countCards(set)
    best[count] = Math.min(best[count] ?? 255, level[set] ?? 255)
  }
  return best
}

/**
 * NUMA nodes count before switches, and switches before the distance to a NIC. An unknown value counts as one more of its kind.
 */
function spreading(layout: Layout): (set: number) => number {
  const nodes = bitsOf(layout.numa)
  const switches = bitsOf(layout.pcieSwitch)
  const ways = nodes.map((_, card) => Math.min(2, ...layout.nics.map((nic) => nicDistance(layout, card, nic))))
  return (set) => {
    let onNodes = 0
    let onSwitches = 0
    let way = 0
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const card = lowestCard(rest)
      onNodes |= nodes[card] ?? 0
      onSwitches |= switches[card] ?? 0
      way += ways[card] ?? 0
    }
    return (countCards(onNodes) * 64 + countCards(onSwitches)) * 64 + way
  }
}

/** A bit for each distinct value. */
function bitsOf(values: readonly (number | undefined)[]): readonly number[] {
  const different = [...new Set(values)]
  return values.map((value) => 1 << different.indexOf(value))
}

/** Sets of cards with the same known value; single cards are left out. */
function together(values: readonly (number | undefined)[]): readonly number[] {
  const sets = new Map<number, number>()
  for (const [card, value] of values.entries()) {
    if (value !== undefined) sets.set(value, (sets.get(value) ?? 0) | (1 << card))
  }
  return [...sets.values()].filter((set) => countCards(set) > 1)
}

/** The same function, computed once per set. */
function remembered(cards: number, figure: (set: number) => number): (set: number) => number {
  const figures = new Float64Array(1 << cards).fill(Number.NaN)
  return (set) => {
    const known = figures[set] ?? Number.NaN
    if (!Number.isNaN(known)) return known
    const worked = figure(set)
    figures[set] = worked
    return worked
  }
}
