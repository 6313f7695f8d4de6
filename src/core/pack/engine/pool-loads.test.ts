import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '../../base/laws.suite.ts'
import type { Request } from '../../fleet/fleet.ts'
import { asks, cards, fleet, groundOf, node, WHOLE } from './fleet.suite.ts'
import { Loads, Machines, needsByMachine, needsByModel, type KindShare } from './pool-loads.ts'

const FLEET = fleet(
  node('a', { model: 'large', cards: cards(8), cpuMilli: 96_000 }),
  node('b', { model: 'large', cards: cards(4), cpuMilli: 48_000 }),
  node('c', { model: 'rich', cards: cards(8), cpuMilli: 128_000 }),
  node('d', { model: 'small', cards: cards(2), cpuMilli: 96_000 }),
  node('e', { model: 'small', cards: cards(2), cpuMilli: 96_000 }),
)
const POOLS = 3
const GROUND = groundOf(FLEET)
const MACHINES = new Machines(GROUND.machines, POOLS)

function work(...shares: readonly (readonly [Request, number])[]): readonly KindShare[] {
  return shares.map(([request, share]) => ({ kind: GROUND.kinds.of(request), share }))
}

function roomFor(request: Request): readonly number[] {
  return [...MACHINES.roomFor(GROUND.kinds.of(request))]
}

describe('room for work', () => {
  test('is the part of the cards on machines that could hold it', () => {
    expect(GROUND.machines).toHaveLength(4)
    expect(roomFor(asks(1))).toEqual([1, 1, 1])
    expect(roomFor(asks(8))).toEqual([8 / 12, 1, 0])
    expect(roomFor(asks(8, WHOLE, { cpuMilli: 120_000 }))).toEqual([0, 1, 0])
    expect(roomFor(asks(1, WHOLE, { memoryMib: 2_000_000 }))).toEqual([0, 0, 0])
    expect(roomFor(asks(2, WHOLE, { models: ['small', 'rich'] }))).toEqual([0, 1, 1])
  })

  test('work that takes whole machines is a share of what would come to a pool', () => {
    const [large, rich, small] = MACHINES.wholeShares(work([asks(1), 0.5], [asks(8), 0.5]))
    // Of twenty-four cards, eight cards at once can use sixteen: half of them are of the first pool.
    expect(large).toBeCloseTo(0.25 / (0.25 + 0.5 * (12 / 24)), 10)
    expect(rich).toBeCloseTo(0.25 / (0.25 + 0.5 * (8 / 24)), 10)
    expect(small).toBe(0)
  })
})

describe('needs', () => {
  test('kinds that can use the same are one', () => {
    const all = work([asks(1), 0.4], [asks(2), 0.3], [asks(8), 0.2], [asks(1, WHOLE, { models: ['rich'] }), 0.1])
    expect(needsByModel(all, POOLS).map(({ share }) => share)).toEqual(
      [0.9, 0.1].map((share) => expect.closeTo(share, 10)),
    )
    expect(needsByMachine(all, MACHINES).map(({ room }) => [...room])).toEqual([
      [1, 1, 1],
      [11 / 16, 1, 0],
      [0, 1, 0],
    ])
  })

  test('rare ones count as part of the most frequent, and those that fit nowhere not at all', () => {
    const nowhere = asks(1, WHOLE, { models: ['none'] })
    const needs = needsByMachine(work([asks(8), 0.005], [asks(1), 0.495], [nowhere, 0.5]), MACHINES)
    expect(needs.map(({ share }) => share)).toEqual([0.5])
    expect(needsByMachine([], MACHINES)).toEqual([])
  })
})

describe('loads', () => {
  test('nothing must be kept for some where all of it can use the same', () => {
    expect(new Loads(needsByModel(work([asks(1), 1]), POOLS), POOLS).areEqual).toBe(true)
    expect(new Loads(needsByMachine(work([asks(1), 0.5], [asks(8), 0.5]), MACHINES), POOLS).areEqual).toBe(false)
  })

  test('a pool that some work depends on is loaded by it alone, and by its part of the rest', () => {
    const loads = new Loads(
      needsByModel(work([asks(1), 0.75], [asks(1, WHOLE, { models: ['rich'] }), 0.25]), POOLS),
      POOLS,
    )
    loads.update(Float64Array.of(12, 8, 4), 24)
    expect([...loads.values]).toEqual([0.75, 1.5, 0.75])
    loads.update(Float64Array.of(12, 2, 4), 18)
    expect([...loads.values]).toEqual([0.75, 3, 0.75])
  })

  test('their mean, weighted by what is left, is one', () => {
    const rooms = fc.array(fc.tuple(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 0, max: 16 })), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(rooms, fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (drawn, one, two) => {
        const needs = drawn.map(([first, second]) => ({
          share: 1 / drawn.length,
          room: Float64Array.of(first / 16, second / 16),
        }))
        const loads = new Loads(needs, 2)
        loads.update(Float64Array.of(one, two), one + two)
        const [first = 0, second = 0] = loads.values
        expect((first * one + second * two) / (one + two)).toBeCloseTo(1, 9)
      }),
      cases(200),
    )
  })
})
