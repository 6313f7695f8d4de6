import { expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import type { FleetNode, Request, Spot } from '../../fleet/fleet.ts'
import { Dice } from '../../base/dice.ts'
import { dualSocketPcie } from '../../fleet/topology/presets.ts'
import { FastPacker } from './fast.ts'
import { asks, cards, node, share, slice, WHOLE } from './fleet.suite.ts'
import { ReferencePacker } from './reference.ts'
import { POLICIES } from './registry.ts'
import { randomFleet, randomKinds } from './world.suite.ts'
import { sized } from '../../base/laws.suite.ts'

// Long enough for logs to be begun anew, queues to be cleaned and kinds to come again after they have been forgotten;
// work leaves by turns as fast as it comes and hardly at all.
test.each([
  ['stranding', sized({ quick: 10_000, whole: 30_000 })],
  ['fgd', sized({ quick: 10_000, whole: 22_000 })],
  ['best-fit', sized({ quick: 10_000, whole: 60_000 })],
] as const)('over a long life the fast engine finds the spots that the reference finds, by %s', (name, steps) => {
  const policy = must(POLICIES[name], name)
  const dice = new Dice(steps)
  const kinds = work(dice)
  const history = name === 'fgd' ? kinds.map((request) => ({ request, count: 1 + dice.roll(9) })) : []
  const [fast, slow] = [
    new FastPacker({ nodes: NODES }, { policy, history }),
    new ReferencePacker({ nodes: NODES }, { policy, history }),
  ]
  const running: { readonly request: Request; readonly spot: Spot }[] = []
  let placed = 0
  for (let step = 0; step < steps; step++) {
    const isLeaving = dice.next() < (Math.floor(step / 4000) % 2 === 0 ? 0.49 : 0.1)
    const [gone] = isLeaving ? running.splice(dice.roll(running.length), 1) : []
    if (gone !== undefined) {
      fast.release(gone.request, gone.spot)
      slow.release(gone.request, gone.spot)
      continue
    }
    const request = step % 9000 === 8999 ? RARE : dice.pick(kinds)
    const spot = fast.place(request)
    if (!isSame(spot, slow.place(request)))
      expect.fail(`step ${step}: ${JSON.stringify([request, spot, slow.lastSpot()])}`)
    if (spot === undefined) continue
    placed++
    running.push({ request, spot })
  }
  expect(placed).toBeGreaterThan(steps / 5)
})

test.each(Object.entries(POLICIES))('asked about some nodes, both say the same, by %s', (_, policy) => {
  for (let seed = 0; seed < 120; seed++) {
    const dice = new Dice(seed)
    const fleet = randomFleet(dice)
    const kinds = randomKinds(dice)
    const history = seed % 2 === 0 ? [] : kinds.map((request) => ({ request, count: 1 }))
    const packers = [
      new FastPacker(fleet, { policy, history }),
      new ReferencePacker(fleet, { policy, history }),
    ] as const
    const running: { readonly request: Request; readonly spot: Spot }[] = []
    for (let step = 0; step < 60; step++) {
      const request = dice.pick(kinds)
      const some = [...fleet.nodes.keys()].filter(() => dice.oneIn(2))
      const [gone] = dice.oneIn(3) ? running.splice(dice.roll(running.length), 1) : []
      const isMoved = dice.oneIn(2)
      const [fast, slow] = packers.map((packer) => {
        if (gone !== undefined) packer.release(gone.request, gone.spot)
        // Somebody else has put it back where it was.
        if (gone !== undefined && isMoved) packer.occupy(gone.request, gone.spot)
        const node = packer.placeAmong(packer.kinds.of(request), some)
        const spot = node < 0 ? undefined : packer.lastSpot()
        return { spot, scores: some.map((one) => packer.score(packer.kinds.of(request), one)) }
      })
      expect(fast, `seed ${seed}, step ${step}`).toEqual(slow)
      if (gone !== undefined && isMoved) running.push(gone)
      if (fast?.spot !== undefined) running.push({ request, spot: fast.spot })
    }
  }
})

const WIRED = dualSocketPcie({ cards: 4, perSwitch: 2, facts: { target: '8.0', pcieGen: 4 } })

/** Most of them in one pool, so that much happens there. */
const NODES: readonly FleetNode[] = [
  ...Array.from({ length: 8 }, (_, index) => node(`shared-${index}`, { cards: cards(4), cpuMilli: 32_000 })),
  ...Array.from({ length: 2 }, (_, index) =>
    node(`wired-${index}`, { cards: cards(4), cpuMilli: 32_000, layout: WIRED }),
  ),
  ...Array.from({ length: 2 }, (_, index) =>
    node(`cut-${index}`, { model: 'h100-sxm', cards: cards(2, 'mig'), cpuMilli: 16_000 }),
  ),
]
const RARE = asks(2, WHOLE, { cpuMilli: 1234 })

function work(dice: Dice): readonly [Request, ...Request[]] {
  const parts = [WHOLE, share(250), share(500), share(330), slice(10), slice(20)] as const
  const requests = Array.from({ length: 30 }, () => {
    const part = dice.pick(parts)
    const models = dice.oneIn(4) ? [dice.pick(['plain', 'h100-sxm'])] : undefined
    const count = part.kind === 'whole' ? dice.pick([0, 1, 1, 2, 4]) : 1
    return asks(count, part, { cpuMilli: 250 * dice.roll(20), memoryMib: 100 * dice.roll(5), models })
  })
  return [asks(1), ...requests]
}

function isSame(one: Spot | undefined, two: Spot | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(two)
}
