import { describe, expect, test } from 'vitest'
import type { Request } from '../../fleet/fleet.ts'
import { FastPacker } from './fast.ts'
import { fgd } from './fgd.ts'
import { asks, cards, fleet, node, share } from './fleet.suite.ts'

const ONE_CARD = { cards: cards(1), cpuMilli: 10_000 }
const HALF = asks(1, share(500))
const CARD = asks(1)

/** Half of the work takes half a card, half a whole one. */
const EVEN = [
  { request: HALF, count: 50 },
  { request: CARD, count: 50 },
]

/** As published: a hundred times the logistic function of the drop in thousandths of a card, rounded down. */
function scoreOf(drop: number): number {
  return Math.floor(100 / (1 + Math.exp(-drop / 1000)))
}

describe('the score of FGD', () => {
  test('falls when a card is broken that a whole card was wanted of', () => {
    // Before: nothing is useless. After: 500 is, to the half of the work that wants a card.
    expect(scoreOf(-250)).toBe(43)
    expect(scores(EVEN, { request: HALF, nodes: [ONE_CARD] })).toEqual([43])
  })

  test('rises when a fragment is used up', () => {
    const packer = packerOf(EVEN, [ONE_CARD])
    packer.place(HALF)
    // Before: 500 is useless to half of the work. After: nothing is left.
    expect(scoreOf(250)).toBe(56)
    expect(packer.score(packer.kinds.of(HALF), 0)).toBe(56)
  })

  test('is fifty when nothing changes', () => {
    expect(scores(EVEN, { request: CARD, nodes: [{ ...ONE_CARD, cards: cards(2) }] })).toEqual([50])
  })

  test('counts all that is idle as useless where too few cards have room', () => {
    const twos = [{ request: asks(2, share(400)), count: 1 }]
    const packer = packerOf(twos, [{ ...ONE_CARD, cards: cards(2) }])
    // Before: nothing. After 700 of the first card: 300 there are short, and only one card has 400: all 1300 are useless.
    expect(packer.score(packer.kinds.of(asks(1, share(700))), 0)).toBe(scoreOf(-1300))
    // After 600: 400 and 1000, both will do.
    expect(packer.score(packer.kinds.of(asks(1, share(600))), 0)).toBe(50)
  })

  test('counts remainders that are too small as useless, beside cards that will do', () => {
    const ones = [{ request: asks(1, share(400)), count: 1 }]
    const packer = packerOf(ones, [{ ...ONE_CARD, cards: cards(2) }])
    expect(packer.score(packer.kinds.of(asks(1, share(700))), 0)).toBe(scoreOf(-300))
  })

  test('counts all that is idle as useless where CPU is short', () => {
    const hungry = [{ request: asks(1, share(100), { cpuMilli: 6000 }), count: 1 }]
    const packer = packerOf(hungry, [ONE_CARD])
    const taking = (cpuMilli: number): number =>
      packer.score(packer.kinds.of(asks(0, { kind: 'whole' }, { cpuMilli })), 0)
    expect(taking(4000)).toBe(50)
    expect(taking(4001)).toBe(scoreOf(-1000))
  })

  test('counts what would be left of every card that is taken', () => {
    const packer = packerOf([{ request: CARD, count: 1 }], [{ ...ONE_CARD, cards: cards(3) }])
    // A whole card is left, and 600 of each of two, which is too little.
    expect(packer.score(packer.kinds.of(asks(2, share(400))), 0)).toBe(scoreOf(-1200))
  })

  test('does not look at memory', () => {
    const large = [{ request: asks(1, share(100), { memoryMib: 600_000 }), count: 1 }]
    const packer = packerOf(large, [ONE_CARD])
    expect(packer.score(packer.kinds.of(asks(0, { kind: 'whole' }, { memoryMib: 900_000 })), 0)).toBe(50)
  })

  test('counts all that is idle as useless for work without cards, and for work that may not use them', () => {
    const nodes = [{ ...ONE_CARD, cards: cards(2) }]
    // 2000 are useless before, 1000 after.
    expect(scores([{ request: asks(0), count: 1 }], { request: CARD, nodes })).toEqual([scoreOf(1000)])
    const elsewhere = [{ request: asks(1, { kind: 'whole' }, { models: ['another'] }), count: 1 }]
    expect(scores(elsewhere, { request: CARD, nodes })).toEqual([scoreOf(1000)])
  })
})

