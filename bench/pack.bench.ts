import { FastPacker } from '../src/core/pack/engine/fast.ts'
import type { Packer, PackerOptions } from '../src/core/pack/engine/packer.ts'
import { ReferencePacker } from '../src/core/pack/engine/reference.ts'
import { POLICIES, DEFAULT_POLICY_NAME } from '../src/core/pack/engine/registry.ts'
import { bothStories } from '../src/core/pack/engine/world.suite.ts'
import { must } from '../src/core/base/assert.ts'
import type { Fleet, Request } from '../src/core/fleet/fleet.ts'
import { flag, round, type Bench, type Figures } from './bench.ts'
import { manifold, OPENB, openbFleet, openbTrace, openbTraces, type Trace } from './openb.ts'
import { racks, rackWork } from './racks.ts'

const POLICY = must(POLICIES[DEFAULT_POLICY_NAME], 'the default is registered')
const TENFOLD = 10

/** How fast the engine decides, on one thread, and whether it decides as the reference does. */
export const pack: Bench = {
  name: 'pack',
  about:
    'decisions per CPU-second: openb, its ten-fold cluster, 20,000 nodes with MIG (--data DIR, --trace NAME, --fleets N)',
  run(argv) {
    const folder = flag(argv, 'data', OPENB)
    const asked = flag(argv, 'trace', '')
    const names = openbTraces(folder).filter((name) => asked === '' || name === asked)
    return Promise.resolve({
      // First, while nothing is compiled yet.
      ...(names.length === 0 ? { openb: `no traces under ${folder}` } : openb(folder, names)),
      racks: wide(Number(flag(argv, 'nodes', '20000'))),
      equal: equal(Number(flag(argv, 'fleets', '10000'))),
    })
  },
}

function openb(folder: string, names: readonly string[]): Figures {
  const fleet = openbFleet(folder)
  const first = openbTrace(folder, names.includes('default') ? 'default' : must(names[0], 'there is a trace'))
  const runs = first.orders.map(({ order, ranks }) => measured(first, order, { fleet, ranks }))
  const warm = runs.slice(Math.floor(runs.length / 2)).map(({ perSecond }) => perSecond)
  const tenfold = manifold(fleet, TENFOLD)
  return {
    openb: {
      trace: first.name,
      nodes: fleet.nodes.length,
      decisions: runs[0]?.decisions,
      cold_per_cpu_second: Math.round(runs[0]?.perSecond ?? 0),
      warm_per_cpu_second: Math.round(median(warm)),
      equals_reference: sameAsReference(first, fleet),
    },
    tenfold: names.map((name) => many(openbTrace(folder, name), tenfold)),
  }
}

/** All orders of a trace, one after another, on a cluster that is as many times as large. */
function many(trace: Trace, fleet: Fleet): Figures {
  const order = Int32Array.from(trace.orders.slice(0, TENFOLD).flatMap((one) => [...one.order]))
  const { decisions, perSecond, p50Us, p99Us } = measured(trace, order, { fleet, isTimed: true })
  const plain = measured(trace, order, { fleet })
  return {
    trace: trace.name,
    nodes: fleet.nodes.length,
    decisions,
    per_cpu_second: Math.round(Math.max(plain.perSecond, perSecond)),
    p50_us: round(p50Us),
    p99_us: round(p99Us),
    resident_mb: Math.round(process.memoryUsage().rss / 2 ** 20),
  }
}

function wide(nodes: number): Figures {
  const fleet = racks(nodes)
  const { requests, order } = rackWork(nodes * 6, 1)
  const history = requests.map((request) => ({ request, count: 1 }))
  const { decisions, perSecond, p50Us, p99Us, placed } = measured({ requests, history }, order, {
    fleet,
    isTimed: true,
  })
  return {
    nodes,
    cards: nodes * 8,
    decisions,
    placed,
    per_cpu_second: Math.round(perSecond),
    p50_us: round(p50Us),
    p99_us: round(p99Us),
    resident_mb: Math.round(process.memoryUsage().rss / 2 ** 20),
  }
}

interface Measured {
  readonly decisions: number
  readonly placed: number
  readonly perSecond: number
  readonly p50Us: number
  readonly p99Us: number
}

interface Measuring {
  readonly fleet: Fleet
  readonly ranks?: readonly number[]
  /** Also times each decision, which costs a little. */
  readonly isTimed?: boolean
}

/** Learning and all decisions, by the processor time of the whole process: compiler and garbage collector included. */
function measured(
  { requests, history }: Pick<Trace, 'requests' | 'history'>,
  order: Int32Array,
  { fleet, ranks, isTimed = false }: Measuring,
): Measured {
  const timesUs = new Float64Array(isTimed ? order.length : 0)
  const start = process.cpuUsage()
  const packer = new FastPacker(fleet, optionsOf(history, ranks))
  const kinds = requests.map((request) => packer.kinds.of(request))
  let placed = 0
  for (let at = 0; at < order.length; at++) {
    const kind = kinds[order[at] ?? 0]
    if (kind === undefined) continue
    const beganMs = isTimed ? performance.now() : 0
    if (packer.placeKind(kind) >= 0) placed++
    if (isTimed) timesUs[at] = (performance.now() - beganMs) * 1000
  }
  const { user, system } = process.cpuUsage(start)
  timesUs.sort()
  return {
    decisions: order.length,
    placed,
    perSecond: order.length / ((user + system) / 1e6),
    p50Us: timesUs[Math.floor(timesUs.length / 2)] ?? 0,
    p99Us: timesUs[Math.floor(timesUs.length * 0.99)] ?? 0,
  }
}

function sameAsReference(trace: Trace, fleet: Fleet): boolean {
  const { order, ranks } = must(trace.orders[0], 'a trace has an order')
  const options = optionsOf(trace.history, ranks)
  const [fast, slow] = [new FastPacker(fleet, options), new ReferencePacker(fleet, options)]
  const spots = (packer: Packer): string[] =>
    Array.from(order, (index) => JSON.stringify(packer.place(must(trace.requests[index], 'a request'))))
  return spots(fast).join() === spots(slow).join()
}

/** The same stories of arrivals and departures told by both engines. */
function equal(fleets: number): Figures {
  const different: string[] = []
  for (const [name, policy] of Object.entries(POLICIES)) {
    for (let seed = 0; seed < fleets; seed++) {
      const [fast, slow] = bothStories(seed, { policy })
      if (JSON.stringify(fast) !== JSON.stringify(slow)) different.push(`${name}: seed ${seed}`)
    }
  }
  return { fleets, policies: Object.keys(POLICIES), different: different.length, first: different.slice(0, 5) }
}

function optionsOf(
  history: readonly { readonly request: Request; readonly count: number }[],
  ranks: readonly number[] | undefined,
): PackerOptions {
  return ranks === undefined ? { policy: POLICY, history } : { policy: POLICY, history, ranks }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, two) => one - two)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
