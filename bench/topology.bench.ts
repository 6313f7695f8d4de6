import { must } from '../src/core/base/assert.ts'
import { runEngine } from '../src/core/pack/engine/topology.suite.ts'
import type { Layout } from '../src/core/fleet/layout.ts'
import { cardTables } from '../src/core/fleet/topology/card-tables.ts'
import { choose, chooseCards, looseness } from '../src/core/fleet/topology/choose-cards.ts'
import { nvswitch } from '../src/core/fleet/topology/presets.ts'
import { runSequences, WIRINGS, type SequenceFigures, type Wiring } from '../src/core/fleet/topology/sequences.suite.ts'
import { flag, percentile, round, type Bench, type Figures } from './bench.ts'

/** Whether jobs get the cards that are wired best, and what asking costs. */
export const topology: Bench = {
  name: 'topology',
  about: 'random job sequences on wired nodes, checked against all free sets; ns per choice (--sequences N, --seed N)',
  run(argv) {
    const sequences = Number(flag(argv, 'sequences', '10000'))
    const seed = Number(flag(argv, 'seed', '1'))
    const engine = [...WIRINGS.map((wiring) => [wiring] as const), ALL].map((some) => engineOn(some, sequences, seed))
    const wirings = WIRINGS.map((wiring) => measure(wiring, sequences, seed))
    const large = { name: 'nvswitch-16', ...cost(nvswitch({ cards: 16, gbps: 150, sockets: 2 }), 1024) }
    const costs = [...WIRINGS.map(({ name, layout }) => ({ name, ...cost(layout, 255) })), large]
    return Promise.resolve({ sequences, seed, engine, wirings, costs })
  },
}

const [first, ...others] = WIRINGS
const ALL = [must(first, 'there are wirings'), ...others] as const

/** The real engine chooses node and cards; with several wirings, nodes of all of them stand side by side. */
function engineOn(wirings: readonly [Wiring, ...Wiring[]], sequences: number, seed: number): Figures {
  const name = wirings.length === 1 ? wirings[0].name : 'all-wirings-side-by-side'
  return { name, ...figuresOf(runEngine(wirings, { sequences, seed })) }
}

/** A plain loop over the nodes that chooses cards by the tables alone. */
function measure(wiring: Wiring, sequences: number, seed: number): Figures {
  return { name: wiring.name, ...figuresOf(runSequences(wiring, { sequences, seed })) }
}

function figuresOf(figures: SequenceFigures): Figures {
  const { placements, joined, refused, crossings, avoidable, slower, notBest } = figures
  return {
    placements,
    placements_of_several_cards: joined,
    refused,
    crossings,
    crossings_avoidable: avoidable,
    slowest_pair_not_the_best: slower,
    bandwidth_not_the_best: notBest,
    bandwidth_best_percent: Math.floor((1 - notBest / joined) * 1e5) / 1e3,
  }
}

/** What a call costs when the answer is new, and when it has been given before. */
function cost(layout: Layout, states: number): Readonly<Record<string, number>> {
  const fresh = { ...layout, id: `${layout.id}-bench` }
  const frees = Array.from({ length: states }, (_, at) => Math.floor(((at + 1) * (2 ** layout.cards - 1)) / states))
  const questions = frees.flatMap((free) => [1, 2, 4, 8].map((count) => ({ free, count })))
  const buildMs = timed(1, () => cardTables(fresh).cards)
  const tables = cardTables(fresh)
  const firstMs = questions.map(({ free, count }) => timed(1, () => choose(tables, free, count)))
  const all = (ask: (free: number, count: number) => number) => {
    const turns = Math.ceil(5e6 / questions.length)
    const tookMs = timed(turns, () => questions.reduce((sum, { free, count }) => sum + ask(free, count), 0))
    return round((tookMs * 1e6) / (turns * questions.length))
  }
  return {
    build_us: round(buildMs * 1000),
    first_p50_us: round(percentile(firstMs, 0.5) * 1000),
    first_max_us: round(Math.max(...firstMs) * 1000),
    choose_cards_ns: all((free, count) => chooseCards(fresh, free, count)),
    choose_ns: all((free, count) => choose(tables, free, count)),
    looseness_ns: all((free, count) => Math.min(8, looseness(tables, free, count))),
  }
}

/** Milliseconds for some turns, after one that warms up where there is more than one. */
function timed(turns: number, work: () => number): number {
  let sink = turns > 1 ? work() : 0
  const startMs = performance.now()
  for (let turn = 0; turn < turns; turn++) sink += work()
  const tookMs = performance.now() - startMs
  if (Number.isNaN(sink)) throw new Error('a choice is a number')
  return tookMs
}
