import { must } from '../../base/assert.ts'
import type { FleetNode, Request, Spot } from '../../fleet/fleet.ts'
import type { Layout } from '../../fleet/layout.ts'
import { Dice } from '../../base/dice.ts'
import { isFaster, oracleOf, type Oracle } from '../../fleet/topology/oracle.suite.ts'
import type { Wiring } from '../../fleet/topology/sequences.suite.ts'
import { FastPacker } from './fast.ts'
import { NOWHERE } from './fleet.suite.ts'
import { stranding } from './stranding.ts'

/** The outcome of jobs that the engine placed on wired nodes, each checked against every free set. */
export interface TopologyFigures {
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
  /** Jobs whose slowest pair is slower than that of another free set on some node of this wiring. */
  readonly slower: number
  /**
   * Jobs for which another free set on some node of this wiring is faster: by its slowest pair, then by the sum of its pairs.
   */
  readonly notBest: number
}

export interface EngineRun {
  readonly sequences: number
  readonly seed: number
  /** What the engine is told about the wiring; the checks always know it. */
  readonly told?: (layout: Layout) => Layout | undefined
}

/**
 * One to five nodes, each wired in one of these ways, jobs of 1, 2, 4 and 8 cards that come and go, and the engine that
 * places them: by turns with a history and without one. Every third fleet starts with scattered single cards taken.
 */
export function runEngine(wirings: readonly [Wiring, ...Wiring[]], run: EngineRun): TopologyFigures {
  const { sequences, seed, told = (layout: Layout) => layout } = run
  const dice = new Dice(seed)
  const oracles = new Map(wirings.map((wiring) => [wiring, oracleOf(wiring.layout)]))
  const tally: Tally = { placements: 0, joined: 0, refused: 0, crossings: 0, avoidable: 0, slower: 0, notBest: 0 }
  for (let sequence = 0; sequence < sequences; sequence++) {
    const nodes = Array.from({ length: 1 + dice.roll(5) }, (_, index): Wired => {
      const wiring = dice.pick(wirings)
      const oracle = must(oracles.get(wiring), 'an oracle a wiring')
      return { wiring, oracle, node: nodeOf(index, told(wiring.layout)), free: 2 ** wiring.layout.cards - 1 }
    })
    play({ nodes, dice, tally, history: sequence % 2 === 0 ? [] : HISTORY, isBegun: sequence % 3 === 0 })
  }
  return { sequences, ...tally }
}

type Tally = { -readonly [Figure in Exclude<keyof TopologyFigures, 'sequences'>]: number }

interface Wired {
  readonly wiring: Wiring
  readonly oracle: Oracle
  readonly node: FleetNode
  /** Unused cards, as bits. */
  free: number
}

interface World {
  readonly nodes: readonly Wired[]
  readonly dice: Dice
  readonly tally: Tally
  readonly history: typeof HISTORY
  /** Scattered single cards are taken before the first job comes. */
  readonly isBegun: boolean
}

const STEPS = 60
const JOBS = [1, 2, 4, 8].map((count): Request => ({
  cpuMilli: count * 4000,
  memoryMib: count * 16_000,
  diskMib: 0,
  count,
  part: { kind: 'whole' },
  models: undefined,
}))
const HISTORY = JOBS.map((request) => ({ request, count: 10 }))

function nodeOf(index: number, layout: Layout | undefined): FleetNode {
  return {
    id: `node-${index}`,
    model: 'a100-80-sxm',
    cpuMilli: 64_000,
    memoryMib: 512_000,
    diskMib: undefined,
    cards: Array.from({ length: 8 }, () => ({ health: 'ok' as const, parts: 'none' as const })),
    layout,
    domains: NOWHERE,
  }
}

function play({ nodes, dice, tally, history, isBegun }: World): void {
  const packer = new FastPacker({ nodes: nodes.map(({ node }) => node) }, { policy: stranding, history })
  const weights = JOBS.map(() => dice.next() ** 3)
  const leaving = 0.2 + dice.next() * 0.35
  const running: { readonly job: Request; readonly spot: Spot }[] = isBegun ? holes(nodes, dice) : []
  for (const { job, spot } of running) {
    packer.occupy(job, spot)
    wiredAt(nodes, spot).free &= ~setOf(spot)
  }
  for (let step = 0; step < STEPS; step++) {
    const [gone] = dice.next() < leaving ? running.splice(dice.roll(running.length), 1) : []
    if (gone !== undefined) {
      packer.release(gone.job, gone.spot)
      wiredAt(nodes, gone.spot).free |= setOf(gone.spot)
      continue
    }
    const job = draw(weights, dice)
    const spot = packer.place(job)
    note(tally, nodes, { count: job.count, spot })
    if (spot === undefined) continue
    wiredAt(nodes, spot).free &= ~setOf(spot)
    running.push({ job, spot })
  }
}

/** Single cards on half of all cards. */
function holes(nodes: readonly Wired[], dice: Dice): { readonly job: Request; readonly spot: Spot }[] {
  const job = must(JOBS[0], 'a job of one card')
  const spots = nodes.flatMap((wired, node) => wired.node.cards.map((_, card) => ({ node, cards: [card] })))
  return spots.filter(() => dice.oneIn(2)).map((spot) => ({ job, spot: { ...spot, taken: undefined } }))
}

/** Counts a placement, before its cards are taken. */
function note(tally: Tally, nodes: readonly Wired[], { count, spot }: { count: number; spot: Spot | undefined }): void {
  if (spot === undefined) {
    const room = nodes.find(({ oracle, free }) => oracle.best([free], count) !== undefined)
    if (room !== undefined) throw new Error(`${count} cards were refused, although ${room.node.id} has them`)
    tally.refused++
    return
  }
  const { wiring, oracle, free } = wiredAt(nodes, spot)
  const set = setOf(spot)
  if (spot.cards.length !== count || (set & free) !== set) throw new Error(`cards ${set} of ${free} for ${count}`)
  const frees = nodes.filter((other) => other.wiring === wiring).map((other) => other.free)
  const best = must(oracle.best(frees, count), 'the chosen set is one of them')
  const isCrossing = wiring.islands[count]?.every((area) => (set & area) !== set) === true
  tally.placements++
  if (count > 1) tally.joined++
  if (isCrossing) tally.crossings++
  if (isCrossing && nodes.some((other) => hasIsland(other, count))) tally.avoidable++
  if (oracle.speed(set).slowest < best.slowest) tally.slower++
  if (isFaster(best, oracle.speed(set))) tally.notBest++
}

function hasIsland({ wiring, oracle, free }: Wired, count: number): boolean {
  return oracle.fits([free], count, wiring.islands[count] ?? [])
}

function wiredAt(nodes: readonly Wired[], { node }: Spot): Wired {
  return must(nodes[node], 'a node of the fleet')
}

function setOf({ cards }: Spot): number {
  return cards.reduce((set, card) => set + 2 ** card, 0)
}

function draw(weights: readonly number[], dice: Dice): Request {
  let mark = dice.next() * weights.reduce((sum, weight) => sum + weight, 0)
  const at = weights.findIndex((weight) => (mark -= weight) < 0)
  return must(JOBS[Math.max(0, at)], 'a job')
}
