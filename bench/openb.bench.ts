import { must } from '../src/core/base/assert.ts'
import type { Fleet, Spot } from '../src/core/fleet/fleet.ts'
import { Kinds, type Kind } from '../src/core/pack/engine/kinds.ts'
import { keptFleet, FleetRoom, packingOf } from '../src/core/pack/owned/room.ts'
import { curveAt, fillUp, type Filler } from '../src/lab/simulate/fill.ts'
import { flag, round, type Bench, type Figures } from './bench.ts'
import { OPENB, openbFleet, openbTrace, openbTraces, type Trace } from './openb.ts'

/** Whether production fills a fleet as `berth simulate` does: the packing that plans and the controller use, decision by decision. */
export const openb: Bench = {
  name: 'openb',
  about: 'openb through the packing that plans and the controller use (--data DIR, --trace NAME)',
  run(argv) {
    const folder = flag(argv, 'data', OPENB)
    const name = flag(argv, 'trace', 'default')
    if (!openbTraces(folder).includes(name)) return Promise.resolve({ openb: `no trace ${name} under ${folder}` })
    const fleet = openbFleet(folder)
    const trace = openbTrace(folder, name)
    const curves = trace.orders.map(({ order, ranks }) => filled(trace, order, ranked(fleet, ranks)))
    const mean = (percent: number): number =>
      round(curves.reduce((sum, curve) => sum + (curveAt(curve, percent) ?? Number.NaN), 0) / curves.length)
    const figures: Figures = { trace: name, nodes: fleet.nodes.length, seeds: curves.length }
    return Promise.resolve({ ...figures, at_95: mean(95), at_100: mean(100), at_130: mean(130) })
  },
}

/** Of equals, production takes the first node by id: ids are given by rank. */
function ranked({ nodes }: Fleet, ranks: readonly number[]): Fleet {
  const named = nodes.map((node, index) => ({ ...node, id: String(ranks[index] ?? 0).padStart(6, '0') }))
  return { nodes: named.sort((one, two) => (one.id < two.id ? -1 : 1)) }
}

function filled({ requests, history }: Trace, order: Int32Array, fleet: Fleet): readonly (number | undefined)[] {
  const cards = fleet.nodes.reduce((sum, node) => sum + node.cards.length, 0)
  const makePacker = (): Filler => new Production(fleet, history)
  const cpuMs = (): number => process.cpuUsage().user / 1000
  return fillUp({ requests, order }, { capacityMilli: cards * 1000, makePacker, cpuMs }).curve
}

/** Each decision borrows the packing, as a plan does, and then its choice is added for good, as a reservation is. */
class Production implements Filler {
  readonly kinds = new Kinds([])
  readonly #owned: ReturnType<typeof keptFleet>
  readonly #packing: ReturnType<typeof packingOf>
  #last: Spot | undefined

  constructor(fleet: Fleet, usual: Trace['history']) {
    const owned = { provider: 'own', region: 'openb', fleet, tenants: [], usual }
    this.#packing = packingOf(owned)
    this.#owned = keptFleet(owned, this.#packing)
  }

  placeKind({ request }: Kind): number {
    const room = new FleetRoom(this.#owned)
    const { rates, prices } = room.scores(request)
    let best = -1
    let highest = Number.NEGATIVE_INFINITY
    for (let node = 0; node < rates.length; node++) {
      const { view, pool } = room.packing.viewOf(node, request)
      const score = view < 0 ? highest : (rates[view] ?? highest) - (prices[pool] ?? 0)
      if (score <= highest) continue
      highest = score
      best = node
    }
    if (best < 0) return best
    const spot = room.take('new', request, best)
    this.#last = spot
    this.#packing.lend(undefined)
    const plain = { name: 'new', priority: 0, restart: 'inference', checkpointAgeS: undefined } as const
    this.#packing.add({ ...plain, request, spot })
    return best
  }

  lastSpot(): Spot {
    return must(this.#last, 'something has been placed')
  }
}
