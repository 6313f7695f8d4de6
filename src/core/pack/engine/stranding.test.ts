import { describe, expect, test } from 'vitest'
import type { Fleet, Request, Spot } from '../../fleet/fleet.ts'
import { FastPacker } from './fast.ts'
import { asks, cards, fleet, node, share, slice, WHOLE } from './fleet.suite.ts'
import { stranding, strandingWith, TUNING, type StrandingWeights } from './stranding.ts'

describe('parts of cards', () => {
  const history = usual(asks(1, share(650)), asks(1, share(320)))
  const one = { cards: cards(1) }

  test('go where what is free is just enough, not where it takes the place of something larger', () => {
    const packer = packing(fleet(node('a', one), node('b', one), node('c', one)), history)
    packer.occupy(asks(1, share(350)), part(0, 0, 350))
    packer.occupy(asks(1, share(650)), part(1, 0, 650))
    expect(packer.place(asks(1, share(320)))?.node).toBe(1)
    expect(packer.place(asks(1, share(650)))?.node).toBe(0)
  })

  test('go to the card of a node where what is left behind is of most use', () => {
    const packer = packing(fleet(node('a', { cards: cards(3) })), usual(asks(1, share(300))))
    packer.occupy(asks(1, share(670)), part(0, 0, 670))
    packer.occupy(asks(1, share(720)), part(0, 1, 720))
    // 330 would still hold what usually comes; 280 holds nothing of it, and an idle card three.
    expect(packer.place(asks(1, share(250)))?.cards).toEqual([1])
    expect(packer.place(asks(1, share(300)))?.cards).toEqual([0])
  })

  test('stay clear of a remainder that nothing usual would fit beside', () => {
    const packer = packing(fleet(node('a', one), node('b', one)), history)
    // A third of a card is free here and all of it there: what takes a quarter spoils the one, but nothing of the other.
    packer.occupy(asks(1, share(670)), part(0, 0, 670))
    packer.occupy(asks(1, share(60)), part(1, 0, 60))
    expect(packer.place(asks(1, share(250)))?.node).toBe(1)
  })
})

describe('CPU and memory', () => {
  test.each(['cpuMilli', 'memoryMib'] as const)(
    'are not taken from cards that could not be used without: %s',
    (what) => {
      const light = asks(1, WHOLE, { [what]: 8000 })
      const heavy = asks(1, WHOLE, { [what]: 24_000 })
      const thin = node('a', { cards: cards(4), [what]: 32_000 })
      const rich = node('b', { cards: cards(4), [what]: 96_000 })
      const scores = scoresOf(
        packing(fleet(thin, rich), [
          { request: light, count: 9 },
          { request: heavy, count: 1 },
        ]),
      )
      const [lightOnThin = 0, lightOnRich = 0] = scores(light)
      const [heavyOnThin = 0, heavyOnRich = 0] = scores(heavy)
      // Three times the CPU of one card leaves two of the other three without: two cards are lost beside the one taken.
      expect(heavyOnRich - heavyOnThin).toBeGreaterThan(15_000)
      expect(lightOnThin).toBeGreaterThan(lightOnRich)
      const [onThin = 0, onRich = 0] = scores(asks(0, WHOLE, { [what]: 20_000 }))
      expect(onRich - onThin).toBeGreaterThan(15_000)
    },
  )

  test('of a node without free cards are there for work without cards', () => {
    const packer = packing(fleet(node('a', { cpuMilli: 16_000 }), node('b', { cpuMilli: 16_000 })), [
      { request: asks(1, WHOLE, { cpuMilli: 8000 }), count: 1 },
    ])
    packer.occupy(asks(2, WHOLE, { cpuMilli: 8000 }), { node: 1, cards: [0, 1], taken: undefined })
    expect(packer.place(asks(0, WHOLE, { cpuMilli: 4000 }))?.node).toBe(1)
  })
})

