import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bestFit } from '../../core/pack/engine/best-fit.ts'
import { FastPacker } from '../../core/pack/engine/fast.ts'
import { randomFleet, randomKinds } from '../../core/pack/engine/world.suite.ts'
import type { Request, Spot } from '../../core/fleet/fleet.ts'
import { Dice } from '../../core/base/dice.ts'
import { SimulatedRoom } from './room.ts'
import { cases } from '../../core/base/laws.suite.ts'

const seeds = fc.nat(1_000_000)

/** Nobody asks for slices of several cards: those are whole cards in other words. */
function plainKinds(dice: Dice): readonly [Request, ...Request[]] {
  const [first, ...rest] = randomKinds(dice)
  return [plain(first), ...rest.map(plain)]
}

function plain(request: Request): Request {
  return request.part.kind === 'slice' ? { ...request, count: 1 } : request
}

test('a room has a reason exactly when a packer has no place', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const dice = new Dice(seed)
      const fleet = randomFleet(dice)
      const requests = plainKinds(dice)
      const packer = new FastPacker(fleet, { policy: bestFit })
      const room = new SimulatedRoom(fleet)
      const running: { readonly request: Request; readonly spot: Spot }[] = []
      for (let step = 0; step < 60; step++) {
        const gone = dice.oneIn(4) ? running.splice(dice.roll(running.length), 1)[0] : undefined
        if (gone !== undefined) {
          packer.release(gone.request, gone.spot)
          room.giveBack(gone.request, gone.spot)
        }
        const request = dice.pick(requests)
        const reason = room.whyNot(packer.kinds.of(request))
        const spot = packer.place(request)
        expect(reason === undefined).toBe(spot !== undefined)
        if (spot === undefined) continue
        running.push({ request, spot })
        room.take(request, spot)
      }
    }),
    cases(200),
  )
})

test('the pieces add up to what is free, and nothing is free twice', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const dice = new Dice(seed)
      const fleet = randomFleet(dice)
      const requests = plainKinds(dice)
      const packer = new FastPacker(fleet, { policy: bestFit })
      const room = new SimulatedRoom(fleet)
      for (let step = 0; step < 40; step++) {
        const request = dice.pick(requests)
        const spot = packer.place(request)
        if (spot !== undefined) room.take(request, spot)
      }
      const usual = packer.kinds.all.map((kind) => ({ kind, count: 1 }))
      const leftovers = room.leftovers(usual)
      expect(leftovers.reduce((sum, { milli }) => sum + milli, 0)).toBe(room.freeMilli)
      expect(new Set(leftovers.map(({ from, why }) => `${from} ${why}`)).size).toBe(leftovers.length)
      const isAnyUsable = leftovers.some(({ why }) => why === 'usable' || why === 'rare')
      const fits = packer.kinds.all.some((kind) => kind.count > 0 && room.whyNot(kind) === undefined)
      expect(isAnyUsable).toBe(fits)
    }),
    cases(100),
  )
})
