import { mulberry32 } from '../../base/dice.ts'
import type { Layout } from '../layout.ts'
import { chooseCards } from './choose-cards.ts'
import { crosses, whole } from './choose-cards.suite.ts'
import { isFaster, oracleOf } from './oracle.suite.ts'
import { dualSocketPcie, hybridCubeMesh, nvswitch, pairedNvlink } from './presets.ts'

/** A kind of node, with its islands written by hand: for each size of job, those that are just large enough. */
export interface Wiring {
  readonly name: string
  readonly layout: Layout
  readonly islands: Readonly<Record<number, readonly number[]>>
}

const PAIRS = [0b11, 0b1100, 0b11_0000, 0b1100_0000]
const SOCKETS = [0x0f, 0xf0]
const MACHINE = [0xff]
const FACTS = { target: '8.0', pcieGen: 4 }

export const WIRINGS: readonly Wiring[] = [
  {
    name: 'nvswitch-8',
    layout: nvswitch({ cards: 8, gbps: 450, sockets: 2 }),
    islands: { 2: MACHINE, 4: MACHINE, 8: MACHINE },
  },
  {
    name: 'dual-socket-pcie-8',
    layout: dualSocketPcie({ cards: 8, perSwitch: 2, facts: FACTS }),
    islands: { 2: PAIRS, 4: SOCKETS, 8: MACHINE },
  },
  {
    name: 'dual-socket-pcie-8-switches-of-4',
    layout: dualSocketPcie({ cards: 8, perSwitch: 4, facts: FACTS }),
    islands: { 2: SOCKETS, 4: SOCKETS, 8: MACHINE },
  },
  {
    name: 'paired-nvlink-8',
    layout: pairedNvlink({ cards: 8, gbps: 300, facts: FACTS }),
    islands: { 2: PAIRS, 4: SOCKETS, 8: MACHINE },
  },
  {
    name: 'hybrid-cube-mesh-8',
    layout: hybridCubeMesh(),
    // Two cards: those with a double link.
    islands: { 2: [0b1001, 0x11, 0b110, 0x22, 0b1100, 0x90, 0x60, 0xc0], 4: SOCKETS, 8: MACHINE },
  },
]

export interface SequenceFigures {
  readonly sequences: number
  readonly placements: number
  /** Jobs of more than one card: for a single card, every choice is equally fast. */
  readonly joined: number
  /** Jobs for which no node had enough free cards. */
  readonly refused: number
  /** Jobs of 2, 4 or 8 cards that were placed on more than one island. */
  readonly crossings: number
  /** Crossings that an island somewhere in the fleet could have avoided. */
  readonly avoidable: number
  /** Jobs whose slowest pair is slower than that of another free set in the fleet. */
  readonly slower: number
  /** Jobs for which another free set in the fleet has a faster slowest pair, or an equal one and faster pairs in sum. */
  readonly notBest: number
}

export interface Run {
  readonly sequences: number
  readonly seed: number
  /** Another way to choose, to prove that the checks notice. */
  readonly choose?: typeof chooseCards
}

/** Nodes of one kind, and jobs that come and go at random. Every placement is checked against all that were possible. */
export function runSequences(wiring: Wiring, { sequences, seed, choose = chooseCards }: Run): SequenceFigures {
  const random = mulberry32(seed)
  const oracle = oracleOf(wiring.layout)
  const tally = { placements: 0, joined: 0, refused: 0, crossings: 0, avoidable: 0, slower: 0, notBest: 0 }
  for (let sequence = 0; sequence < sequences; sequence++) {
    runSequence({ layout: wiring.layout, random, choose }, ({ frees, count, set }) => {
      const best = oracle.best(frees, count)
      if (set === 0 || best === undefined) {
        if ((set === 0) !== (best === undefined)) throw new Error(`${count} cards: ${set} chosen of ${frees.join(' ')}`)
        tally.refused++
        return
      }
      const areas = wiring.islands[count]
      const isCrossing = areas !== undefined && areas.every((area) => (set & area) !== set)
      tally.placements++
      if (count > 1) tally.joined++
      if (isCrossing) tally.crossings++
      if (isCrossing && oracle.fits(frees, count, areas)) tally.avoidable++
      if (oracle.speed(set).slowest < best.slowest) tally.slower++
      if (isFaster(best, oracle.speed(set))) tally.notBest++
    })
  }
  return { sequences, ...tally }
}

interface Placed {
  /** Free cards of each node before the job came. */
  readonly frees: readonly number[]
  readonly count: number
  /** 0: refused. */
  readonly set: number
}

const STEPS = 60
const SIZES = [1, 2, 4, 8] as const

interface World {
  readonly layout: Layout
  readonly random: () => number
  readonly choose: typeof chooseCards
}

function runSequence(world: World, check: (placed: Placed) => void): void {
  const { layout, random } = world
  const frees = Array.from({ length: 1 + Math.floor(random() * 5) }, () => 2 ** layout.cards - 1)
  const weights = SIZES.map(() => random() ** 3)
  const leaving = 0.2 + random() * 0.35
  const jobs: { readonly node: number; readonly set: number }[] = []
  for (let step = 0; step < STEPS; step++) {
    const gone = random() < leaving ? jobs.splice(Math.floor(random() * jobs.length), 1)[0] : undefined
    if (gone !== undefined) {
      frees[gone.node] = (frees[gone.node] ?? 0) | gone.set
      continue
    }
    const count = draw(weights, random)
    const { node, set } = chooseNode(world, frees, count)
    check({ frees, count, set })
    if (set === 0) continue
    if (((frees[node] ?? 0) & set) !== set) throw new Error(`cards ${set} of node ${node} are not free`)
    frees[node] = (frees[node] ?? 0) & ~set
    jobs.push({ node, set })
  }
}

/** Fewest levels crossed, then what is left whole in the fleet, then the first node. */
function chooseNode({ layout, choose }: World, frees: readonly number[], count: number): { node: number; set: number } {
  let best = { node: -1, set: 0, crossed: Infinity, lost: Infinity }
  for (const [node, free] of frees.entries()) {
    const set = choose(layout, free, count)
    if (set === 0) continue
    const crossed = crosses(layout, set)
    const lost = whole(layout, free) - whole(layout, free & ~set)
    if (crossed < best.crossed || (crossed === best.crossed && lost < best.lost)) best = { node, set, crossed, lost }
  }
  return best
}

function draw(weights: readonly number[], random: () => number): number {
  let mark = random() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [at, weight] of weights.entries()) {
    mark -= weight
    if (mark < 0) return SIZES[at] ?? 1
  }
  return 1
}
