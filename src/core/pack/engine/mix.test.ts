import { describe, expect, test } from 'vitest'
import { asks, cards, fleet, groundOf, node, share } from './fleet.suite.ts'
import { coldMix, mixOf } from './mix.ts'

describe('a mix of work', () => {
  const { kinds } = groundOf(fleet(node('a')))
  const [one, two, three] = [kinds.of(asks(1)), kinds.of(asks(2)), kinds.of(asks(0))]

  test('adds up what came several times, in order of kinds, whatever order it came in', () => {
    const past = [
      { kind: two, count: 3 },
      { kind: one, count: 1 },
      { kind: two, count: 4 },
    ]
    const mix = [
      { kind: one, count: 1 },
      { kind: two, count: 7 },
    ]
    expect(mixOf(past)).toEqual(mix)
    expect(mixOf(past.toReversed())).toEqual(mix)
  })

  test('leaves out what never came', () => {
    expect(mixOf([{ kind: three, count: 0 }])).toEqual([])
    expect(mixOf([])).toEqual([])
  })
})

describe('before anything is known', () => {
  test('whole cards, halves and quarters come, each with its part of four fifths of CPU and memory', () => {
    const ground = groundOf(
      fleet(
        node('a', { cards: cards(3), cpuMilli: 30_000, memoryMib: 100_000 }),
        node('b', { cards: cards(1), cpuMilli: 10_000, memoryMib: 100_000 }),
      ),
    )
    expect(coldMix(ground).map(({ kind: { request }, count }) => ({ request, count }))).toEqual([
      { request: asks(1, { kind: 'whole' }, { cpuMilli: 8000, memoryMib: 40_000 }), count: 1 },
      { request: asks(1, share(500), { cpuMilli: 4000, memoryMib: 20_000 }), count: 1 },
      { request: asks(1, share(250), { cpuMilli: 2000, memoryMib: 10_000 }), count: 1 },
    ])
  })

  test('rounds down: work that asks for a part of a core or a megabyte is not heard of', () => {
    const ground = groundOf(fleet(node('a', { cards: cards(3), cpuMilli: 1000, memoryMib: 1000 })))
    expect(coldMix(ground).map(({ kind: { cpu, memory } }) => [cpu, memory])).toEqual([
      [266, 266],
      [133, 133],
      [66, 66],
    ])
  })

  test('nothing comes for a fleet without cards', () => {
    const ground = groundOf(fleet(node('a', { model: undefined, cards: [] })))
    expect(coldMix(ground)).toEqual([])
    expect(ground.kinds.all).toEqual([])
  })
})
