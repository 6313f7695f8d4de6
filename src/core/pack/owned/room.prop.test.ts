import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReferencePacker } from '../engine/reference.ts'
import { stranding } from '../engine/stranding.ts'
import { randomFleet } from '../engine/world.suite.ts'
import type { Request } from '../../fleet/fleet.ts'
import { fitsAt, fitsOn, withLodger, type FreeState } from '../proposal/free-state.ts'
import { Dice } from '../../base/dice.ts'
import { freeIn, randomOwned, randomRequest } from './fleet.suite.ts'
import { FleetRoom } from './room.ts'
import { cases } from '../../base/laws.suite.ts'

const RUNS = cases(400)

/** Whether the plain model finds room of the kind that was asked for: it also gives whole cards instead of slices. */
function isRoom(state: FreeState, node: number, request: Request): boolean {
  const spot = fitsOn(state, node, request)
  return spot !== undefined && (request.part.kind !== 'slice' || spot.taken?.kind === 'slice')
}

describe('the room in a fleet', () => {
  test('is where the plain model finds it, with mixed cards and whatever runs, before and after placing', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const owned = randomOwned(seed)
        const room = new FleetRoom(owned)
        const dice = new Dice(seed + 1)
        let state = freeIn(owned)
        for (let step = 0; step < 12; step++) {
          const request = randomRequest(dice)
          const nodes = [...owned.fleet.nodes.keys()]
          const roomy = nodes.filter((node) => room.score(request, node) > Number.NEGATIVE_INFINITY)
          expect(roomy).toEqual(nodes.filter((node) => isRoom(state, node, request)))
          if (roomy.length === 0) continue
          const spot = room.take('new', request, dice.pick([roomy[0] ?? 0, ...roomy]))
          expect(fitsAt(state, request, spot)).toBe(true)
          state = withLodger(state, { request, spot })
        }
      }),
      RUNS,
    )
  })

  test('is shared out as the engine would, where all cards of a node are alike', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const fleet = randomFleet(new Dice(seed))
        const room = new FleetRoom({ provider: 'p', region: 'r', fleet, tenants: [] })
        const packer = new ReferencePacker(fleet, { policy: stranding })
        const dice = new Dice(seed + 1)
        for (let step = 0; step < 10; step++) {
          const request = { ...randomRequest(dice), part: { kind: 'whole' as const } }
          const scores = fleet.nodes.map((_, node) => room.score(request, node))
          const spot = packer.place(request)
          if (spot === undefined) expect(Math.max(...scores)).toBe(Number.NEGATIVE_INFINITY)
          else {
            expect(scores[spot.node]).toBe(Math.max(...scores))
            expect(room.take('new', request, spot.node)).toEqual(spot)
          }
        }
      }),
      RUNS,
    )
  })

  test('what is left of a node is what the plain model says', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const owned = randomOwned(seed)
        const room = new FleetRoom(owned)
        const state = freeIn(owned)
        for (const [index, node] of state.nodes.entries()) {
          const use = room.useAt(index)
          expect(use.cpuFreeMilli).toBe(node.cpuMilli)
          expect(use.memoryFreeMib).toBe(node.memoryMib)
          expect(use.cards.filter(({ state: word }) => word === 'free').length).toBe(
            node.cards.filter(
              ({ freeMilli, slices }, card) =>
                freeMilli === 1000 && slices.length === 0 && node.node.cards[card]?.health !== 'failing',
            ).length,
          )
        }
      }),
      RUNS,
    )
  })
})
