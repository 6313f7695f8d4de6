import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { forbidden } from '../../fleet/mig/published.suite.ts'
import { cutOf } from '../../fleet/mig/cut.ts'
import { cardKind, CODES, demandOn, IDLE, type CardKind, type Demand } from './card-code.ts'
import { share, slice, WHOLE } from './fleet.suite.ts'

const SHARED = cardKind('l40s', 'share')
const CUT = cardKind('h100-sxm', 'mig')
const UNDIVIDED = cardKind('h100-sxm', 'none')

describe('the kind of a card', () => {
  test('has rules to cut it by only where it is cut', () => {
    expect(CUT).toMatchObject({ parts: 'mig', rules: { model: 'h100-sxm' } })
    expect(cardKind('h100-sxm', 'share')).toMatchObject({ parts: 'share', rules: undefined })
    expect(UNDIVIDED).toMatchObject({ parts: 'none', rules: undefined })
  })

  test.each(['l40s', 'something of ours', undefined])(
    'is undivided where it is not known how to cut it: %s',
    (model) => {
      expect(cardKind(model, 'mig')).toMatchObject({ parts: 'none', rules: undefined })
    },
  )

  test('says how much is free in each state, an eighth less for each memory slice', () => {
    expect(CUT.free).toHaveLength(CODES)
    expect([0, 1, 999, IDLE].map((state) => CUT.free[state])).toEqual([0, 1, 999, 1000])
    expect([0b1, 0b1000_0001, 0b1111, 0b111_1111, 0xff].map((taken) => CUT.free[IDLE + taken])).toEqual([
      875, 750, 500, 125, 0,
    ])
  })

  test('counts quarters on a card of four memory slices, and nothing below nothing', () => {
    const { free } = cardKind('a30', 'mig')
    expect([0b1, 0b11, 0b111, 0b1111, 0xff].map((taken) => free[IDLE + taken])).toEqual([750, 500, 250, 0, 0])
  })
})

describe('a whole card', () => {
  test.each([
    ['shared', SHARED],
    ['cut', CUT],
    ['undivided', UNDIVIDED],
  ])('can be had only of one that is idle: %s', (_, kind) => {
    const { whole, next, profile } = met(kind, WHOLE)
    expect({ whole, profile }).toEqual({ whole: true, profile: undefined })
    expect(statesOf(next)).toEqual([[IDLE, 0]])
  })

  test('is what a share of a thousand is, and what a slice is of a card that is not cut', () => {
    for (const kind of [SHARED, CUT, UNDIVIDED]) expect(met(kind, share(1000))).toBe(met(kind, WHOLE))
    for (const kind of [SHARED, UNDIVIDED]) expect(met(kind, slice(10))).toBe(met(kind, WHOLE))
  })
})

describe('a share of a card', () => {
  test('leaves that much less, and fits where that much is free', () => {
    const { whole, next, profile } = met(SHARED, share(300))
    expect({ whole, profile }).toEqual({ whole: false, profile: undefined })
    expect(statesOf(next)).toEqual(Array.from({ length: 701 }, (_, left) => [left + 300, left]))
  })

  test('can be had only of shared cards', () => {
    expect(demandOn(CUT, share(999))).toBeUndefined()
    expect(demandOn(UNDIVIDED, share(999))).toBeUndefined()
  })
})

describe('a slice of a card', () => {
  test.each(['h100-sxm', 'a100-40-pcie', 'h200-sxm', 'a30', 'rtx-pro-6000-server'])(
    'leads from every state to one that is allowed, on %s',
    (model) => {
      const kind = cardKind(model, 'mig')
      const rules = must(kind.rules, 'it can be cut')
      for (const [profile, { gib }] of rules.profiles.entries()) {
        const demand = met(kind, slice(gib))
        let state = IDLE
        const lying = []
        while ((demand.next[state] ?? -1) >= 0) {
          const after = must(demand.next[state], 'a state')
          const start = Math.log2((after - state) & (state - after))
          expect((state - IDLE) & (after - state)).toBe(0)
          lying.push(cutOf(rules, must(demand.profile, 'a profile'), start))
          expect(forbidden(model, lying)).toBeUndefined()
          state = after
        }
        const most = must(rules.profiles[demand.profile ?? -1], 'a profile').starts.length
        expect(lying, `profile ${profile}`).toHaveLength(most)
      }
    },
  )

  test('is the smallest that is large enough; none is cut that is too small', () => {
    const names = [1, 10, 11, 20, 21, 40, 41, 80].map((gib) => CUT.rules?.profiles[met(CUT, slice(gib)).profile ?? -1])
    expect(names.map((profile) => profile?.name)).toEqual([
      '1g.10gb',
      '1g.10gb',
      '1g.20gb',
      '1g.20gb',
      '3g.40gb',
      '3g.40gb',
      '7g.80gb',
      '7g.80gb',
    ])
    expect(demandOn(CUT, slice(81))).toBeUndefined()
  })

  test('is not cut out of a card that is used as a whole, or that fails', () => {
    const { whole, next } = met(CUT, slice(10))
    expect(whole).toBe(false)
    expect(statesOf(next).every(([from]) => from >= IDLE)).toBe(true)
    expect(next[IDLE]).toBeGreaterThan(IDLE)
  })

  test('the largest takes all of an idle card and nothing else', () => {
    expect(statesOf(met(CUT, slice(80)).next)).toEqual([[IDLE, IDLE + 0xff]])
  })
})

function met(kind: CardKind, part: Parameters<typeof demandOn>[1]): Demand {
  return must(demandOn(kind, part), 'it can be had')
}

/** From where to where, for the states it fits in. */
function statesOf(next: Int16Array): readonly (readonly [number, number])[] {
  return [...next].flatMap((into, from) => (into < 0 ? [] : [[from, into] as const]))
}
