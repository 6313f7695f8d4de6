import { must } from '../src/core/base/assert.ts'
import {
  assignInOrder,
  assignTogether,
  choosePlace,
  slicesTaken,
  type SlicePlace,
} from '../src/core/fleet/mig/assign.ts'
import { smallInstances, type SmallInstance } from '../src/core/fleet/mig/instances.suite.ts'
import { optimum } from '../src/core/fleet/mig/optimum.suite.ts'
import { PUBLISHED } from '../src/core/fleet/mig/published.suite.ts'
import { randomFrom } from '../src/core/fleet/mig/random.suite.ts'
import { migRules, runOf, take, type MigRules } from '../src/core/fleet/mig/rules.ts'
import { playSequences } from '../src/core/fleet/mig/sequences.suite.ts'
import { strictBound } from '../src/core/fleet/mig/strict.suite.ts'
import { flag, round, type Bench, type Figures } from './bench.ts'

/** Whether cards are cut as drivers allow, how much work is placed against the exact optimum, and how fast. */
export const mig: Bench = {
  name: 'mig',
  about: 'MIG slices: forbidden geometries, work against the exact optimum, speed (--sequences N, --seed N)',
  async run(argv) {
    const seed = Number(flag(argv, 'seed', '1'))
    return {
      models: PUBLISHED.size,
      geometry: geometry(Number(flag(argv, 'sequences', '100000'))),
      optimum: await againstOptimum(smallInstances(200, seed)),
      speed: speed(seed),
    }
  },
}

function geometry(count: number): Figures {
  const startMs = performance.now()
  const { sequences, taken, refused, givenBack, wrong, firstWrong } = playSequences(0, count)
  return {
    sequences,
    slices_taken: taken,
    slices_refused: refused,
    slices_given_back: givenBack,
    forbidden_or_wrongly_refused: wrong,
    ...(firstWrong === undefined ? {} : { first: firstWrong }),
    seconds: round((performance.now() - startMs) / 1000),
  }
}

/**
 * `in_order` must take what fits before it knows the next request; `together` sees all that wait. `in_order_bound` is
 * what one could place who must take what fits as well, but knows the future.
 */
async function againstOptimum(instances: readonly SmallInstance[]): Promise<Figures> {
  const best = await optimum(instances)
  const bounds = instances.map((instance, index) => strictBound(instance, best[index]?.slices ?? 0))
  const bestSlices = sum(best.map(({ slices }) => slices))
  const percent = (slices: number) => round((100 * slices) / bestSlices)
  const inOrder = placed(instances, assignInOrder)
  const together = placed(instances, assignTogether)
  return {
    instances: instances.length,
    requests: sum(instances.map(({ requests }) => requests.length)),
    optimum: { slices: bestSlices, requests: sum(best.map(({ count }) => count)) },
    together: { percent: percent(together.slices), ...together },
    in_order: { percent: percent(inOrder.slices), ...inOrder },
    in_order_bound: {
      percent: percent(sum(bounds.map(({ slices }) => slices))),
      searched_to_the_end: bounds.filter(({ exact }) => exact).length,
    },
  }
}

type Assign = (rules: MigRules, cards: number, requests: readonly number[]) => readonly (SlicePlace | undefined)[]

function placed(instances: readonly SmallInstance[], assign: Assign): { slices: number; requests: number } {
  let slices = 0
  let count = 0
  for (const { model, cards, requests } of instances) {
    const rules = must(migRules(model), model)
    const places = assign(rules, cards, requests)
    slices += slicesTaken(rules, requests, places)
    count += places.filter((place) => place !== undefined).length
  }
  return { slices, requests: count }
}

const CARDS = 8
const DECISIONS = 2_000_000

/** Requests to a machine with eight cards; when there is no room, whoever came first leaves. */
function speed(seed: number): Figures {
  const rules = must(migRules('h100-sxm'), 'h100-sxm')
  const random = randomFrom(seed)
  const requests = Uint8Array.from({ length: 4096 }, () => random(rules.profiles.length))
  play(rules, requests, DECISIONS / 10)
  const before = process.cpuUsage()
  const taken = play(rules, requests, DECISIONS)
  const { user, system } = process.cpuUsage(before)
  return {
    cards: CARDS,
    decisions: DECISIONS,
    slices_taken: taken,
    decisions_per_cpu_second: Math.round(DECISIONS / ((user + system) / 1e6)),
  }
}

function play(rules: MigRules, requests: Uint8Array, decisions: number): number {
  const cards = Array.from({ length: CARDS }, () => 0)
  const lying: { readonly card: number; readonly slices: number }[] = []
  let oldest = 0
  let taken = 0
  for (let turn = 0; turn < decisions; turn++) {
    const profile = requests[turn % requests.length] ?? 0
    const place = choosePlace(rules, cards, profile)
    if (place === undefined) {
      const gone = must(lying[oldest++], 'a full machine has tenants')
      cards[gone.card] = (cards[gone.card] ?? 0) & ~gone.slices
    } else {
      const slices = runOf(rules, profile, place.start)
      cards[place.card] = take(cards[place.card] ?? 0, slices)
      lying.push({ card: place.card, slices })
      taken++
    }
  }
  return taken
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
