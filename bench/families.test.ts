import { describe, expect, test } from 'vitest'
import { asks, cards, fleet, node, share, WHOLE } from '../src/core/pack/engine/fleet.suite.ts'
import type { FleetNode, Request } from '../src/core/fleet/fleet.ts'
import { milliOf } from '../src/core/pack/optimal/milli.ts'
import { compare, membersOf, orderOf, traceOf, type FamilyBase, type Member } from './families.ts'

// A small fleet and work in the manner of openb, made here: what docs/benchmarks.md says about mixes must not get lost
// unnoticed, and the published trace is not at hand everywhere.

const MACHINES: readonly (readonly [number, Partial<FleetNode>])[] = [
  [55, { model: 'G2', cards: cards(8), cpuMilli: 96_000, memoryMib: 393_216 }],
  [4, { model: 'G3', cards: cards(8), cpuMilli: 128_000, memoryMib: 786_432 }],
  [39, { model: 'T4', cards: cards(2), cpuMilli: 104_000, memoryMib: 524_288 }],
  [13, { model: 'P100', cards: cards(2), cpuMilli: 16_000, memoryMib: 122_880 }],
]
const FLEET = fleet(
  ...MACHINES.flatMap(([count, about]) =>
    Array.from({ length: count }, (_, index) => node(`${about.model}-${index}`, about)),
  ),
)

/** How often in a thousand, cards, thousandths of each, CPU, memory in MiB. */
const WORK: readonly (readonly [number, number, number, number, number])[] = [
  [300, 1, 1000, 11_300, 49_152],
  [120, 1, 1000, 3152, 5600],
  [100, 1, 1000, 6000, 24_576],
  [140, 1, 810, 3152, 5600],
  [60, 1, 470, 11_908, 47_104],
  [40, 1, 470, 4000, 15_000],
  [35, 1, 650, 8000, 30_517],
  [45, 1, 320, 4000, 12_288],
  [20, 1, 230, 3000, 10_000],
  [5, 2, 1000, 16_200, 66_560],
  [5, 4, 1000, 32_200, 132_096],
  [6, 8, 1000, 64_200, 263_168],
  [6, 8, 1000, 88_000, 327_680],
  [1, 8, 1000, 120_000, 737_280],
  [117, 0, 0, 12_500, 57_344],
]

const PODS = WORK.flatMap(([often, count, milli, cpuMilli, memoryMib]) => {
  const pod = asks(count, milli % 1000 === 0 ? WHOLE : share(milli), { cpuMilli, memoryMib })
  return Array.from({ length: often }, () => pod)
})
const MODELS = ['T4', 'T4', 'T4', 'G2', 'P100', 'G3']
const BOUND = [share(500), WHOLE].flatMap((part) => MODELS.map((model) => asks(1, part, { models: [model] })))
const BASE: FamilyBase = { pods: PODS, bound: BOUND }

function podsOf(member: Member, seed = 1): readonly Request[] {
  const { requests, of } = traceOf(BASE, member, seed)
  return Array.from(of, (index) => requests[index] ?? asks(0))
}

function shareOf(pods: readonly Request[], counts: (pod: Request) => boolean): number {
  const sum = (some: readonly Request[]): number => some.reduce((total, pod) => total + milliOf(pod), 0)
  return (100 * sum(pods.filter(counts))) / sum(pods)
}

describe('families of mixes', () => {
  test('go from one end to the other in even steps', () => {
    expect(membersOf(3).map(({ axis, share: percent }) => `${axis} ${percent}`)).toEqual(
      ['multi-gpu 10,30,50', 'model-bound 0,17,33', 'sharing 40,70,100'].flatMap((family) => {
        const [axis, shares = ''] = family.split(' ')
        return shares.split(',').map((percent) => `${axis} ${percent}`)
      }),
    )
    expect(membersOf(1).map(({ share: percent }) => percent)).toEqual([50, 33, 100])
  })

  test('have the share that their name says', () => {
    const multi = podsOf({ axis: 'multi-gpu', share: 50 })
    expect(Math.abs(shareOf(multi, ({ count }) => count > 1) - 50)).toBeLessThan(1)
    const shared = podsOf({ axis: 'sharing', share: 70 })
    expect(Math.abs(shareOf(shared, ({ part }) => part.kind === 'share') - 70)).toBeLessThan(1)
    const bound = podsOf({ axis: 'model-bound', share: 25 }).filter(({ count }) => count > 0)
    expect(bound.filter(({ models }) => models !== undefined)).toHaveLength(Math.round(bound.length / 4))
  })

  test('the same seed draws the same pods and the same order, another seed others', () => {
    const member = { axis: 'model-bound', share: 20 } as const
    expect(podsOf(member, 3)).toEqual(podsOf(member, 3))
    expect(podsOf(member, 3)).not.toEqual(podsOf(member, 4))
    const trace = traceOf(BASE, member, 1)
    const given = { untilMilli: 2_000_000, nodes: 5 }
    expect(orderOf(trace, { seed: 1, ...given })).toEqual(orderOf(trace, { seed: 1, ...given }))
    expect(orderOf(trace, { seed: 1, ...given })).not.toEqual(orderOf(trace, { seed: 2, ...given }))
    const { order, ranks } = orderOf(trace, { seed: 1, ...given })
    expect(order.length).toBeGreaterThan(trace.of.length)
    expect([...order.subarray(0, trace.of.length)].sort()).toEqual([...trace.of].sort())
    expect([...ranks].sort()).toEqual([0, 1, 2, 3, 4])
  })

  test.each(membersOf(3))(
    '$axis $share %: our policy is ahead of FGD when 95, 100 and 130 % have arrived',
    (member) => {
      const [figures] = compare([member], { base: BASE, fleet: FLEET, orders: 6, seed: 1 })
      expect(figures?.ahead[95]).toBeGreaterThan(0)
      expect(figures?.ahead[100]).toBeGreaterThan(0)
      expect(figures?.ahead[130]).toBeGreaterThan(0)
    },
  )
})
