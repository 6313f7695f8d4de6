import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import type { FleetNode } from '../../fleet/fleet.ts'
import { PUBLISHED } from '../../fleet/mig/published.suite.ts'
import { Dice } from '../../base/dice.ts'
import { complaints, type Lodger } from './checker.suite.ts'
import { FastPacker } from './fast.ts'
import { asks, cards, fleet, node, slice } from './fleet.suite.ts'
import { stranding } from './stranding.ts'
import { times } from '../../base/laws.suite.ts'

describe('a request for 10 GiB', () => {
  test.each([
    ['a100-40-sxm', '1g.10gb', 4],
    ['a100-40-pcie', '1g.10gb', 4],
    ['a100-80-sxm', '1g.10gb', 7],
    ['a100-80-pcie', '1g.10gb', 7],
    ['h100-sxm', '1g.10gb', 7],
    ['h100-pcie', '1g.10gb', 7],
    ['h200-sxm', '1g.18gb', 7],
    ['h200-nvl', '1g.18gb', 7],
    ['b200-sxm', '1g.23gb', 7],
    ['rtx-pro-6000-server', '1g.24gb', 4],
    ['rtx-pro-6000-workstation', '1g.24gb', 4],
  ])('lands on the smallest profile that has it, on %s', (model, profile, times) => {
    const packer = new FastPacker(fleet(cutNode('a', model, 1)), { policy: stranding })
    const spots = Array.from({ length: times }, () => packer.place(asks(1, slice(10))))
    expect(spots).toEqual(
      spots.map(() => ({ node: 0, cards: [0], taken: { kind: 'slice', profile, start: expect.any(Number) } })),
    )
    expect(packer.place(asks(1, slice(10)))).toBeUndefined()
  })

  test('goes to any of these when they stand side by side, and to no card that is whole', () => {
    const models = ['a100-80-sxm', 'h100-sxm', 'h200-sxm', 'b200-sxm', 'rtx-pro-6000-server']
    const nodes = models.map((model) => cutNode(model, model, 1))
    const packer = new FastPacker(fleet(...nodes, node('uncut', { cards: cards(1, 'none') })), { policy: stranding })
    const spots = Array.from({ length: 4 * 7 + 4 }, () => packer.place(asks(1, slice(10))))
    expect(spots.every((spot) => spot?.taken?.kind === 'slice')).toBe(true)
    expect(packer.place(asks(1, slice(10)))).toEqual({ node: models.length, cards: [0], taken: undefined })
  })
})

describe('a card that is cut', () => {
  test('is whole again when the last slice has left, and not before', () => {
    const packer = new FastPacker(fleet(cutNode('a', 'h100-sxm', 1)), { policy: stranding })
    const spots = [10, 20, 40].map((gib) => ({ gib, spot: must(packer.place(asks(1, slice(gib))), 'there is room') }))
    for (const { gib, spot } of spots) {
      expect(packer.place(asks(1))).toBeUndefined()
      packer.release(asks(1, slice(gib)), spot)
    }
    expect(packer.place(asks(1))).toEqual({ node: 0, cards: [0], taken: undefined })
    expect(packer.place(asks(1, slice(10)))).toBeUndefined()
  })
})

// Every model there is a list for, a few cards of it beside another model, slices that come and go in any order.
test.each([...PUBLISHED.keys()])('no sequence of slices leads to a geometry that is forbidden, on %s', (model) => {
  let cut = 0
  for (let seed = 0; seed < SEEDS; seed++) {
    const dice = new Dice(seed)
    const nodes = fleet(cutNode('a', model, 1 + dice.roll(3)), cutNode('b', dice.oneIn(2) ? model : 'h100-sxm', 2))
    const packer = new FastPacker(nodes, { policy: stranding })
    const lodgers: Lodger[] = []
    for (let step = 0; step < 60; step++) {
      const [gone] = dice.next() < 0.4 ? lodgers.splice(dice.roll(lodgers.length), 1) : []
      if (gone !== undefined) {
        packer.release(gone.request, gone.spot)
        continue
      }
      const request = dice.oneIn(8) ? asks(1) : asks(1, slice(dice.pick(SIZES)))
      const spot = packer.place(request)
      if (spot === undefined) continue
      lodgers.push({ request, spot })
      if (spot.taken?.kind === 'slice') cut++
      expect(complaints(nodes, lodgers, spot.node), `seed ${seed}`).toEqual([])
    }
  }
  expect(cut).toBeGreaterThan(7 * SEEDS)
})

const SEEDS = times(40)
const SIZES = [5, 10, 20, 24, 40, 48, 70, 90, 140] as const

function cutNode(id: string, model: string, count: number): FleetNode {
  return node(id, { model, cards: cards(count, 'mig') })
}
