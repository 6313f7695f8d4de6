import { describe, expect, test } from 'vitest'
import { bestFit } from '../../core/pack/engine/best-fit.ts'
import { FastPacker } from '../../core/pack/engine/fast.ts'
import { binOf, curveAt, fillUp, upTo, type ArrivalStream } from './fill.ts'
import { milliOf } from '../../core/pack/optimal/milli.ts'
import { cardsOf, fleetOf, shareOf } from './simulate.suite.ts'

const FLEET = fleetOf(2, 2)
const STREAM: ArrivalStream = {
  requests: [shareOf(600), cardsOf(1), cardsOf(0)],
  order: Int32Array.of(0, 1, 2, 0, 1, 1, 0),
}

test('what fits is placed, what does not is dropped, and each percent is the mean over what arrived in it', () => {
  let nowMs = 0
  const filled = fillUp(STREAM, {
    capacityMilli: 4000,
    makePacker: () => new FastPacker(FLEET, { policy: bestFit }),
    cpuMs: () => (nowMs += 250),
  })
  expect(filled).toMatchObject({ placed: 5, dropped: 2, allocatedMilli: 3200, cpuSeconds: 0.25 })
  expect(filled.curve[15]).toBeCloseTo(15)
  // The request without cards falls into the same percent as the one before it.
  expect(filled.curve[40]).toBeCloseTo(40)
  expect(filled.curve[55]).toBeCloseTo(55)
  expect(filled.curve[80]).toBeCloseTo(80)
  expect(filled.curve[105]).toBeCloseTo(80)
  expect(filled.curve[50]).toBeUndefined()
})

describe('a stream', () => {
  test('ends with the first that makes it more than is wanted', () => {
    expect([...upTo(STREAM, 79, 4000).order]).toEqual([0, 1, 2, 0, 1])
    expect([...upTo(STREAM, 80, 4000).order]).toEqual([0, 1, 2, 0, 1, 1])
    expect(upTo(STREAM, 1000, 4000).order).toHaveLength(7)
  })

  test('is gathered by whole percents, rounded', () => {
    expect([binOf(4, 1000), binOf(5, 1000), binOf(1304, 1000)]).toEqual([0, 1, 130])
  })
})

test('the value at a percent that was stepped over is the one before; beyond the end there is none', () => {
  const curve = [1, undefined, 3]
  expect([0, 1, 2, 3].map((percent) => curveAt(curve, percent))).toEqual([1, 1, 3, undefined])
})

test('a request counts by the cards it takes', () => {
  expect([cardsOf(0), cardsOf(3), shareOf(250)].map(milliOf)).toEqual([0, 3000, 250])
  expect(milliOf(cardsOf(1, { part: { kind: 'slice', vramGib: 20 } }))).toBe(250)
  expect(milliOf(cardsOf(1, { part: { kind: 'slice', vramGib: 141 } }))).toBe(1000)
})