describe('typical work', () => {
  const nodes = [ONE_CARD]

  test('is the most frequent, up to 95 %, as if there were nothing else', () => {
    const rare = asks(1, share(300))
    // The rare 5 % would find 500 left over to be useful.
    const history = [
      { request: CARD, count: 95 },
      { request: rare, count: 5 },
    ]
    expect(scores(history, { request: HALF, nodes })).toEqual([scoreOf(-500)])
    const more = [
      { request: CARD, count: 94 },
      { request: rare, count: 6 },
    ]
    expect(scores(more, { request: HALF, nodes })).toEqual([scoreOf(-0.94 * 500)])
  })

  test('is not the same where it takes more CPU', () => {
    const history = [
      { request: CARD, count: 50 },
      { request: asks(1, { kind: 'whole' }, { cpuMilli: 6000 }), count: 50 },
    ]
    const request = asks(0, { kind: 'whole' }, { cpuMilli: 5000 })
    expect(scores(history, { request, nodes })).toEqual([scoreOf(-500)])
  })

  test('is counted together where it differs in memory only', () => {
    const history = [
      { request: asks(1, share(300)), count: 50 },
      { request: asks(1, { kind: 'whole' }, { memoryMib: 1 }), count: 30 },
      { request: asks(1, { kind: 'whole' }, { memoryMib: 2 }), count: 30 },
      { request: asks(1, { kind: 'whole' }, { memoryMib: 3 }), count: 900 },
    ]
    // 960 of 1010 are the same: 95.05 %, and the rest is not typical.
    expect(scores(history, { request: HALF, nodes })).toEqual([scoreOf(-500)])
  })

  // 90 of 100 find use for the 400 that are left over; of two that come 5 times each, one is still typical.
  test.each([
    ['share', asks(1, share(900)), asks(1, share(100)), scoreOf((-5 / 95) * 400)],
    ['CPU before share', asks(1, share(100), { cpuMilli: 200 }), asks(1, share(900)), 50],
    ['models', asks(1, share(500), { models: ['plain'] }), asks(1, share(500), { models: ['other'] }), 49],
    ['models', asks(1, share(500), { models: ['some'] }), asks(1, share(500), { models: ['plain'] }), 50],
  ])('of equally frequent work is the larger: by %s', (_, larger, smaller, score) => {
    const often = { request: asks(1, share(200)), count: 90 }
    const rare = [larger, smaller].map((request) => ({ request, count: 5 }))
    for (const history of [
      [often, ...rare],
      [...rare.toReversed(), often],
    ])
      expect(scores(history, { request: asks(1, share(600)), nodes })).toEqual([score])
  })

  test('of equally frequent work of one size is what takes more cards', () => {
    const history = [
      { request: asks(1, share(200)), count: 90 },
      { request: asks(1, share(500)), count: 5 },
      { request: asks(2, share(500)), count: 5 },
    ]
    const two = [{ ...ONE_CARD, cards: cards(2) }]
    // With 400 and 1000 left, all of it is of no use to who wants 500 of two cards.
    expect(scores(history, { request: asks(1, share(600)), nodes: two })).toEqual([scoreOf((-5 / 95) * 1400)])
  })

  test('is all of it where the rest does not come to 95 % without', () => {
    const history = [
      { request: asks(1, share(200)), count: 89 },
      { request: asks(1, share(900)), count: 5 },
      { request: asks(1, share(950)), count: 5 },
    ]
    expect(scores(history, { request: asks(1, share(600)), nodes })).toEqual([scoreOf((-10 / 99) * 400)])
  })

  test('is nothing when nothing is known: every place is as good', () => {
    expect(scores([], { request: HALF, nodes })).toEqual([50])
  })
})

describe('FGD', () => {
  test('takes the node where useless parts grow least', () => {
    const packer = packerOf(EVEN, [ONE_CARD, ONE_CARD])
    packer.occupy(HALF, { node: 1, cards: [0], taken: { kind: 'share', milli: 500 } })
    expect(packer.place(HALF)?.node).toBe(1)
    expect(packer.place(HALF)?.node).toBe(0)
  })

  test('takes the first card of those that are as good, whether or not another is fuller', () => {
    const packer = packerOf([], [{ ...ONE_CARD, cards: cards(3) }])
    packer.occupy(HALF, { node: 0, cards: [1], taken: { kind: 'share', milli: 500 } })
    expect(packer.place(HALF)?.cards).toEqual([0])
  })

  test('takes the lowest of the idle cards', () => {
    const packer = packerOf(EVEN, [{ ...ONE_CARD, cards: cards(4) }])
    packer.occupy(CARD, { node: 0, cards: [1], taken: undefined })
    expect(packer.place(asks(2))?.cards).toEqual([0, 2])
  })

  test('learns nothing from what comes', () => {
    const packer = packerOf([], [ONE_CARD])
    for (let turn = 0; turn < 50; turn++) {
      const spot = packer.place(CARD)
      if (spot !== undefined) packer.release(CARD, spot)
    }
    expect(packer.score(packer.kinds.of(HALF), 0)).toBe(50)
  })
})

type History = readonly { readonly request: Request; readonly count: number }[]
type Nodes = readonly Parameters<typeof node>[1][]

function packerOf(history: History, nodes: Nodes): FastPacker {
  return new FastPacker(fleet(...nodes.map((change, index) => node(`n${index}`, change))), { policy: fgd, history })
}

/** The score of a request on each of some fresh nodes. */
function scores(history: History, { request, nodes }: { request: Request; nodes: Nodes }): readonly number[] {
  const packer = packerOf(history, nodes)
  return nodes.map((_, index) => packer.score(packer.kinds.of(request), index))
}