describe('pools that choosy work depends on', () => {
  const choosy = asks(1, WHOLE, { models: ['new'] })
  const pools = fleet(node('a', { model: 'new' }), node('b', { model: 'old' }))

  test('are left to it by work that may go elsewhere', () => {
    const packer = packing(pools, usual(asks(1), choosy))
    expect(packer.place(asks(1))?.node).toBe(1)
    expect(packer.place(choosy)?.node).toBe(0)
  })

  test('cost nothing where no work is choosy, and where all of it is', () => {
    for (const work of [asks(1), choosy]) {
      const scores = scoresOf(packing(pools, usual(work)))(asks(1))
      expect(scores[0]).toSatisfy(Number.isInteger)
      expect(scores[1]).toSatisfy(Number.isInteger)
    }
    const [first, second] = scoresOf(packing(pools, usual(asks(1))))(asks(1))
    expect(first).toBe(second)
  })

  test('cost the more, the less of them is left', () => {
    const nodes = fleet(
      node('a', { model: 'new' }),
      node('b', { model: 'new' }),
      node('c', { model: 'old', cards: cards(8) }),
    )
    const packer = packing(nodes, [
      { request: asks(1), count: 9 },
      { request: choosy, count: 1 },
    ])
    const [before = 0] = scoresOf(packer)(asks(1))
    packer.occupy(asks(2), { node: 1, cards: [0, 1], taken: undefined })
    const [after = 0] = scoresOf(packer)(asks(1))
    expect(after).toBeLessThan(before)
  })
})

describe('nodes that are begun', () => {
  const history = usual(asks(1), asks(2))

  test.each([
    ['a card', asks(1)],
    ['part of a card', asks(1, share(500))],
    ['no card', asks(0)],
  ])('are filled before idle ones: %s', (_, request) => {
    const packer = packing(fleet(node('a'), node('b')), history)
    packer.occupy(asks(1), { node: 1, cards: [0], taken: undefined })
    expect(packer.place(request)?.node).toBe(1)
  })

  test('a smaller idle node is broken into before a larger one', () => {
    const packer = packing(fleet(node('a', { cards: cards(8) }), node('b', { cards: cards(2) })), history)
    expect(packer.place(asks(1))?.node).toBe(1)
  })
})

describe('where work leaves about as fast as it comes', () => {
  const third = asks(1, share(420))
  const nothing = asks(0, WHOLE, { cpuMilli: 0, memoryMib: 0 })
  const wide = { cards: cards(8) }

  /** A hole that just fits on a node with seven idle cards, or the last idle card of another. */
  function choice(): FastPacker {
    const packer = packing(fleet(node('a', wide), node('b', wide)), usual(asks(1, share(300))))
    packer.occupy(asks(1, share(580)), part(0, 0, 580))
    packer.occupy(asks(7), { node: 1, cards: [0, 1, 2, 3, 4, 5, 6], taken: undefined })
    return packer
  }

  test('begun nodes are filled even at some cost, so that others become idle', () => {
    expect(choice().place(third)?.node).toBe(0)
    const packer = choice()
    comeAndGo(packer, { request: nothing, times: 20 })
    expect(packer.place(third)?.node).toBe(1)
  })

  test.each([
    [20, 100],
    [5000, 3000],
  ])('and no longer once it stays: after %i that left and %i that did not', (left, stayed) => {
    const packer = choice()
    comeAndGo(packer, { request: nothing, times: left })
    expect(packer.score(packer.kinds.of(third), 1)).toBeGreaterThan(packer.score(packer.kinds.of(third), 0))
    for (let turn = 0; turn < stayed; turn++) packer.place(nothing)
    expect(packer.place(third)?.node).toBe(0)
  })

  test('it is noticed however much has come before', () => {
    const packer = choice()
    for (let turn = 0; turn < 5000; turn++) packer.place(nothing)
    comeAndGo(packer, { request: nothing, times: 2000 })
    expect(packer.place(third)?.node).toBe(1)
  })

  test('what has begun goes on until less than a quarter leaves', () => {
    const packer = choice()
    comeAndGo(packer, { request: nothing, times: 400 })
    for (let turn = 0; turn < 600; turn++) packer.place(nothing)
    expect(packer.score(packer.kinds.of(third), 1)).toBeGreaterThan(packer.score(packer.kinds.of(third), 0))
  })

  test('a single departure changes nothing', () => {
    const packer = choice()
    for (let turn = 0; turn < 5; turn++) packer.place(nothing)
    comeAndGo(packer, { request: nothing, times: 1 })
    expect(packer.place(third)?.node).toBe(0)
  })
})

