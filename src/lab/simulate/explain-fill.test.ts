import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FastPacker } from '../../core/pack/engine/fast.ts'
import { stranding } from '../../core/pack/engine/stranding.ts'
import { Admission } from './admission.ts'
import { Dice } from '../../core/base/dice.ts'
import { explainFill } from './explain-fill.ts'
import { curveAt, fillUp, type Filler, type ArrivalStream } from './fill.ts'
import { cardsOf, fleetOf, shareOf } from './simulate.suite.ts'
import { cases } from '../../core/base/laws.suite.ts'

const FLEET = fleetOf(4, 2)
const REQUESTS = [
  shareOf(810, { cpuMilli: 500 }),
  shareOf(500),
  cardsOf(1, { cpuMilli: 1000 }),
  cardsOf(2),
  cardsOf(3),
  cardsOf(1, { models: ['H100'] }),
  cardsOf(0, { cpuMilli: 300 }),
]

function streamOf(seed: number, length: number): ArrivalStream {
  const dice = new Dice(seed)
  return { requests: REQUESTS, order: Int32Array.from({ length }, () => dice.roll(REQUESTS.length)) }
}

const strict = (): Filler => new FastPacker(FLEET, { policy: stranding })
const choosy = (): Filler =>
  new Admission(new FastPacker(FLEET, { policy: stranding }), {
    history: REQUESTS.map((request) => ({ request, count: 1 })),
    capacityMilli: 8000,
    rule: { stranded: 0.15, room: 0.9 },
  })

describe('explaining a fill', () => {
  test.each([
    ['strict', strict],
    ['with admission', choosy],
  ])('everything that was not placed has a reason or was declined: %s', (_, makePacker) => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.integer({ min: 0, max: 60 }), (seed, length) => {
        const stream = streamOf(seed, length)
        const filled = fillUp(stream, { capacityMilli: 8000, makePacker, cpuMs: () => 0 })
        const { refusals, leftovers, declined } = explainFill(stream, { fleet: FLEET, makePacker })
        const refused = refusals.reduce((sum, { count }) => sum + count, 0)
        expect(refused + (declined.at(-1) ?? 0)).toBe(filled.dropped)
        expect(leftovers.reduce((sum, { milli }) => sum + milli, 0)).toBe(8000 - filled.allocatedMilli)
      }),
      cases(60),
    )
  })

  test('reasons come with what was asked for', () => {
    const stream = { requests: REQUESTS, order: Int32Array.of(4, 5, 4) }
    expect(explainFill(stream, { fleet: FLEET, makePacker: strict }).refusals).toEqual([
      { reason: 'no-such-card', count: 1, milli: 1000 },
      { reason: 'too-large', count: 2, milli: 6000 },
    ])
  })

  test('what was declined is counted as it goes, and only where it would have fitted', () => {
    const stream = { requests: REQUESTS, order: Int32Array.of(3, 0, 0, 3, 3, 3, 0) }
    const { declined, refusals } = explainFill(stream, { fleet: FLEET, makePacker: choosy })
    expect(curveAt(declined, 25)).toBe(0)
    expect(curveAt(declined, 45)).toBe(2)
    expect(declined.at(-1)).toBe(2)
    expect(refusals).toEqual([{ reason: 'full', count: 1, milli: 810 }])
  })
})
