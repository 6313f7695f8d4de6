import fc from 'fast-check'
import { expect, test } from 'vitest'
import { POLICIES } from '../../core/pack/engine/registry.ts'
import { stranding } from '../../core/pack/engine/stranding.ts'
import { randomFleet, randomKinds } from '../../core/pack/engine/world.suite.ts'
import type { Fleet } from '../../core/fleet/fleet.ts'
import { Dice } from '../../core/base/dice.ts'
import { replay, type Replay } from './replay.ts'
import { arrivalOf } from './simulate.suite.ts'
import type { Arrival } from './trace.ts'
import { cases } from '../../core/base/laws.suite.ts'

/** A fleet in racks, and what comes to it: singles and gangs, of several priorities. */
function worldOf(seed: number): { readonly fleet: Fleet; readonly arrivals: readonly Arrival[] } {
  const dice = new Dice(seed)
  const { nodes } = randomFleet(dice)
  const kinds = randomKinds(dice).filter(({ count, part }) => count < 2 || part.kind !== 'slice')
  const racked = nodes.map((node, index) => ({ ...node, domains: { ...node.domains, rack: `r-${index % 2}` } }))
  let arrivalS = 0
  const arrivals = Array.from({ length: 40 }, (_, index) => {
    arrivalS += dice.roll(20)
    const request = kinds[dice.roll(kinds.length)]
    return request === undefined
      ? []
      : [
          arrivalOf(`a-${index}`, request, {
            arrivalS,
            durationS: 1 + dice.roll(200),
            nodes: dice.oneIn(4) ? 2 + dice.roll(3) : 1,
            within: dice.oneIn(2) ? 'rack' : undefined,
            priority: dice.roll(3),
          }),
        ]
  })
  return { fleet: { nodes: racked }, arrivals: arrivals.flat() }
}

function givenOf(seed: number): Replay {
  const policy = Object.values(POLICIES)[seed % 3] ?? stranding
  return { ...worldOf(seed), tenants: [], policy, knows: seed % 2 === 0 ? 'trace' : 'nothing', patienceS: seed % 50 }
}

const seeds = fc.nat(1_000_000)

test('where everything leaves again, all who could ever fit are placed, and the fleet is empty in the end', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const given = givenOf(seed)
      const result = replay(given)
      expect(result.waiting).toEqual([])
      expect(result.placed + result.refused.length).toBe(given.arrivals.length)
      expect(result.curve.at(-1)?.[1] ?? 0).toBe(0)
      for (const [, allocated] of result.curve) expect(allocated).toBeLessThanOrEqual(100)
      expect(result.waits.reduce((sum, { count }) => sum + count, 0)).toBe(result.placed)
    }),
    cases(100),
  )
})

test('the same trace gives the same result', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      expect(replay(givenOf(seed))).toEqual(replay(givenOf(seed)))
    }),
    cases(20),
  )
})
