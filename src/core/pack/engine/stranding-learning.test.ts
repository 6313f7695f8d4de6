import { describe, expect, test } from 'vitest'
import type { Fleet, Request } from '../../fleet/fleet.ts'
import { Dice } from '../../base/dice.ts'
import { FastPacker } from './fast.ts'
import { asks, cards, fleet, node, share, slice, WHOLE } from './fleet.suite.ts'
import { stranding, strandingWith, TUNING, type StrandingWeights } from './stranding.ts'

// What is learnt from the work that usually comes, one term at a time: the others have no weight here.

const FLAT: StrandingWeights = {
  ...TUNING,
  step: 1e-6,
  idleAfter: { filling: 0, churning: 0 },
  idleBefore: 0,
  empty: 0,
  emptyForWhole: 0,
  elsewhere: 0,
  pressure: { weight: 0, few: { under: 1, more: 0 }, most: 9, free: 0.5, power: 1 },
  large: { weight: 0, most: 9 },
}
const PRESSED: StrandingWeights = { ...FLAT, pressure: { ...FLAT.pressure, weight: 0.1 } }
const POOLS = fleet(node('a', { model: 'new', cards: cards(4) }), node('b', { model: 'old', cards: cards(4) }))
const choosy = (count: number): Request => asks(count, WHOLE, { models: ['new'] })

type History = readonly { readonly request: Request; readonly count: number }[]

describe('machines that only some work needs', () => {
  const TALL: StrandingWeights = { ...FLAT, large: { weight: 0.1, most: 3 } }
  const mixed = fleet(
    node('a', { model: 'tall', cards: cards(4) }),
    node('b', { model: 'flat', cards: cards(2) }),
    node('c', { model: 'flat', cards: cards(2) }),
  )
  const half = (): History => [
    { request: asks(1), count: 4 },
    { request: asks(4), count: 1 },
  ]

  test('cost the rest of the work, by how far the demand for them exceeds what is left', () => {
    // Half of the demand for eight cards fits only on the four of one machine: one and a half times what it has.
    expect(scoring(mixed, TALL, half())(asks(1))).toEqual([-10_500, -10_000, -10_000])
    expect(scoring(mixed, FLAT, half())(asks(1))).toEqual([-10_000, -10_000, -10_000])
    expect(scoring(mixed, { ...TALL, large: { weight: 0.1, most: 1.2 } }, half())(asks(1))).toEqual([
      -10_200, -10_000, -10_000,
    ])
  })

  test('are broken into less gladly, the more of the work takes them whole', () => {
    const scores = scoring(mixed, { ...FLAT, emptyForWhole: 0.03 }, half())
    // Two thirds of what comes to the first machine take all of it.
    expect(scores(asks(1))).toEqual([-10_200, -10_000, -10_000])
  })

  test('the fewer are choosy, the more is kept for them', () => {
    const few = { ...PRESSED, pressure: { ...PRESSED.pressure, few: { under: 1, more: 1 } } }
    const history: History = [
      { request: asks(1), count: 3 },
      { request: choosy(1), count: 1 },
    ]
    // A quarter is choosy: the load is three quarters and a half, less what is free, and weighs by three quarters more.
    expect(scoring(POOLS, PRESSED, history)(asks(1))).toEqual([-10_750, -10_250])
    expect(scoring(POOLS, few, history)(asks(1))).toEqual([-10_000 - 750 * 1.75, -10_000 - 250 * 1.75])
  })
})

describe('CPU that is left behind', () => {
  const four = fleet(node('a', { cards: cards(4), cpuMilli: 24_000 }))

  test('is judged for each kind of work alone, not for their mean', () => {
    const [thrifty, hungry] = [3000, 5000].map((cpuMilli) => asks(1, WHOLE, { cpuMilli, memoryMib: 1 }))
    const scores = scoring(four, FLAT, usual(...[thrifty, hungry].flatMap((request) => request ?? [])))
    // 15 cores are enough for four cards of the one, and for three of the other: half of the demand loses a card.
    expect(scores(asks(0, WHOLE, { cpuMilli: 9000 }))).toEqual([-5000])
    expect(scores(asks(0, WHOLE, { cpuMilli: 4000 }))).toEqual([0])
    // With four cores, two and two thirds of four cards of the one are lost, and three and a fifth of the other.
    expect(scores(asks(0, WHOLE, { cpuMilli: 20_000 }))).toEqual([-Math.round((8 / 3 + 16 / 5) * 5000)])
  })

  test('counts by what the work takes of cards, however it is asked for', () => {
    const light = asks(1, WHOLE, { cpuMilli: 1000, memoryMib: 1 })
    const heavy = asks(4, WHOLE, { cpuMilli: 24_000, memoryMib: 1 })
    const history = [
      { request: light, count: 4 },
      { request: heavy, count: 1 },
    ]
    // The heavy one, half of all by cards, loses two of four.
    expect(scoring(four, FLAT, history)(asks(0, WHOLE, { cpuMilli: 12_000 }))).toEqual([-10_000])
  })

  test('before anything has come, is judged by what the fleet has for each card', () => {
    const nodes = fleet(
      node('a', { cards: cards(4), cpuMilli: 32_000 }),
      node('b', { cards: cards(4), cpuMilli: 96_000 }),
    )
    const [thin = 0, rich = 0] = scoring(nodes, FLAT, [])(asks(0, WHOLE, { cpuMilli: 20_000 }))
    expect(rich).toBe(0)
    expect(thin).toBeLessThan(-10_000)
  })
})

