import { describe, expect, test } from 'vitest'
import type { Fleet, FleetNode, Request, Spot } from '../../fleet/fleet.ts'
import { CARD_RULES } from '../proposal/card-rules.ts'
import { fitsOn, freeStateOf } from '../proposal/free-state.ts'
import { Dice } from '../../base/dice.ts'
import { complaints, type Lodger } from './checker.suite.ts'
import { FastPacker } from './fast.ts'
import { asks, NOWHERE } from './fleet.suite.ts'
import type { Packer } from './packer.ts'
import type { MakePolicy } from './policy.ts'
import { POLICIES } from './registry.ts'
import { stranding, strandingWith, TUNING } from './stranding.ts'
import { randomFleet, randomKinds } from './world.suite.ts'
import { times } from '../../base/laws.suite.ts'

const MODELS = ['h100-sxm', 'a100-40-pcie', 'h200-sxm', 'b200-sxm', 'a30', 'rtx-pro-6000-server', 'l40s'] as const
const STORIES = times(200)
const STEPS = 80

describe.each(Object.entries(POLICIES))('whatever comes and goes, by %s', (_, policy) => {
  test('nothing is taken twice, cut where it must not be, or laid where it may not lie', () => {
    for (let seed = 0; seed < STORIES; seed++) {
      const { fleet, kinds, dice } = world(seed)
      const packer = new FastPacker(fleet, { policy, history: historyOf(seed, kinds) })
      tell(packer, { kinds, dice }, ({ lodgers, node }) => {
        expect(complaints(fleet, lodgers, node), `seed ${seed}`).toEqual([])
      })
    }
  })

  test('a request is refused only when no node could take it, and every node says so rightly', () => {
    for (let seed = STORIES; seed < 2 * STORIES; seed++) {
      const { fleet, kinds, dice } = world(seed)
      const packer = new FastPacker(fleet, { policy, history: historyOf(seed, kinds) })
      tell(packer, { kinds, dice }, ({ lodgers, request, spot }) => {
        if (spot !== undefined) return
        const state = freeStateOf(fleet, lodgers, CARD_RULES)
        for (const node of fleet.nodes.keys()) {
          expect(fitsOn(state, node, plainly(request)), `seed ${seed}, node ${node}`).toBeUndefined()
          expect(packer.fits(packer.kinds.of(request), node)).toBe(false)
        }
      })
    }
  })

  test('every node that could take a request says so', () => {
    for (let seed = 0; seed < STORIES / 4; seed++) {
      const { fleet, kinds, dice } = world(seed)
      const packer = new FastPacker(fleet, { policy, history: historyOf(seed, kinds) })
      const lodgers = tell(packer, { kinds, dice })
      const state = freeStateOf(fleet, lodgers, CARD_RULES)
      for (const request of kinds)
        for (const node of fleet.nodes.keys())
          expect(packer.fits(packer.kinds.of(request), node), `seed ${seed}, node ${node}`).toBe(
            fitsOn(state, node, plainly(request)) !== undefined,
          )
    }
  })

  test('when all have left, every node is as good for everything as it was at first', () => {
    for (let seed = 0; seed < STORIES; seed++) {
      const { fleet, kinds, dice } = world(seed)
      const packer = new FastPacker(fleet, { policy: unmoved(policy), history: historyOf(1, kinds) })
      const scores = (): readonly number[] =>
        kinds.flatMap((request) => fleet.nodes.map((_, node) => packer.score(packer.kinds.of(request), node)))
      const before = scores()
      for (const { request, spot } of tell(packer, { kinds, dice })) packer.release(request, spot)
      expect(scores(), `seed ${seed}`).toEqual(before)
    }
  })

  test('when all have left, the first to come gets the spot that it had', () => {
    for (let seed = 0; seed < STORIES; seed++) {
      const { fleet, kinds, dice } = world(seed)
      const packer = new FastPacker(fleet, { policy: unmoved(policy), history: historyOf(1, kinds) })
      const first = packer.place(kinds[0])
      if (first !== undefined) packer.release(kinds[0], first)
      for (const { request, spot } of tell(packer, { kinds, dice })) packer.release(request, spot)
      expect(packer.place(kinds[0]), `seed ${seed}`).toEqual(first)
    }
  })

  test('the same seed gives the same spots', () => {
    for (let seed = 0; seed < STORIES / 4; seed++) {
      const [one, two] = [0, 1].map(() => {
        const { fleet, kinds, dice } = world(seed)
        return tell(new FastPacker(fleet, { policy, history: historyOf(seed, kinds) }), { kinds, dice })
      })
      expect(one).toEqual(two)
    }
  })

  test('the order in which nodes are listed decides nothing, for work that takes no slices', () => {
    for (let seed = 0; seed < STORIES; seed++) {
      const { fleet, kinds: all } = world(seed)
      const kinds = [asks(1), ...all.filter(({ part }) => part.kind !== 'slice')] as const
      const turned = { nodes: fleet.nodes.toReversed() }
      const [one, two] = [fleet, turned].map((nodes) => {
        const packer = new FastPacker(nodes, { policy, history: historyOf(seed, kinds) })
        return tell(packer, { kinds, dice: new Dice(seed) }).map(({ spot }) => ({
          ...spot,
          node: nodes.nodes[spot.node]?.id,
        }))
      })
      expect(one, `seed ${seed}`).toEqual(two)
    }
  })
})

