import { describe, expect, test } from 'vitest'
import { bestFit } from './best-fit.ts'
import { FastPacker } from './fast.ts'
import { asks, cards, fleet, node, share, slice } from './fleet.suite.ts'

/** 64 cores and two cards. */
const NODE = { cpuMilli: 64_000, cards: cards(2) }
const FOUR_CORES = { cpuMilli: 4000 }

describe('the score of best fit', () => {
  test.each([
    // 1 - (64 - 4) / 128 / 2 - (2000 - 500) / 8000 / 2 = 0.671875
    ['a share', asks(1, share(500), FOUR_CORES), 67],
    // 1 - 60 / 128 / 2 - 1000 / 8000 / 2 = 0.703125
    ['a card', asks(1, { kind: 'whole' }, FOUR_CORES), 70],
    // 1 - 60 / 128 / 2 - 0 = 0.765625
    ['two cards', asks(2, { kind: 'whole' }, FOUR_CORES), 76],
    // 1 - 60 / 128 / 2 - (2000 - 1000) / 8000 / 2: the same as a card
    ['half of two cards', asks(2, share(500), FOUR_CORES), 70],
    // 1 - 60 / 128 / 2 - 2000 / 8000 / 2 = 0.640625
    ['no card', asks(0, { kind: 'whole' }, FOUR_CORES), 64],
    // 1 - 0 - 1000 / 8000 / 2 = 0.9375
    ['all cores', asks(1, { kind: 'whole' }, { cpuMilli: 64_000 }), 93],
  ])('is what would be left of CPU and cards, in hundredths: %s', (_, request, score) => {
    const packer = new FastPacker(fleet(node('a', NODE)), { policy: bestFit })
    expect(packer.score(packer.kinds.of(request), 0)).toBe(score)
  })

  test('goes by what is left beside what is there', () => {
    const packer = new FastPacker(fleet(node('a', NODE)), { policy: bestFit })
    packer.place(asks(1, share(700), { cpuMilli: 32_000 }))
    // 1 - (32 - 4) / 128 / 2 - (1300 - 300) / 8000 / 2 = 0.828125
    expect(packer.score(packer.kinds.of(asks(1, share(300), FOUR_CORES)), 0)).toBe(82)
  })

  test('counts an eighth of a card that is cut as an eighth', () => {
    const packer = new FastPacker(fleet(node('a', { ...NODE, model: 'h100-sxm', cards: cards(1, 'mig') })), {
      policy: bestFit,
    })
    packer.place(asks(1, slice(10), { cpuMilli: 60_000 }))
    // 1 - 0 - (875 - 0) / 8000 / 2 = 0.9453
    expect(packer.score(packer.kinds.of(asks(0, { kind: 'whole' }, FOUR_CORES)), 0)).toBe(94)
  })
})

describe('best fit', () => {
  test('takes the node with the least to spare', () => {
    const packer = new FastPacker(fleet(node('a', { ...NODE, cards: cards(4) }), node('b', NODE)), { policy: bestFit })
    expect(packer.place(asks(1))?.node).toBe(1)
  })

  test('takes the card with the least to spare', () => {
    const packer = new FastPacker(fleet(node('a', { ...NODE, cards: cards(3) })), { policy: bestFit })
    packer.occupy(asks(1, share(400)), { node: 0, cards: [1], taken: { kind: 'share', milli: 400 } })
    packer.occupy(asks(1, share(600)), { node: 0, cards: [2], taken: { kind: 'share', milli: 600 } })
    expect(packer.place(asks(1, share(400)))?.cards).toEqual([2])
    expect(packer.place(asks(1, share(400)))?.cards).toEqual([1])
    expect(packer.place(asks(1, share(400)))?.cards).toEqual([0])
  })

  test('asks the same price of every pool, and learns nothing', () => {
    const packer = new FastPacker(fleet(node('a', { ...NODE, model: 'new' }), node('b', { ...NODE, model: 'old' })), {
      policy: bestFit,
    })
    const choosy = asks(1, { kind: 'whole' }, { models: ['new'] })
    const any = packer.kinds.of(asks(1))
    const before = [0, 1].map((one) => packer.score(any, one))
    for (let turn = 0; turn < 50; turn++) {
      const spot = packer.place(choosy)
      if (spot !== undefined) packer.release(choosy, spot)
    }
    expect([0, 1].map((one) => packer.score(any, one))).toEqual(before)
    expect(before[0]).toBe(before[1])
  })
})
