import { describe, expect, test } from 'vitest'
import { must } from '../../core/base/assert.ts'
import { FastPacker } from '../../core/pack/engine/fast.ts'
import { POLICIES } from '../../core/pack/engine/registry.ts'
import type { Fleet, FleetNode, Request } from '../../core/fleet/fleet.ts'
import { Dice } from '../../core/base/dice.ts'
import { fillUp } from './fill.ts'

// A small fleet and a mix of work in the manner of the published traces, made here: what docs/benchmarks.md says about
// the real ones must not get lost unnoticed.

const SHAPES = [
  { model: 'large', count: 8, cpuMilli: 96_000, memoryMib: 393_216, nodes: 55 },
  { model: 'small', count: 2, cpuMilli: 104_000, memoryMib: 524_288, nodes: 39 },
  { model: 'old', count: 2, cpuMilli: 16_000, memoryMib: 122_880, nodes: 13 },
] as const

const FLEET: Fleet = {
  nodes: SHAPES.flatMap(({ model, count, cpuMilli, memoryMib, nodes }) =>
    Array.from({ length: nodes }, (_, index): FleetNode => ({
      id: `${model}-${index}`,
      model,
      cpuMilli,
      memoryMib,
      diskMib: undefined,
      cards: Array.from({ length: count }, () => ({ health: 'ok', parts: 'share' })),
      layout: undefined,
      domains: { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined },
    })),
  ),
}

const CAPACITY_MILLI = 1000 * FLEET.nodes.reduce((sum, { cards }) => sum + cards.length, 0)

/** Thousandths of a card, CPU, memory in MiB, how often in a thousand; several cards as thousands. */
const WORK: readonly (readonly [number, number, number, number])[] = [
  [1000, 11_300, 49_152, 300],
  [1000, 3152, 5600, 120],
  [1000, 6000, 24_576, 100],
  [810, 3152, 5600, 140],
  [470, 11_908, 47_104, 60],
  [470, 4000, 15_000, 40],
  [650, 8000, 30_517, 35],
  [320, 4000, 12_288, 45],
  [230, 3000, 10_000, 20],
  [160, 2000, 6000, 15],
  [2000, 24_000, 98_304, 8],
  [8000, 64_000, 262_144, 7],
  [0, 12_500, 57_344, 110],
]

const REQUESTS = WORK.map(([milli, cpuMilli, memoryMib]): Request => ({
  cpuMilli,
  memoryMib,
  diskMib: 0,
  count: Math.ceil(milli / 1000),
  part: milli % 1000 === 0 ? { kind: 'whole' } : { kind: 'share', milli },
  models: undefined,
}))

function orderOf(seed: number): Int32Array {
  const dice = new Dice(seed)
  const drawn = WORK.flatMap(([, , , often], index) => Array.from({ length: often }, () => index))
  const order: number[] = []
  let arrived = 0
  while (arrived < 1.32 * CAPACITY_MILLI) {
    const index = must(drawn[dice.roll(drawn.length)], 'inside')
    order.push(index)
    arrived += WORK[index]?.[0] ?? 0
  }
  return Int32Array.from(order)
}

function meanAt(percent: number, policy: string): number {
  const history = REQUESTS.map((request, index) => ({ request, count: WORK[index]?.[3] ?? 0 }))
  const seeds = [1, 2, 3, 4, 5, 6]
  const figures = seeds.map((seed) => {
    const makePacker = (): FastPacker => new FastPacker(FLEET, { policy: must(POLICIES[policy], policy), history })
    const stream = { requests: REQUESTS, order: orderOf(seed) }
    return must(fillUp(stream, { capacityMilli: CAPACITY_MILLI, makePacker, cpuMs: () => 0 }).curve[percent], 'a bin')
  })
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length
}

describe('how full a fleet gets', () => {
  test.each([100, 130])(
    'our own policy allocates more than FGD, and much more than best-fit, when %i percent have arrived',
    (percent) => {
      const [ours, fgd, fit] = ['stranding', 'fgd', 'best-fit'].map((policy) => meanAt(percent, policy))
      expect(ours).toBeGreaterThan((fgd ?? 0) + 0.3)
      expect(ours).toBeGreaterThan((fit ?? 0) + 1)
      expect(ours).toBeGreaterThan(95)
    },
  )
})
