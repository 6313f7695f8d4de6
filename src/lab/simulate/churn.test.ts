import { expect, test } from 'vitest'
import { bestFit } from '../../core/pack/engine/best-fit.ts'
import { FastPacker } from '../../core/pack/engine/fast.ts'
import { churn, type Churned } from './churn.ts'
import { cardsOf, fleetOf, shareOf } from './simulate.suite.ts'

const FLEET = fleetOf(10, 4)

function churned(load: number, seed = 1): Churned {
  return churn(
    {
      requests: [shareOf(500), cardsOf(1), cardsOf(4)],
      of: Int32Array.of(0, 0, 1, 1, 1, 2),
      lifetimeS: Float64Array.of(100, 200, 50, 100, 150, 100),
      load,
      seed,
      warmUpS: 2000,
      measuredS: 20_000,
    },
    { capacityMilli: 40_000, packer: new FastPacker(FLEET, { policy: bestFit }) },
  )
}

test('under a light load about as much is allocated as is asked for, and hardly anybody waits', () => {
  const { allocated, arrived, placed, waits } = churned(0.3)
  expect(allocated).toBeGreaterThan(27)
  expect(allocated).toBeLessThan(33)
  expect(arrived - placed).toBeLessThan(3)
  expect(waits.map(({ size }) => size)).toEqual(['part of a card', '1', '4'])
  expect(waits.reduce((sum, { longestS }) => sum + longestS, 0)).toBe(0)
})

test('under too much load the fleet is full, the queue grows, and the large wait longest', () => {
  const { allocated, arrived, placed, waits } = churned(1.5)
  expect(allocated).toBeGreaterThan(95)
  expect(arrived - placed).toBe(waits.reduce((sum, { waiting }) => sum + waiting, 0))
  const [part, , four] = waits
  expect(four?.meanS).toBeGreaterThan(part?.meanS ?? Infinity)
})

test('the same seed gives the same result, another seed another', () => {
  expect(churned(0.9, 5)).toEqual(churned(0.9, 5))
  expect(churned(0.9, 5)).not.toEqual(churned(0.9, 6))
})