describe('a pool that part of the work may not use', () => {
  test('is where cards are given away more lightly', () => {
    const scores = scoring(POOLS, { ...FLAT, elsewhere: 0.1 }, usual(asks(1), choosy(1)))
    // A tenth of what half of the work cannot use anyway.
    expect(scores(asks(1))).toEqual([-10_000, -9500])
  })

  test.each<[string, History]>([
    ['one card each', usual(asks(1), choosy(1))],
    [
      'four cards at once, a quarter as often',
      [
        { request: asks(1), count: 4 },
        { request: choosy(4), count: 1 },
      ],
    ],
  ])('is pressed by the cards that are asked of it: %s', (_, history) => {
    // Half of the demand for eight cards may use only four of them: one and a half times what is there, half of it free.
    expect(scoring(POOLS, PRESSED, history)(asks(1))).toEqual([-11_000, -10_000])
  })

  test('is pressed by slices and costs them by what they take of a card', () => {
    const cut = fleet(
      node('a', { model: 'h100-sxm', cards: cards(4, 'mig') }),
      node('b', { model: 'a100-80-sxm', cards: cards(4, 'mig') }),
    )
    const scores = scoring(cut, PRESSED, usual(asks(1), asks(1, WHOLE, { models: ['h100-sxm'] })))
    for (const gib of [10, 20, 40, 80]) {
      const [pressed = 0, free = 0] = scores(asks(1, slice(gib)))
      expect(free).toBeLessThan(-500)
      expect(pressed / free).toBeCloseTo(1.1, 3)
    }
  })
})

describe('the worth of parts of cards', () => {
  test('goes by how many cards are asked for, not by how many requests ask', () => {
    const one = [
      { request: asks(1, share(650)), count: 5 },
      { request: asks(10, share(320)), count: 5 },
    ]
    const many = [
      { request: asks(1, share(650)), count: 5 },
      { request: asks(1, share(320)), count: 50 },
    ]
    const nodes = fleet(node('a'))
    for (const request of [asks(1, share(650)), asks(1, share(320))])
      expect(scoring(nodes, FLAT, one)(request)).toEqual(scoring(nodes, FLAT, many)(request))
  })

  test('does not depend on the order of the history', () => {
    for (let seed = 0; seed < 40; seed++) {
      const dice = new Dice(seed)
      const history = Array.from({ length: 10 }, () => ({
        request: asks(1, share(1 + dice.roll(999))),
        count: 1 + dice.roll(40),
      }))
      const [one, two] = [history, history.toReversed()].map((past) => scoring(fleet(node('a')), FLAT, past))
      for (const { request } of history) expect(one?.(request), `seed ${seed}`).toEqual(two?.(request))
    }
  })

  test('a whole card is worth a card, whatever is known', () => {
    for (const history of [[], usual(asks(1, share(600))), usual(asks(1, slice(10))), usual(asks(0))])
      expect(scoring(fleet(node('a')), FLAT, history)(asks(1))).toEqual([-10_000])
  })
})

test('where about half leaves, nothing turns; where more does, begun nodes are filled', () => {
  const nothing = asks(0, WHOLE, { cpuMilli: 0, memoryMib: 0 })
  const idleAfter = { filling: 0, churning: 0.05 }
  const scoreAfter = (leaving: number): readonly number[] => {
    const packer = new FastPacker(fleet(node('a')), {
      policy: strandingWith({ ...FLAT, idleAfter }),
      history: usual(asks(1)),
    })
    for (let come = 0; come < 100; come++) {
      const spot = packer.place(nothing)
      if (spot !== undefined && (come * leaving) % 100 < leaving) packer.release(nothing, spot)
    }
    return [packer.score(packer.kinds.of(nothing), 0)]
  }
  expect(scoreAfter(40)).toEqual([0])
  expect(scoreAfter(60)).toEqual([-1000])
})

test('the default policy is the one with the tuning that is published', () => {
  const history = usual(asks(1), choosy(1), asks(1, share(300)))
  const [one, two] = [stranding, strandingWith(TUNING)].map((policy) => new FastPacker(POOLS, { policy, history }))
  for (const request of [asks(1), asks(1, share(250)), asks(0)])
    for (const at of [0, 1]) expect(one?.score(one.kinds.of(request), at)).toBe(two?.score(two.kinds.of(request), at))
})

function usual(...requests: readonly Request[]): History {
  return requests.map((request) => ({ request, count: 5 }))
}

/** Scores of a request on every node of a fresh fleet. */
function scoring(nodes: Fleet, tuning: StrandingWeights, history: History): (request: Request) => readonly number[] {
  const packer = new FastPacker(nodes, { policy: strandingWith(tuning), history })
  return (request) => nodes.nodes.map((_, index) => packer.score(packer.kinds.of(request), index))
}