describe('without a history', () => {
  const choosy = asks(1, WHOLE, { models: ['new'] })
  const pools = fleet(node('a', { model: 'new', cards: cards(16) }), node('b', { model: 'old', cards: cards(16) }))

  test('it learns from what comes', () => {
    const packer = packing(pools, [])
    const [before = 0, other = 0] = scoresOf(packer)(asks(1))
    expect(before).toBe(other)
    for (let turn = 0; turn < 10; turn++)
      for (const request of [asks(17), choosy]) comeAndGo(packer, { request, times: 1 })
    const [first = 0, second = 0] = scoresOf(packer)(asks(1))
    expect(second).toBeGreaterThan(first)
  })

  test('it learns after sixteen requests and then ever more rarely, by nearly a third', () => {
    const packer = packing(pools, [])
    // Too large for any node: nothing changes but what has been heard of.
    const [large, largeAndChoosy] = [asks(17), asks(17, WHOLE, { models: ['new'] })]
    let known = scoresOf(packer)(asks(1))[0]
    const lessons: number[] = []
    for (let come = 1; come <= 50; come++) {
      packer.place(come <= 4 ? largeAndChoosy : large)
      const [score] = scoresOf(packer)(asks(1))
      if (score !== known) lessons.push(come)
      known = score
    }
    expect(lessons).toEqual([16, 21, 28, 37, 49])
  })

  test('a history is enough: nothing that comes changes what is known', () => {
    const packer = packing(pools, usual(asks(1)))
    const before = scoresOf(packer)(asks(1))
    for (let come = 0; come < 50; come++) packer.place(asks(17, WHOLE, { models: ['new'] }))
    expect(scoresOf(packer)(asks(1))).toEqual(before)
  })

  test('a fleet without cards has places too', () => {
    const packer = packing(fleet(node('a', { model: undefined, cards: [] })), [])
    for (let turn = 0; turn < 40; turn++) expect(packer.place(asks(0))?.node).toBe(0)
  })
})

describe('slices', () => {
  test('go to a card that is cut already before one that is whole', () => {
    const cut = { model: 'h100-sxm', cards: cards(1, 'mig') }
    const packer = packing(fleet(node('a', cut), node('b', cut)), usual(asks(1, slice(10)), asks(1)))
    packer.occupy(asks(1, slice(10)), { node: 1, cards: [0], taken: { kind: 'slice', profile: '1g.10gb', start: 6 } })
    expect(packer.place(asks(1, slice(10)))?.node).toBe(1)
  })

  test('do not take the last place of a larger one while there are others', () => {
    const cut = { model: 'h100-sxm', cards: cards(1, 'mig') }
    const packer = packing(fleet(node('a', cut), node('b', cut)), usual(asks(1, slice(10)), asks(1, slice(40))))
    packer.occupy(asks(1, slice(40)), { node: 0, cards: [0], taken: { kind: 'slice', profile: '3g.40gb', start: 4 } })
    packer.occupy(asks(1, slice(40)), { node: 1, cards: [0], taken: { kind: 'slice', profile: '3g.40gb', start: 4 } })
    packer.occupy(asks(1, slice(10)), { node: 1, cards: [0], taken: { kind: 'slice', profile: '1g.10gb', start: 0 } })
    expect(packer.place(asks(1, slice(10)))?.node).toBe(1)
    expect(packer.place(asks(1, slice(40)))?.node).toBe(0)
  })
})

/** However little of the work is choosy, it weighs the same. */
const ALL_ALIKE = { under: 1, more: 0 }