/** The default policy heeds how fast work leaves; here it does not, so that an empty fleet is as it was at first. */
function unmoved(policy: MakePolicy): MakePolicy {
  const { filling } = TUNING.idleAfter
  const same = { idleAfter: { filling, churning: filling }, large: { ...TUNING.large, weight: 0 }, emptyForWhole: 0 }
  return policy === stranding ? strandingWith({ ...TUNING, ...same }) : policy
}

/** A random fleet and work for it, over more models, and now and then a node without cards. */
function world(seed: number): { fleet: Fleet; kinds: readonly [Request, ...Request[]]; dice: Dice } {
  const dice = new Dice(seed)
  const names = new Map(['h100-sxm', 'a100-80-sxm', 'l40s'].map((name) => [name, dice.pick(MODELS)]))
  const renamed = (name: string): string => names.get(name) ?? name
  const nodes = randomFleet(dice).nodes.map(({ model, ...node }): FleetNode => ({
    ...node,
    model: renamed(model ?? ''),
  }))
  const [first, ...rest] = randomKinds(dice)
  const known = ({ models, ...request }: Request): Request => ({ ...request, models: models?.map(renamed) })
  const bare = dice.oneIn(3) ? [BARE] : []
  return { fleet: { nodes: [...nodes, ...bare] }, kinds: [known(first), ...rest.map(known)], dice }
}

const BARE: FleetNode = {
  id: 'bare',
  model: undefined,
  cpuMilli: 16_000,
  memoryMib: 32_000,
  diskMib: 100_000,
  cards: [],
  layout: undefined,
  domains: NOWHERE,
}

/** Every second fleet knows what usually comes. */
function historyOf(
  seed: number,
  kinds: readonly Request[],
): readonly { readonly request: Request; readonly count: number }[] {
  return seed % 2 === 0 ? [] : kinds.map((request, index) => ({ request, count: 1 + index }))
}

/** Slices of two cards cannot talk to each other: who asks for several gets whole ones. */
function plainly(request: Request): Request {
  return request.part.kind === 'slice' && request.count > 1 ? { ...request, part: { kind: 'whole' } } : request
}

interface Step {
  /** All that lie somewhere after the step. */
  readonly lodgers: readonly Lodger[]
  readonly request: Request
  readonly spot: Spot | undefined
  /** The node that has changed; the first, where none has. */
  readonly node: number
}

/** Arrivals and departures; answers what lies where in the end. */
function tell(
  packer: Packer,
  { kinds, dice }: { readonly kinds: readonly [Request, ...Request[]]; readonly dice: Dice },
  look: (step: Step) => void = () => {},
): readonly Lodger[] {
  const lodgers: Lodger[] = []
  for (let step = 0; step < STEPS; step++) {
    if (lodgers.length > 0 && dice.oneIn(4)) {
      const [gone] = lodgers.splice(dice.roll(lodgers.length), 1)
      if (gone !== undefined) packer.release(gone.request, gone.spot)
      continue
    }
    const request = dice.pick(kinds)
    const spot = packer.place(request)
    if (spot !== undefined) lodgers.push({ request, spot })
    look({ lodgers, request, spot, node: spot?.node ?? 0 })
  }
  return lodgers
}
