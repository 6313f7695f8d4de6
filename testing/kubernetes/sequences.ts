import { Dice } from '../../src/core/base/dice.ts'
import { oracleOf } from '../../src/core/fleet/topology/oracle.suite.ts'
import type { Layout } from '../../src/core/fleet/layout.ts'

/** Work that comes and goes, by its number. */
type Step =
  | { readonly kind: 'come'; readonly job: number; readonly count: 1 | 2 | 4 }
  | { readonly kind: 'go'; readonly job: number }

const STEPS = 16

/** Jobs of 1, 2 and 4 cards that come and go at random; the same for the same seed. */
export function sequenceOf(seed: number): readonly Step[] {
  const dice = new Dice(seed)
  const leaving = 0.2 + dice.next() * 0.3
  const there: number[] = []
  return Array.from({ length: STEPS }, (_, job): Step => {
    const [gone] = dice.next() < leaving ? there.splice(dice.roll(there.length), 1) : []
    if (gone !== undefined) return { kind: 'go', job: gone }
    there.push(job)
    return { kind: 'come', job, count: dice.pick([1, 2, 4]) }
  })
}

/** A kind of node: its wiring, and its islands written by hand, from small to large. */
export interface IslandNode {
  readonly layout: Layout
  readonly islands: readonly (readonly number[])[]
}

const ROOTS = [0b11, 0b1100, 0b11_0000, 0b1100_0000]
const SOCKETS = [0x0f, 0xf0]

/** Islands of a node of two sockets with two PCIe roots each; behind a switch, there is nothing to cross. */
export const ISLANDS = { sockets: [ROOTS, SOCKETS], switched: [] } as const

/** What became of all sequences in one way of asking. */
export interface IslandFigures {
  readonly placements: number
  /** Placements of several cards. */
  readonly joined: number
  /** Jobs that no node had enough cards for. */
  readonly refused: number
  /** Of those of several cards, how many are on nodes with islands. */
  readonly onIslands: number
  /** Of these: they cross an island although one of the same kind on that node was free to hold them. */
  readonly crossings: number
  /** GB/s between the slowest pair, in sum over those on islands: what they got, and the best that the node had free. */
  readonly gotGbps: number
  readonly bestGbps: number
}

/** Counts what placements are like. */
export class Tally {
  readonly #figures = { placements: 0, joined: 0, refused: 0, onIslands: 0, crossings: 0, gotGbps: 0, bestGbps: 0 }
  readonly #oracles = new Map<string, ReturnType<typeof oracleOf>>()

  get figures(): IslandFigures {
    return this.#figures
  }

  refused(): void {
    this.#figures.refused++
  }

  /** Cards of a node, as bits, out of those that were free. */
  placed({ layout, islands }: IslandNode, { free, set }: { readonly free: number; readonly set: number }): void {
    const count = bitsIn(set)
    if ((free & set) !== set) throw new Error(`cards ${set} were given out of ${free}`)
    this.#figures.placements++
    if (count < 2) return
    this.#figures.joined++
    if (islands.length === 0) return
    const oracle = this.#oracles.get(layout.id) ?? oracleOf(layout)
    this.#oracles.set(layout.id, oracle)
    this.#figures.onIslands++
    if (islands.some((areas) => crosses(areas, set) && areas.some((area) => bitsIn(area & free) >= count)))
      this.#figures.crossings++
    this.#figures.gotGbps += oracle.speed(set).slowest
    this.#figures.bestGbps += oracle.best([free], count)?.slowest ?? 0
  }
}

function crosses(areas: readonly number[], set: number): boolean {
  return areas.every((area) => (set & area) !== set)
}

function bitsIn(set: number): number {
  return set === 0 ? 0 : (set & 1) + bitsIn(set >> 1)
}