describe('the weights', () => {
  const flat = {
    ...TUNING,
    step: 1e-6,
    idleAfter: { filling: 0, churning: 0 },
    idleBefore: 0,
    empty: 0,
    elsewhere: 0,
    emptyForWhole: 0,
    pressure: { weight: 0, few: ALL_ALIKE, most: 1, free: 0, power: 1 },
    large: { weight: 0, most: 9 },
  }
  const nothing = asks(0, WHOLE, { cpuMilli: 0, memoryMib: 0 })

  /** Scores on a node with two idle cards of three, and on one with three of three. */
  function weighed(change: Partial<StrandingWeights>, request: Request): readonly number[] {
    const nodes = fleet(node('a', { cards: cards(3) }), node('b', { cards: cards(3) }))
    const packer = new FastPacker(nodes, { policy: strandingWith({ ...flat, ...change }), history: usual(asks(1)) })
    packer.occupy(asks(1), { node: 0, cards: [0], taken: undefined })
    return scoresOf(packer)(request)
  }

  test.each<[string, Partial<StrandingWeights>, readonly number[]]>([
    ['nothing', {}, [0, 0]],
    ['cards that would be left idle', { idleAfter: { filling: 0.05, churning: 9 } }, [-1000, -1500]],
    ['cards that are idle', { idleBefore: 0.01 }, [-200, -300]],
    ['a node that is idle', { empty: 0.03 }, [0, -300]],
  ])('count for %s, in ten-thousandths of a card', (_, change, scores) => {
    expect(weighed(change, nothing)).toEqual(scores)
  })

  test('a card that is taken counts for a card, and is not left idle', () => {
    expect(weighed({}, asks(1))).toEqual([-10_000, -10_000])
    expect(weighed({ idleAfter: { filling: 0.05, churning: 9 } }, asks(1))).toEqual([-10_500, -11_000])
  })

  test('what is worth less than a step more is worth the same', () => {
    const exact = weighed({ bySize: 1 }, asks(1, share(300)))
    expect(exact).toEqual([-3000, -3000])
    expect(weighed({ bySize: 1, step: 0.25 }, asks(1, share(300)))).toEqual([-5000, -5000])
    expect(weighed({ bySize: 1, step: 0.25 }, asks(1, share(500)))).toEqual([-5000, -5000])
  })

  test('without any for idle cards, idle nodes are as good as begun ones', () => {
    const [begun, idle] = weighed({}, asks(1))
    expect(begun).toBe(idle)
  })

  test('a pool that others depend on costs work by what it takes of it', () => {
    const nodes = fleet(node('a', { model: 'new', cards: cards(4) }), node('b', { model: 'old', cards: cards(4) }))
    const tuning = { ...flat, pressure: { weight: 0.1, few: ALL_ALIKE, most: 9, free: 0.5, power: 2 } }
    const history = usual(asks(1), asks(1, WHOLE, { models: ['new'] }))
    const scores = scoresOf(new FastPacker(nodes, { policy: strandingWith(tuning), history }))
    // Half of the demand may use all eight cards, half only four: one and a half times what is there, and half as much.
    expect(scores(asks(1))).toEqual([-10_000 - 0.1 * (1.5 - 0.5) ** 2 * 10_000, -10_000])
    expect(scores(asks(3))).toEqual([-30_000 - 3 * 0.1 * (1.5 - 0.5) ** 2 * 10_000, -30_000])
    expect(scores(asks(0))).toEqual([0, 0])
  })

  test('a pool costs no more than the most, and nothing up to what is free', () => {
    const nodes = fleet(node('a', { model: 'new', cards: cards(4) }), node('b', { model: 'old', cards: cards(4) }))
    const history = usual(asks(1), asks(1, WHOLE, { models: ['new'] }))
    const priced = (pressure: StrandingWeights['pressure']): readonly number[] =>
      scoresOf(new FastPacker(nodes, { policy: strandingWith({ ...flat, pressure }), history }))(asks(1))
    expect(priced({ weight: 0.1, few: ALL_ALIKE, most: 1, free: 0.5, power: 1 })).toEqual([-10_500, -10_000])
    expect(priced({ weight: 0.1, few: ALL_ALIKE, most: 9, free: 2, power: 1 })).toEqual([-10_000, -10_000])
  })

  test('scores are whole numbers, so that they can be compared exactly', () => {
    const scores = scoresOf(packing(fleet(node('a'), node('b', { cpuMilli: 777 })), usual(asks(1, share(333)))))
    for (const request of [asks(1), asks(1, share(123)), asks(0)]) {
      const found = scores(request)
      expect(found.map((score) => Math.round(score))).toEqual(found)
    }
  })
})

/** What usually comes, one as often as the other. */
function usual(...requests: readonly Request[]): readonly { readonly request: Request; readonly count: number }[] {
  return requests.map((request) => ({ request, count: 5 }))
}

function packing(nodes: Fleet, history: ReturnType<typeof usual>): FastPacker {
  return new FastPacker(nodes, { policy: stranding, history })
}

/** Score of a request on the first two nodes. */
function scoresOf(packer: FastPacker): (request: Request) => readonly number[] {
  return (request) => [0, 1].map((one) => packer.score(packer.kinds.of(request), one))
}

function part(onNode: number, card: number, milli: number): Spot {
  return { node: onNode, cards: [card], taken: { kind: 'share', milli } }
}

function comeAndGo(
  packer: FastPacker,
  { request, times }: { readonly request: Request; readonly times: number },
): void {
  for (let turn = 0; turn < times; turn++) {
    const spot = packer.place(request)
    if (spot !== undefined) packer.release(request, spot)
  }
}
