import { describe, expect, test } from 'vitest'
import { bestFit } from '../../core/pack/engine/best-fit.ts'
import { FastPacker } from '../../core/pack/engine/fast.ts'
import type { Request } from '../../core/fleet/fleet.ts'
import { Admission, type AdmissionRule } from './admission.ts'
import { cardsOf, fleetOf, shareOf } from './simulate.suite.ts'

const FLEET = fleetOf(10, 1)
/** Nothing fits beside 810 thousandths: it costs a card. Two halves fill one. */
const HISTORY = [
  { request: shareOf(810), count: 10 },
  { request: shareOf(500), count: 10 },
  { request: cardsOf(1), count: 10 },
]

function admission(history = HISTORY, rule?: AdmissionRule): Admission {
  const packer = new FastPacker(FLEET, { policy: bestFit, history })
  return new Admission(packer, { history, capacityMilli: 10_000, ...(rule === undefined ? {} : { rule }) })
}

function place(packer: Admission, request: Request, times = 1): readonly boolean[] {
  const kind = packer.kinds.of(request)
  return Array.from({ length: times }, () => packer.placeKind(kind) >= 0)
}

describe('admission', () => {
  test('takes everything while there is room', () => {
    const packer = admission()
    expect(place(packer, cardsOf(1), 8)).not.toContain(false)
    expect(place(packer, shareOf(810))).toEqual([true])
    expect(packer.declined).toBe(0)
    expect(packer.lastSpot()).toMatchObject({ taken: { kind: 'share', milli: 810 } })
  })

  test('declines what strands much once room is short, and nothing else', () => {
    const packer = admission()
    place(packer, cardsOf(1), 8)
    place(packer, shareOf(500))
    expect(place(packer, shareOf(810))).toEqual([false])
    expect(packer.declined).toBe(1)
    expect(place(packer, shareOf(500))).toEqual([true])
    expect(place(packer, cardsOf(0))).toEqual([true])
    expect(place(packer, cardsOf(1))).toEqual([true])
    expect(packer.declined).toBe(1)
  })

  test('what does not fit is no decision of its own', () => {
    const packer = admission()
    place(packer, cardsOf(1), 10)
    expect(place(packer, cardsOf(1))).toEqual([false])
    expect(packer.declined).toBe(0)
  })

  test('goes by the rule it is given', () => {
    const packer = admission(HISTORY, { stranded: 0.15, room: 1.1 })
    expect(place(packer, shareOf(810))).toEqual([false])
    expect(place(admission(HISTORY, { stranded: 0.5, room: 1.1 }), shareOf(810))).toEqual([true])
  })

  test('without a history it learns from what comes', () => {
    const packer = admission([], { stranded: 0.15, room: 1.1 })
    // Nothing is known: sizes are worth what they are, and all are welcome.
    expect(place(packer, shareOf(810))).toEqual([true])
    const comers = [shareOf(500), cardsOf(1), shareOf(810)]
    for (let turn = 0; turn < 33; turn++) place(packer, comers[turn % 3] ?? cardsOf(1))
    expect(packer.declined).toBeGreaterThan(0)
  })

  test('leaves slices alone', () => {
    const packer = admission(HISTORY, { stranded: 0, room: 1.1 })
    expect(place(packer, cardsOf(1, { part: { kind: 'slice', vramGib: 10 } }))).toEqual([true])
  })
})
